import { readFileSync } from "node:fs";
import { cpuUsage } from "node:process";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../src/games/connect-four/state.ts";
import type { Game } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";

/**
 * Connect four positions with known scores, `<columns played> <score>` a line: nodes and processor time of alpha-beta that
 * solves, and of the game's own solver with a small empty table for each position, and how many scores are wrong. Each goes
 * twice through the file, so that the second time it is compiled: `npm run bench -- scores FILE [AGENT]`.
 */
const TABLE_BITS = 18;
const [, , file = "test/fixtures/connect-four-scores.txt", spec = "alpha-beta:solve=true,depth=42"] =
  process.argv;

raiseInliningBudget();
const game = createGame("connect-four") as Game<ConnectFourState>;
const positions = readFileSync(file, "utf8")
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(" ") as [moves: string, score: string])
  .map(([moves, score]) => ({ state: game.parseState(moves), score: Number(score) }));
const prepared = prepareAgent(game, parseAgentSpec(spec));
const agent = prepared.create();
const scorer = new ConnectFourSolver(7, 6, 1);

interface Solved {
  readonly nodes: number;
  readonly score: number;
}

async function byAgent(state: ConnectFourState): Promise<Solved> {
  const turn = { random: createRandom("scores"), budget: prepared.budget, clock: () => performance.now() };
  const { nodes, pliesToEnd = 0, value = 0 } = await agent.choose(state, turn);
  return { nodes, score: value === 0 ? 0 : value * scorer.winAfter(state.stones + pliesToEnd) };
}

function bySolver(state: ConnectFourState): Solved {
  const solver = new ConnectFourSolver(7, 6, TABLE_BITS);
  const score = solver.solve(state);
  return { nodes: solver.nodes, score };
}

async function measure(name: string, solve: (state: ConnectFourState) => Solved | Promise<Solved>) {
  let nodes = 0;
  let wrong = 0;
  const before = cpuUsage().user;
  for (const { state, score } of positions) {
    const found = await solve(state);
    nodes += found.nodes;
    if (found.score !== score) wrong++;
  }
  const ms = (cpuUsage().user - before) / 1000;
  console.log(
    `${name}: ${wrong} of ${positions.length} wrong, ${(nodes / positions.length).toFixed(0)} nodes on average, ` +
      `${(ms / positions.length).toFixed(2)} ms, ${(nodes / ms / 1000).toFixed(2)} M/s`,
  );
}

for (let round = 0; round < 2; round++) {
  await measure(spec, byAgent);
  await measure("own solver", bySolver);
}
