import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Rooms without a state of their own: their tests share a thread's modules, which saves a third of the time. */
const STATELESS = ["base", "games", "evaluators", "agents", "checks", "ratings"].map(
  (room) => `test/${room}/**/*.test.ts`,
);

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest leaves a core idle by default.
    maxWorkers: availableParallelism(),
    pool: "threads",
    projects: [
      { extends: true, test: { name: "stateless", include: STATELESS, isolate: false } },
      {
        extends: true,
        test: {
          name: "others",
          include: ["test/**/*.test.ts"],
          exclude: STATELESS,
          globalSetup: ["test/support/browser.ts", "test/support/redis.ts", "test/support/postgres.ts"],
        },
      },
    ],
  },
});
