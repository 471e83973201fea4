import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { agon, startAgon, temporaryFolder, writeInto, type Outcome } from "../support/agon.ts";
import { gamesOf, heard, startWorker, until } from "../support/servers/queue.ts";
import { redisTest, startRedis } from "../support/servers/redis.ts";
import { slow } from "../support/thorough.ts";

const SECRET = "s3cret-Pa55word";
const CONFIG = { name: "own", game: "tic-tac-toe", blocks: 2, entrants: ["random", "mcts:simulations=20"] };

/** Plays a run by one worker, at an address with options of the environment; all that anybody said or wrote. */
async function playAt(url: string, env: Readonly<Record<string, string>>) {
  const dir = temporaryFolder();
  const config = writeInto(dir, "own.json", CONFIG);
  const out = join(dir, "queued");
  const worker = startWorker(url, ["--workers", "1"], { env });
  const run = await startAgon(["run", config, "--out", out, "--queue", url], { env }).outcome;
  const look = await agon(["worker", url, "--list", "--json"], { env });
  worker.child.kill("SIGINT");
  const outcomes = [run, look, await worker.outcome];
  for (const { code, stderr } of outcomes) expect(code, stderr).toBe(0);
  expect(gamesOf(out)).toHaveLength(4);
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const written = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  return [...outcomes.map(textOf), ...written].join("\n");
}

function textOf({ stdout, stderr }: Outcome): string {
  return `${stdout}\n${stderr}`;
}

