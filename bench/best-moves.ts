import { readFileSync } from "node:fs";
import { cpuUsage } from "node:process";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { isSolved, readTestSuite } from "./epd.ts";

/**
 * The number of chess positions that an agent solves: an EPD record on each line, with `bm` (best moves), `am` (moves to
 * avoid) or both. Budgets of time count processor time: `npm run bench -- best-moves FILE [AGENT]`.
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
const { positions, unread } = readTestSuite(readFileSync(file, "utf8"), game);
const missed: number[] = [];
let nodes = 0;
const begun = clock();
for (const position of positions) {
  const turn = { random: createRandom("best moves"), budget: prepared.budget, clock };
  const decision = await agent.choose(position.state, turn);
  nodes += decision.nodes;
  if (!isSolved(position, decision.action)) missed.push(position.line);
}
const seconds = (clock() - begun) / 1000;
console.log(
  `${spec}: ${positions.length - missed.length} of ${positions.length}, ${(nodes / seconds / 1e6).toFixed(2)} M nodes/s`,
);
console.log(`missed, by line: ${missed.join(" ") || "none"}`);
if (unread.length > 0) {
  console.log(`not read: ${unread.length} of ${positions.length + unread.length} records`);
  for (const { line, why } of unread) console.log(`  line ${line}: ${why}`);
}
