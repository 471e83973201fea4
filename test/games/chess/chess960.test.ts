import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { startFen } from "../../../src/games/chess/castling.ts";
import { uci } from "../../../src/games/chess/fen.ts";
import type { ChessState } from "../../../src/games/chess/state.ts";
import { findMove } from "../../../src/games/chess/text.ts";
import { createGame } from "../../../src/games/index.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { perft } from "../../../src/games/contract/perft.ts";
import { everyFew, thorough } from "../../support/thorough.ts";

const create = (options: object) => createGame({ id: "chess", ...options }) as Game<ChessState>;
const game = create({ chess960: true });
const usual = create({});
/** Published counts know no draws other than stalemate. */
const withoutDraws = create({
  chess960: true,
  quietMoves: 1000,
  repetitions: 0,
  insufficientMaterial: false,
});

function linesOf(name: string): string[] {
  const text = readFileSync(new URL(`../../fixtures/chess/${name}`, import.meta.url), "utf8");
  return text.trim().split("\n");
}

/** The moves as UCI writes them, in order. */
function movesOf(fen: string, rules = game): string[] {
  const state = rules.parseState(fen);
  return Array.from(possibleActions(rules, state), (action) => uci.formatAction(action, state)).toSorted();
}

const castlings = (fen: string) => {
  const state = game.parseState(fen);
  return Array.from(possibleActions(game, state), (action) => game.formatAction(action, state)).filter(
    (name) => name.startsWith("O"),
  );
};

describe("perft", () => {
  const starts = linesOf("chess960-starts.txt").map((line) => line.split(" "));

  test("of the start positions, which have their numbers", () => {
    expect(starts).toHaveLength(960);
    for (const [number, rank, ...counts] of everyFew(starts, 4)) {
      const fen = startFen(Number(number));
      expect(fen).toBe(`${rank}/pppppppp/8/8/8/8/PPPPPPPP/${rank!.toUpperCase()} w KQkq - 0 1`);
      const depth = thorough(Number(number) % 16 === 0 ? 4 : 3, 2);
      const state = withoutDraws.parseState(fen);
      const found = Array.from({ length: depth }, (_, at) => String(perft(withoutDraws, state, at + 1)));
      expect([number, ...found]).toEqual([number, ...counts.slice(0, depth)]);
    }
  });

  test.each([
    ["published", "chess960-published.epd", 3],
    ["of two programs", "chess960-positions.epd", 60],
  ])("of positions, %s", (_, file, step) => {
    for (const line of everyFew(linesOf(file), step)) {
      const [fen = "", ...counts] = line.split(" ;");
      const state = withoutDraws.parseState(fen);
      const kept = counts.filter((count) => thorough(true, !count.startsWith("D4")));
      const found = kept.map((count) => {
        const depth = Number(count[1]);
        return `D${depth} ${perft(withoutDraws, state, depth)}`;
      });
      expect([fen, ...found]).toEqual([fen, ...kept]);
    }
  });
});

test("from the usual start every game of Chess960 is one of chess, in the same words", () => {
  const random = createRandom("chess960 as usual");
  let castled = 0;
  for (let round = 0; round < 40; round++) {
    const one = game.parseState("r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 1");
    const other = usual.parseState(game.formatState(one));
    for (let ply = 0; ply < 20 && one.toMove !== TERMINAL; ply++) {
      const names = (rules: Game<ChessState>, state: ChessState) =>
        Array.from(possibleActions(rules, state), (action) => rules.formatAction(action, state)).toSorted();
      expect(names(game, one)).toEqual(names(usual, other));
      const all = names(game, one);
      const name = all.find((move) => move.startsWith("O-O")) ?? all[random.below(all.length)]!;
      if (name.startsWith("O-O")) castled++;
      one.apply(game.parseAction(name, one));
      other.apply(usual.parseAction(name, other));
      expect(game.formatState(one)).toBe(usual.formatState(other));
    }
  }
  expect(castled).toBeGreaterThan(40);
});