describe("passwords and TLS", () => {
  const password = ["--requirepass", SECRET];
  // A user who may do what docs/many-machines.md says.
  const acl = `--user player on >${SECRET} ~agon:* +@all -@admin -@dangerous +info --user default off`.split(
    " ",
  );
  const ways = [
    { what: "a password in the URL", args: password, who: `:${SECRET}@`, env: {} },
    { what: "a password in the environment", args: password, who: "", env: { AGON_QUEUE_PASSWORD: SECRET } },
    { what: "a user in the URL", args: acl, who: `player:${SECRET}@`, env: {} },
    {
      what: "a user in the environment",
      args: acl,
      who: "",
      env: { AGON_QUEUE_USER: "player", AGON_QUEUE_PASSWORD: SECRET },
    },
  ];
  for (const { what, args, who, env } of ways) {
    slow(redisTest)(`${what} opens the queue, and stands nowhere`, async () => {
      const { port } = await startRedis({ args });
      const said = await playAt(`redis://${who}127.0.0.1:${port}/0`, env);
      expect(said).toContain(`redis://127.0.0.1:${port}/0`);
      expect(said).not.toContain(SECRET);
    });
  }

  slow(redisTest)("what does not open it is refused at once, without the password", async () => {
    const { port } = await startRedis({ args: password });
    const dir = temporaryFolder();
    const config = writeInto(dir, "own.json", CONFIG);
    const at = `127.0.0.1:${port}/0`;
    const wrong: [string, RegExp][] = [
      [`redis://:${SECRET}-wrong@${at}`, /^redis:\/\/127.0.0.1:\d+\/0 refuses: WRONGPASS /],
      [`redis://nobody:${SECRET}@${at}`, /^redis:\/\/127.0.0.1:\d+\/0 refuses: WRONGPASS /],
      [`redis://${at}`, /^redis:\/\/127.0.0.1:\d+\/0 refuses: NOAUTH /],
      [`redis://:${SECRET}@127.0.0.1:${port}/99`, /^redis:\/\/127.0.0.1:\d+\/99 refuses: ERR DB index/],
      [`redis://:${SECRET}%zz@${at}`, /must be written as %25/],
      [`redis://:${SECRET}@${at}?x=1`, /^a queue is redis:\/\/HOST/],
      [`http://:${SECRET}@${at}`, /^a queue is redis:\/\/HOST.*got http:$/m],
      [`redis//:${SECRET}@${at}`, /^a queue is redis:\/\/HOST.*; this is none$/m],
    ];
    for (const [index, [url, why]] of wrong.entries()) {
      const run = ["run", config, "--out", join(dir, "queued"), "--resume", "--queue", url, "-q"];
      const outcome = await agon([["worker", url], ["worker", url, "--list"], run][Math.floor(index / 3)]!);
      expect(outcome.stderr).toMatch(why);
      expect(outcome.stderr.trim().split("\n")).toHaveLength(1);
      expect(outcome.code).toBe(2);
      expect(textOf(outcome)).not.toContain(SECRET);
    }
    // Nobody listens there.
    const nobody = await agon(["worker", `redis://:${SECRET}@127.0.0.1:1/0`, "--list"]);
    expect(nobody.code).toBe(2);
    expect(nobody.stderr).toMatch(/^redis:\/\/127.0.0.1:1\/0 does not answer \(ECONNREFUSED\)/);
    expect(textOf(nobody)).not.toContain(SECRET);
  });

  const useless: [what: string, args: string[], why: RegExp][] = [
    ["can only be read", ["--replicaof", "127.0.0.1", "1"], /refuses: READONLY/],
    ["has no memory", ["--maxmemory", "1"], /refuses: .*OOM/],
    ["is a cluster", ["--cluster-enabled", "yes"], /cannot be used: it is a cluster; queues need one server/],
  ];
  for (const [what, args, why] of useless) {
    (what === "can only be read" ? redisTest : slow(redisTest))(
      `a Redis that ${what} is refused at once`,
      async () => {
        const { url } = await startRedis({ args });
        const config = writeInto(temporaryFolder(), "own.json", CONFIG);
        const run = ["run", config, "--out", join(temporaryFolder(), "queued"), "--queue", url, "-q"];
        for (const line of [["worker", url], run]) {
          const { code, stderr } = await agon(line);
          expect(stderr).toMatch(why);
          expect(stderr.trim().split("\n")).toHaveLength(1);
          expect(code).toBe(2);
        }
      },
    );
  }

  slow(redisTest)(
    "a Redis that has no connection left for a worker: it says so, and can be stopped",
    async () => {
      const { url } = await startRedis({ args: ["--maxclients", "1"] });
      const { child, outcome } = startWorker(url);
      const said = heard(child);
      await until(() => said.text.includes("has it reached its maxclients?"), "told");
      child.kill("SIGINT");
      expect((await outcome).code).toBe(0);
      expect(said.text.match(/maxclients/g)).toHaveLength(1);
    },
  );

  slow(redisTest)("TLS with a certificate of one's own; one that is not trusted is refused", async () => {
    const dir = temporaryFolder();
    const [key, cert] = [join(dir, "key.pem"), join(dir, "cert.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const made = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert];
    execFileSync("openssl", ["req", ...made, ...subject], { stdio: "ignore" });
    const { port } = await startRedis({
      tls: [
        "--tls-cert-file",
        cert,
        "--tls-key-file",
        key,
        "--tls-ca-cert-file",
        cert,
        "--tls-auth-clients",
        "no",
      ],
      args: password,
    });
    const url = `rediss://127.0.0.1:${port}/0`;
    const env = { AGON_QUEUE_PASSWORD: SECRET, NODE_EXTRA_CA_CERTS: cert };
    const said = await playAt(url, env);
    expect(said).not.toContain(SECRET);
    expect(said).not.toMatch(/\(node:\d+\)/);
    const distrusted = await agon(["worker", url, "--list"], { env: { AGON_QUEUE_PASSWORD: SECRET } });
    expect(distrusted.code).toBe(2);
    expect(distrusted.stderr).toMatch(/has a certificate that is not trusted: .*NODE_EXTRA_CA_CERTS/);
    // TLS to one who does not speak it.
    const plain = await startRedis();
    const wrong = await agon(["worker", plain.url.replace("redis:", "rediss:"), "--list"], { env });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toMatch(/does not speak TLS: try redis:|does not answer/);
  });
});
