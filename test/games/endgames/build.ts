import { countBits } from "../../../src/base/hashing.ts";
import type { CheckersState } from "../../../src/games/checkers/state.ts";
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

/** Wins, losses and draws of a class of checkers by the player to move, as lines: `KK-K 14846 0 34`. */
export function countsByMover({ of, distances }: ClassTable): string[] {
  const state = endgamesOf(checkers).createState() as CheckersState;
  const counts = new Map<string, number[]>();
  const pieces = (set: number) =>
    "K".repeat(countBits(set & state.kings)) + "M".repeat(countBits(set & ~state.kings));
  for (let index = 0; index < of.size; index++) {
    if (!of.place(state, index)) continue;
    const name = `${pieces(state.black)}-${pieces(state.white)}`;
    const results = counts.get(name) ?? [0, 0, 0];
    // A player who cannot move has lost; tables have no distance of a game that is over.
    const distance = state.toMove === TERMINAL ? -1 : distances[index]!;
    results[distance > 0 ? 0 : distance < 0 ? 1 : 2]++;
    counts.set(name, results);
  }
  return Array.from(counts, ([name, results]) => [name, ...results].join(" "));
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
