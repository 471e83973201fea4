import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { chess } from "../../../src/games/chess/chess.ts";
import { describeEnding, findMove } from "../../../src/games/chess/text.ts";
import { countMoves } from "../../../src/games/chess/moves.ts";
import { uci } from "../../../src/games/chess/fen.ts";
import type { ChessState } from "../../../src/games/chess/state.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { divide, perft } from "../../../src/games/contract/perft.ts";
import { differences, readTraces } from "../traces.ts";
import { twinEnding, twinFromFen, twinKey, twinMoves } from "./twin.ts";
import { slowTest } from "../../support/thorough.ts";

function create(options: Record<string, unknown> = {}): Game<ChessState> {
  return chess.create(chess.options.parse(options)) as Game<ChessState>;
}

const game = create();
/** Published counts know no draws other than stalemate. */
const withoutDraws = create({ quietMoves: 1000, repetitions: 0, insufficientMaterial: false });

/** Published leaf counts by depth (Chess Programming Wiki, Perft Results). */
const PERFT: readonly (readonly [string, readonly number[]])[] = [
  ["startpos", [20, 400, 8902, 197281]],
  ["r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -", [48, 2039, 97862, 4085603]],
  ["8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", [14, 191, 2812, 43238, 674624]],
  ["r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -", [6, 264, 9467, 422333]],
  ["rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -", [44, 1486, 62379, 2103487]],
  ["r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -", [46, 2079, 89890, 3894594]],
];

test.each(PERFT)("perft of %s", (fen, leaves) => {
  const state = withoutDraws.parseState(fen);
  expect(leaves.map((_, index) => perft(withoutDraws, state, index + 1))).toEqual(leaves);
});

test("the start to depth 3, move by move, as published", () => {
  const start = withoutDraws.start();
  const counts = divide(withoutDraws, start, 3).map(
    ({ action, leaves }) => `${withoutDraws.formatAction(action, start)}: ${leaves}`,
  );
  // The same source: "Perft Results", initial position, divided.
  expect(counts.toSorted()).toEqual(
    (
      "a3: 380,b3: 420,c3: 420,d3: 539,e3: 599,f3: 380,g3: 420,h3: 380," +
      "a4: 420,b4: 421,c4: 441,d4: 560,e4: 600,f4: 401,g4: 421,h4: 420," +
      "Na3: 400,Nc3: 440,Nf3: 440,Nh3: 400"
    )
      .split(",")
      .toSorted(),
  );
});

test.each(PERFT)("the counts below the moves of %s sum to perft", (fen, leaves) => {
  const state = withoutDraws.parseState(fen);
  const sums = leaves
    .slice(0, 3)
    .map((_, index) => divide(withoutDraws, state, index + 1).reduce((sum, row) => sum + row.leaves, 0));
  expect(sums).toEqual(leaves.slice(0, 3));
});

/**
 * Every third position of the long-public perft suite `perftsuite.epd`, with the depths of up to
 * 100,000 leaves; `bench/perft-suite.ts` runs a whole suite.
 */
slowTest("perft of a suite of positions", () => {
  const suite = readFileSync(new URL("../../fixtures/chess/perft-suite.epd", import.meta.url), "utf8");
  for (const line of suite.trim().split("\n")) {
    const [fen = "", ...counts] = line.split(" ;");
    const state = withoutDraws.parseState(fen);
    const found = counts.map((_, index) => `D${index + 1} ${perft(withoutDraws, state, index + 1)}`);
    expect([fen, ...found]).toEqual([fen, ...counts]);
  }
});

test.each(readTraces("chess").map((trace, number) => [number, trace] as const))(
  "agrees with an independent program on game %i, move for move in SAN",
  (_, trace) => {
    const read = (move: string, state: ChessState) =>
      possibleActions(game, state).find((action) => game.formatAction(action, state) === move) ?? -1;
    // Black is that program's player 0.
    const returns = trace.returns.toReversed();
    expect(differences(game, { ...trace, returns }, read)).toEqual([]);
  },
);

