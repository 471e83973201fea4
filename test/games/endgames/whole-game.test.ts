import { expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import { createGame } from "../../../src/games/index.ts";
import { TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { simpleGame } from "../../../src/games/contract/simple-game.ts";
import { UNKNOWN } from "../../../src/games/endgames/endgame-tables.ts";
import { solveWhole } from "../../../src/games/endgames/whole-game.ts";
import { distanceByActions } from "./build.ts";
import { solved } from "./solved.ts";
import { slowTest } from "../../support/thorough.ts";

/** Visits every position that can be reached, finished games included; returns how many there are. */
function walk(game: Game, visit: (state: State) => void): number {
  const seen = new Set<number>();
  const state = game.start();
  const from = () => {
    // 53 bits of the hash.
    const key = (state.hashHigh >>> 11) * 2 ** 32 + (state.hashLow >>> 0);
    if (seen.has(key)) return;
    seen.add(key);
    visit(state);
    for (const action of possibleActions(game, state)) {
      state.apply(action);
      from();
      state.undo();
    }
  };
  from();
  return seen.size;
}

test("solving tells from time to time how many positions it has found", () => {
  expect([...solveWhole(createGame("tic-tac-toe"), 10_000)]).toEqual([4096]);
});

test("tic-tac-toe: all of its 5478 positions, a draw from the start", () => {
  const game = createGame("tic-tac-toe");
  const table = solved(game);
  let ended = 0;
  const positions = walk(game, (state) => {
    if (state.toMove === TERMINAL) ended++;
    else expect(table.probe(state)).toBe(distanceByActions(game, state, table));
  });
  expect(positions).toBe(5478);
  expect(table.positions.distances.length).toBe(5478 - ended);
  expect(table.probe(game.start())).toBe(0);
});

test("nim: won unless the sum without carry is zero, or in misere play as Bouton found", () => {
  for (const misere of [false, true]) {
    const game = createGame({ id: "nim", misere });
    const table = solved(game);
    walk(game, (state) => {
      if (state.toMove === TERMINAL) return;
      const { piles } = state as State & { piles: ArrayLike<number> };
      const counts = Array.from(piles);
      const sum = counts.reduce((all, pile) => all ^ pile, 0);
      const onlyOnes = counts.every((pile) => pile <= 1);
      const isWon = misere && onlyOnes ? sum === 0 : sum !== 0;
      expect(table.probe(state) > 0, game.formatState(state)).toBe(isWon);
    });
  }
});

slowTest("connect four on 4 x 4: as many positions as published, a draw", () => {
  const game = createGame({ id: "connect-four", width: 4, height: 4 });
  const table = solved(game);
  expect(table.probe(game.start())).toBe(0);
  let sample = 0;
  const positions = walk(game, (state) => {
    if (state.toMove !== TERMINAL && sample++ % 13 === 0)
      expect(table.probe(state)).toBe(distanceByActions(game, state, table));
  });
  expect(positions).toBe(161_029);
});

test("breakthrough on a small board is won by one of the players in every position", () => {
  const game = createGame({ id: "breakthrough", width: 3, height: 5, pieceRows: 1 });
  const table = solved(game);
  expect(table.positions.distances.length).toBeGreaterThan(1000);
  expect(table.positions.distances.includes(0)).toBe(false);
});

test("a game that comes back to its start: each of its positions once", () => {
  // A token on 0 to 5 is moved by one; who brings it to an end of the line wins, or loses.
  const token = simpleGame({
    id: "token",
    summary: "a token on a line",
    players: 2,
    zeroSum: true,
    minReturn: -1,
    maxReturn: 1,
    start: () => ({ at: 2, player: 0 }),
    toMove: ({ player }) => player,
    legalActions: () => [-1, 1],
    apply: ({ at, player }, step) => ({ at: at + step, player: 1 - player }),
    result: ({ at, player }) =>
      at === 5
        ? player === 0
          ? [-1, 1]
          : [1, -1]
        : at === 0
          ? player === 0
            ? [1, -1]
            : [-1, 1]
          : undefined,
  });
  const game = token.create({});
  const table = solved(game);
  let going = 0;
  walk(game, (state) => {
    if (state.toMove === TERMINAL) return;
    going++;
    expect(table.probe(state)).toBe(distanceByActions(game, state, table));
  });
  expect(table.positions.distances.length).toBe(going);
});

slowTest(
  "what was not solved is unknown; too many positions, or other results than three, are refused",
  () => {
    const small = solved(createGame({ id: "connect-four", width: 4, height: 4 }));
    const wider = createGame("connect-four").start();
    wider.apply(6);
    expect(small.probe(wider)).toBe(UNKNOWN);
    expect(() => solved(createGame("connect-four"), 1000)).toThrow(InputError);
    expect(() => solved(createGame("connect-four"), 1000)).toThrow(/more than 1000 positions/);
  },
);
