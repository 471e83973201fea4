import process from "node:process";
import { createGame } from "../src/games/index.ts";
import { parseGameSpec } from "../src/specs/games.ts";
import { CFR_VARIANTS, Cfr, type CfrVariant } from "../src/agents/solve/cfr.ts";
import { buildGameTree } from "../src/agents/solve/game-tree.ts";

/* Times the solution of a game: npm run bench -- solve GAME ALGORITHM ITERATIONS. The best of three. */
const [name = "leduc", algorithm = "cfr", iterations = "1000"] = process.argv.slice(2);
if (!CFR_VARIANTS.includes(algorithm as CfrVariant))
  throw new Error(`no algorithm ${algorithm}; allowed: ${CFR_VARIANTS.join(", ")}`);
const game = createGame(parseGameSpec(name, "."));
let begun = performance.now();
const tree = buildGameTree(game);
const built = performance.now() - begun;
let best = Infinity;
for (let run = 0; run < 3; run++) {
  const solver = new Cfr(tree, algorithm as CfrVariant);
  begun = performance.now();
  for (let t = 0; t < Number(iterations); t++) solver.iterate();
  best = Math.min(best, performance.now() - begun);
}
console.log(
  `${name}: ${tree.parent.length} histories in ${(built / 1000).toFixed(2)} s; ` +
    `${iterations} iterations of ${algorithm} in ${(best / 1000).toFixed(2)} s`,
);
