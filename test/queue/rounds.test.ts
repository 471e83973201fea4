import { join } from "node:path";
import { describe, expect } from "vitest";
import { MODULES_MAIN, temporaryFolder } from "../support/agon.ts";
import { announced, countStored, openRedis, startWorker, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { ROUNDS_CONFIG, startRounds } from "../support/rounds.ts";
import { storedGames } from "../support/stored-games.ts";
import { slow } from "../support/thorough.ts";

describe.each(["winners-meet", "leader-plays"])("a tournament of rounds over a queue: %s", (type) => {
  const config = { ...ROUNDS_CONFIG, blocks: type === "winners-meet" ? 6 : 24 };

  slow(redisTest)("gives the games that it gives here, and the run is forgotten at its end", async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    startWorker(url, ["--workers", "2", "-q"], { main: MODULES_MAIN });
    const over = await startRounds({ config, type, dir: join(dir, "queued"), queue: url }).outcome;
    await startRounds({ config, type, dir: join(dir, "here"), workers: 0 }).outcome;
    const expected = storedGames(join(dir, "here"));
    expect(over).toEqual({ complete: true, played: expected.length, total: expected.length });
    expect(storedGames(join(dir, "queued"))).toEqual(expected);
    expect(await announced(await openRedis(url), "runs")).toEqual([]);
  });

  slow(redisTest)("is gone on with by another coordinator when the first one is killed", async () => {
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const queued = join(dir, "queued");
    startWorker(url, ["--workers", "1", "-q"], { main: MODULES_MAIN });
    const { child, outcome } = startRounds({ config, type, dir: queued, queue: url });
    await until(() => countStored(queued) > 3);
    child.kill("SIGKILL");
    await outcome.catch(() => {});
    expect(await startRounds({ config, type, dir: queued, queue: url }).outcome).toMatchObject({
      complete: true,
    });
    await startRounds({ config, type, dir: join(dir, "here"), workers: 0 }).outcome;
    expect(storedGames(queued)).toEqual(storedGames(join(dir, "here")));
  });
});
