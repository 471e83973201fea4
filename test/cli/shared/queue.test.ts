import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import { queueArgument } from "../../../src/cli/shared/queue.ts";
import { parseQueueUrl } from "../../../src/queue/redis.ts";
import { agon } from "../../support/agon.ts";
import { freePort, redisTest, startRedis } from "../../support/servers/redis.ts";
import { slow } from "../../support/thorough.ts";

const ALLOWED = "a queue is redis://HOST[:PORT][/DATABASE], or rediss:// with TLS";

describe("wrong use of a queue is told in a sentence", () => {
  test.each([
    "nonsense",
    "http://x/0",
    "redis://",
    "redis://h/abc",
    "redis://h/0?x=1",
    "redis://:secret@h/0/1",
  ])("%s", (url) => {
    expect(() => parseQueueUrl(url)).toThrow(ALLOWED);
    expect(() => parseQueueUrl(url)).not.toThrow("secret");
  });

  test.each([
    [["worker", "nonsense"], ALLOWED],
    [["worker"], "no queue: name it, as in agon worker redis://localhost/0, or set AGON_QUEUE"],
    [["run", "x.yaml", "--queue", "redis://localhost/0", "--workers", "2"], "--queue or --workers, not both"],
  ])("agon %s", async (args, sentence) => {
    const { code, stdout, stderr } = await agon(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(sentence);
  });

  slow(redisTest)("where nothing answers, or nobody is there", async () => {
    const nowhere = await agon(["worker", `redis://:secret@127.0.0.1:${await freePort()}/0`, "--list"]);
    expect(nowhere.code).toBe(2);
    expect(nowhere.stderr).toMatch(/^redis:\/\/127.*does not answer \(ECONNREFUSED\): is a Redis or Valkey/);
    const { url } = await startRedis();
    const { code, stdout, stderr } = await agon(["worker", url, "--list"]);
    expect(code).toBe(0);
    expect(stdout).toContain("0 workers");
    expect(stderr).toContain(`agon worker ${url}`);
  });
});

test("what opens a queue is no longer in the environment, which code of a run's can read", () => {
  vi.stubEnv("AGON_QUEUE", "redis://own:first@host/3");
  vi.stubEnv("AGON_QUEUE_USER", "other");
  vi.stubEnv("AGON_QUEUE_PASSWORD", "second");
  try {
    const { shown, options } = queueArgument(undefined);
    expect(shown).toBe("redis://host:6379/3");
    expect(options).toMatchObject({ username: "own", password: "first" });
    expect(Object.keys(process.env).filter((name) => name.startsWith("AGON_QUEUE"))).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
  }
});
