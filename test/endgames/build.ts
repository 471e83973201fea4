import { createGame } from "../../src/games/index.ts";
import { TERMINAL, type Game, type State } from "../../src/game/game.ts";
import { possibleActions } from "../../src/game/notation.ts";
import { buildClass, classesFor, endgamesOf } from "../../src/endgames/endgame-build.ts";
import { EndgameTables, type ClassTable, type Tables } from "../../src/endgames/tables.ts";
import { isBetter, oneEarlier, UNKNOWN } from "../../src/endgames/verdict.ts";

/** The tables of some classes, by name, and all of them as one. */
export function buildEndgames(
  game: Game,
  names: readonly string[],
): { tables: EndgameTables; byName: Map<string, ClassTable> } {
  const endgames = endgamesOf(game);
  const tables = new EndgameTables(endgames);
  const byName = new Map<string, ClassTable>();
  for (const of of classesFor(endgames, names)) {
    const build = buildClass(game, of, tables);
    let step = build.next();
    while (step.done !== true) step = build.next();
    tables.add(step.value);
    byName.set(of.name, step.value);
  }
  return { tables, byName };
}

/** The longest win and the longest loss of a class, in plies. */
export function longestOf({ verdicts }: ClassTable): { win: number; loss: number } {
  const known = verdicts.filter((verdict) => verdict !== UNKNOWN);
  return {
    win: known.reduce((most, verdict) => Math.max(most, verdict), 0),
    loss: known.reduce((most, verdict) => Math.max(most, -verdict), 0),
  };
}

/** The verdict of a position from those of the positions after it; the game must not be over. */
export function verdictByActions(game: Game, state: State, tables: Tables): number {
  const me = state.toMove;
  let best: number | undefined;
  for (const action of possibleActions(game, state)) {
    state.apply(action);
    const verdict =
      state.toMove === TERMINAL
        ? Math.sign(state.returns(me))
        : oneEarlier(tables.probe(state), state.toMove === me);
    state.undo();
    if (best === undefined || isBetter(verdict, best)) best = verdict;
  }
  return best! + 0;
}

/** The numbers of the classes for which there is a position with a player to move: one in `every` of them. */
export function* positionsOf(
  game: Game,
  { of }: ClassTable,
  every = 1,
): Generator<{ index: number; state: State }> {
  const state = endgamesOf(game).createState();
  for (let index = 0; index < of.size; index += every)
    if (of.place(state, index) && state.toMove !== TERMINAL) yield { index, state };
}

export const chess = createGame("chess");
export const checkers = createGame("checkers");
