import { execFileSync } from "node:child_process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { TERMINAL } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";

/**
 * Published leaf counts from the start, deeper than the tests go, and leaves a second with the last ply
 * counted in bulk. Each game has a process of its own, see random-play.ts.
 */
const PUBLISHED: Readonly<Record<string, { leaves: readonly number[]; finished?: number }>> = {
  checkers: {
    leaves: [1, 7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680, 18391564, 85242128, 388623673],
  },
  // Here a finished game counts at its own depth only.
  "connect-four": {
    leaves: [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646],
    finished: 0,
  },
  othello: { leaves: [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800] },
};

const only = process.argv[2];
if (only === undefined) {
  for (const id of Object.keys(PUBLISHED))
    execFileSync(process.execPath, [process.argv[1]!, "perft", id], { stdio: "inherit" });
} else {
  raiseInliningBudget();
  const game = createGame(only);
  const state = game.start();
  const { leaves: counts, finished = 1 } = PUBLISHED[only]!;
  const stack = new Int32Array(game.maxActions * counts.length);

  const perft = (depth: number, at: number): number => {
    if (state.toMove === TERMINAL) return finished;
    const count = state.legalActions(stack, at);
    if (depth === 1) return count;
    let leaves = 0;
    for (let index = at; index < at + count; index++) {
      state.apply(stack[index]);
      leaves += perft(depth - 1, at + count);
      state.undo();
    }
    return leaves;
  };

  for (let depth = 6; depth < counts.length; depth++) {
    const begun = performance.now();
    const leaves = perft(depth, 0);
    const rate = leaves / (performance.now() - begun) / 1000;
    const verdict = leaves === counts[depth] ? "as published" : `published: ${counts[depth]}`;
    console.log(`${only} depth ${depth}: ${leaves} leaves, ${verdict}, ${rate.toFixed(1)} M/s`);
  }
}
