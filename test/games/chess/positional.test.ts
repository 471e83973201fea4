import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { createGame } from "../../../src/games/index.ts";
import { randomPositions } from "../../agents/play.ts";
import { slowTest } from "../../support/thorough.ts";

const game = createGame("chess");
const features = game.featureSets["positional"]!;
const index = new Int32Array(features.maxActive);
const value = new Float32Array(features.maxActive);

/** White's features less Black's, by name and phase; those of 0 left out. */
function read(fen: string): Map<string, number> {
  const sums = new Map<string, number>();
  const count = features.extract(game.parseState(fen), 0, index, value);
  for (let at = 0; at < count; at++) {
    const name = features.describe(index[at]);
    sums.set(name, (sums.get(name) ?? 0) + value[at]);
  }
  return sums;
}

/** The same with both phases together, which are one count. */
function counts(fen: string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, sum] of read(fen)) {
    const plain = name.replace(/, (middle game|endgame)$/, "");
    sums[plain] = (sums[plain] ?? 0) + sum;
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

describe("positional, worked out by hand", () => {
  test("pawns, rooks, king", () => {
    // White: pawns a5 b4 (a5 protected, passed on ranks 5 and 4), rook e1 with its king g1 behind f2 g2 h2.
    // Black: rook a8 behind no pawn, king g8 behind f7 g7 h7.
    const found = counts("r5k1/5ppp/8/P7/1P6/8/5PPP/4R1K1 w - - 0 1");
    expect(found).toMatchObject({
      pawns: 2,
      "protected pawn": 1,
      "passed pawn on rank 5": 1,
      "passed pawn on rank 4": 1,
      "rook on a file without pawns": 1,
      "rook on a file with no own pawn": -1,
      // e-file without e6: 6 squares, d1 to a1: 4, f1: 1; black's: a7 and a6 are 2, b8 to f8: 5.
      "rook with 11 squares, not attacked by pawns": 1,
      "rook with 7 squares, not attacked by pawns": -1,
      // From g1 and from g8, a6 is 6 steps away and b5 5.
      "own king 6 steps from a passed pawn's next square": 1,
      "other king 6 steps from a passed pawn's next square": 1,
      // The rook on a8 attacks a6.
      "passed pawn whose next square the other attacks": 1,
      "to move": 1,
    });
    expect(found["king with 3 pawns beside it"]).toBeUndefined();
  });

  test("attacks on the king, files and pawns at it", () => {
    // The rook attacks f7 and f8. White's king: d2 beside it, files e and f bare; black's: f, g and h bare.
    expect(counts("6k1/8/8/8/8/8/3P1R2/4K3 w - - 0 1")).toMatchObject({
      "rook that attacks squares beside the king": 1,
      "2 attacks on squares beside the king, or more": 1,
      "king with 1 pawns beside it": 1,
      "king with 0 pawns beside it": -1,
      "file at the king with no own pawn": -1,
      "file at the king without pawns": -1,
    });
  });

  test("bishop pair, outpost, threats, check, castling", () => {
    // White: bishops c1 f1, knight d5 protected by e4; black: pawns a7 g7, knight b4 attacked by a3 and hanging.
    const found = counts("4k3/p5p1/8/3N4/1n2P3/P7/8/2B1KB2 b - - 0 1");
    expect(found).toMatchObject({
      "bishop pair": 1,
      "knight outpost": 1,
      "piece attacked by a pawn": 1,
      "piece attacked and not defended": 1,
      "to move": -1,
    });
    expect(found["check given"]).toBeUndefined();
    expect(counts("4k3/8/8/8/8/8/8/K3R3 b - - 0 1")["check given"]).toBe(1);
    expect(counts("4k3/8/8/8/8/8/8/4K2R w K - 0 1")["castling right"]).toBe(1);
  });

  test("a knight that attacks a rook; a pawn that is blocked", () => {
    const found = counts("4k3/8/4p3/2r5/P7/rN6/8/4K3 w - - 0 1");
    expect(found["rook or queen attacked by a knight or bishop"]).toBe(1);
    expect(counts("4k3/8/8/n7/P7/8/8/4K3 w - - 0 1")["passed pawn on rank 4, blocked"]).toBe(1);
  });
});

test("all pieces are the middle game, kings and pawns the endgame; between them counts go to both by the phase", () => {
  const both = (fen: string) =>
    ["to move, middle game", "to move, endgame"].map((name) => read(fen).get(name) ?? 0);
  expect(both("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")).toEqual([1, 0]);
  expect(both("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1")).toEqual([0, 1]);
  // Two queens are 8 of 24, the four rooks 8 more.
  expect(both("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1")).toEqual([85 / 256, 171 / 256]);
  expect(both("r2qk2r/8/8/8/8/8/8/R2QK2R w - - 0 1")).toEqual([171 / 256, 85 / 256]);
  // Promoted pieces make no more than the middle game.
  expect(both("qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1")).toEqual([1, 0]);
});

slowTest("the weighted sum is the one over the features, for both players and with an offset", () => {
  const random = createRandom("positional weights");
  const weights = Float32Array.from({ length: features.size + 7 }, () => random.float() - 0.5);
  const evaluator = new LinearEvaluator(game, features, { weights: weights.subarray(7), output: "tanh" });
  for (const state of randomPositions(game, 300)) {
    for (const player of [0, 1]) {
      let sum = 0;
      const count = features.extract(state, player, index, value);
      for (let at = 0; at < count; at++) sum += weights[7 + index[at]]! * value[at]!;
      expect(features.weigh!(state, player, weights, 7)).toBeCloseTo(sum, 9);
      expect(evaluator.evaluate(state, player)).toBeCloseTo(
        evaluator.squash(evaluator.sum(state, player)),
        9,
      );
    }
  }
});

/** The features of pawns from the text of a position, by the words of their definitions. */
function plainPawns(fen: string): Record<string, number> {
  const pawns: { file: number; rank: number; ahead: number }[] = [];
  fen
    .split(" ")[0]!
    .split("/")
    .forEach((row, down) => {
      let file = 0;
      for (const sign of row) {
        if (/\d/.test(sign)) file += Number(sign);
        else {
          if (sign === "P" || sign === "p")
            pawns.push({ file, rank: 7 - down, ahead: sign === "P" ? 1 : -1 });
          file++;
        }
      }
    });
  const found: Record<string, number> = {};
  for (const { file, rank, ahead } of pawns) {
    const say = (name: string) => (found[name] = (found[name] ?? 0) + ahead);
    const own = pawns.filter((other) => other.ahead === ahead);
    const others = pawns.filter((other) => other.ahead !== ahead);
    const lead = (other: { rank: number }) => (other.rank - rank) * ahead;
    const beside = own.filter((other) => Math.abs(other.file - file) === 1);
    say("pawns");
    if (own.some((other) => other.file === file && lead(other) > 0)) say("doubled pawn");
    if (beside.length === 0) say("isolated pawn");
    else if (
      beside.every((other) => lead(other) > 0) &&
      others.some((other) => Math.abs(other.file - file) === 1 && lead(other) === 2)
    )
      say("backward pawn");
    if (beside.some((other) => lead(other) === -1)) say("protected pawn");
    if (!others.some((other) => Math.abs(other.file - file) <= 1 && lead(other) > 0))
      say(`passed pawn on rank ${ahead === 1 ? rank + 1 : 8 - rank}`);
  }
  return Object.fromEntries(Object.entries(found).filter(([, sum]) => sum !== 0));
}

slowTest("kept pawn structures are those worked out anew, pawn by pawn", () => {
  const texts = randomPositions(game, 400).map((state) => game.formatState(state));
  let passed = 0;
  // The second time, many structures come from the store.
  for (const text of [...texts, ...texts.toReversed()]) {
    const plain = plainPawns(text);
    const found = Object.fromEntries(
      Object.entries(counts(text)).filter(([name]) =>
        /^(pawns|(doubled|isolated|backward|protected) pawn|passed pawn on rank \d)$/.test(name),
      ),
    );
    expect(found).toEqual(plain);
    if (Object.keys(plain).some((name) => name.startsWith("passed"))) passed++;
  }
  expect(passed).toBeGreaterThan(20);
});

test("a position without pawns has no features of pawns", () => {
  expect(Object.keys(counts("3qk3/8/8/8/8/8/8/3QK3 w - - 0 1"))).toEqual(["to move"]);
});

test("no position has more features than the set says: the most pieces on both sides", () => {
  const fen = "r1bqkb1r/pp1n1ppp/2p1pn2/3p4/2PP4/2N1PN2/PP1B1PPP/R2QKB1R w KQkq - 0 7";
  const count = features.extract(game.parseState(fen), 0, index, value);
  expect(count).toBeGreaterThan(150);
  expect(count).toBeLessThan(features.maxActive / 2);
});