describe("castling", () => {
  test.each([
    ["the king stays on its goal", "4k3/8/8/8/8/8/8/R1K5 w Q - 0 1", ["O-O-O"]],
    ["the rook goes through the king", "4k3/8/8/8/8/8/8/1K1R4 w K - 0 1", ["O-O"]],
    ["the rook stays on its goal", "4k3/8/8/8/8/8/8/1K3R2 w K - 0 1", ["O-O"]],
    ["king and rook change places", "4k3/8/8/8/8/8/8/5KR1 w K - 0 1", ["O-O"]],
    ["both sides at once", "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", ["O-O-O", "O-O"]],
    ["a piece on the king's way", "4k3/8/8/8/8/8/8/1KR2N2 w K - 0 1", []],
    ["a piece on the rook's way", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", []],
    ["the way of the king is attacked", "3rk3/8/8/8/8/8/8/1K5R w K - 0 1", []],
    ["the way of the rook alone is attacked", "1r2k3/8/8/8/8/8/8/R3K3 w Q - 0 1", ["O-O-O"]],
    ["the rook shields the king", "4k3/8/8/8/8/8/8/rRK5 w Q - 0 1", []],
    ["in check", "2r1k3/8/8/8/8/8/8/R1K5 w Q - 0 1", []],
    ["no square to step to", "4k3/8/8/8/8/8/4PPPP/4NKRB w K - 0 1", ["O-O"]],
  ])("%s", (_, fen, names) => {
    expect(castlings(fen)).toEqual(names);
  });

  test.each([
    ["R1K5 w Q", "c1a1", "2KR4"],
    ["5KR1 w K", "f1g1", "5RK1"],
    ["1KR5 w K", "b1c1", "5RK1"],
    ["RK6 w Q", "b1a1", "2KR4"],
    ["2RK2R1 w GC", "d1c1", "2KR2R1"],
    ["2RK2R1 w GC", "d1g1", "2R2RK1"],
  ])("on %s by %s leads to %s, and back", (rank, move, after) => {
    const state = game.parseState(`4k3/8/8/8/8/8/8/${rank} - 5 9`);
    const before = game.formatState(state);
    const [low, high] = [state.hashLow, state.hashHigh];
    state.apply(uci.parseAction(move, state)!);
    expect(game.formatState(state)).toBe(`4k3/8/8/8/8/8/8/${after} b - - 6 9`);
    const read = game.parseState(game.formatState(state));
    expect([state.hashLow, state.hashHigh]).toEqual([read.hashLow, read.hashHigh]);
    state.undo();
    expect(game.formatState(state)).toBe(before);
    expect([state.hashLow, state.hashHigh]).toEqual([low, high]);
  });

  test.each([
    ["king to rook", "5k2/8/8/8/8/8/8/R4KR1 w KQ - 0 1", "f1a1", "O-O-O"],
    ["king to its goal, far away", "5k2/8/8/8/8/8/8/R4KR1 w KQ - 0 1", "f1c1", "O-O-O"],
    ["a step of the king is no castling", "5k2/8/8/8/8/8/8/R4K1R w KQ - 0 1", "f1g1", "Kg1"],
    ["king to rook in usual chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1a1", "O-O-O"],
  ])("is read from squares: %s", (name, fen, move, san) => {
    const rules = name.includes("usual") ? usual : game;
    const state = rules.parseState(fen);
    expect(rules.formatAction(findMove(move, state)!, state)).toBe(san);
  });

  test("is no capture to a search, and no noisy move", () => {
    const state = game.parseState("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1");
    const tactics = game.tactics!;
    for (const move of ["d1a1", "d1h1"]) expect(tactics.gain(state, uci.parseAction(move, state)!)).toBe(0);
    expect(tactics.noisyActions!(state, new Int32Array(game.maxActions), 0)).toBe(0);
  });
});

describe("FEN", () => {
  test.each([
    ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1", "KQkq", "HAha"],
    ["4k3/8/8/8/8/8/8/R1RK1R1R w KQ - 0 1", "KQ", "HA"],
    ["4k3/8/8/8/8/8/8/R1RK1R1R w FC - 0 1", "FC", "FC"],
    ["4k3/8/8/8/8/8/8/R1RK1R1R w FA - 0 1", "FQ", "FA"],
    ["1r1k2r1/8/8/8/8/8/8/4K3 b kb - 0 1", "kq", "gb"],
    ["1r1k2r1/8/8/8/8/8/8/R3K3 b Aq - 0 1", "Qq", "Ab"],
    ["4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1", "-", "-"],
    ["4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "Q", "A"],
  ])("%s has %s as X-FEN and %s as Shredder-FEN", (fen, plain, files) => {
    const state = game.parseState(fen);
    expect(game.formatState(state)).toBe(fen.replace(/( [wb] )\S+/, `$1${plain}`));
    expect(uci.formatState(state)).toBe(`fen ${fen.replace(/( [wb] )\S+/, `$1${files}`)}`);
    for (const text of [game.formatState(state), uci.formatState(state)]) {
      const again = game.parseState(text);
      expect([again.hashLow, again.hashHigh]).toEqual([state.hashLow, state.hashHigh]);
    }
  });

  test("rights with other rooks make another position", () => {
    const keys = ["HA", "FA", "HC", "FC", "H", "F", "-"].map((rights) => {
      const { hashLow, hashHigh } = game.parseState(`4k3/8/8/8/8/8/8/R1RK1R1R w ${rights} - 0 1`);
      return `${hashLow} ${hashHigh}`;
    });
    expect(new Set(keys).size).toBe(keys.length);
  });

  test.each([
    ["KX", /"X" in "KX"; allowed: K, Q, k, q, or the file of the rook, or - for none/],
    ["KK", /K twice in "KK"/],
    ["HF", /"HF" has two rights of white on one side/],
  ])("refuses the castling rights %s", (rights, message) => {
    expect(() => game.parseState(`4k3/8/8/8/8/8/8/R1RK1R1R w ${rights} - 0 1`)).toThrow(message);
  });
});

describe("the option", () => {
  test("start names a start position", () => {
    expect(create({ chess960: true, start: 518 }).formatState(game.start())).toBe(
      usual.formatState(usual.start()),
    );
    const first = create({ chess960: true, start: 0 });
    expect(first.options).toMatchObject({
      chess960: true,
      fen: "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1",
    });
    expect(usual.options).not.toHaveProperty("chess960");
  });

  test.each([{ start: 3 }, { chess960: true, start: 3, fen: "4k3/8/8/8/8/8/8/4K2R w K - 0 1" }])(
    "start is refused in %j",
    (options) => {
      expect(() => create(options)).toThrow(/start: is for Chess960 without fen/);
    },
  );
});

test("castling is touched on the rook, and on the king's goal where nothing else is meant", () => {
  const touches = (fen: string) => {
    const state = game.parseState(fen);
    const found = Array.from(possibleActions(game, state))
      .filter((action) => game.formatAction(action, state).startsWith("O"))
      .map((action) => [game.picture!.touches(state, action), game.picture!.otherTouches!(state, action)]);
    return found.map((both) =>
      both.map((places) => places?.map((place) => game.picture!.places[place]!.name).join(" ")),
    );
  };
  expect(touches("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")).toEqual([
    ["e1 a1", "e1 c1"],
    ["e1 h1", "e1 g1"],
  ]);
  expect(touches("4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1")).toEqual([
    ["f1 a1", "f1 c1"],
    ["f1 h1", undefined],
  ]);
  expect(touches("4k3/8/8/8/8/8/8/R1K3R1 w KQ - 0 1")).toEqual([
    ["c1 a1", undefined],
    ["c1 g1", undefined],
  ]);
});

test("moves of usual chess are written as ever", () => {
  const fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
  expect(movesOf(fen, usual)).toContain("e1g1");
  expect(movesOf(fen, usual)).not.toContain("e1h1");
  expect(movesOf(fen)).toContain("e1h1");
  expect(movesOf(fen)).not.toContain("e1g1");
});
