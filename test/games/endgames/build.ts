import { createGame } from "../../../src/games/index.ts";
import { TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { buildClass, classesFor, endgamesOf } from "../../../src/games/endgames/retrograde.ts";
import {
  ClassTables,
  type ClassTable,
  type EndgameTables,
  isBetter,
  oneEarlier,
  UNKNOWN,
} from "../../../src/games/endgames/endgame-tables.ts";

/** The tables of some classes, by name, and all of them as one. */
export function buildEndgames(
  game: Game,
  names: readonly string[],
): { tables: ClassTables; byName: Map<string, ClassTable> } {
  const endgames = endgamesOf(game);
  const tables = new ClassTables(endgames);
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
export function longestOf({ distances }: ClassTable): { win: number; loss: number } {
  const known = distances.filter((distance) => distance !== UNKNOWN);
  return {
    win: known.reduce((most, distance) => Math.max(most, distance), 0),
    loss: known.reduce((most, distance) => Math.max(most, -distance), 0),
  };
}

/** The distance of a position from those of the positions after it; the game must not be over. */
export function distanceByActions(game: Game, state: State, tables: EndgameTables): number {
  const me = state.toMove;
  let best: number | undefined;
  for (const action of possibleActions(game, state)) {
    state.apply(action);
    const distance =
      state.toMove === TERMINAL
        ? Math.sign(state.returns(me))
        : oneEarlier(tables.probe(state), state.toMove === me);
    state.undo();
    if (best === undefined || isBetter(distance, best)) best = distance;
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
