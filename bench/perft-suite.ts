import { readFileSync } from "node:fs";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createGame } from "../src/games/index.ts";
import { perft } from "../src/games/contract/perft.ts";

/**
 * A suite of chess positions with known leaf counts, `FEN ;D1 20 ;D2 400 ...` a line, against the
 * rules: `npm run bench -- perft-suite FILE [MAX_LEAVES]`. Counts above MAX_LEAVES (default 10 million)
 * are left out. Draws other than stalemate are off, since such counts know none.
 */
const [, , file = "test/fixtures/chess/perft-suite.epd", maxLeaves = "1e7"] = process.argv;
raiseInliningBudget();
const game = createGame({ id: "chess", quietMoves: 1000, repetitions: 0, insufficientMaterial: false });

let leaves = 0;
let checked = 0;
let wrong = 0;
const begun = performance.now();
for (const line of readFileSync(file, "utf8").trim().split(/\r?\n/)) {
  const [fen = "", ...counts] = line.split(";");
  for (const entry of counts) {
    const [depth = 0, expected = 0] = entry.trim().slice(1).split(/\s+/).map(Number);
    if (expected > Number(maxLeaves)) continue;
    const found = perft(game, game.parseState(fen), depth);
    leaves += found;
    checked++;
    if (found === expected) continue;
    wrong++;
    console.log(`${fen.trim()}: depth ${depth} has ${found} leaves, not ${expected}`);
  }
}
const rate = leaves / (performance.now() - begun) / 1000;
console.log(`${checked} counts checked, ${wrong} wrong; ${leaves} leaves, ${rate.toFixed(1)} M/s`);
process.exitCode = wrong === 0 ? 0 : 1;
