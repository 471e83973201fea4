import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../src/base/random.ts";
import { loadResults } from "../src/arena/result-files/load.ts";
import { Tally } from "../src/ratings/counts/tally.ts";
import { spreadOf } from "../src/ratings/elo/covariance.ts";
import { fit } from "../src/ratings/elo/fit.ts";
import { pairEntrants } from "../src/ratings/elo/pairings.ts";
import { usageOf } from "../test/support/peak-memory.ts";

/**
 * `agon rate` on a PGN file that is made up: pairs of games with the colours swapped. Prints processor time and peak memory
 * of the built command line, then the processor time of the fit and of the intervals alone.
 * `npm run bench -- result-files [PLAYERS [GAMES]]`; without numbers 200 and 100,000.
 */
const players = Number(process.argv[2] ?? 200);
const games = Number(process.argv[3] ?? 100_000);
const MOVES = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O\n".repeat(4);

function writeGames(path: string): void {
  const random = createRandom("bench", "result files");
  const strength = Array.from({ length: players }, () => 4 * random.float());
  const game = (round: number, white: number, black: number): string => {
    const chance = 1 / (1 + Math.exp(strength[black] - strength[white]));
    const result = random.float() < 0.3 ? "1/2-1/2" : random.float() < chance ? "1-0" : "0-1";
    const tags = {
      Event: "bench",
      Site: "?",
      Round: round,
      White: `p${white}`,
      Black: `p${black}`,
      Result: result,
    };
    const lines = Object.entries(tags).map(([name, value]) => `[${name} "${value}"]\n`);
    return `${lines.join("")}\n${MOVES}${result}\n\n`;
  };
  const file = openSync(path, "w");
  for (let round = 1; 2 * round <= games; round++) {
    const one = random.below(players);
    const other = (one + 1 + random.below(players - 1)) % players;
    writeSync(file, game(round, one, other) + game(round, other, one));
  }
  closeSync(file);
}

const dir = mkdtempSync(join(tmpdir(), "agon-results-"));
try {
  const path = join(dir, "games.pgn");
  writeGames(path);
  const main = new URL("../../dist/cli/main.js", import.meta.url).href;
  const { peakMb, cpuSeconds } = await usageOf(main, ["rate", path, "--format", "csv"]);
  console.log(
    `agon rate, ${players} players, ${games} games: ${cpuSeconds.toFixed(2)} s of processor time, ${peakMb.toFixed(0)} MB`,
  );
  const { records, entrants } = await loadResults([path]);
  const tally = new Tally(entrants.length);
  for (const block of records.blocks()) tally.addBlock(block);
  const pairings = pairEntrants(tally);
  const seconds = () => process.cpuUsage().user / 1e6;
  const start = seconds();
  const values = fit(pairings);
  const middle = seconds();
  spreadOf(pairings, values);
  console.log(`fit ${(middle - start).toFixed(2)} s, intervals ${(seconds() - middle).toFixed(2)} s`);
} finally {
  rmSync(dir, { recursive: true });
}
