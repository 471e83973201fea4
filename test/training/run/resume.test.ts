import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../src/base/errors.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import {
  dropPreviousState,
  loadTrainingState,
  saveTrainingState,
  type TrainingState,
} from "../../../src/training/run/training-folder.ts";
import { contents, folders, requestOf, TINY } from "../runs.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const newDir = folders();

const CONNECT: TrainingConfig = {
  ...TINY,
  game: { id: "connect-four", width: 4, height: 4 },
  games: 60,
  evaluator: { kind: "n-tuple", tuples: { count: 3, length: 4 }, stages: [6] },
  checkpoints: 2,
  rating: { pool: ["random"], player: "greedy", blocks: 2 },
};

const RULES: Readonly<Record<string, TrainingConfig>> = {
  td: { ...TINY, checkpoints: 2 },
  "td, weights change at the end of each game": {
    ...TINY,
    checkpoints: 2,
    learner: { lambda: 0.5, stepSize: 0.05, updates: "game" },
  },
  "td on own positions, softmax": {
    ...CONNECT,
    evaluator: { features: "lines" },
    learner: { lambda: 0.5, stepSize: 0.05, positions: "own", traces: "replacing" },
    exploration: { kind: "softmax", temperature: { from: 0.5, to: 0.1 } },
  },
  "temporal coherence on n-tuples": {
    ...CONNECT,
    learner: { lambda: 0, stepSize: 1, normalized: true, positions: "afterstates", coherence: true },
  },
  "temporal coherence, exponential, with traces": {
    ...CONNECT,
    learner: { lambda: 0.7, stepSize: 0.1, coherence: { kind: "exponential" } },
  },
  "td against the past, averaged": { ...TINY, checkpoints: 6, average: 0.4, opponents: { past: 0.5 } },
  "td-leaf": {
    ...CONNECT,
    games: 30,
    evaluator: { features: "lines", initial: { value: 0.1 } },
    learner: { rule: "td-leaf", lambda: 0.7, stepSize: 0.02, search: "alpha-beta:depth=2", coherence: true },
  },
  "tree-strap": {
    ...CONNECT,
    games: 30,
    evaluator: { features: "lines" },
    learner: {
      rule: "tree-strap",
      stepSize: 0.001,
      nodes: "root",
      coherence: true,
      search: "alpha-beta:depth=2",
    },
  },
  expert: {
    ...CONNECT,
    round: 8,
    evaluator: { kind: "network", features: "fours", hidden: [5], policy: true },
    learner: { rule: "expert", stepSize: 0.01, batch: 20, window: 1000, search: "alpha-beta:depth=2" },
  },
  "expert, tables": {
    ...CONNECT,
    round: 8,
    evaluator: { features: "lines", policy: true },
    learner: { rule: "expert", stepSize: 0.1, coherence: true, search: "mcts:simulations=4,priors=policy" },
  },
  "lambda-returns": {
    ...CONNECT,
    average: 0.4,
    opponents: { past: 0.5 },
    evaluator: { kind: "network", features: "lines", hidden: [5] },
    learner: { rule: "lambda-returns", lambda: 0.8, stepSize: 0.01, batch: 7 },
  },
};

describe.each(everyFew(Object.entries(RULES), 8))("%s", (_, config) => {
  slowTest("killed at any moment and resumed, it ends with the same files, to the last bit", async () => {
    const undisturbed = newDir();
    let moments = 0;
    await trainFromConfig(requestOf(undisturbed, config, { onProgress: () => moments++ }));
    const expected = contents(undisturbed);
    expect(moments).toBeGreaterThan(10);
    for (let moment = 3; moment < moments; moment += Math.ceil(moments / 4)) {
      const dir = newDir();
      let told = 0;
      const killed = trainFromConfig(
        requestOf(dir, config, {
          onProgress: () => {
            if (told++ === moment) throw new Error("killed");
          },
        }),
      );
      await expect(killed).rejects.toThrow("killed");
      await trainFromConfig(requestOf(dir, config, { resume: true }));
      expect(contents(dir)).toEqual(expected);
    }
  });

  slowTest("stopped in the middle, its state goes on: same files, to the last bit", async () => {
    const undisturbed = newDir();
    await trainFromConfig(requestOf(undisturbed, config));
    const dir = newDir();
    let runs = 0;
    for (let finished = false; !finished && runs < 50; runs++) {
      const controller = new AbortController();
      let told = 0;
      const result = await trainFromConfig(
        requestOf(dir, config, {
          resume: true,
          signal: controller.signal,
          onProgress: () => {
            if (told++ === 4 + 2 * runs) controller.abort();
          },
        }),
      );
      finished = result.finished;
    }
    expect(runs).toBeGreaterThan(3);
    expect(contents(dir)).toEqual(contents(undisturbed));
  });
});

