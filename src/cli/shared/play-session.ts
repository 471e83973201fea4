import type { Agent } from "../../agents/agent.ts";
import { DrawnWorld } from "../../agents/worlds.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import { ARROWS, type LineReader } from "./line-reader.ts";
import {
  describeResult,
  legalLine,
  possibleActions,
  sampleChance,
  winnersOf,
} from "../../games/contract/notation.ts";

const HELP = "your action, or: undo, hint, moves, state, save FILE, help, quit";
const HELP_HIDDEN = "your action, or: hint, moves, help, quit";
/** Where something is hidden, the person is asked after whole seconds: the time must not tell how much the others did. */
const PACE_MS = 1000;

/** A person's game, against an agent or alone, and the functions that talk with the person. */
interface Session {
  readonly game: Game;
  /** Plays all seats but the person's; a game of one player needs none. */
  readonly prepared: PreparedAgent | undefined;
  /** The position to begin from; the session plays on in it. */
  readonly state: State;
  /** The board as a picture in text, with what has changed since the position `before` the last decision. */
  readonly draw: (state: State, before?: State) => string;
  /** The person's seat, from 0. */
  readonly seat: number;
  /** Chance and the agent's randomness descend from it. */
  readonly seed: string;
  /** Milliseconds from any fixed moment. */
  readonly clock: () => number;
  readonly write: (text: string) => void;
  readonly read: LineReader["read"];
  readonly pause: (timeMs: number) => Promise<unknown>;
  /** Saves every action so far, with the chance outcomes, to a file; returns a message. Throws on failure. */
  readonly save: (file: string, actions: readonly number[]) => string;
}

/** The end of a session; `interrupted`: the input ended. */
export interface SessionEnd {
  readonly ending: "finished" | "quit" | "interrupted";
  /** Every action since the session began, with the chance outcomes. */
  readonly actions: readonly number[];
}

/**
 * Plays one game of a person, to its end or until the person quits. In games of hidden information the session begins at the
 * start; the person sees its own view alone, and everything when the game is over.
 */
export async function playAgainst(session: Session): Promise<SessionEnd> {
  const { game, state, seat, write, clock } = session;
  const { privacy } = game;
  const chance = createRandom(session.seed, "play", "chance");
  /** Every action since the session began, and whether a person chose it. */
  const played: { action: number; mine: boolean }[] = [];
  const actions = () => played.map(({ action }) => action);
  const agents = new Agents(session, actions);
  let before: State | undefined;
  let answered = clock();
  const apply = (action: number, mine: boolean) => {
    if (state.toMove !== CHANCE) {
      before = game.start();
      before.copyFrom(state);
    }
    played.push({ action, mine });
    state.apply(action);
  };
  const undo = () => {
    before = undefined;
    return takeBack(session, played);
  };

  while (state.toMove !== TERMINAL) {
    // The board is not drawn before a chance event.
    if (state.toMove !== CHANCE && privacy === undefined) write(`${session.draw(state, before)}\n`);
    if (state.toMove === CHANCE) {
      const outcome = sampleChance(game, state, chance);
      if (privacy === undefined) write(`chance: ${game.formatAction(outcome, state)}\n`);
      apply(outcome, false);
    } else if (state.toMove === seat) {
      if (privacy !== undefined) {
        await session.pause(PACE_MS - ((clock() - answered) % PACE_MS));
        write(`${privacy.formatView(state, seat)}\n`);
      }
      const answer = await askPerson(session, { agents, undo, actions });
      answered = clock();
      if (typeof answer === "string") {
        write(`${answer === "interrupted" ? "\n" : ""}The game is left unfinished.\n`);
        return { ending: answer, actions: actions() };
      }
      apply(answer, true);
    } else {
      const { action, text } = await agents.think();
      if (privacy === undefined) write(`player ${state.toMove + 1} plays ${text}\n`);
      apply(action, false);
    }
  }
  if (privacy !== undefined) write(`Now all lies open: ${game.formatState(state)}\n`);
  write(`${session.draw(state, before)}\n${resultText(game, state, seat)}\n`);
  return { ending: "finished", actions: actions() };
}

