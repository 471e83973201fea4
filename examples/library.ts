// A training and a tournament from code. After `npm run build`: npx jiti examples/library.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatCurveTable, formatReport, playTournament, trainFromConfig } from "agon-arena";
import { agent as counter } from "./twenty-one/counter.ts";
import { game } from "./twenty-one/twenty-one.ts";

const outDir = mkdtempSync(join(tmpdir(), "agon-library-"));
try {
  // Self-play learns the weights of a linear evaluator, and leaves them in the folder.
  const { curve, weightsPath } = await trainFromConfig({
    config: {
      name: "twenty-one",
      game,
      games: 500,
      evaluator: { features: "remainder" },
      learner: { lambda: 0.7, stepSize: 0.05 },
      exploration: { epsilon: 0.2 },
      checkpoints: 1,
      rating: { player: "greedy", pool: ["random", counter], blocks: 20 },
    },
    outDir,
  });
  console.log(formatCurveTable(curve));

  // The trained evaluator plays against an agent that counts right, and against random play.
  const { report } = await playTournament({
    name: "library",
    game,
    blocks: 40,
    openings: { randomPlies: 6 },
    entrants: ["random", counter, { name: "trained", agent: "greedy", evaluator: weightsPath }],
  });
  console.log(formatReport(report, "table"));
} finally {
  rmSync(outDir, { recursive: true });
}
