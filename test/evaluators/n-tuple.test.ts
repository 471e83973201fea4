import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createLinear, type NTupleModel } from "../../src/evaluators/models.ts";
import { LinearEvaluator } from "../../src/evaluators/linear.ts";
import { tupleFeatures, walkTuples } from "../../src/evaluators/n-tuple.ts";
import { TERMINAL, type FeatureSet, type Game, type State } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { createGame } from "../../src/games/index.ts";
import { randomPositions } from "../agents/play.ts";
import { everyFew, thorough } from "../support/thorough.ts";

/** A board as the test reads it, from the position's text: what each cell holds, as viewer and player see it. */
interface Reader {
  readonly game: Game;
  readonly tuples: readonly (readonly number[])[];
  /** The player whose view it is. */
  viewer(text: string): number;
  digits(text: string): number[];
  /** The same position as others see it: mirrored, turned. */
  images(text: string): string[];
}

const FOUR: Reader = {
  game: createGame("connect-four"),
  tuples: [[0, 6, 12, 18], [3, 4, 10, 9], [21], [18, 24, 20, 26, 15]],
  viewer: () => 0,
  digits: (text) => {
    const rows = wide(text).toReversed();
    const cells = [0, 1, 2, 3, 4, 5, 6].flatMap((column) => {
      const filled = rows.filter((row) => row[column] !== ".").length;
      return rows.map((row, at) => {
        if (at >= filled) return at === filled ? 3 : 0;
        return row[column] === "x" ? 1 : 2;
      });
    });
    return [...cells, 1 + turn(text)];
  },
  images: (text) => [
    wide(text)
      .map((row) => Array.from(row).toReversed().join(""))
      .join("/"),
  ],
};

/** The player to move, which every tuple of connect four reads first. */
function turn(text: string): number {
  const count = (stone: string) => text.split(stone).length - 1;
  return count("x") - count("o");
}

/** Rows of connect four, from the top, empty cells as dots. */
function wide(text: string): string[] {
  return text.split("/").map((row) => row.replace(/\d/g, (digit) => ".".repeat(Number(digit))));
}

const OTHELLO: Reader = {
  game: createGame("othello"),
  tuples: [[0, 1, 2, 3], [9, 10], [27], [0, 9, 18, 27], [5, 6, 7, 13]],
  viewer: (text) => (text.at(-1) === "X" ? 1 : 0),
  digits: (text) => {
    const own = text.at(-1) === "X" ? "O" : "X";
    return Array.from(text.slice(0, 64), (disc) => (disc === "-" ? 0 : disc === own ? 1 : 2));
  },
  images: (text) => {
    const [discs, turn] = [text.slice(0, 64), text.slice(64)];
    const rows = Array.from({ length: 8 }, (_, row) => Array.from(discs.slice(8 * row, 8 * row + 8)));
    const turned = rows.map((_, column) => rows.map((row) => row[column]!));
    return [rows, turned].flatMap((board) => {
      const flipped = board.map((row) => row.toReversed());
      return [board, board.toReversed(), flipped, flipped.toReversed()].map(
        (view) => view.flat().join("") + turn,
      );
    });
  },
};

/** Rows from the player's own side: Black's are the upper ones. */
const BREAKTHROUGH: Reader = {
  game: createGame("breakthrough"),
  tuples: [[0, 1, 8, 9], [3, 4, 12], [60], [0, 9, 18, 27], [55, 63, 62]],
  viewer: (text) => (text.at(-1) === "w" ? 0 : 1),
  digits: (text) => {
    const own = text.at(-1) === "w" ? "b" : "w";
    const rows = wide(text.slice(0, -2));
    const ahead = own === "b" ? rows : rows.toReversed();
    return Array.from(ahead.join(""), (piece) => (piece === "." ? 0 : piece === own ? 1 : 2));
  },
  images: (text) => {
    const rows = wide(text.slice(0, -2));
    const mirrored = rows.map((row) => Array.from(row).toReversed().join(""));
    const written = (lines: readonly string[], turn: string) =>
      `${lines.join("/").replaceAll(/\.+/g, ({ length }) => String(length))} ${turn}`;
    const exchanged = (lines: readonly string[]) =>
      lines.toReversed().map((row) => row.replaceAll(/[bw]/g, (piece) => (piece === "b" ? "w" : "b")));
    const [turn, other] = text.at(-1) === "w" ? ["w", "b"] : ["b", "w"];
    return [written(mirrored, turn!), ...[rows, mirrored].map((lines) => written(exchanged(lines), other!))];
  },
};

