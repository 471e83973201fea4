import { readFileSync } from "node:fs";
import { cpuUsage } from "node:process";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";

/**
 * The number of best moves that an agent finds in chess positions whose best moves are known: an EPD record with `bm`
 * on each line. Budgets of time count processor time: `npm run bench -- best-moves FILE [AGENT]`.
 */
const [, , file = "", spec = "alpha-beta:evaluator=piece-squares,ties=first,timeMs=1000"] = process.argv;

raiseInliningBudget();
const game = createGame("chess");
const prepared = prepareAgent(game, parseAgentSpec(spec), { loadEvaluator });
const agent = prepared.create();
const clock = () => {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
};
const missed: string[] = [];
let [positions, nodes] = [0, 0];
const begun = clock();
for (const line of readFileSync(file, "utf8").trim().split(/\r?\n/)) {
  const [, board, moves] = /^((?:\S+ ){3}\S+) .*?\bbm ([^;]+);/.exec(line) ?? [];
  if (board === undefined || moves === undefined) continue;
  const state = game.parseState(`${board} 0 1`);
  const best = moves.trim().split(/\s+/);
  const turn = { random: createRandom("best moves"), budget: prepared.budget, clock };
  const decision = await agent.choose(state, turn);
  positions++;
  nodes += decision.nodes;
  if (!best.some((move) => game.parseAction(move, state) === decision.action)) missed.push(String(positions));
}
const seconds = (clock() - begun) / 1000;
console.log(
  `${spec}: ${positions - missed.length} of ${positions}, ${(nodes / seconds / 1e6).toFixed(2)} M nodes/s`,
);
console.log(`missed: ${missed.join(" ")}`);