describe("a saved state", () => {
  const numbers = Float32Array.of(0, -0, 1e-45, 3.4e38, 1 / 3, -1e-20);
  const state: TrainingState = {
    games: 17,
    decisions: 2 ** 40,
    steps: 99,
    timeMs: 1234,
    errors: { count: 5, squares: 1 / 3 },
    random: [1, -2, 3, -(2 ** 31)],
    arrays: { weights: numbers, coherence: numbers.map((number) => 0 - number), none: new Float32Array(0) },
  };
  const bits = ({ arrays }: TrainingState) =>
    Object.entries(arrays).map(([name, { buffer, byteOffset, length }]) => [
      name,
      Array.from(new Uint32Array(buffer, byteOffset, length)),
    ]);

  test("is the same when it is loaded, to the last bit", () => {
    const path = join(newDir(), "state.json");
    saveTrainingState(path, state);
    const loaded = loadTrainingState(path);
    expect(bits(loaded)).toEqual(bits(state));
    expect({ ...loaded, arrays: {} }).toEqual({ ...state, arrays: {} });
  });

  test("keeps the one before, and the one before that goes", () => {
    const dir = newDir();
    const path = join(dir, "state.json");
    saveTrainingState(path, state);
    for (const games of [18, 18, 19])
      saveTrainingState(path, { ...state, games, arrays: { weights: Float32Array.of(games) } });
    const files = ["state-18.f32", "state-19.f32", "state-previous.json", "state.json"];
    expect(readdirSync(dir).toSorted()).toEqual(files);
    expect(loadTrainingState(path)).toMatchObject({ games: 19, arrays: { weights: Float32Array.of(19) } });
    dropPreviousState(path);
    expect(readdirSync(dir).toSorted()).toEqual(["state-19.f32", "state.json"]);
  });

  slowTest("that is damaged anywhere gives way to the one before", () => {
    const dir = newDir();
    const path = join(dir, "state.json");
    saveTrainingState(path, state);
    saveTrainingState(path, { ...state, games: 18 });
    for (const file of ["state.json", "state-18.f32"]) {
      const good = readFileSync(join(dir, file));
      for (let at = 0; at < good.length; at++) {
        const bad = Uint8Array.from(good);
        bad[at]! ^= 1;
        writeFileSync(join(dir, file), bad);
        const loaded = loadTrainingState(path);
        // A blank more or less at the end changes nothing.
        const isSame = loaded.damage === undefined && at === good.length - 1 && file === "state.json";
        expect(isSame ? 18 : 17).toBe(loaded.games);
        expect(bits(loaded)).toEqual(bits(state));
      }
      writeFileSync(join(dir, file), good);
    }
    writeFileSync(join(dir, "state.json"), "{");
    writeFileSync(join(dir, "state-previous.json"), "{");
    expect(() => loadTrainingState(path)).toThrow(InputError);
    // And the next state can be saved.
    saveTrainingState(path, { ...state, games: 20 });
    expect(loadTrainingState(path).games).toBe(20);
  });
});

slowTest(
  "a training whose last state is damaged goes on from the one before, says so, and ends with the same weights",
  async () => {
    const [undisturbed, dir] = [newDir(), newDir()];
    await trainFromConfig(requestOf(undisturbed, { ...TINY, checkpoints: 3 }));
    const controller = new AbortController();
    await trainFromConfig(
      requestOf(
        dir,
        { ...TINY, checkpoints: 3 },
        {
          signal: controller.signal,
          onProgress: ({ gamesDone }) => {
            if (gamesDone > 50) controller.abort();
          },
        },
      ),
    );
    const path = join(dir, "state.json");
    writeFileSync(path, readFileSync(path, "utf8").replace('"steps":', '"steps":1'));
    const notes: string[] = [];
    await trainFromConfig(
      requestOf(dir, { ...TINY, checkpoints: 3 }, { resume: true, onNote: (text) => notes.push(text) }),
    );
    expect(notes).toEqual([
      expect.stringMatching(
        /state\.json: is damaged: .*; going on from the state before it, after game \d+$/,
      ),
    ]);
    expect(contents(dir)).toEqual(contents(undisturbed));
  },
);

