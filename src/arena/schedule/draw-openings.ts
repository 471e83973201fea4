import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import type { Agent } from "../../agents/agent.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import { CHANCE, TERMINAL, type Game, type State, notDuel } from "../../games/contract/game.ts";

/** After this many draws in a row without a new position, the game counts as having no more. */
const MAX_IDLE_DRAWS = 10_000;
/** The most positions that are judged for each opening asked for. */
const MAX_JUDGED = 1000;

/** The openings that `drawOpenings` is asked for. */
export interface OpeningRequest {
  readonly plies: number;
  readonly count: number;
  readonly seed: string;
  /** Keeps positions whose value `agent` finds at most `within` from zero, in the game's units [keeps all]. */
  readonly balance?: { readonly agent: PreparedAgent; readonly within: number } | undefined;
  /** The time in ms; agents with a budget of nodes or depth do not read it. */
  readonly clock: () => number;
}

/** A line from the start of the game. */
export interface DrawnOpening {
  readonly actions: readonly number[];
  /** The value of its last position for the player to move; absent if nobody judged it. */
  readonly value?: number;
}

/** The openings that were found. */
export interface DrawnOpenings {
  readonly openings: readonly DrawnOpening[];
  /** The number of different positions drawn. */
  readonly drawn: number;
}

/**
 * Draws random lines of so many plies, each to a position of its own: of lines that transpose into each other the first
 * one is kept. Lines that end the game are left out. There are fewer than asked for if the game has no more, or if few
 * positions are balanced. Throws InputError for a game with chance in its opening, for a balance of a game that is no
 * duel, and for an agent without values.
 */
export async function drawOpenings(game: Game, request: OpeningRequest): Promise<DrawnOpenings> {
  const { plies, count, seed, balance } = request;
  const trait = balance && notDuel(game);
  if (trait !== undefined)
    throw new InputError(
      `${game.id} has ${trait}; only games of two players whose returns sum to zero are balanced`,
    );
  const random = createRandom(seed, "openings", "drawn");
  const judge = balance && new Judge(game, balance.agent, request);
  const state = game.start();
  const seen = new Set<string>();
  const openings: DrawnOpening[] = [];
  const most = balance === undefined ? Infinity : MAX_JUDGED * count;
  try {
    for (let idle = 0; openings.length < count && idle < MAX_IDLE_DRAWS && seen.size < most; idle++) {
      const actions = play(game, state, { plies, random });
      const key = `${state.hashLow},${state.hashHigh}`;
      if (state.toMove === TERMINAL || seen.has(key)) continue;
      idle = 0;
      seen.add(key);
      const value = await judge?.value(state, actions);
      if (value === undefined) openings.push({ actions });
      else if (Math.abs(value) <= balance!.within) openings.push({ actions, value });
    }
  } finally {
    judge?.close();
  }
  return { openings, drawn: seen.size };
}

/** Plays random plies from the start; the line is shorter if the game ends before. */
function play(game: Game, state: State, { plies, random }: { plies: number; random: Random }): number[] {
  const actions = new Int32Array(game.maxActions);
  const line: number[] = [];
  state.copyFrom(game.start());
  while (line.length < plies && state.toMove >= 0) {
    const action = actions[random.below(state.legalActions(actions, 0))];
    line.push(action);
    state.apply(action);
  }
  if (state.toMove !== CHANCE) return line;
  throw new InputError(
    `${game.id} has chance in its first ${plies} plies, so an opening would fix dice; ` +
      `let the tournament draw them: openings: { randomPlies: ${plies} }`,
  );
}

/** Asks an agent for values. Each position is a game of its own to it, so values are those of `analysePosition`. */
class Judge {
  private readonly game: Game;
  private readonly prepared: PreparedAgent;
  private readonly agent: Agent;
  private readonly request: OpeningRequest;

  constructor(game: Game, prepared: PreparedAgent, request: OpeningRequest) {
    this.game = game;
    this.prepared = prepared;
    this.agent = prepared.create();
    this.request = request;
  }

  /** The value for the player to move. */
  async value(state: State, actions: readonly number[]): Promise<number> {
    const { agent, game, prepared, request } = this;
    const random = createRandom(request.seed, "analyze");
    await agent.newGame?.();
    const view = game.start();
    view.copyFrom(state);
    const { budget } = prepared;
    const { value } = await agent.choose(view, {
      random,
      budget,
      clock: request.clock,
      played: () => ({ actions }),
    });
    if (value !== undefined) return value;
    throw new InputError(`${prepared.family.id} tells no values, so it cannot find balanced openings`);
  }

  /** Ends the processes of the agent. */
  close(): void {
    this.agent.close?.();
  }
}
