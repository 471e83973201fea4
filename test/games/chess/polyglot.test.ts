import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readOpenings } from "../../../src/arena/plan/opening-file.ts";
import { createRandom } from "../../../src/base/random.ts";
import { parseSquare } from "../../../src/games/chess/board.ts";
import { polyglotKey } from "../../../src/games/chess/polyglot.ts";
import type { ChessState } from "../../../src/games/chess/state.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { bookActions } from "../../../src/games/endgames/book.ts";
import { createGame } from "../../../src/games/index.ts";
import { loadAgent } from "../../../src/specs/agents.ts";
import { loadBook, readBook } from "../../../src/specs/files/book-file.ts";
import { agon, temporaryFolder } from "../../support/agon.ts";

const chess = createGame("chess") as Game<ChessState>;
const chess960 = createGame({ id: "chess", chess960: true }) as Game<ChessState>;

test.each([
  ["", "463b96181691fc9c"],
  ["e2e4", "823c9b50fd114196"],
  ["e2e4 d7d5", "0756b94461c50fb0"],
  ["e2e4 d7d5 e4e5", "662fafb965db29d4"],
  ["e2e4 d7d5 e4e5 f7f5", "22a48b5a8e47ff78"],
  ["e2e4 d7d5 e4e5 f7f5 e1e2", "652a607ca3f242c1"],
  ["e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", "00fdd303c946bdd9"],
  ["a2a4 b7b5 h2h4 b5b4 c2c4", "3c8123ea7b067637"],
  ["a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", "5c3f9b829b279560"],
])("the key after %s is as published", (moves, key) => {
  expect(polyglotKey(chess.parseState(`startpos moves ${moves}`))).toBe(key);
});

test("keys are those of python-chess", () => {
  const text = readFileSync(new URL("../../fixtures/chess/polyglot-keys.txt", import.meta.url), "utf8");
  for (const line of text.trim().split("\n")) {
    const [key, variant, ...fen] = line.split(" ");
    const state = (variant === "960" ? chess960 : chess).parseState(fen.join(" "));
    expect(`${polyglotKey(state)} ${variant} ${fen.join(" ")}`).toBe(line.replace(/^\S+/, key!));
  }
});

/** A position, a move as UCI writes it, and its weight. */
type Entry = readonly [position: string, move: string, weight: number];

function writeBook(entries: readonly Entry[], rules = chess, name = "book.bin"): string {
  const bytes = entries
    .map(([position, move, weight]) => {
      const entry = new DataView(new ArrayBuffer(16));
      entry.setBigUint64(0, BigInt(`0x${polyglotKey(rules.parseState(position))}`));
      const [from, to] = [move.slice(0, 2), move.slice(2, 4)].map(parseSquare);
      entry.setUint16(8, (" nbrq".indexOf(move[4] ?? " ") << 12) | (from! << 6) | to!);
      entry.setUint16(10, weight);
      return new Uint8Array(entry.buffer);
    })
    .toSorted((one, other) => Buffer.compare(one, other));
  const path = join(temporaryFolder(), name);
  writeFileSync(path, Buffer.concat(bytes));
  return path;
}

/** The moves of a book in a position, with their weights. */
function movesAt(path: string, position: string, rules = chess): Record<string, number> {
  const state = rules.parseState(position);
  const moves = bookActions(rules, readBook(path, rules), state);
  return Object.fromEntries(moves.map(({ action, weight }) => [rules.formatAction(action, state), weight]));
}

const CASTLING = "r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1";
const START: readonly Entry[] = [
  ["startpos", "e2e4", 30],
  ["startpos", "d2d4", 10],
  ["startpos", "g1f3", 0],
  ["startpos moves e2e4", "e7e5", 5],
  ["startpos moves e2e4", "c7c5", 7],
  ["startpos moves e2e4 e7e5", "g1f3", 1],
  ["startpos moves d2d4", "d7d5", 2],
];

test("a book has moves with weights, castling to the rook and promotions", () => {
  const path = writeBook([
    ...START,
    ["startpos", "e2e5", 9],
    [CASTLING, "e1h1", 4],
    [CASTLING, "e1a1", 3],
    [CASTLING, "b7b8n", 2],
    [CASTLING, "b7a8q", 65535],
  ]);
  expect(movesAt(path, "startpos")).toEqual({ e4: 30, d4: 10 });
  expect(movesAt(path, "startpos moves e2e4")).toEqual({ e5: 5, c5: 7 });
  expect(movesAt(path, "startpos moves a2a4")).toEqual({});
  expect(movesAt(path, CASTLING)).toEqual({ "O-O": 4, "O-O-O": 3, "b8=N": 2, "bxa8=Q+": 65535 });
  const other = "4k3/8/8/8/8/8/8/R4K1R w HA - 0 1";
  const own = writeBook([[other, "f1a1", 3]], chess960);
  expect(movesAt(own, other, chess960)).toEqual({ "O-O-O": 3 });
});

test.each([
  [
    "part of an entry",
    (bytes: Buffer) => bytes.subarray(0, 40),
    /book\.bin: is no PolyGlot book: it has 40 bytes/,
  ],
  ["nothing", (bytes: Buffer) => bytes.subarray(0, 0), /is no PolyGlot book: it has 0 bytes/],
  [
    "no order",
    (bytes: Buffer) => Buffer.concat([bytes.subarray(-16), bytes]),
    /its entries must ascend by their keys, and entry 2 has a lower key than the one before/,
  ],
])("a file with %s is refused", (_, damage, message) => {
  const path = writeBook(START);
  writeFileSync(path, damage(readFileSync(path)));
  expect(() => readBook(path, chess)).toThrow(message);
});

test("another game has no such books", () => {
  expect(() => readBook(writeBook(START), createGame("checkers"))).toThrow(
    /book\.bin: is a book of chess; checkers has books of agon's own, in \.json/,
  );
});

test("an agent plays by it", async () => {
  const prepared = await loadAgent(chess, { agent: "random", book: writeBook(START) });
  const turn = { random: createRandom("polyglot"), budget: {}, clock: () => 0 };
  const state = chess.parseState("startpos moves d2d4");
  expect(chess.formatAction((await prepared.create().choose(state, turn)).action, state)).toBe("d5");
});

test("openings are its likeliest lines", async () => {
  const { lines } = await readOpenings(chess, writeBook(START), { plies: 2 });
  const named = lines!.map((line) => {
    const state = chess.start();
    return line.map((action) => {
      const name = chess.formatAction(action, state);
      state.apply(action);
      return name;
    });
  });
  expect(named).toEqual([
    ["e4", "c5"],
    ["e4", "e5"],
    ["d4", "d5"],
  ]);
  await expect(readOpenings(chess, writeBook(START))).rejects.toThrow(
    /book\.bin: is a book: say how many plies/,
  );
});

test("agon book makes it a book of agon's, which people can read", async () => {
  const path = writeBook(START);
  const out = join(temporaryFolder(), "book.json");
  const { code, stderr } = await agon(["book", path, "--out", out, "--least", "1"]);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/Written to .*: 4 positions from 1 book/)]);
  const book = loadBook(out, chess);
  for (const position of ["startpos", "startpos moves e2e4", "startpos moves d2d4", "startpos moves a2a4"]) {
    const weights = bookActions(chess, book, chess.parseState(position));
    expect(weights).toEqual(bookActions(chess, readBook(path, chess), chess.parseState(position)));
  }
});
