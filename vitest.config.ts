import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Vitest leaves a core idle by default.
    maxWorkers: availableParallelism(),
    pool: "threads",
  },
});
