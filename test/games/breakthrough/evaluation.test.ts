import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { advancement, newCounts, readCounts } from "../../../src/games/breakthrough/judge.ts";
import { breakthrough } from "../../../src/games/breakthrough/breakthrough.ts";
import type { BreakthroughState } from "../../../src/games/breakthrough/state.ts";
import { TERMINAL, type FeatureSet, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

function create(options: Record<string, number> = {}): Game<BreakthroughState> {
  return breakthrough.create(breakthrough.options.parse(options)) as Game<BreakthroughState>;
}

function forEachPosition(
  game: Game<BreakthroughState>,
  games: number,
  visit: (state: BreakthroughState) => void,
): void {
  for (let number = 0; number < games; number++) {
    const random = createRandom("breakthrough evaluation", number);
    const state = game.start();
    while (state.toMove !== TERMINAL) {
      visit(state);
      const actions = possibleActions(game, state);
      state.apply(actions[random.below(actions.length)]);
    }
  }
}

/** Rows from `player`'s own side, `x` for own pieces and `o` for the other's. */
function rowsFor(game: Game<BreakthroughState>, state: BreakthroughState, player: number): string[] {
  const rows = game
    .formatState(state)
    .split(" ")[0]!
    .replace(/\d/g, (digit) => ".".repeat(Number(digit)))
    .split("/");
  const own = "bw"[player]!;
  const seen = rows.map((row) => row.replace(/[bw]/g, (piece) => (piece === own ? "x" : "o")));
  return player === 0 ? seen : seen.toReversed();
}

function countSlowly(rows: readonly string[], height: number) {
  const pieces = rows.flatMap((cells, row) =>
    Array.from(cells, (cell, column) => ({ cell, row, column })).filter(({ cell }) => cell === "x"),
  );
  const near = (row: number, column: number, cell: string) =>
    rows[row]?.[column - 1] === cell || rows[row]?.[column + 1] === cell;
  const attacked = pieces.filter(({ row, column }) => near(row + 1, column, "o"));
  const runners = pieces.filter(({ row, column }) =>
    rows.every((cells, other) =>
      Array.from(cells).every(
        (cell, at) => cell !== "o" || other <= row || Math.abs(at - column) > other - row,
      ),
    ),
  );
  return {
    rows: Array.from({ length: 8 }, (_, row) => pieces.filter((piece) => piece.row === row).length),
    attacked: attacked.length,
    loose: attacked.filter(({ row, column }) => !near(row - 1, column, "x")).length,
    supported: pieces.filter(({ row, column }) => near(row - 1, column, "x")).length,
    pairs: pieces.filter(({ row, column }) => rows[row]![column + 1] === "x").length,
    runners: runners.length,
    shortest: Math.min(height, ...runners.map(({ row }) => height - 1 - row)),
  };
}

test.each(
  everyFew(
    [
      { width: 8, height: 8 },
      { width: 3, height: 7 },
      { width: 6, height: 5 },
    ],
    2,
  ),
)("counts what a slow count finds on $width x $height", (options) => {
  const game = create(options);
  const counts = newCounts();
  let runners = 0;
  forEachPosition(game, 15, (state) => {
    for (const player of [0, 1]) {
      readCounts(state, player, counts);
      const { rows, ...others } = counts;
      expect({ rows: Array.from(rows), ...others }).toEqual(
        countSlowly(rowsFor(game, state, player), options.height),
      );
      runners += counts.runners;
    }
  });
  expect(runners).toBeGreaterThan(0);
});

test("a runner is worth more than a piece, and the nearer one wins the race", () => {
  const game = create();
  const even = game.parseState("bbbbbbbb/8/8/8/8/8/8/wwwwwwww b");
  const running = game.parseState("bbbbbbb1/8/8/8/8/7b/w7/wwwww3 b");
  expect(advancement.evaluate(even, 0)).toBe(0);
  expect(advancement.evaluate(running, 0)).toBeGreaterThan(0.3);
});

function read(features: FeatureSet<BreakthroughState>, state: BreakthroughState, player: number): string {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const sums = new Float64Array(features.size);
  const count = features.extract(state, player, index, value);
  for (let at = 0; at < count; at++) sums[index[at]] += value[at];
  return sums.join();
}

slowTest(
  "both feature sets are the same on a mirrored board, and from the other side of a turned one",
  () => {
    const game = create({ width: 5, height: 6 });
    forEachPosition(game, 10, (state) => {
      const [board = "", turn] = game.formatState(state).split(" ");
      const rows = board.split("/");
      const mirrored = rows.map((row) => Array.from(row).toReversed().join("")).join("/");
      const turned = rows
        .toReversed()
        .join("/")
        .replace(/[bw]/g, (piece) => (piece === "b" ? "w" : "b"));
      const mirror = game.parseState(`${mirrored} ${turn}`);
      const other = game.parseState(`${turned} ${turn === "b" ? "w" : "b"}`);
      for (const features of Object.values(game.featureSets)) {
        expect(read(features, mirror, 0)).toBe(read(features, state, 0));
        expect(read(features, other, 1)).toBe(read(features, state, 0));
      }
    });
  },
);

slowTest("advancement: the traits are what a slow count finds, own less the other's", () => {
  const game = create();
  const features = game.featureSets["advancement"]!;
  const named = new Map(Array.from({ length: features.size }, (_, at) => [features.describe(at), at]));
  const races = new Set<number>();
  forEachPosition(game, 15, (state) => {
    for (const player of [0, 1]) {
      const values = read(features, state, player).split(",").map(Number);
      const valueOf = (name: string) => values[named.get(name)!];
      const own = countSlowly(rowsFor(game, state, player), 8);
      const other = countSlowly(rowsFor(game, state, 1 - player), 8);
      const turn = state.toMove === player ? 1 : -1;
      const [mover, waiting] = turn === 1 ? [own, other] : [other, own];
      expect(valueOf("attacked pieces of the player to move")).toBeCloseTo(turn * mover.attacked);
      expect(valueOf("attacked pieces of the other player")).toBeCloseTo(-turn * waiting.attacked);
      expect(valueOf("loose pieces of the player to move")).toBeCloseTo(turn * mover.loose);
      expect(valueOf("loose pieces of the other player")).toBeCloseTo(-turn * waiting.loose);
      expect(valueOf("supported pieces")).toBe(own.supported - other.supported);
      expect(valueOf("pairs side by side")).toBe(own.pairs - other.pairs);
      expect(valueOf("runners")).toBe(own.runners - other.runners);
      expect(valueOf("a runner")).toBe(Number(own.runners > 0) - Number(other.runners > 0));
      expect(valueOf("rows to go of the first runner")).toBe(own.shortest - other.shortest);
      expect(valueOf("to move")).toBe(turn);
      // Counted in plies from here: the player to move has the odd ones.
      const arrival = (counts: typeof own, isMover: boolean) =>
        counts.runners === 0 ? Infinity : 2 * counts.shortest - Number(isMover);
      const lead = arrival(other, turn === -1) - arrival(own, turn === 1);
      const race = Number.isNaN(lead) ? 0 : Math.sign(lead);
      expect(valueOf("race won")).toBe(race);
      races.add(race);
    }
  });
  expect(races).toEqual(new Set([-1, 0, 1]));
});
