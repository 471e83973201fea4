import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";

/** A game, and by image of a position: the square that each square goes to. */
interface Case {
  readonly id: string;
  readonly set: string;
  readonly options: Readonly<Record<string, number>>;
  readonly images: readonly ((name: string) => string)[];
}

/** The square of a name such as `b3`, moved. */
const moved =
  (move: (column: number, row: number) => readonly [column: number, row: number]) => (name: string) =>
    name.replaceAll(/([a-h])(\d)/g, (_, letter: string, digit: string) => {
      const [column, row] = move("abcdefgh".indexOf(letter), Number(digit) - 1);
      return `${"abcdefgh"[column]}${row + 1}`;
    });

/** The images of a square board under its symmetries but the identity. */
function imagesOfSquare(size: number): ((name: string) => string)[] {
  const last = size - 1;
  return [
    moved((x, y) => [last - x, y]),
    moved((x, y) => [x, last - y]),
    moved((x, y) => [last - x, last - y]),
    moved((x, y) => [y, x]),
    moved((x, y) => [last - y, x]),
    moved((x, y) => [y, last - x]),
    moved((x, y) => [last - y, last - x]),
  ];
}

const CASES: readonly Case[] = [
  {
    id: "breakthrough",
    set: "blocks",
    options: { width: 5, height: 6 },
    images: [moved((x, y) => [4 - x, y])],
  },
  {
    id: "othello",
    set: "blocks",
    options: { size: 6 },
    images: imagesOfSquare(6),
  },
  { id: "go", set: "blocks", options: { size: 5, moveLimit: 60 }, images: imagesOfSquare(5) },
  { id: "tic-tac-toe", set: "stones", options: {}, images: imagesOfSquare(3) },
];

/** The start of othello on 6x6 with the discs of the other colours. */
const EXCHANGED = "------/------/--XO--/--OX--/------/------ X";

describe.each(CASES)("$set of $id", ({ id, set, options, images }) => {
  const game = createGame({ id, ...options });
  const features = game.featureSets[set]!;
  const head = game.policyHead!;
  const read = (state: State) => {
    const index = new Int32Array(features.maxActive);
    const end = features.extract(state, state.toMove, index, new Float32Array(0));
    return Array.from(index.subarray(0, end)).toSorted((a, b) => a - b);
  };
  /** The legal actions by the text of the game's notation. */
  const actionsOf = (state: State) =>
    new Map(Array.from(possibleActions(game, state), (action) => [game.formatAction(action, state), action]));

  test("an image is what is read after the moves of the image, for features and for the policy", () => {
    expect(features.images).toHaveLength(images.length);
    for (const [at, image] of images.entries()) {
      const random = createRandom("blocks", id, at);
      // Half of the images exchange the colours of othello's first discs.
      const exchanges = id === "othello" && !["c3", "d4"].includes(image("c3"));
      const state = game.start();
      const other = exchanges ? game.parseState(EXCHANGED) : game.start();
      while (state.toMove !== TERMINAL) {
        const seen = read(state).map((feature) => features.images![at]![feature]!);
        expect(seen.toSorted((a, b) => a - b)).toEqual(read(other));
        const [actions, others] = [actionsOf(state), actionsOf(other)];
        for (const [name, action] of actions)
          expect(head.images![at]![head.index(action, state)]).toBe(
            head.index(others.get(image(name))!, other),
          );
        const names = [...actions.keys()];
        const name = names[random.below(names.length)]!;
        state.apply(actions.get(name)!);
        other.apply(others.get(image(name))!);
      }
      expect(other.toMove).toBe(TERMINAL);
    }
  });

  test("each feature has a name of its own", () => {
    const names = Array.from({ length: features.size }, (_, feature) => features.describe(feature));
    expect(new Set(names).size).toBe(features.size);
  });
});

test("the pieces, and the blocks that hold some, are read from the own side", () => {
  const game = createGame({ id: "breakthrough", width: 3, height: 5, pieceRows: 1 });
  const features = game.featureSets["blocks"]!;
  const read = (text: string) => {
    const state = game.parseState(text);
    const index = new Int32Array(features.maxActive);
    const end = features.extract(state, state.toMove, index, new Float32Array(0));
    return Array.from(index.subarray(0, end), (feature) => features.describe(feature));
  };
  const black = ["own piece on b5", "other piece on a3"];
  const blocks = [
    "a5: .x./...",
    "a4: .../o..",
    "a3: o../...",
    "a5: .x/../o.",
    "b5: x./../..",
    "a4: ../o./..",
  ];
  const seen = [...black, ...blocks.map((block) => `from ${block}`), "from a3: o./../.."];
  expect(read("1b1/3/w2/3/3 b")).toEqual(seen);
  // White sees the same where the board is upside down and the colours are exchanged.
  expect(read("3/3/b2/3/1w1 w")).toEqual(seen);
});
