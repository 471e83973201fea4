import type { Agent, Turn } from "../../agents/agent.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import { InputError } from "../../base/errors.ts";
import { createRandom } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../game/game.ts";
import { ARROWS, type LineReader } from "./line-reader.ts";
import { describeResult, legalLine, possibleActions, sampleChance, winnersOf } from "../../game/notation.ts";

const HELP = "your action, or: undo, hint, moves, state, save FILE, help, quit";

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
  /** Saves every action so far, with the chance outcomes, to a file; returns a message. Throws on failure. */
  readonly save: (file: string, actions: readonly number[]) => string;
}

/** The end of a session; `interrupted`: the input ended. */
export interface SessionEnd {
  readonly ending: "finished" | "quit" | "interrupted";
  /** Every action since the session began, with the chance outcomes. */
  readonly actions: readonly number[];
}

/** Plays one game of a person, to its end or until the person quits. */
export async function playAgainst(session: Session): Promise<SessionEnd> {
  const { game, state, seat, write } = session;
  const agent = session.prepared?.create();
  const chance = createRandom(session.seed, "play", "chance");
  const random = createRandom(session.seed, "play", "agent");
  /** Every action since the session began, and whether a person chose it. */
  const played: { action: number; mine: boolean }[] = [];
  const actions = () => played.map(({ action }) => action);
  const from = game.formatState(state);
  const turn = { random, played: () => ({ from, actions: actions() }) };
  let before: State | undefined;
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
    if (state.toMove !== CHANCE) write(`${session.draw(state, before)}\n`);
    if (state.toMove === CHANCE) {
      const outcome = sampleChance(game, state, chance);
      write(`chance: ${game.formatAction(outcome, state)}\n`);
      apply(outcome, false);
    } else if (state.toMove === seat) {
      const answer = await askPerson(session, { agent, turn, undo, actions });
      if (typeof answer === "string") {
        write(`${answer === "interrupted" ? "\n" : ""}The game is left unfinished.\n`);
        return { ending: answer, actions: actions() };
      }
      apply(answer, true);
    } else {
      const { action, text } = await think(session, agent!, turn);
      write(`player ${state.toMove + 1} plays ${text}\n`);
      apply(action, false);
    }
  }
  write(`${session.draw(state, before)}\n${resultText(game, state, seat)}\n`);
  return { ending: "finished", actions: actions() };
}

/** Asks for the person's action, or the end of the session; carries out commands on the way. */
async function askPerson(
  session: Session,
  parts: {
    agent: Agent | undefined;
    turn: Pick<Turn, "random" | "played">;
    undo: () => boolean;
    actions: () => readonly number[];
  },
): Promise<number | "quit" | "interrupted"> {
  const { game, state, write, read } = session;
  const { agent, turn, undo, actions } = parts;
  const arrows = namesOf(game, state).some((name) => ARROWS.includes(name));
  for (;;) {
    const line = (await read(`player ${state.toMove + 1} (you) > `, { arrows }))?.trim();
    if (line === undefined) return "interrupted";
    if (line === "quit") return "quit";
    const [, file] = /^save +(.+)$/.exec(line) ?? [];
    if (line === "" || line === "help") write(`${arrows ? "an arrow key, " : ""}${HELP}\n`);
    else if (line === "state") write(`${game.formatState(state)}\n`);
    else if (line === "moves") write(`${namesOf(game, state).join(" ")}\n`);
    else if (line === "hint")
      write(
        `${agent === undefined ? "there is no agent to ask" : (await think(session, agent, turn)).text}\n`,
      );
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

/** The agent's action, and a text for the person: the action, its value, and the line that the agent expects. */
async function think(
  session: Session,
  agent: Agent,
  turn: Pick<Turn, "random" | "played">,
): Promise<{ action: number; text: string }> {
  const { game, state, clock } = session;
  const view = game.start();
  view.copyFrom(state);
  const { action, value, depth, nodes, line } = await agent.choose(view, {
    ...turn,
    budget: session.prepared!.budget,
    clock,
  });
  const details = [
    value === undefined ? "" : `value ${value.toFixed(3)}`,
    depth === undefined ? "" : `depth ${depth}`,
    nodes === 0 ? "" : `${nodes} nodes`,
    line.length < 2 ? "" : `line ${legalLine(game, state, line).join(" ")}`,
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
