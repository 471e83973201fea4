import { cpuUsage } from "node:process";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";

/**
 * Endgames 40 to 44 of the French federation's magazine, solved for discs: score, nodes and processor time of each, with
 * an empty table: `npm run bench -- othello-endgames [AGENT]`.
 */
const ENDGAMES: readonly (readonly [number: number, position: string, score: number])[] = [
  [40, "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38],
  [41, "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0],
  [42, "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6],
  [43, "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12],
  [44, "--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14],
];
const USUAL = "alpha-beta:solve=true,depth=60,table=256";

raiseInliningBudget();
const game = createGame({ id: "othello", score: "discs" });
const prepared = prepareAgent(game, parseAgentSpec(process.argv[2] ?? USUAL));
let total = 0;
for (const [number, position, published] of ENDGAMES) {
  const state = game.parseState(position);
  const empty = position.split("-").length - 1;
  const turn = { random: createRandom("endgames"), budget: prepared.budget, clock: () => performance.now() };
  const before = cpuUsage().user;
  const { action, nodes, value = NaN } = await prepared.create().choose(state, turn);
  const seconds = (cpuUsage().user - before) / 1e6;
  total += seconds;
  console.log(
    `${number}: ${empty} empty squares, ${game.formatAction(action, state)} ${value + 0} (published ${published}), ` +
      `${(nodes / 1e6).toFixed(1)} M nodes, ${seconds.toFixed(1)} s, ${(nodes / seconds / 1e6).toFixed(1)} M/s`,
  );
}
console.log(`${total.toFixed(1)} s in all`);
