import { readFileSync } from "node:fs";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";

/**
 * A random game played by an independent program (OpenSpiel 1.x, its own rules): the moves in its
 * notation, how many legal moves there were before each, and the returns by player.
 * `test/fixtures/traces/openspiel.py` makes and checks such games.
 */
export interface Trace {
  readonly moves: readonly string[];
  readonly legal: readonly number[];
  readonly returns: readonly number[];
}

/** The traces in `test/fixtures/traces/<name>.jsonl`, one JSON object a line. */
export function readTraces(name: string): Trace[] {
  const text = readFileSync(new URL(`../fixtures/traces/${name}.jsonl`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Trace);
}

/**
 * Replays a game and says where it differs in legal moves, end or returns; empty when it agrees.
 * `read` finds the action that the foreign notation means; -1 for none.
 */
export function differences<S extends State>(
  game: Game<S>,
  trace: Trace,
  read: (move: string, state: S) => number,
): string[] {
  const found: string[] = [];
  const state = game.start();
  for (const [ply, move] of trace.moves.entries()) {
    const actions = possibleActions(game, state);
    if (actions.length !== trace.legal[ply])
      found.push(`ply ${ply}: ${actions.length} legal moves, not ${trace.legal[ply]}`);
    const action = read(move, state);
    if (!actions.includes(action)) return [...found, `ply ${ply}: ${move} is not legal`];
    state.apply(action);
  }
  if (state.toMove !== TERMINAL) found.push(`not over after ${trace.moves.length} moves`);
  const returns = trace.returns.map((_, player) => state.returns(player));
  if (returns.join() !== trace.returns.join())
    found.push(`returns ${returns.join()}, not ${trace.returns.join()}`);
  return found;
}
