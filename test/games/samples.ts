import { createGame, type GameSpec, games } from "../../src/games/index.ts";
import { thorough } from "../support/thorough.ts";

/** Forms of a game beyond its default one that the contract suite plays; `tree` has no default. */
const VARIANTS: Readonly<Record<string, readonly GameSpec[]>> = {
  backgammon: [{ id: "backgammon", gammons: false, maxTurns: 30 }],
  "2048": [
    { id: "2048", width: 2, height: 2 },
    { id: "2048", height: 3, width: 3 },
    { id: "2048", width: 5, height: 2 },
  ],
  pig: [
    { id: "pig", target: 10, maxTurns: 7 },
    { id: "pig", players: 3, target: 1000, maxTurns: 60 },
    { id: "pig", players: 6, target: 37 },
  ],
  conquest: [
    { id: "conquest", map: "tiny", battles: "decided", maxRounds: 6, score: "share" },
    {
      id: "conquest",
      players: 4,
      map: "tiny",
      maxArmies: 5,
      placements: 1,
      allianceRounds: 1,
      maxRounds: 12,
    },
    { id: "conquest", players: 6, map: "large", allianceRounds: 0, breakPrice: 0, maxRounds: 5 },
    { id: "conquest", players: 5, alliances: false, armies: 1, placements: 3, maxRounds: 8 },
    { id: "conquest", battles: "exchange", maxRounds: 10, maxArmies: 9 },
  ],
  property: [
    { id: "property", board: "small", cash: 300, maxRounds: 40 },
    { id: "property", board: "small", cash: 150, players: 4, maxRounds: 12 },
    { id: "property", players: 3, cash: 900, maxRounds: 30, auctions: false },
  ],
  "liars-dice": [
    { id: "liars-dice", sides: 3 },
    { id: "liars-dice", dice: 2, sides: 2 },
    { id: "liars-dice", dice: 3 },
  ],
  goofspiel: [
    { id: "goofspiel", cards: 4 },
    { id: "goofspiel", cards: 5 },
  ],
  battleship: [
    { id: "battleship", width: 2, height: 2, ships: [1, 2], shots: 2 },
    { id: "battleship", width: 3, height: 2, ships: [1, 3, 2], shots: 1 },
    { id: "battleship", width: 6, height: 5, ships: [4, 3, 2] },
  ],
  "sliding-puzzle": [
    { id: "sliding-puzzle", size: 2, maxMoves: 9 },
    { id: "sliding-puzzle", size: 4 },
    { id: "sliding-puzzle", start: "8 6 7 / 2 5 4 / 3 . 1" },
  ],
  "phantom-tic-tac-toe": [{ id: "phantom-tic-tac-toe", size: 2 }],
  hearts: [
    { id: "hearts", cards: 1, suits: 2 },
    { id: "hearts", cards: 3 },
  ],
  bridge: [
    { id: "bridge", cards: 1, suits: 2, trumps: "H" },
    { id: "bridge", cards: 3, trumps: "C" },
  ],
  crossword: [
    {
      id: "crossword",
      size: 3,
      layout: [".2.", "D..", "..T"],
      rack: 1,
      letters: { a: [2, 1], b: [2, 3], "?": [1, 0] },
      words: ["ab", "aba", "ba"],
    },
    {
      id: "crossword",
      size: 3,
      rack: 2,
      letters: { a: [2, 1], b: [2, 3] },
      words: ["aa", "ab", "bab"],
    },
    { id: "crossword", players: 3, size: 9, letters: "small" },
  ],
  holdem: [
    { id: "holdem", players: 3, stack: [9, 30, 15], limit: true },
    { id: "holdem", ranks: 3, suits: 2, hole: 1, flop: 1, streets: 2, stack: 8 },
    { id: "holdem", players: 6, stack: [20, 7, 50, 33, 9, 12], bets: [0.5, 1], ante: 1 },
  ],
  tree: [
    { id: "tree", root: { player: 0, actions: [{ player: 1, actions: [2, 7], value: 3 }, 1, -7] } },
    {
      id: "tree",
      players: 3,
      root: {
        chance: {
          rain: { probability: "1/3", node: { player: 2, actions: { stay: [1, 2, 3], go: [3, 2, 1] } } },
          sun: { probability: "2/3", node: { player: 0, actions: { stay: [9, 9, 9] }, value: [8, 9, 10] } },
        },
      },
    },
  ],
  nim: [
    { id: "nim", piles: [5, 2, 6, 3], misere: true },
    { id: "nim", piles: [1, 255, 40], players: 3 },
    { id: "nim", piles: [4, 4, 4, 4], players: 6, misere: true },
  ],
  breakthrough: [
    { id: "breakthrough", width: 3, height: 8 },
    { id: "breakthrough", width: 8, height: 5, pieceRows: 1 },
    { id: "breakthrough", width: 6, height: 7 },
  ],
  checkers: [
    { id: "checkers", drawAfter: 80, progress: "capture-or-man" },
    { id: "checkers", drawAfter: 200, repetitions: 2 },
  ],
  go: [
    { id: "go", size: 5, suicide: true, komi: 0, repetition: "play-on" },
    { id: "go", size: 5, ko: "positional-superko", suicide: true, moveLimit: 90 },
    { id: "go", size: 6, ko: "positional-superko", komi: -3 },
  ],
  hex: [
    { id: "hex", size: 3, swap: true },
    { id: "hex", size: 7, swap: true },
  ],
  othello: [
    { id: "othello", size: 4 },
    { id: "othello", size: 6 },
    { id: "othello", size: 6, score: "discs" },
  ],
  chess: [
    {
      id: "chess",
      fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
      quietMoves: 5,
      repetitions: 2,
    },
    { id: "chess", fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", quietMoves: 12, repetitions: 0 },
    {
      id: "chess",
      chess960: true,
      fen: "1rk2rn1/pppppppp/8/8/8/8/PPPPPPPP/1R3KRB w KQkq - 0 1",
      quietMoves: 8,
    },
  ],
  "chinese-checkers": [
    { id: "chinese-checkers", side: 2, maxRounds: 30 },
    { id: "chinese-checkers", side: 3, players: 3, maxRounds: 12 },
    { id: "chinese-checkers", side: 2, players: 4, maxRounds: 15 },
    { id: "chinese-checkers", players: 6, maxRounds: 6 },
  ],
  "connect-four": [
    { id: "connect-four", width: 4, height: 4 },
    { id: "connect-four", width: 9, height: 8 },
  ],
};

/** Games whose options have no defaults, so that only their variants can be played. */
const WITHOUT_DEFAULT = new Set(["tree"]);

/** The games of every contract suite: each listed game in its default form, then its variants. */
export const sampleGames: readonly GameSpec[] = Object.keys(games).flatMap((id) => [
  ...(WITHOUT_DEFAULT.has(id) ? [] : [id]),
  ...(VARIANTS[id] ?? []),
]);

/** The sample games of long tests, which `npm test` runs on one form of each game. */
export const usualGames: readonly GameSpec[] = thorough(sampleGames, sampleGames.filter(isFirst));

/** The usual games of perfect information: agents and searches of states fit no others. */
export const usualOpenGames: readonly GameSpec[] = usualGames.filter(
  (spec) => !createGame(spec).hiddenInformation,
);

function isFirst(spec: GameSpec, at: number, all: readonly GameSpec[]): boolean {
  return all.findIndex((other) => idOf(other) === idOf(spec)) === at;
}

function idOf(spec: GameSpec): string {
  return typeof spec === "string" ? spec : spec.id;
}

export function sampleName(spec: GameSpec): string {
  return typeof spec === "string" ? spec : JSON.stringify(spec).slice(0, 80);
}
