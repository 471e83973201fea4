import { cpuUsage } from "node:process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../src/games/connect-four/state.ts";
import { TERMINAL, type Game } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";

/**
 * The connect four solver on random positions, by stones on the board: processor time and visited positions, each
 * search with an empty table: `npm run bench -- solver [STONES ...]`.
 */
const POSITIONS = 30;
const USUAL = ["16", "14", "12", "10", "8"];

raiseInliningBudget();
const game = createGame("connect-four") as Game<ConnectFourState>;
const actions = new Int32Array(game.maxActions);
const given = process.argv.slice(2);
for (const stones of given.length > 0 ? given : USUAL) {
  const random = createRandom("solver", stones);
  const timesMs: number[] = [];
  let nodes = 0;
  while (timesMs.length < POSITIONS) {
    const state = game.start();
    while (state.toMove !== TERMINAL && state.stones < Number(stones))
      state.apply(actions[random.below(state.legalActions(actions, 0))]);
    if (state.toMove === TERMINAL) continue;
    const solver = new ConnectFourSolver(7, 6);
    const before = cpuUsage().user;
    solver.solve(state);
    timesMs.push((cpuUsage().user - before) / 1000);
    nodes += solver.nodes;
  }
  timesMs.sort((a, b) => a - b);
  const total = timesMs.reduce((sum, ms) => sum + ms, 0);
  console.log(
    `${stones} stones: mean ${(total / POSITIONS).toFixed(0)} ms, median ${timesMs[POSITIONS >> 1]!.toFixed(0)} ms, ` +
      `worst ${timesMs.at(-1)!.toFixed(0)} ms, ${(nodes / POSITIONS / 1e6).toFixed(2)} M positions each, ` +
      `${(nodes / total / 1000).toFixed(1)} M/s`,
  );
}
