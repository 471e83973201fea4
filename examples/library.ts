// A training and a tournament from code. After `npm run build`: npx jiti examples/library.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  formatCurveTable,
  formatReport,
  planTournament,
  reportRun,
  runTournament,
  Store,
  trainFromConfig,
  type TournamentConfig,
  type TrainingConfig,
} from "agon-arena";

const folder = mkdtempSync(join(tmpdir(), "agon-library-"));
try {
  // Self-play learns the weights of a linear evaluator, and leaves them in the folder.
  const training = await trainFromConfig({
    config: {
      name: "nim",
      game: { id: "nim", piles: [1, 3, 5] },
      seed: "library",
      games: 500,
      evaluator: { kind: "linear", features: "parity", output: "tanh" },
      learner: { rule: "td", lambda: 0.7, stepSize: 0.05 },
      exploration: { kind: "epsilon-greedy", epsilon: 0.2 },
      checkpoints: 1,
      rating: { player: "greedy", pool: ["random"], blocks: 20 },
    } satisfies TrainingConfig,
    outDir: join(folder, "training"),
  });
  console.log(formatCurveTable(training.curve));

  // The trained evaluator plays against exact and random play.
  const plan = await planTournament({
    name: "library",
    game: { id: "nim", piles: [1, 3, 5] },
    seed: "library",
    blocks: 20,
    openings: { randomPlies: 1 },
    anchor: { entrant: "random", elo: 0 },
    entrants: [
      "random",
      { name: "trained", agent: "greedy", evaluator: training.weightsPath! },
      { name: "exact", agent: "alpha-beta", depth: 9 },
    ],
  } satisfies TournamentConfig);
  const store = Store.inMemory();
  try {
    await runTournament({ plan, store, workers: 2 });
    console.log(formatReport(reportRun(plan, store.records()), "table"));
  } finally {
    store.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}
