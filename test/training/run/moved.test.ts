import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { verifyRun } from "../../../src/arena/play/verify.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { collect } from "../../../src/report/collect.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { ROOT } from "../../support/reports.ts";
import { writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";
import { folders } from "../runs.ts";

const newDir = folders();

const CONFIG = {
  name: "own",
  game: "./twenty-one.ts",
  games: 40,
  evaluator: { features: "./centre.ts" },
  learner: { lambda: 0.5, stepSize: 0.01 },
  exploration: { epsilon: 0.1 },
  checkpoints: 1,
  rating: { player: "greedy", blocks: 1, pool: ["random", { name: "own", agent: "./counter.ts" }] },
};

const verify = async (dir: string) => {
  const store = Store.openExisting(dir);
  try {
    return await verifyRun(store, dir, { workers: 0 });
  } finally {
    store.close();
  }
};

slowTest.each([
  ["a game and an agent", { ...CONFIG, evaluator: { features: "remainder" } }, ["twenty-one", "counter"]],
  [
    "a feature set",
    {
      ...CONFIG,
      game: "connect-four",
      rating: {
        ...CONFIG.rating,
        pool: ["random", { name: "own", agent: "greedy", evaluator: "./centre.ts" }],
      },
    },
    ["centre"],
  ],
] as const)(
  "a training with %s of the user's goes on after a move, and stands alone",
  async (_, config, names) => {
    const [before, after, alone] = [newDir(), newDir(), newDir()];
    mkdirSync(before, { recursive: true });
    for (const name of names) {
      const folder = name === "counter" ? "twenty-one" : name;
      copyFileSync(join(ROOT, "examples", folder, `${name}.ts`), join(before, `${name}.ts`));
    }
    writeInto(before, "config.json", config);
    const train = async (dir: string, resume: boolean) =>
      trainFromConfig({ configPath: join(dir, "config.json"), outDir: join(dir, "run"), workers: 0, resume });
    const first = await train(before, false);
    renameSync(before, after);
    // Words for readers may change, too.
    writeInto(after, "config.json", { ...config, title: "Moved" });
    const again = await train(after, true);
    expect(again).toMatchObject({ finished: true, curve: first.curve });
    expect(JSON.parse(readFileSync(join(after, "run/config.json"), "utf8"))).toMatchObject({
      title: "Moved",
    });
    // A file with other content is a change, wherever it is.
    for (const name of names) {
      const file = join(after, `${name}.ts`);
      const text = readFileSync(file, "utf8");
      writeInto(after, `${name}.ts`, `${text}\n// changed\n`);
      await expect(train(after, true)).rejects.toThrow(`${name}.ts`);
      writeInto(after, `${name}.ts`, text);
    }
    renameSync(join(after, "run"), alone);
    rmSync(after, { recursive: true });
    expect(existsSync(before)).toBe(false);
    const { stored, verified } = await verify(alone);
    expect(verified).toBe(stored);
    const { trainings } = await collect([alone], { version: "0", games: 1 });
    expect(trainings[0]).toMatchObject({ notices: [], inspection: expect.any(Object) as object });
  },
);