describe("a damaged state is refused, by name, where there is none before it", () => {
  /** A training that was stopped, and what resuming it throws once `damage` is done to its files. */
  const refusal = async (config: TrainingConfig, damage: (dir: string) => void): Promise<string> => {
    const dir = newDir();
    const controller = new AbortController();
    const stopped = await trainFromConfig(
      requestOf(dir, config, {
        signal: controller.signal,
        onProgress: ({ gamesDone }) => {
          if (gamesDone > 50) controller.abort();
        },
      }),
    );
    expect(stopped.finished).toBe(false);
    rmSync(join(dir, "state-previous.json"));
    damage(dir);
    const error: unknown = await trainFromConfig(requestOf(dir, config, { resume: true })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(InputError);
    return (error as InputError).message.replaceAll(dir, "DIR");
  };
  const numbersOf = (dir: string) => {
    const { file } = JSON.parse(readFileSync(join(dir, "state.json"), "utf8")) as { file: string };
    return join(dir, file);
  };
  const edit = (change: (state: Record<string, unknown>) => object) => (dir: string) => {
    const path = join(dir, "state.json");
    const { sha256: _, ...state } = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
    writeFileSync(path, JSON.stringify({ ...state, ...change(state) }));
  };
  const COHERENT = { ...TINY, learner: { lambda: 0, stepSize: 0.1, coherence: true } } as const;

  slowTest("half a file of numbers, or none", async () => {
    const half = await refusal(TINY, (dir) => {
      const path = numbersOf(dir);
      writeFileSync(path, readFileSync(path).subarray(0, 10));
    });
    expect(half).toMatch(/^DIR\/state-\d+\.f32: has 10 bytes where \d+ are wanted$/);
    const none = await refusal(
      TINY,
      edit(() => ({ file: "gone.f32" })),
    );
    expect(none).toMatch(/^DIR\/gone\.f32: cannot be read: ENOENT/);
  });

  slowTest("no JSON, another format, missing parts", async () => {
    const broken = await refusal(TINY, (dir) => writeFileSync(join(dir, "state.json"), '{"format":'));
    expect(broken).toMatch(/^DIR\/state\.json: /);
    expect(
      await refusal(
        TINY,
        edit(() => ({ formatVersion: 1 })),
      ),
    ).toMatch(/formatVersion: must be 2, got 1/);
    expect(
      await refusal(
        TINY,
        edit(() => ({ random: [1, 2] })),
      ),
    ).toMatch(/random/);
  });

  slowTest("weights of another number, or without what the learner remembers", async () => {
    const renamed = edit(({ arrays }) => ({
      arrays: (arrays as { name: string }[]).map((array) => ({
        ...array,
        name: array.name === "coherence" ? "other" : array.name,
      })),
    }));
    expect(await refusal(COHERENT, renamed)).toBe(
      "DIR: the state of the learner is damaged: coherence has 0 numbers where 34 are wanted",
    );
    const moved = edit(({ arrays }) => {
      const [first, second] = arrays as { name: string; length: number }[];
      return {
        arrays: [
          { ...first, length: first!.length + 1 },
          { ...second, length: second!.length - 1 },
        ],
      };
    });
    expect(await refusal(COHERENT, moved)).toMatch(/^DIR: holds 18 weights, where the evaluator now has 17$/);
  });
});

slowTest(
  "a training whose code has changed since is not gone on with, though size and version are the same",
  async () => {
    const dir = newDir();
    mkdirSync(dir);
    const file = join(dir, "mine.ts");
    const code = (factor: number) => `
    import { defineFeatures } from "agon-arena";
    export const features = defineFeatures({ create: () => ({
      summary: "the stones", version: 1, size: 1, maxActive: 1, describe: () => "stones",
      extract(state, player, index, value) { index[0] = 0; value[0] = (player === 0 ? 1 : -1) * ${factor} * state.stones; return 1; },
    }) });`;
    writeFileSync(file, code(0.1));
    const config: TrainingConfig = { ...TINY, evaluator: { kind: "linear", features: file } };
    const outDir = join(dir, "out");
    await trainFromConfig({ ...requestOf(outDir, config) });
    expect(readdirSync(outDir)).toContain("weights.json");
    await trainFromConfig({ ...requestOf(outDir, config), resume: true });
    writeFileSync(file, code(0.2));
    await expect(trainFromConfig({ ...requestOf(outDir, config), resume: true })).rejects.toThrow(
      `${file}, or a file that it imports, has changed since the run was begun`,
    );
  },
);

slowTest("a training whose config is damaged is refused with the name of the file", async () => {
  const outDir = newDir();
  await trainFromConfig(requestOf(outDir, TINY));
  for (const text of ["", "[]", '{"code": 1}']) {
    writeFileSync(join(outDir, "config.json"), text);
    const again = trainFromConfig(requestOf(outDir, TINY, { resume: true }));
    await expect(again).rejects.toThrow(InputError);
    await expect(again).rejects.toThrow("config.json: ");
  }
});