describe("plays like its twin in random games", () => {
  const starts = PERFT.map(([fen]) => fen);
  slowTest.each([...starts, ...starts].map((fen, number) => [number, fen] as const))(
    "game %i, from %s",
    (number, fen) => {
      const random = createRandom("chess twin", number);
      const state = game.parseState(fen);
      const positions = [twinFromFen(game.formatState(state))];
      while (state.toMove !== TERMINAL && positions.length < 250) {
        const actions = possibleActions(game, state);
        const moves = new Map(twinMoves(positions.at(-1)!).map(({ name, after }) => [name, after]));
        expect(Array.from(actions, (action) => uci.formatAction(action, state)).toSorted()).toEqual(
          [...moves.keys()].toSorted(),
        );
        const action = actions[random.below(actions.length)];
        positions.push(moves.get(uci.formatAction(action, state))!);
        state.apply(action);
        expect(twinKey(twinFromFen(game.formatState(state)))).toBe(twinKey(positions.at(-1)!));
        expect(state.quiet).toBe(positions.at(-1)!.quiet);
      }
      const ending = twinEnding(positions);
      expect(state.toMove === TERMINAL).toBe(ending !== undefined);
      expect(state.returns(state.turn)).toBe(ending === "mate" ? -1 : 0);
    },
  );
});

/** Plays moves, in SAN or UCI's way, from a position. */
function play(moves: string, fen = "startpos", rules = game): ChessState {
  return rules.parseState(`${fen} moves ${moves}`);
}

function names(state: ChessState): string[] {
  return Array.from(possibleActions(game, state), (action) => game.formatAction(action, state));
}

/**
 * A crowded corner: a king, one piece beside it, an enemy slider behind that piece on the same line, and up to three
 * enemy pieces and an enemy pawn anywhere. Undefined where the pieces cannot stand like that.
 */
function pinnedPosition(random: Random): ChessState | undefined {
  const squares = Array.from({ length: 64 }, () => ".");
  const place = (piece: string, file: number, rank: number) => {
    if (file < 0 || file > 7 || rank < 0 || rank > 7 || squares[8 * rank + file] !== ".") return false;
    squares[8 * rank + file] = piece;
    return true;
  };
  const anywhere = (piece: string) => place(piece, random.below(8), random.below(8));
  const white = random.below(2) === 0;
  const own = (piece: string) => (white ? piece : piece.toLowerCase());
  const theirs = (piece: string) => (white ? piece.toLowerCase() : piece);
  const file = random.below(2) * 7;
  const rank = random.below(2) === 0 ? random.below(2) * 7 : random.below(8);
  const [dx, dy] = [random.below(3) - 1, random.below(3) - 1];
  const behind = 2 + random.below(3);
  place(own("K"), file, rank);
  if (!place(own("PPPNBR"[random.below(5)]!), file + dx, rank + dy)) return undefined;
  if (!place(theirs(dx * dy === 0 ? "R" : "B"), file + behind * dx, rank + behind * dy)) return undefined;
  if (!anywhere(theirs("K"))) return undefined;
  for (const piece of ["Q", "R", "R", "B", "N"]) if (random.below(3) > 0) anywhere(theirs(piece));
  const rows = Array.from({ length: 8 }, (_, row) =>
    squares
      .slice(8 * (7 - row), 8 * (8 - row))
      .join("")
      .replace(/\.+/g, (run) => String(run.length)),
  );
  try {
    return withoutDraws.parseState(`${rows.join("/")} ${white ? "w" : "b"} - - 0 1`);
  } catch {
    return undefined;
  }
}

