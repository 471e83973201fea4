import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { gamesOf, startWorker } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow } from "../support/thorough.ts";

/** Kills in all, and how many workers there are. */
const KILLS = 15;
const WORKERS = 2;
/** A killed program is missed for so long at most, and all work in peace for so long at most. */
const [MISSED_MS, PEACE_MS] = [1000, 2500];

const CONFIG = {
  name: "killed",
  game: "connect-four",
  seed: "kills",
  blocks: 40,
  openings: { randomPlies: 2 },
  entrants: ["random", "mcts:simulations=150", { agent: "alpha-beta", nodes: 1500, evaluator: "threats" }],
};

describe("kill -9 of workers, of coordinators and of Redis", () => {
  for (const keeps of [true, false]) {
    slow(redisTest)(
      `the games are those of an undisturbed run, each once; Redis ${keeps ? "keeps" : "loses"} its data`,
      { timeout: 1_200_000 },
      async () => {
        const random = createRandom("kills", String(keeps));
        const dir = temporaryFolder();
        const config = writeInto(dir, "killed.json", CONFIG);
        expect((await agon(["run", config, "--out", join(dir, "here"), "--workers", "1", "-q"])).code).toBe(
          0,
        );
        const expected = gamesOf(join(dir, "here"));

        const redis = await startRedis({ keeps });
        const workers = Array.from({ length: WORKERS }, () => start());
        const kills = { worker: 0, coordinator: 0, redis: 0 };
        for (let killed = 0, run = 0; killed < KILLS || run === 0; run++) {
          const out = join(dir, `queued-${run}`);
          const coordinate = () => {
            const coordinator = startAgon([
              "run",
              config,
              "--out",
              out,
              "--queue",
              redis.url,
              "-q",
              "--resume",
            ]);
            onTestFinished(() => void coordinator.child.kill("SIGKILL"));
            return coordinator;
          };
          let coordinator = coordinate();
          for (;;) {
            const isDone = await Promise.race([
              coordinator.outcome,
              ...(killed < KILLS ? [sleep(300 + random.below(PEACE_MS))] : []),
            ]);
            if (isDone !== undefined) {
              expect(isDone.code, isDone.stderr).toBe(0);
              break;
            }
            killed++;
            const [dice, missed] = [random.below(10), random.below(MISSED_MS)];
            if (dice < 5) {
              const at = random.below(WORKERS);
              workers[at]!.child.kill("SIGKILL");
              await sleep(missed);
              workers[at] = start();
              kills.worker++;
            } else if (dice < 7) {
              coordinator.child.kill("SIGKILL");
              await coordinator.outcome;
              await sleep(missed);
              coordinator = coordinate();
              kills.coordinator++;
            } else {
              await redis.kill();
              await sleep(missed);
              await redis.start();
              kills.redis++;
            }
          }
          expect(gamesOf(out)).toEqual(expected);
        }
        expect(kills.worker + kills.coordinator + kills.redis).toBeGreaterThanOrEqual(KILLS);

        function start() {
          return startWorker(redis.url, ["--workers", "1", "--lost-after", "1", "-q"]);
        }
      },
    );
  }
});