/** Asks for the person's action, or the end of the session; carries out commands on the way. */
async function askPerson(
  session: Session,
  parts: { agents: Agents; undo: () => boolean; actions: () => readonly number[] },
): Promise<number | "quit" | "interrupted"> {
  const { game, state, write, read } = session;
  const { agents, undo, actions } = parts;
  const isHidden = game.hiddenInformation;
  const arrows = namesOf(game, state).some((name) => ARROWS.includes(name));
  for (;;) {
    const line = (await read(`player ${state.toMove + 1} (you) > `, { arrows }))?.trim();
    if (line === undefined) return "interrupted";
    if (line === "quit") return "quit";
    const [, file] = /^save +(.+)$/.exec(line) ?? [];
    if (line === "" || line === "help")
      write(`${arrows ? "an arrow key, " : ""}${isHidden ? HELP_HIDDEN : HELP}\n`);
    else if (isHidden && (line === "state" || line === "undo" || file !== undefined))
      write("not before the game is over: it would show what is hidden\n");
    else if (line === "state") write(`${game.formatState(state)}\n`);
    else if (line === "moves") write(`${namesOf(game, state).join(" ")}\n`);
    else if (line === "hint")
      write(`${session.prepared === undefined ? "there is no agent to ask" : (await agents.think()).text}\n`);
    else if (file !== undefined) write(`${trySaving(session, file, actions())}\n`);
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

function trySaving({ save }: Session, file: string, actions: readonly number[]): string {
  try {
    return save(file, actions);
  } catch (error) {
    // A full disk or a wrong name is no reason to lose the game.
    return error instanceof Error ? error.message : String(error);
  }
}

/** The possible actions as text. */
function namesOf(game: Game, state: State): string[] {
  return Array.from(possibleActions(game, state), (action) => game.formatAction(action, state));
}

/** Goes back to the person's last decision; false if there was none. */
function takeBack({ state }: Session, played: { action: number; mine: boolean }[]): boolean {
  if (!played.some(({ mine }) => mine)) return false;
  for (let mine = false; !mine;) {
    state.undo();
    mine = played.pop()!.mine;
  }
  return true;
}

/** The agent that plays the other seats. Where something is hidden, each seat has its own, which sees drawn worlds. */
class Agents {
  private readonly session: Session;
  private readonly actions: () => readonly number[];
  /** The position in which the session began. */
  private readonly from: string;
  private readonly drawn: DrawnWorld | undefined;
  /** One for each seat where something is hidden, else one for all. */
  private readonly minds: readonly { readonly agent: Agent | undefined; random: Random; worlds: Random }[];

  /** @param actions every action since the session began */
  constructor(session: Session, actions: () => readonly number[]) {
    const { game, state, prepared, seed } = session;
    this.session = session;
    this.actions = actions;
    this.from = game.formatState(state);
    this.drawn = game.hiddenInformation ? new DrawnWorld(game) : undefined;
    const seats = this.drawn === undefined ? [[]] : Array.from({ length: game.players }, (_, seat) => [seat]);
    this.minds = seats.map((seat) => ({
      agent: prepared?.create(),
      random: createRandom(seed, "play", "agent", ...seat),
      worlds: createRandom(seed, "play", "worlds", ...seat),
    }));
  }

  /** An agent's action for the player to move, and a text for the person: the action, its value, and the expected line. */
  async think(): Promise<{ action: number; text: string }> {
    const { session, drawn, from, minds } = this;
    const { game, state, clock } = session;
    const actions = [...this.actions()];
    const view = game.start();
    const { agent, random, worlds } = minds[drawn === undefined ? 0 : state.toMove]!;
    const told = drawn?.draw(actions, view, worlds) ?? { played: () => ({ from, actions }) };
    if (drawn === undefined) view.copyFrom(state);
    const seen = game.start();
    seen.copyFrom(view);
    const { budget } = session.prepared!;
    const { action, value, depth, nodes, line } = await agent!.choose(view, {
      random,
      budget,
      clock,
      ...told,
    });
    const details = [
      value === undefined ? "" : `value ${value.toFixed(3)}`,
      depth === undefined ? "" : `depth ${depth}`,
      nodes === 0 ? "" : `${nodes} nodes`,
      line.length < 2 ? "" : `line ${legalLine(game, seen, line).join(" ")}`,
    ].filter((detail) => detail !== "");
    const note = details.length === 0 ? "" : `   (${details.join(", ")})`;
    return { action, text: `${game.formatAction(action, seen)}${note}` };
  }
}

function resultText(game: Game, state: State, seat: number): string {
  const returns = Array.from({ length: game.players }, (_, player) => state.returns(player));
  const winners = winnersOf(returns);
  const end = `The game is over: ${describeResult(game, state)}.`;
  if (winners.length === game.players) return end;
  return `${end} ${winners.includes(seat) ? "You win." : "You lose."}`;
}
