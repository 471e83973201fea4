import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import "./test/support/typescript.mjs";

/** Tests whose modules have a state that others must not see: TensorFlow.js registers layers once a process. */
const ALONE = ["test/training/learn/tensorflow/**/*.test.ts"];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is awaited comes when the machine gets to it.
    expect: { poll: { timeout: 60_000 } },
    // One more than cores: tests wait for processes and browsers.
    maxWorkers: availableParallelism() + 1,
    pool: "forks",
    // Modules are imported by Node, as they are.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    setupFiles: ["test/support/typescript.mjs"],
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: ["test/**/*.test.ts"],
          exclude: ALONE,
          // A thread loads modules once, which saves a third of the time.
          isolate: false,
          globalSetup: ["test/support/page/browser.ts", "test/support/servers/redis.ts"],
        },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
