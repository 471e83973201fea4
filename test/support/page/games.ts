import type { TournamentConfig } from "../../../src/arena/plan/config.ts";

/** Every game, with options that make random games end soon, and agents that answer at once. */
export const GAMES: Readonly<Record<string, Pick<TournamentConfig, "game" | "entrants">>> = {
  "tic-tac-toe": { game: "tic-tac-toe", entrants: ["random", "alpha-beta:depth=2"] },
  nim: {
    game: { id: "nim", players: 3, piles: [3, 4, 2] },
    entrants: ["random", "max-n:depth=1,evaluator=exact", "mcts:simulations=9"],
  },
  othello: { game: "othello", entrants: ["random", greedy("weighted-squares")] },
  checkers: { game: { id: "checkers", drawAfter: 20 }, entrants: ["random", greedy("material")] },
  chess: {
    // White promotes with its next move or the one after it.
    game: { id: "chess", fen: "3r4/2P1P3/7k/8/p7/8/8/R3K3 w - - 0 1", quietMoves: 5 },
    entrants: ["random", greedy("material")],
  },
  "chinese-checkers": {
    game: { id: "chinese-checkers", players: 3, side: 2, maxRounds: 8 },
    entrants: ["random", greedy("distance"), "mcts:simulations=4"],
  },
  breakthrough: {
    game: { id: "breakthrough", width: 5, height: 5 },
    entrants: ["random", greedy("advancement")],
  },
  "connect-four": { game: "connect-four", entrants: ["random", greedy("threats")] },
  go: { game: { id: "go", size: 5, moveLimit: 40 }, entrants: ["random", greedy("area")] },
  "2048": { game: { id: "2048", height: 3, width: 2 }, entrants: ["random", greedy("order")] },
  backgammon: { game: { id: "backgammon", maxTurns: 12 }, entrants: ["random", greedy("pip-count")] },
  pig: { game: { id: "pig", target: 15 }, entrants: ["random", greedy("race")] },
  kuhn: { game: "kuhn", entrants: ["random", "ismcts:simulations=20"] },
  leduc: { game: "leduc", entrants: ["random", "ismcts:simulations=20"] },
  "phantom-tic-tac-toe": { game: "phantom-tic-tac-toe", entrants: ["random", "ismcts:simulations=20"] },
  battleship: {
    game: { id: "battleship", width: 3, height: 3, ships: [2] },
    entrants: ["random", "ismcts:simulations=5"],
  },
  hearts: {
    game: { id: "hearts", cards: 4 },
    entrants: [
      "random",
      "ismcts:simulations=5",
      { name: "other", agent: "random" },
      { name: "last", agent: "random" },
    ],
  },
  bridge: {
    game: { id: "bridge", cards: 3, trumps: "S" },
    entrants: ["random", "ismcts:simulations=5", { name: "other", agent: "random" }],
  },
  holdem: {
    game: { id: "holdem", limit: true, streets: 2, raises: 2 },
    entrants: ["random", "ismcts:simulations=5"],
  },
  crossword: {
    game: {
      id: "crossword",
      size: 5,
      rack: 3,
      letters: { a: [4, 1], t: [4, 1], s: [2, 1] },
      words: ["at", "as", "sat", "tat"],
    },
    entrants: ["random", "ismcts:simulations=2"],
  },
  conquest: {
    game: { id: "conquest", map: "tiny", maxRounds: 2 },
    entrants: ["random", greedy("strength"), "mcts:simulations=4"],
  },
  property: {
    game: { id: "property", board: "small", maxRounds: 3 },
    entrants: ["random", greedy("net-worth")],
  },
  tree: {
    game: {
      id: "tree",
      players: 2,
      root: {
        player: 0,
        actions: {
          left: { player: 1, actions: [1, { player: 0, actions: { up: 3, down: -2 } }] },
          right: { chance: { rain: { probability: 0.5, node: -1 }, sun: { probability: 0.5, node: 2 } } },
        },
      },
    },
    entrants: ["random", greedy("value")],
  },
};

function greedy(evaluator: string): TournamentConfig["entrants"][number] {
  return { name: "greedy", agent: "greedy", evaluator };
}
