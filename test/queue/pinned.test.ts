import { join } from "node:path";
import { expect, test } from "vitest";
import { pinningHere } from "../../src/arena/play/affinity.ts";
import { temporaryFolder, writeInto } from "../support/agon.ts";
import { coreTellers } from "../support/core-tellers.ts";
import { runOver, startWorker } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow } from "../support/thorough.ts";

const here = pinningHere();

// Processes are pinned on Linux with taskset alone.
(here.works ? slow(redisTest) : test.skip)(
  "affinity: true gives the games of a remote worker cores of their own; one that has too few refuses them",
  async () => {
    const cores = here.works ? here.cores : [];
    const { url } = await startRedis();
    const dir = temporaryFolder();
    const { config, told } = coreTellers();
    const path = writeInto(dir, "pinned.json", config);
    const refusing = startWorker(url, ["--workers", String(cores.length + 1)]);
    const { code, stderr } = await runOver(url, path, join(dir, "refused"));
    expect(code).not.toBe(0);
    expect(stderr).toContain(`affinity: ${cores.length + 1} workers cannot have a core each`);
    refusing.child.kill("SIGINT");
    await refusing.outcome;
    startWorker(url, ["--workers", "1"]);
    expect((await runOver(url, path, join(dir, "pinned"))).code).toBe(0);
    // Each was tried before the second run, too.
    expect(told().slice(2)).toEqual([String(cores.at(-1)), String(cores.at(-1))]);
  },
);
