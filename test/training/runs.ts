import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { LinearEvaluator } from "../../src/evaluators/linear.ts";
import { loadWeights } from "../../src/specs/files/weights-file.ts";
import { createGame, type GameSpec } from "../../src/games/index.ts";
import { Store } from "../../src/arena/store/store.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import type { TrainingConfig } from "../../src/training/plan/config.ts";
import type { TrainingRequest } from "../../src/training/run/train.ts";
import { timeless } from "../support/stored-games.ts";

/** A training of a moment. */
export const TINY: TrainingConfig = {
  name: "tiny",
  game: "tic-tac-toe",
  seed: "test",
  games: 120,
  evaluator: { features: "lines" },
  learner: { lambda: 0.7, stepSize: { from: 0.1, to: 0.01, shape: "exponential" } },
  exploration: { epsilon: { from: 0.3, to: 0.1 } },
  openings: { randomPlies: { from: 0, to: 2 } },
  checkpoints: 3,
  rating: { pool: ["random", "minimax:depth=1"], player: "greedy", blocks: 3 },
};

/** A small training of a game of hidden information. */
export const HIDDEN: TrainingConfig = {
  ...TINY,
  game: "liars-dice",
  evaluator: { features: "hand-and-bid" },
  exploration: { kind: "softmax", temperature: 0.2 },
  openings: { randomPlies: 0 },
  rating: {
    pool: ["random"],
    player: { agent: "determinized", worlds: 3, vote: "mean", search: { agent: "greedy" } },
    openings: { randomPlies: 0 },
    blocks: 3,
  },
};

/** Makes folders that go when the file's tests are done. */
export function folders(): () => string {
  const root = mkdtempSync(join(tmpdir(), "agon-training-"));
  let made = 0;
  afterAll(() => rmSync(root, { recursive: true }));
  return () => join(root, String(made++));
}

/** A clock on which a slice of self-play is three games. */
function slowClock(): () => number {
  let timeMs = 0;
  return () => (timeMs += 20);
}

export function requestOf(
  outDir: string,
  config: TrainingConfig,
  parts: Partial<TrainingRequest> = {},
): TrainingRequest {
  return {
    config,
    outDir,
    clock: slowClock(),
    workers: 0,
    now: () => new Date("2001-02-03T04:05:06Z"),
    ...parts,
  };
}

/** Everything that a training left and that does not tell the time, to the last bit; `games` are those of the rating. */
export function contents(dir: string): Record<string, unknown> {
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.includes(".") && !name.startsWith("results.sqlite"),
  );
  const found: Record<string, unknown> = Object.fromEntries(
    files.toSorted().map((name) => {
      const text = readFileSync(join(dir, name), "latin1");
      if (!name.endsWith(".json")) return [name, text];
      const own = JSON.parse(text, (key, value: unknown) => (key === "timeMs" ? 0 : value)) as object;
      // The state's checksum covers its time.
      return [name, name === "state.json" ? { ...own, sha256: "" } : own];
    }),
  );
  if (Store.exists(dir)) found["games"] = ratedGames(dir).map(timeless);
  return found;
}

/** The games by which a training rated its checkpoints. */
export function ratedGames(dir: string): GameRecord[] {
  const store = Store.openExisting(dir);
  try {
    return store.records();
  } finally {
    store.close();
  }
}

/** The weights of a linear evaluator or an n-tuple network. */
export function weightsOf(path: string, game: GameSpec = "tic-tac-toe"): Float32Array {
  return (loadWeights(path, createGame(game)) as LinearEvaluator).weights;
}