describe("stalemate", () => {
  /** Each is also looked at with black to move: mirrored, colours exchanged. */
  test.each([
    ["a pawn pinned along a diagonal", "4k3/8/3b4/2b5/4b3/8/6P1/7K w - - 0 1"],
    ["a pawn pinned along a diagonal, far up the board", "7K/6P1/8/4b3/8/1b6/2b5/4k3 w - - 0 1"],
    ["a knight pinned along a file", "rr2k3/8/8/8/8/8/N7/K7 w - - 0 1"],
    ["a knight pinned along a file, far up the board", "K7/N7/8/8/8/8/8/rr2k3 w - - 0 1"],
    ["a knight pinned along a rank", "4k3/8/8/8/8/8/7r/KN5r w - - 0 1"],
    ["a bishop pinned along a file", "rr2k3/8/8/8/8/8/B7/K7 w - - 0 1"],
  ])("%s", (_, fen) => {
    const [pieces = ""] = fen.split(" ");
    const exchanged = pieces.replace(/[a-z]/gi, (piece) =>
      piece === piece.toLowerCase() ? piece.toUpperCase() : piece.toLowerCase(),
    );
    for (const position of [fen, `${exchanged.split("/").toReversed().join("/")} b - - 0 1`]) {
      const state = game.parseState(position);
      expect(twinMoves(twinFromFen(position))).toEqual([]);
      expect([position, state.toMove, describeEnding(state)]).toEqual([position, TERMINAL, "stalemate"]);
    }
  });

  slowTest("is there just where no move is, with a piece pinned on any line", () => {
    const random = createRandom("chess pins");
    const found = new Map<string, number>();
    for (let number = 0; number < 60_000; number++) {
      const state = pinnedPosition(random);
      if (state === undefined || (state.pinnedLow | state.pinnedHigh) === 0) continue;
      const moves = countMoves(state, state.turn);
      const isOver = state.toMove === TERMINAL;
      if (isOver !== (moves === 0)) expect([game.formatState(state), isOver]).toEqual([moves, "moves"]);
      if (!isOver || state.winner >= 0) continue;
      expect(twinMoves(twinFromFen(game.formatState(state)))).toEqual([]);
      const half = state.pinnedLow === 0 ? "high" : "low";
      found.set(half, (found.get(half) ?? 0) + 1);
    }
    expect(found.get("low")).toBeGreaterThan(100);
    expect(found.get("high")).toBeGreaterThan(100);
  });
});

