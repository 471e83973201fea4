import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createGame, type GameSpec } from "../../src/games/index.ts";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { sampleGames, sampleName } from "./samples.ts";
import { thorough } from "../support/thorough.ts";

type Standing = Readonly<Record<string, string>>;

interface Told {
  /** The words for the players' pieces. */
  readonly colours: readonly [first: string, second: string];
  /** The pieces on all places that are not empty, by the place's name, read from the text of `formatState`. */
  standing(text: string): Standing;
}

/** Reads rows from the top; `signs` says what a letter is, and `nameOf` what its place is called. */
function readRows(
  rows: readonly string[],
  signs: Standing,
  nameOf: (column: number, fromTop: number) => string,
): Standing {
  const standing: Record<string, string> = {};
  rows.forEach((row, fromTop) => {
    const cells = row.replace(/\d+/g, (run) => ".".repeat(Number(run)));
    for (const [column, sign] of Array.from(cells).entries()) {
      const piece = signs[sign];
      if (piece !== undefined) standing[nameOf(column, fromTop)] = piece;
    }
  });
  return standing;
}

const boardRows = (text: string): string[] => text.split(" ")[0]!.split("/");
const lettered = (letters: string, height: number) => (column: number, fromTop: number) =>
  `${letters[column]}${height - fromTop}`;

const CHESS_SIGNS = Object.fromEntries(
  ["pawn", "knight", "bishop", "rook", "queen", "king"].flatMap((kind, at) => [
    ["PNBRQK"[at]!, `white ${kind}`],
    ["pnbrqk"[at]!, `black ${kind}`],
  ]),
);

const TOLD: Readonly<Record<string, Told>> = {
  "tic-tac-toe": {
    colours: ["x", "o"],
    standing: (text) =>
      readRows(boardRows(text), { x: "x", o: "o" }, (column, fromTop) => `${"abc"[column]}${fromTop + 1}`),
  },
  "connect-four": {
    colours: ["orange", "yellow"],
    standing(text) {
      const rows = boardRows(text);
      const nameOf = (column: number, fromTop: number) =>
        `column ${column + 1}, row ${rows.length - fromTop}`;
      return readRows(rows, { x: "orange disc", o: "yellow disc" }, nameOf);
    },
  },
  othello: {
    colours: ["black", "white"],
    standing(text) {
      const cells = text.split(" ")[0]!;
      const size = Math.sqrt(cells.length);
      const rows = Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size));
      const nameOf = (column: number, fromTop: number) => `${"abcdefgh"[column]}${fromTop + 1}`;
      return readRows(rows, { X: "black disc", O: "white disc" }, nameOf);
    },
  },
  checkers: {
    colours: ["black", "white"],
    standing(text) {
      const standing: Record<string, string> = {};
      const { white = "", black = "" } = /:W(?<white>[^:]*):B(?<black>[^: ]*)/.exec(text)!.groups!;
      for (const [colour, list] of Object.entries({ white, black })) {
        for (const [, king, square] of list.matchAll(/(K?)(\d+)/g))
          standing[square!] = `${colour} ${king === "" ? "man" : "king"}`;
      }
      for (const [, from, to] of text.matchAll(/ (\d+)-(\d+)/g)) {
        standing[to!] = standing[from!]!;
        delete standing[from!];
      }
      return standing;
    },
  },
  chess: {
    colours: ["white", "black"],
    standing: (text) => readRows(boardRows(text), CHESS_SIGNS, lettered("abcdefgh", 8)),
  },
  breakthrough: {
    colours: ["black", "white"],
    standing(text) {
      const rows = boardRows(text);
      return readRows(rows, { b: "black piece", w: "white piece" }, lettered("abcdefgh", rows.length));
    },
  },
  go: {
    colours: ["black", "white"],
    standing(text) {
      const rows = boardRows(text);
      const signs = { X: "black stone", O: "white stone" };
      return readRows(rows, signs, lettered("abcdefghjklmnopqrst", rows.length));
    },
  },
};

const GAMES = thorough(3, 2);
/** Longer games are cut short. */
const PLIES = 160;

/** Plays random games. */
function visitPositions(game: Game, visit: (state: State, actions: Int32Array) => void): void {
  for (let number = 0; number < GAMES; number++) {
    const random = createRandom("square-pictures", game.id, JSON.stringify(game.options), number);
    const state = game.start();
    for (let ply = 0; ply < PLIES; ply++) {
      const actions = possibleActions(game, state);
      visit(state, actions);
      if (state.toMove === TERMINAL) break;
      state.apply(actions[random.below(actions.length)]);
    }
  }
}