/** Squares from the player's own side: White's are numbered from the other end. */
const CHECKERS: Reader = {
  game: createGame("checkers"),
  tuples: [[0, 4, 5, 8], [31, 27], [13, 17, 18, 22], [3]],
  viewer: (text) => (text[0] === "W" ? 0 : 1),
  digits: (text) => {
    const digits = Array.from({ length: 32 }, () => 0);
    const viewer = text[0] === "W" ? "B" : "W";
    for (const { owner, king, square } of piecesOf(text)) {
      const cell = viewer === "B" ? square - 1 : 32 - square;
      digits[cell] = (owner === viewer ? 1 : 3) + (king ? 1 : 0);
    }
    return digits;
  },
  images: (text) => {
    const written = (owner: string) =>
      piecesOf(text)
        .filter((piece) => piece.owner !== owner)
        .map(({ king, square }) => `${king ? "K" : ""}${33 - square}`)
        .join();
    const [rest = ""] = /:H\d+$/.exec(text) ?? [];
    return [`${text[0] === "W" ? "B" : "W"}:W${written("W")}:B${written("B")}${rest}`];
  },
};

/** The pieces in a position of checkers, such as `B:W21,K30:B1`. */
function piecesOf(text: string): { owner: string; king: boolean; square: number }[] {
  return text.split(":").flatMap((part, at) => {
    if (at === 0 || !/^[BW]/.test(part)) return [];
    return [...part.matchAll(/(K?)(\d+)/g)].map(([, king, square]) => ({
      owner: part[0]!,
      king: king === "K",
      square: Number(square),
    }));
  });
}

const READERS = [
  ["connect four", FOUR],
  ["othello", OTHELLO],
  ["breakthrough", BREAKTHROUGH],
  ["checkers", CHECKERS],
] as const;

/** The value for the player to move, by minimax to this depth. */
function valueOf(game: Game, state: State, depth: number): number {
  const player = state.toMove;
  const [heuristic] = Object.values(game.heuristics);
  const valued = (): number => {
    if (state.toMove === TERMINAL) return state.returns(player);
    if (depth === 1) return heuristic!.evaluate(state, player);
    const value = valueOf(game, state, depth - 1);
    return state.toMove === player ? value : -value;
  };
  return Math.max(
    ...Array.from(possibleActions(game, state), (action) => {
      state.apply(action);
      const value = valued();
      state.undo();
      return value;
    }),
  );
}

function read(features: FeatureSet, state: State): number[] {
  const index = new Int32Array(features.maxActive);
  const count = features.extract(state, features.viewer!(state), index, new Float32Array(0));
  expect(count).toBe(features.maxActive);
  return Array.from(index);
}

const sorted = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

describe.each(READERS)("%s", (_, reader) => {
  const { game, tuples } = reader;
  const board = game.tupleBoard!;
  const features = tupleFeatures(board, tuples);
  const positions = randomPositions(game, 150);
  const textOf = (state: State) => game.formatState(state);

  /** The tuples with the cell that all look at, if there is one. */
  const tables = tuples.map((cells) => (board.context === undefined ? cells : [board.context, ...cells]));
  /** The different images of each, and where its table begins. */
  const views = tables.flatMap((cells, tuple) => {
    const begins = tables.slice(0, tuple).reduce((sum, { length }) => sum + board.digits ** length, 0);
    const images = new Set(board.symmetries.map((symmetry) => cells.map((cell) => symmetry[cell]!).join()));
    return [...images].map((image) => ({ begins, cells: image.split(",").map(Number) }));
  });

  test("has an entry for each code of each tuple, and as many active ones as there are images", () => {
    expect(features.size).toBe(tables.reduce((sum, { length }) => sum + board.digits ** length, 0));
    expect(features.maxActive).toBe(views.length);
    expect(features.unit).toBe(true);
  });

  test("finds, from whatever position before, the codes that the cells make", () => {
    for (const state of positions) {
      const text = textOf(state);
      const digits = reader.digits(text);
      const codes = views.map(
        ({ begins, cells }) => begins + cells.reduce((code, cell) => code * board.digits + digits[cell]!, 0),
      );
      expect(features.viewer!(state)).toBe(reader.viewer(text));
      expect(sorted(read(features, state))).toEqual(sorted(codes));
    }
  });

  test("has the same active entries for a position and its images", () => {
    for (const state of positions.slice(0, 50)) {
      const entries = sorted(read(features, state));
      const images = reader.images(textOf(state));
      expect(images.length).toBeGreaterThanOrEqual(board.symmetries.length - 1);
      for (const image of images) expect(sorted(read(features, game.parseState(image)))).toEqual(entries);
    }
  });

  test("has images that are legal, with as many moves and of equal value", () => {
    for (const state of positions.slice(0, thorough(12, 3))) {
      for (const text of reader.images(textOf(state))) {
        const image = game.parseState(text);
        expect(possibleActions(game, image)).toHaveLength(possibleActions(game, state).length);
        expect(valueOf(game, image, 3)).toBeCloseTo(valueOf(game, state, 3), 9);
      }
    }
  });

  test("says of each entry what the cells hold", () => {
    for (const state of positions.slice(0, 30)) {
      const digits = reader.digits(textOf(state));
      const named = board.symmetries.map((symmetry) =>
        digits.map((__, cell) => `${board.cellName(cell)}=${board.digitName(digits[symmetry[cell]!]!)}`),
      );
      for (const entry of read(features, state)) {
        const parts = features.describe(entry).split(" ");
        expect(named.some((cells) => parts.every((part) => cells.includes(part)))).toBe(true);
      }
    }
    const cells = tables[0]!.map((cell) => `${board.cellName(cell)}=${board.digitName(0)}`);
    expect(features.describe(0)).toBe(cells.join(" "));
    const last = tables.at(-1)!.map((cell) => `${board.cellName(cell)}=${board.digitName(board.digits - 1)}`);
    expect(features.describe(features.size - 1)).toBe(last.join(" "));
  });

  /** Random weights; by and by they change, as in learning. */
  test.each(everyFew(game.phase === undefined ? [[]] : [[], [20], [10, 30]], 2))(
    "sums are those of its entries, after weights changed too; stages %j",
    (...stages) => {
      const random = createRandom("tuple weights");
      const model: NTupleModel = {
        kind: "n-tuple",
        tuples: tuples.map((cells) => [...cells]),
        output: "tanh",
        stages,
      };
      const weights = new Float32Array(features.size * (stages.length + 1)).map(() => random.float() - 0.5);
      const evaluator = createLinear(game, model, weights);
      for (const [number, state] of positions.entries()) {
        if (number % 4 === 0) {
          for (let change = 0; change < thorough(500, 150); change++)
            weights[random.below(weights.length)]! += random.float() - 0.5;
        }
        const stage = stages.filter((begins) => begins <= game.phase!.of(state)).length;
        const entries = read(features, state).map((entry) => stage * features.size + entry);
        const sum = entries.reduce((all, entry) => all + weights[entry]!, 0);
        const sign = features.viewer!(state) === 0 ? 1 : -1;
        expect(evaluator.sum(state, 0)).toBeCloseTo(sign * sum, 5);
        // The evaluator leaves the sign and the entries for learners.
        expect(evaluator.sign).toBe(sign);
        expect(sorted(Array.from(evaluator.index.subarray(0, evaluator.active)))).toEqual(sorted(entries));
        // The other player's value is the negative, to the bit; and nothing depends on what was looked at before.
        const value = evaluator.evaluate(state, 0);
        expect(evaluator.evaluate(state, 1)).toBe(0 - value);
        evaluator.sum(positions[(7 * number) % positions.length]!, 0);
        expect(evaluator.evaluate(state, 0)).toBe(value);
        expect(createLinear(game, model, weights).evaluate(state, 0)).toBe(value);
      }
    },
  );
});

