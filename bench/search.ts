import { memoryUsage } from "node:process";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { createGame } from "../src/games/index.ts";

/** Connect four from the empty board: nodes a second of plain alpha-beta, simulations a second of UCT. */
const REPEATS = 5;

raiseInliningBudget();
const game = createGame("connect-four");
const which = process.argv[2] ?? "alpha-beta";
const spec =
  which === "mcts"
    ? { agent: "mcts", simulations: 200_000, maxNodes: 2 ** 21 }
    : { agent: "alpha-beta", depth: 14, table: 0, ordering: "none", deepening: false };
const prepared = prepareAgent(game, spec);
const agent = prepared.create();
for (let repeat = 0; repeat < REPEATS; repeat++) {
  const turn = {
    random: createRandom("bench", repeat),
    budget: prepared.budget,
    clock: () => performance.now(),
  };
  const heap = memoryUsage().heapUsed;
  const begun = performance.now();
  const { nodes } = await agent.choose(game.start(), turn);
  const ms = performance.now() - begun;
  const grown = memoryUsage().heapUsed - heap;
  console.log(`${which}: ${nodes} nodes, ${(nodes / ms / 1000).toFixed(2)} M/s, heap grew by ${grown} bytes`);
}
