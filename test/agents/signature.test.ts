import { expect, test } from "vitest";
import type { Decision } from "../../src/agents/agent.ts";
import { createGame, type GameSpec } from "../../src/games/index.ts";
import { ask, createPlayer, randomPositions } from "./play.ts";

/** Searches at the start of a game and at two random positions; a line of signature.txt has their nodes and values. */
const SEARCHES: readonly (readonly [game: string | GameSpec, ...specs: string[]])[] = [
  [
    "connect-four",
    "minimax:depth=5,evaluator=threats",
    "alpha-beta:depth=8,table=0,ordering=none,deepening=false",
    "alpha-beta:depth=8,evaluator=threats",
    "alpha-beta:nodes=5000",
    "mcts:simulations=500",
    "descent:simulations=200,evaluator=threats",
    "descent:simulations=20,ends=true",
  ],
  ["tic-tac-toe", "minimax:depth=9", "alpha-beta:depth=9", "alpha-beta:depth=9,ordering=table"],
  ["nim", "alpha-beta:nodes=5000", "max-n:depth=4"],
  ["othello", "alpha-beta:depth=5,evaluator=mobility-stability", "mcts:simulations=100"],
  ["checkers", "alpha-beta:depth=7,evaluator=material", "mcts:simulations=100"],
  [
    "chess",
    "minimax:depth=2,evaluator=material",
    "alpha-beta:depth=3,evaluator=material,ordering=none",
    "alpha-beta:depth=4,evaluator=piece-squares",
  ],
  ["breakthrough", "alpha-beta:depth=5,evaluator=advancement", "mcts:simulations=100"],
  [
    { id: "go", size: 5 },
    "alpha-beta:depth=3,evaluator=area",
    "mcts:simulations=100",
    "mcts:simulations=100,playout=mogo,rave=100",
  ],
  ["pig", "expectimax:depth=3,evaluator=race", "expectimax:depth=3,evaluator=race,opponent=random"],
  ["backgammon", "expectimax:depth=1,evaluator=pubeval", "mcts:simulations=20"],
  ["2048", "expectimax:depth=2,evaluator=order"],
  [
    { id: "nim", players: 3, piles: [3, 4, 5] },
    "max-n:depth=4",
    "paranoid:depth=5",
    "best-reply:depth=5",
    "mcts:simulations=200",
  ],
  [
    { id: "chinese-checkers", players: 3 },
    "max-n:depth=1,evaluator=distance",
    "paranoid:depth=2,evaluator=distance",
  ],
];

const format = ({ nodes, value }: Decision) => `${nodes} ${value?.toPrecision(6)}`;

test("fixed searches visit as many nodes as they did, and find the same values", async () => {
  const lines = SEARCHES.flatMap(([spec, ...agents]) => {
    const game = createGame(spec);
    const states = [game.start(), ...randomPositions(game, 2, { seed: "signature", plies: 40 })];
    return agents.map((agent) => {
      const player = createPlayer(game, agent);
      const found = states.map((state) => format(ask(player, game, { state, seed: "signature" })));
      const name = typeof spec === "string" ? spec : JSON.stringify(spec);
      return `${name} ${agent}: ${found.join(", ")}\n`;
    });
  });
  await expect(lines.join("")).toMatchFileSnapshot("signature.txt");
});