test("othello: discs of the other colour, and the other player's turn, are worth the negative to the bit", () => {
  const { game, tuples } = OTHELLO;
  const features = tupleFeatures(game.tupleBoard!, tuples);
  const random = createRandom("colours");
  const weights = Float32Array.from({ length: features.size }, () => random.float() - 0.5);
  const evaluator = new LinearEvaluator(game, features, { weights, output: "tanh" });
  for (const state of randomPositions(game, 60)) {
    const swapped = game.formatState(state).replace(/[XO]/g, (disc) => (disc === "X" ? "O" : "X"));
    expect(evaluator.evaluate(game.parseState(swapped), 0)).toBe(0 - evaluator.evaluate(state, 0));
  }
});

describe("random walks over the board", () => {
  const board = createGame("connect-four").tupleBoard!;
  const walks = walkTuples(board, { count: 300, length: 8 }, createRandom("walks"));

  test("are as many and as long as asked for, without repeats, cells touching one of those before", () => {
    expect(walks).toHaveLength(300);
    for (const cells of walks) {
      expect(new Set(cells).size).toBe(8);
      for (const [at, cell] of cells.entries())
        if (at > 0)
          expect(cells.slice(0, at).some((met) => board.neighbours[met]!.includes(cell))).toBe(true);
    }
  });

  test("begin anywhere: 300 walks of 42 cells, each at least once but for two", () => {
    // A cell is begun at by none of 300 with probability 0.0007. The cell off the board is none of them.
    expect(new Set(walks.map(([first]) => first)).size).toBeGreaterThanOrEqual(40);
  });

  test("neighbours touch each other, on the mirrored board too", () => {
    for (const [cell, near] of board.neighbours.entries()) {
      for (const other of near) {
        expect(board.neighbours[other]).toContain(cell);
        for (const symmetry of board.symmetries)
          expect(board.neighbours[symmetry[cell]!]).toContain(symmetry[other]);
      }
    }
    expect(board.neighbours[0]).toHaveLength(3);
    expect(board.neighbours[board.context!]).toEqual([]);
    for (const cells of walks) expect(cells).not.toContain(board.context);
    expect(Math.max(...board.neighbours.map(({ length }) => length))).toBe(8);
  });
});

test("more entries than an index can tell apart are refused", () => {
  const board = createGame("connect-four").tupleBoard!;
  const cells = Array.from({ length: 15 }, (_, cell) => cell);
  expect(() => tupleFeatures(board, [cells])).toThrow(/4294967296 table entries, more than 1073741824/);
});
