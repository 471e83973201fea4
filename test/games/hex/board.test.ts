import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { tupleFeatures } from "../../../src/evaluators/n-tuple.ts";
import { TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { hex } from "../../../src/games/hex/hex.ts";

/* The board as pictures, n-tuples and policies see it. */

const create = (size: number, swap = false) => hex.create({ size, swap });

/** The rows of a position, and who is to move. */
function read(game: Game, state: State): { rows: string[]; turn: string } {
  const [text, turn] = game.formatState(state).split(" ");
  const rows = text!.replace(/\d+/g, (run) => ".".repeat(Number(run))).split("/");
  return { rows, turn: turn! };
}

/** Shows each position of random games. */
function forEachPosition(game: Game, games: number, visit: (state: State) => void): void {
  for (let number = 0; number < games; number++) {
    const random = createRandom("hex board", number);
    const state = game.start();
    visit(state);
    while (state.toMove !== TERMINAL) {
      const actions = possibleActions(game, state);
      state.apply(actions[random.below(actions.length)]!);
      visit(state);
    }
  }
}

const columnsOf = (rows: readonly string[]) =>
  rows.map((_, column) => rows.map((row) => row[column]).join(""));
const exchanged = (text: string) => text.replaceAll(/[xo]/g, (stone) => (stone === "x" ? "o" : "x"));

test("the picture says what the text says, the swap has no place, and cells are touched", () => {
  const game = create(5, true);
  const picture = game.picture!;
  const signs: Record<string, string> = { "": ".", "orange stone": "x", "blue stone": "o" };
  forEachPosition(game, 5, (state) => {
    const said = picture.places.map((_, place) => signs[picture.describe(state, place)]);
    expect(said.join("")).toBe(read(game, state).rows.join(""));
    for (const action of possibleActions(game, state)) {
      const touched = picture.touches(state, action).map((place) => picture.places[place]!.name);
      expect(touched.join(" ") || "swap").toBe(game.formatAction(action, state));
    }
  });
});

test("a win is shown by a chain of the winner's stones, each beside the next, from side to side", () => {
  const game = create(6);
  const picture = game.picture!;
  forEachPosition(game, 20, (state) => {
    const won = picture.won!(state);
    expect(won.length > 0).toBe(state.toMove === TERMINAL);
    if (won.length === 0) return;
    const winner = state.returns(0) > 0 ? 0 : 1;
    const places = won.map((place) => picture.places[place]!);
    for (const [at, { x, y }] of places.slice(1).entries())
      expect(Math.hypot(x - places[at]!.x, y - places[at]!.y)).toBeCloseTo(1, 3);
    expect(new Set(won.map((place) => picture.describe(state, place)))).toEqual(
      new Set([["orange stone", "blue stone"][winner]]),
    );
    const lines = [won[0]!, won.at(-1)!].map((cell) => (winner === 0 ? Math.floor(cell / 6) : cell % 6));
    expect(lines).toEqual([0, 5]);
  });
  // From b1 and not by way of a1 and a2, which is longer.
  const both = create(4).parseState("xx1o/xxoo/1xoo/1x2 o");
  expect(create(4).picture!.won!(both)).toEqual([1, 5, 9, 13]);
});

test("n-tuples see a position as its half turn, and as the exchange of players, rows and columns", () => {
  const game = create(4, true);
  const board = game.tupleBoard!;
  const features = tupleFeatures(board, [[0, 1, 5], [2, 6], [15], [0, 5, 10, 15]]);
  const entries = (state: State) => {
    const index = new Int32Array(features.maxActive);
    features.extract(state, board.viewer!(state), index, new Float32Array(0));
    return [...index].toSorted((a, b) => a - b);
  };
  forEachPosition(game, 20, (state) => {
    const { rows, turn } = read(game, state);
    const turned = Array.from(rows.join("/")).toReversed().join("");
    expect(entries(game.parseState(`${turned} ${turn}`))).toEqual(entries(state));
    const digits = new Uint8Array(board.cells);
    board.read(state, 0, digits);
    expect(Array.from(digits, (digit) => ".xo"[digit]).join("")).toBe(rows.join(""));
    // Without the swap only x may have more stones, so the other board is made by hand.
    board.read(state, 1, digits);
    expect(Array.from(digits, (digit) => ".xo"[digit]).join("")).toBe(exchanged(columnsOf(rows).join("")));
    expect(board.viewer!(state)).toBe(turn === "x" ? 1 : 0);
  });
});

test("a policy sees the mover go from above to below, and the swap as the last action", () => {
  const game = create(3, true);
  const head = game.policyHead!;
  const numbers = (text: string) => {
    const state = game.parseState(text);
    return Array.from(possibleActions(game, state), (action) => head.index(action, state));
  };
  expect(head.size).toBe(10);
  expect(numbers("start")).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(numbers("b1")).toEqual([0, 6, 1, 4, 7, 2, 5, 8, 9]);
  expect(numbers("b1 swap")).toEqual([0, 1, 2, 4, 5, 6, 7, 8]);
  expect(create(3).policyHead!.size).toBe(9);
});
