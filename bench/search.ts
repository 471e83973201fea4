import { cpuUsage, memoryUsage } from "node:process";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";

/**
 * Connect four from the empty board: nodes a second of plain alpha-beta (`alpha-beta`), simulations a second of UCT
 * (`mcts`). With a game and an agent: that agent from the start of the game, such as `go mcts:simulations=5000`.
 */
const REPEATS = 5;
const USUAL: Readonly<Record<string, string>> = {
  "alpha-beta": "alpha-beta:depth=14,table=0,ordering=none,deepening=false",
  mcts: "mcts:simulations=200000,maxNodes=2097152",
};

raiseInliningBudget();
const [, , which = "alpha-beta", given] = process.argv;
const game = createGame(given === undefined ? "connect-four" : which);
const spec = parseAgentSpec(given ?? USUAL[which]!);
const prepared = prepareAgent(game, spec, { loadEvaluator });
const agent = prepared.create();
const name = given ?? which;
for (let repeat = 0; repeat < REPEATS; repeat++) {
  const turn = {
    random: createRandom("bench", repeat),
    budget: prepared.budget,
    clock: () => performance.now(),
  };
  const heap = memoryUsage().heapUsed;
  const before = cpuUsage();
  const { nodes } = await agent.choose(game.start(), turn);
  const { user, system } = cpuUsage(before);
  const ms = (user + system) / 1000;
  const grown = memoryUsage().heapUsed - heap;
  console.log(`${name}: ${nodes} nodes, ${(nodes / ms / 1000).toFixed(4)} M/s, heap grew by ${grown} bytes`);
}
