import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { loadTournament, planTournament } from "../../../src/arena/plan/config.ts";
import { parseCores, pinningHere } from "../../../src/arena/play/affinity.ts";
import type * as Pools from "../../../src/arena/play/worker-pool.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import type { ScheduledGame } from "../../../src/arena/schedule/schedule.ts";
import { playTournament } from "../../../src/arena/tournament.ts";
import type * as Tournaments from "../../../src/arena/tournament.ts";
import { createGame } from "../../../src/games/index.ts";
import type { GameRecord } from "../../../src/ratings/record.ts";
import { agonProcess, temporaryFolder, writeInto } from "../../support/agon.ts";
import { coreTellers } from "../../support/core-tellers.ts";
import { slowTest } from "../../support/thorough.ts";

// Workers run the built program.
const built = async (name: string): Promise<unknown> =>
  import(new URL(`../../../build/arena/${name}.js`, import.meta.url).href);
const { playTournament: playBuilt } = (await built("tournament")) as typeof Tournaments;
const { WorkerPool } = (await built("play/worker-pool")) as typeof Pools;

const here = pinningHere();
/** Tests that pin processes, which Linux with taskset alone can. */
const pinned = test.skipIf(!here.works);
const leftOut = here.works ? "" : ` (left out: ${here.reason})`;
const cores = here.works ? here.cores : [];

afterEach(() => vi.unstubAllEnvs());

const ownCores = () =>
  parseCores(/^Cpus_allowed_list:\s*(.*)$/m.exec(readFileSync("/proc/self/status", "utf8"))![1]!);

test("a list of cores is read as Linux writes it", () => {
  expect(parseCores("0")).toEqual([0]);
  expect(parseCores("0-2,5,7-8")).toEqual([0, 1, 2, 5, 7, 8]);
});

const words = (affinity: boolean) => ({
  name: "pinned",
  game: "nim",
  blocks: 2,
  affinity,
  entrants: ["random", { name: "other", agent: "random" }],
});

pinned(`the cores are at least as many as Node counts, which a quota makes fewer${leftOut}`, () => {
  expect(cores.length).toBeGreaterThanOrEqual(availableParallelism());
});

describe("affinity: true", () => {
  pinned(
    `has the players of a worker on its core, and the program on the others meanwhile${leftOut}`,
    async () => {
      const { config, told } = coreTellers();
      const own: number[][] = [];
      await playBuilt(config, { workers: 1, onProgress: () => own.push(ownCores()) });
      expect(told()).toEqual([String(cores.at(-1)), String(cores.at(-1))]);
      expect(own[0]).toEqual(cores.length > 1 ? cores.slice(0, -1) : cores);
      expect(ownCores()).toEqual(cores);
    },
  );

  test("gives each worker a core, and a worker's successor its core", async () => {
    const plan = await planTournament(words(true));
    const game = createGame("nim");
    const started: (number | undefined)[] = [];
    let startSecond = () => {};
    const second = new Promise<void>((resolve) => (startSecond = resolve));
    /** The first worker dies when another one has been started. */
    class Dying extends WorkerPool {
      protected override startProcess(core?: number) {
        const number = started.push(core);
        if (number === 2) startSecond();
        const play = async (games: readonly ScheduledGame[]) => {
          if (number === 1) await second;
          if (number === 1) return { records: [], end: { kind: "death", how: "SIGKILL" } };
          return { records: games.map(({ id }) => ({ id }) as GameRecord), end: undefined };
        };
        const worker = { core, ready: Promise.resolve(), play, leave: () => {}, kill: () => {} };
        return worker as unknown as ReturnType<Pools.WorkerPool["startProcess"]>;
      }
    }
    const pool = new Dying(game, { plan, dir: "." }, 2, [4, 7]);
    const games = [...schedule(plan, game)].slice(0, 2);
    expect((await Promise.all(games.map(async (one) => pool.play([one])))).flat()).toHaveLength(2);
    expect(started).toEqual([4, 7, 4]);
    await pool.close();
  });

  test("changes no id of a game, and is in the plan only if it is true", async () => {
    const [plan, without] = await Promise.all([true, false].map(async (one) => planTournament(words(one))));
    expect(plan).toEqual({ ...without, affinity: true });
    const idsOf = (of: typeof without) => Array.from(schedule(of!, createGame("nim")), ({ id }) => id);
    expect(idsOf(plan)).toEqual(idsOf(without));
  });

  const PROBLEMS: readonly (readonly [string, object, string])[] = [
    [
      "more workers than cores",
      { workers: cores.length + 1 },
      `${cores.length + 1} workers cannot have a core each, of ${cores.length} core`,
    ],
    ["no workers", { workers: 0 }, "is for workers, which are processes, and there are to be none"],
  ];

  pinned.each(PROBLEMS)(
    `is refused with %s before a folder is made, and names its place${leftOut}`,
    async (_, how, told) => {
      const dir = temporaryFolder();
      const path = writeInto(dir, "config.yaml", JSON.stringify(words(true), null, 1));
      const outDir = join(dir, "run");
      await expect(playTournament(await loadTournament(path), { outDir, ...how })).rejects.toThrow(
        `${path}:5:14: affinity: ${told}`,
      );
      expect(existsSync(outDir)).toBe(false);
    },
  );

  test("is refused where there is no taskset", async () => {
    vi.stubEnv("PATH", temporaryFolder());
    await expect(playTournament(words(true), { workers: 1 })).rejects.toThrow(
      /^affinity: no process can be pinned to a core: there is (no program taskset; install util-linux|taskset on Linux only)/,
    );
  });

  test("may come and go in a run, which goes on where it cannot be had", async () => {
    const outDir = join(temporaryFolder(), "run");
    await playTournament(words(false), { workers: 0, outDir, signal: AbortSignal.abort() });
    const { complete, plan, played } = await playTournament(words(true), {
      workers: 0,
      outDir,
      resume: true,
    });
    expect({ complete, played, affinity: plan.affinity }).toEqual({
      complete: true,
      played: 4,
      affinity: true,
    });
    expect((await playTournament(words(false), { workers: 0, outDir, resume: true })).complete).toBe(true);
  });

  slowTest(
    "ends a run with exit code 2 and a sentence, and a run that is resumed without it with a warning",
    async () => {
      const dir = temporaryFolder();
      const [asking, plain] = [true, false].map((one) => writeInto(dir, `${one}.json`, words(one)));
      const env = { PATH: dir };
      const out = ["--out", join(dir, "run"), "--workers", "1"];
      const refused = await agonProcess(["run", asking!, ...out], { env });
      expect(refused.code).toBe(2);
      expect(refused.stderr).toContain(`${asking}:1:`);
      expect((await agonProcess(["run", plain!, ...out], { env })).code).toBe(0);
      const { code, stderr } = await agonProcess(["run", asking!, ...out, "--resume"], { env });
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining("go on without it") as string,
      });
    },
  );
});
