import type { Agent } from "../../agents/agent.ts";
import { formatLine } from "../../agents/analysis.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/game.ts";
import { describeResult, possibleActions, winnersOf } from "../../games/notation.ts";

const HELP = "your action, or: undo, hint, moves, state, help, quit";

/** A game between a person and an agent, and how to talk with the person. */
interface Session {
  readonly game: Game;
  /** Plays all seats but the person's. */
  readonly prepared: PreparedAgent;
  /** The position to begin from; the session plays on in it. */
  readonly state: State;
  /** The board as a picture in text. */
  readonly draw: (state: State) => string;
  /** The person's seat, from 0. */
  readonly seat: number;
  /** Chance and the agent's randomness descend from it. */
  readonly seed: string;
  /** Milliseconds from any fixed moment. */
  readonly clock: () => number;
  readonly write: (text: string) => void;
  /** The next line that the person types; undefined when there is no more. */
  readonly read: () => Promise<string | undefined>;
}

/** Plays one game between a person and an agent, to its end or until the person quits. */
export async function playAgainst(session: Session): Promise<void> {
  const { game, state, seat, write } = session;
  const agent = session.prepared.create();
  const chance = createRandom(session.seed, "play", "chance");
  const random = createRandom(session.seed, "play", "agent");
  /** Every action since the session began, and whether a person chose it. */
  const played: { action: number; mine: boolean }[] = [];
  const apply = (action: number, mine: boolean) => {
    played.push({ action, mine });
    state.apply(action);
  };

  write(`${session.draw(state)}\n`);
  while (state.toMove !== TERMINAL) {
    if (state.toMove === CHANCE) {
      const outcome = sample(game, state, chance);
      write(`chance: ${game.formatAction(outcome, state)}\n`);
      apply(outcome, false);
    } else if (state.toMove === seat) {
      const action = await askPerson(session, agent, random, () => takeBack(session, played));
      if (action === undefined) {
        write("The game is left unfinished.\n");
        return;
      }
      apply(action, true);
    } else {
      const { action, text } = await think(session, agent, random);
      write(`player ${state.toMove + 1} plays ${text}\n`);
      apply(action, false);
    }
    write(`${session.draw(state)}\n`);
  }
  write(`${resultText(game, state, seat)}\n`);
}

function sample(game: Game, state: State, random: Random): number {
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const count = state.chanceOutcomes(actions, probabilities, 0);
  return actions[random.weighted(probabilities, 0, count)];
}

/** The person's action, or undefined to quit. Commands are carried out on the way. */
async function askPerson(
  session: Session,
  agent: Agent,
  random: Random,
  undo: () => boolean,
): Promise<number | undefined> {
  const { game, state, write, read } = session;
  for (;;) {
    write(`player ${state.toMove + 1} (you) > `);
    const line = (await read())?.trim();
    if (line === undefined || line === "quit") return undefined;
    if (line === "" || line === "help") write(`${HELP}\n`);
    else if (line === "state") write(`${game.formatState(state)}\n`);
    else if (line === "moves") write(`${legalNames(game, state)}\n`);
    else if (line === "hint") write(`${(await think(session, agent, random)).text}\n`);
    else if (line === "undo") write(undo() ? `${session.draw(state)}\n` : "there is nothing to take back\n");
    else {
      try {
        return game.parseAction(line, state);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        write(`${error.message}\n`);
      }
    }
  }
}

function legalNames(game: Game, state: State): string {
  return Array.from(possibleActions(game, state), (action) => game.formatAction(action, state)).join(" ");
}

/** Goes back to the person's last decision; false where there was none. */
function takeBack({ state }: Session, played: { action: number; mine: boolean }[]): boolean {
  if (!played.some(({ mine }) => mine)) return false;
  for (let mine = false; !mine;) {
    state.undo();
    mine = played.pop()!.mine;
  }
  return true;
}

/** The agent's action, and a text for the person: the action, its value, and the line that the agent expects. */
async function think(
  session: Session,
  agent: Agent,
  random: Random,
): Promise<{ action: number; text: string }> {
  const { game, state, prepared, clock } = session;
  const view = game.start();
  view.copyFrom(state);
  const { action, value, depth, nodes, line } = await agent.choose(view, {
    random,
    budget: prepared.budget,
    clock,
  });
  const details = [
    value === undefined ? "" : `value ${value.toFixed(3)}`,
    depth === undefined ? "" : `depth ${depth}`,
    nodes === 0 ? "" : `${nodes} nodes`,
    line.length < 2 ? "" : `line ${formatLine(game, state, line).join(" ")}`,
  ].filter((detail) => detail !== "");
  const note = details.length === 0 ? "" : `   (${details.join(", ")})`;
  return { action, text: `${game.formatAction(action, state)}${note}` };
}

function resultText(game: Game, state: State, seat: number): string {
  const returns = Array.from({ length: game.players }, (_, player) => state.returns(player));
  const winners = winnersOf(returns);
  const end = `The game is over: ${describeResult(game, state)}.`;
  if (winners.length === game.players) return end;
  return `${end} ${winners.includes(seat) ? "You win." : "You lose."}`;
}