/** The pieces of a picture, by the names of their places. */
function described({ picture }: Game, state: State): Standing {
  return Object.fromEntries(
    picture!.places.flatMap(({ name }, place) => {
      const said = picture!.describe(state, place);
      return said === "" ? [] : [[name, said]];
    }),
  );
}

/** By place: its shapes, as they would be on a place at 0, 0. */
function looks({ picture }: Game, state: State): string[] {
  const { places } = picture!;
  const found = places.map(() => "");
  for (const shape of picture!.draw(state)) {
    const { x = 0, y = 0 } = shape as { x?: number; y?: number };
    const at = places.findIndex(
      (place) =>
        x - place.x > -1e-9 && x - place.x < 1 - 1e-9 && y - place.y > -1e-9 && y - place.y < 1 - 1e-9,
    );
    const { x: left, y: top } = places[at]!;
    found[at] += JSON.stringify({ ...shape, x: (x - left).toFixed(6), y: (y - top).toFixed(6) });
  }
  return found;
}

/** Chess's promotions on one square differ in the kind of piece alone, and are chosen by name. */
const touchKey = (game: Game, state: State, action: number): string => {
  const places = game.picture!.touches(state, action).join(" ");
  return game.id === "chess" && (action & 7) !== 0 ? `${places} =${action & 7}` : places;
};

const LARGE: readonly GameSpec[] = [
  { id: "go", size: 13 },
  { id: "go", size: 19 },
  // Promotions and castling; kings that capture in rings.
  { id: "chess", fen: "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1" },
];
const samples = [...sampleGames, ...thorough(LARGE, LARGE.slice(-1))].flatMap((spec) => {
  const game = createGame(spec);
  const told = TOLD[game.id];
  return told === undefined ? [] : [{ name: sampleName(spec), game, told }];
});

test("all games on boards of squares are looked at", () => {
  expect(new Set(samples.map(({ game }) => game.id))).toEqual(new Set(Object.keys(TOLD)));
});

describe.each(samples)("the picture of $name", ({ game, told }) => {
  test("says what the text of the position says", () => {
    visitPositions(game, (state) => {
      const text = game.formatState(state);
      expect(described(game, state), text).toEqual(told.standing(text));
    });
  });

  test("draws what it says: each kind of piece in a look of its own, and nothing on empty places", () => {
    const lookOf = new Map<string, string>([["", ""]]);
    visitPositions(game, (state) => {
      looks(game, state).forEach((look, place) => {
        const said = game.picture!.describe(state, place);
        if (!lookOf.has(said)) lookOf.set(said, look);
        if (lookOf.get(said) !== look) expect(look, said).toBe(lookOf.get(said));
      });
    });
    expect(new Set(lookOf.values()).size).toBe(lookOf.size);
  });

  test("tells moves apart by the places that are touched, none of which are the beginning of another's", () => {
    visitPositions(game, (state, actions) => {
      const keys = Array.from(actions, (action) => touchKey(game, state, action));
      expect(new Set(keys).size, game.formatState(state)).toBe(keys.length);
      const touched = keys.filter((key) => key !== "").toSorted();
      for (const [at, key] of touched.entries()) {
        if (touched[at + 1]?.startsWith(`${key} `)) expect(touched[at + 1]).toBe(`not longer than ${key}`);
      }
    });
  });

  test("touches first the mover's piece where one moves, and last where it then stands", () => {
    const picture = game.picture!;
    const faults: string[] = [];
    visitPositions(game, (state, actions) => {
      const mover = told.colours[state.toMove]!;
      for (const action of actions) {
        const touched = picture.touches(state, action);
        const first = touched.length === 0 ? "" : picture.describe(state, touched[0]!);
        const isFitting =
          touched.length === 0
            ? game.formatAction(action, state) === "pass"
            : touched.length > 1
              ? first.startsWith(mover)
              : first === "";
        // The king of Chess960 castles onto its rook.
        const castles =
          game.options["chess960"] === true && picture.describe(state, touched.at(-1)!).startsWith(mover);
        state.apply(action);
        const stands = touched.length === 0 || picture.describe(state, touched.at(-1)!).startsWith(mover);
        state.undo();
        // Stones that take themselves off the board stand nowhere.
        if (isFitting && (stands || castles || game.options["suicide"] === true)) continue;
        faults.push(
          `${game.formatAction(action, state)} in ${game.formatState(state)}: ${touched.join(" ")}`,
        );
      }
    });
    expect(faults).toEqual([]);
  });
});