describe("how a game ends", () => {
  test("mate: the fool's, for black", () => {
    const state = play("f3 e5 g4 Qh4#");
    expect([state.toMove, state.returns(0), state.returns(1)]).toEqual([TERMINAL, -1, 1]);
    expect(describeEnding(state)).toBe("checkmate");
  });

  test("stalemate", () => {
    const state = play("Qf7", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1");
    expect([state.toMove, state.returns(0), state.returns(1)]).toEqual([TERMINAL, 0, 0]);
    expect(describeEnding(state)).toBe("stalemate");
  });

  test.each([
    ["8/8/4k3/8/8/3K4/8/8", true],
    ["8/8/4k3/8/8/3K4/2N5/8", true],
    ["8/8/4kb2/8/8/3K4/8/8", true],
    ["8/8/4kb2/8/8/3K2B1/8/8", true],
    ["8/8/4kb2/8/8/3KB3/8/8", true],
    ["8/8/4kb2/8/8/3K1B2/8/8", false],
    ["8/8/4k3/8/8/3KN3/2N5/8", false],
    ["8/8/4kn2/8/8/3K4/2N5/8", false],
    ["8/8/4kb2/8/8/3K4/2N5/8", false],
    ["8/8/4k3/8/5P2/3K4/8/8", false],
  ])("too little material, by %s: %s", (pieces, drawn) => {
    expect(game.parseState(`${pieces} w - - 0 1`).toMove === TERMINAL).toBe(drawn);
  });

  test("too little material after a capture, and after a promotion to a knight", () => {
    expect(describeEnding(play("Kxf4", "8/8/8/4k3/5R2/8/8/K7 b - - 0 1"))).toMatch(/too little material/);
    expect(describeEnding(play("a8=N", "8/P6k/8/8/8/8/8/K7 w - - 0 1"))).toMatch(/too little material/);
    expect(play("a8=R", "8/P6k/8/8/8/8/8/K7 w - - 0 1").toMove).toBe(1);
  });

  test("50 moves without capture or pawn move, unless the last one mates", () => {
    const fen = "7k/8/6K1/8/8/8/8/R7 w - - 98 80";
    const waiting = play("Rb1", fen);
    expect(waiting.toMove).toBe(1);
    expect(describeEnding(play("Rb1 Kg8", fen))).toBe("50 moves without capture or pawn move");
    expect(describeEnding(play("Ra8#", "7k/8/6K1/8/8/8/8/R7 w - - 99 80"))).toBe("checkmate");
    expect(play("Rb1 Kg8", fen, create({ quietMoves: 75 })).toMove).toBe(0);
    expect(game.render(play("Rb1 Kg8", fen))).toContain("\ndraw: 50 moves without capture or pawn move, ");
  });

  test("the third occurrence, however often the position was left", () => {
    const there = "Nf3 Nf6 Ng1 Ng8";
    expect(play(there).occurrences).toBe(2);
    const thrice = play(`${there} ${there}`);
    expect([thrice.toMove, thrice.returns(0)]).toEqual([TERMINAL, 0]);
    expect(describeEnding(thrice)).toBe("position repeated 3 times");
    expect(play(`${there} ${there}`, "startpos", create({ repetitions: 5 })).toMove).toBe(0);
  });

  test("castling rights and a legal en passant capture make a position another one", () => {
    const rights = play("Rg1 Rb8 Rh1 Ra8 Rg1 Rb8 Rh1 Ra8", "r3k3/8/8/8/8/8/8/4K2R w Kq - 0 1");
    expect([rights.occurrences, rights.toMove]).toEqual([2, 0]);
    const round = "Ke7 Kd2 Ke8 Ke1";
    const capturable = play(`e4 ${round} ${round}`, "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1");
    expect([capturable.occurrences, capturable.toMove]).toEqual([2, 1]);
    const outOfReach = play(`e4 ${round} ${round}`, "4k3/8/8/8/2p5/8/4P3/4K3 w - - 0 1");
    expect([outOfReach.occurrences, outOfReach.toMove]).toEqual([3, TERMINAL]);
    // The capture would open the rank between king and rook.
    const pinned = play("e4", "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1");
    expect(pinned.enPassant).toBe(0);
    expect(names(pinned)).not.toContain("dxe3");
  });
});

describe("the hash", () => {
  const hash = (state: ChessState) => `${state.hashLow} ${state.hashHigh}`;

  test("is the same for one position reached in two ways, whatever the clocks", () => {
    expect(hash(play("e4 Nf6 Nf3"))).toBe(hash(play("Nf3 Nf6 e4")));
    expect(hash(game.parseState("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"))).toBe(
      hash(game.parseState("4k3/8/8/8/8/8/8/R3K3 w Q - 40 60")),
    );
  });

  test("tells apart turn, rights, en passant, repetitions, and the last quiet plies", () => {
    const texts = [
      "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
      "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 0 1",
      "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQk - 0 1",
      "r3k2r/8/8/3pP3/8/8/8/R3K2R b KQkq - 0 1",
      "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 8 9 rc 2;",
      "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 80 90",
      "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 81 90",
      "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq - 100 90",
    ];
    expect(new Set(texts.map((text) => hash(game.parseState(text)))).size).toBe(texts.length);
  });

  test("a copy remembers the past that repetitions need", () => {
    const state = play("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    const copy = game.start();
    copy.copyFrom(state);
    copy.apply(findMove("Ng8", copy)!);
    expect(copy.toMove).toBe(TERMINAL);
  });
});

test("no known position has more moves than the game declares: 218 in Petrovic's of 1964", () => {
  const state = game.parseState("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1");
  expect(names(state).length).toBe(218);
  expect(game.maxActions).toBeGreaterThanOrEqual(218);
});

test("options: a game that would be over at once, and a rule that makes no sense, are refused", () => {
  expect(() => create({ fen: "7k/5Q2/5K2/8/8/8/8/8 b - - 0 1" })).toThrow(
    /^fen: the game is over in .*stalemate$/,
  );
  expect(() => create({ fen: "8/8/8/8/8/8/8/8 w - - 0 1" })).toThrow(/^fen: .*white has 0 kings, not 1$/);
  expect(() => create({ repetitions: 1 })).toThrow(/at least 2, or 0/);
  expect(create({ fen: "4k3/8/8/8/8/8/8/R3K3 w Q -" }).options["fen"]).toBe("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
});
