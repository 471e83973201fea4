import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL, type FeatureSet, type State } from "../../../src/games/contract/game.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { readInfluence } from "../../../src/games/go/judge.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";

const game = createGame({ id: "go", size: 5, komi: 0 });

/** The features of a position by name. */
function read(features: FeatureSet, state: State, player = 0): Record<string, number> {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(state, player, index, value);
  const found: Record<string, number> = {};
  for (let at = 0; at < count; at++) {
    const name = features.describe(index[at]);
    found[name] = (found[name] ?? 0) + value[at];
  }
  return found;
}

/** Shape features in points. */
function shape(position: string): Record<string, number> {
  const found = read(game.featureSets.shape!, game.parseState(position));
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, Math.round(5 * value)]));
}

test("shape counts stones, chains, liberties, lines and area", () => {
  expect(shape("5/1XX2/5/3O1/4O b")).toMatchObject({
    chains: -1,
    "stones with four or more liberties": 1,
    "stones with two liberties": -1,
    "stones on the first line": -1,
    "stones on the second line": 1,
    "to move": 5,
    "first player, who gives komi": 5,
  });
});

test("shape counts a liberty once for each chain that has it", () => {
  expect(shape("5/5/5/XX3/1X3 b")["liberties of chains"]).toBe(5);
  expect(shape("5/5/5/1O3/O1X2 b")["liberties of chains"]).toBe(3 - 2 - 4);
});

test("shape tells atari that can be answered from atari that cannot, and sees the capture", () => {
  const atari = "5/2X2/1XO2/2X2/5";
  expect(shape(`${atari} w`)).toMatchObject({ "stones in atari, their owner to move": -1 });
  expect(shape(`${atari} b`)).toMatchObject({
    "stones in atari, their owner waiting": -1,
    stones: 2,
    "stones, the best capture played": 4,
  });
});

test.each([
  ["in the corner", "5/5/5/XX3/1X3 b", 1],
  ["in the corner, false", "5/5/5/XO3/1X3 b", undefined],
  ["at the side", "5/5/5/1XXX1/1X1X1 b", 1],
  ["at the side, false", "5/5/5/1XXO1/1X1X1 b", undefined],
  ["in the middle", "5/1OXX1/1X1X1/1XXX1/5 b", 1],
  ["in the middle, false", "5/1OXO1/1X1X1/1XXX1/5 b", undefined],
])("shape knows an eye %s", (_, position, eyes) => {
  expect(shape(position)["eyes of one point"]).toBe(eyes);
});

test("influence: the nearest stone has a point, step by step", () => {
  const leads = new Int32Array(5);
  readInfluence(game.parseState("5/5/X3O/5/5 b") as GoState, leads);
  expect(Array.from(leads)).toEqual([0, 0, 0, 0, 0]);
  readInfluence(game.parseState("5/5/2X2/5/5 w") as GoState, leads);
  expect(Array.from(leads)).toEqual([1, 4, 8, 8, 4]);
  readInfluence(game.parseState("5/5/1X2O/5/5 w") as GoState, leads);
  expect(Array.from(leads)).toEqual([0, 1, 2, 2, 0]);
});

test("evaluating leaves the position as it was", () => {
  const random = createRandom("go evaluation");
  const state = game.start();
  const look = () => [game.formatState(state), state.hashLow, possibleActions(game, state).join()];
  while (state.toMove !== TERMINAL) {
    const before = look();
    game.heuristics.area!.evaluate(state, 0);
    read(game.featureSets.shape!, state);
    expect(look()).toEqual(before);
    const actions = possibleActions(game, state);
    state.apply(actions[random.below(actions.length)]);
  }
});

test("area goes by stones, komi and what can be captured", () => {
  const value = (position: string, rules = game) =>
    rules.heuristics.area!.evaluate(rules.parseState(position), 0);
  expect(value("5/5/5/5/5 b")).toBe(0);
  expect(value("5/5/X3O/5/5 b")).toBe(0);
  expect(value("5/5/2X2/5/5 w")).toBeGreaterThan(value("5/5/5/5/2X2 w"));
  expect(value("5/2X2/1XO2/2X2/5 b")).toBeGreaterThan(value("5/2X2/1XO2/2X2/5 w"));
  const komi = createGame({ id: "go", size: 5, komi: 24.5 });
  expect(value("5/5/2X2/5/5 w", komi)).toBeLessThan(0);
});

test("blocks tell the stones of chains with one, two and three liberties, as a flood from each stone finds them", () => {
  const random = createRandom("liberties");
  const state = game.start() as GoState;
  const { pointOf, width } = state.board;
  let seen = 0;
  for (let plies = 0; plies < 45 && state.toMove !== TERMINAL; plies++) {
    const player = state.toMove;
    const found = Object.keys(read(game.featureSets.blocks!, state, player));
    const expected: string[] = [];
    for (const point of pointOf) {
      const owner = state.colour[point]!;
      if (owner > 1) continue;
      const chain = new Set([point]);
      const liberties = new Set<number>();
      for (const stone of chain)
        for (const next of [stone - width, stone - 1, stone + 1, stone + width])
          if (state.colour[next] === owner) chain.add(next);
          else if (state.colour[next] === 2) liberties.add(next);
      const name = game.formatAction(pointOf.indexOf(point), state);
      if (liberties.size < 4)
        expected.push(`${owner === player ? "own" : "other"} stone on ${name}, ${liberties.size} liberties`);
    }
    seen += expected.length;
    expect(found.filter((name) => name.endsWith("liberties")).toSorted()).toEqual(expected.toSorted());
    expect(found.includes("White to move")).toBe(player === 1);
    expect(found.includes("a pass just before")).toBe(state.passes > 0);
    const actions = [...possibleActions(game, state)];
    state.apply(actions[random.below(actions.length)]!);
  }
  expect(seen).toBeGreaterThan(100);
});

test("blocks tell the point that ko forbids", () => {
  const state = game.parseState("5/1XO2/X1XO1/1XO2/5 w");
  state.apply(game.parseAction("b3", state));
  expect(Object.keys(read(game.featureSets.blocks!, state))).toContain("ko at c3");
});

/** The eight ways of turning and mirroring rows of characters. */
function symmetries(rows: readonly string[]): string[][] {
  const turned = rows.map((_, column) => rows.map((row) => row[column]).join(""));
  return [rows, turned].flatMap((board) => [
    [...board],
    board.toReversed(),
    board.map((row) => Array.from(row).toReversed().join("")),
    board.toReversed().map((row) => Array.from(row).toReversed().join("")),
  ]);
}

test("the counts of shape are the same in every turned and mirrored board, and the opposite in other colours", () => {
  const boards = [
    ["XX.O.", ".XOO.", "..X..", "OO..X", "....."],
    [".....", ".X...", "..O..", "...X.", "O...."],
  ];
  const exchange = (row: string) => row.replace(/[XO]/g, (stone) => (stone === "X" ? "O" : "X"));
  const features = game.featureSets.shape!;
  for (const board of boards) {
    const usual = read(features, game.parseState(`${board.join("/")} b`));
    for (const alike of symmetries(board))
      expect(read(features, game.parseState(`${alike.join("/")} b`))).toEqual(usual);
    const exchanged = read(features, game.parseState(`${board.map(exchange).join("/")} w`), 1);
    const komi = "first player, who gives komi";
    expect({ ...exchanged, [komi]: 0 }).toEqual({ ...usual, [komi]: 0 });
  }
});
