import { cpuUsage, resourceUsage } from "node:process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver/solver.ts";
import { ConnectFourState } from "../src/games/connect-four/state.ts";

/**
 * Connect four solved from the empty board, with a table of 512 MiB: the score of the game, processor time, visited
 * positions, memory. With `columns`, also the score of each first stone, up to the middle: the others are mirror
 * images: `npm run bench -- empty-board [columns]`.
 */
const TABLE_BITS = 26;
const MIDDLE = 3;

raiseInliningBudget();
const solver = new ConnectFourSolver(7, 6, TABLE_BITS);
const state = new ConnectFourState(7, 6);

function measure(name: string, score: () => number): void {
  const before = { nodes: solver.nodes, user: cpuUsage().user };
  const found = score();
  const seconds = (cpuUsage().user - before.user) / 1e6;
  const nodes = solver.nodes - before.nodes;
  console.log(
    `${name}: score ${found}, ${seconds.toFixed(1)} s, ${nodes} positions, ` +
      `${(nodes / seconds / 1e6).toFixed(1)} M/s, ${(resourceUsage().maxRSS / 1024).toFixed(0)} MiB`,
  );
}

measure("empty board", () => solver.solve(state));
if (process.argv[2] === "columns") {
  for (let column = MIDDLE; column >= 0; column--) {
    state.apply(column);
    measure(`column ${column + 1}`, () => 0 - solver.solve(state));
    state.undo();
  }
}
