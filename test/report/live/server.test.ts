import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import type { GameData, PageData, RunEntry } from "../../../src/report/page/data.ts";
import type { GamesPage } from "../../../src/report/page/game-list.ts";
import { agon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { fillRun } from "../../support/made-up-run.ts";
import { ask, startServing } from "../../support/servers/agon-serve.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const config = { name: "made-up", game: "tic-tac-toe", blocks: 5, openings: { randomPlies: 1 } };
const entrants = ["random", "alpha-beta:depth=2"];

/** A folder with a run of ten games of that name. */
async function folderWith(name = "one"): Promise<string> {
  const dir = temporaryFolder();
  await fillRun(join(dir, name), { ...config, entrants });
  return dir;
}

const json = (body: string): unknown => JSON.parse(body);
const list = async (address: string) => json((await ask(address, "/runs")).body) as RunEntry[];

slowTest("every answer has strict headers, and there is nothing but GET and HEAD", async () => {
  const { address, stop } = await startServing(await folderWith());
  for (const path of ["/", "/runs", "/runs/one", "/nothing", "/runs/nothing"]) {
    const { status, headers } = await ask(address, path);
    expect({ path, status }).toEqual({ path, status: path.endsWith("nothing") ? 404 : 200 });
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^script-src 'sha256-[\w+/]{43}=' 'wasm-unsafe-eval'$/),
      "worker-src blob:",
      "style-src 'unsafe-inline'",
      "img-src data:",
      "base-uri 'none'",
      "form-action 'none'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cache-control": "no-store",
    });
    const head = await ask(address, path, { method: "HEAD" });
    expect([head.status, head.body, head.headers["content-length"]]).toEqual([
      status,
      "",
      headers["content-length"],
    ]);
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"]) {
    const { status, headers } = await ask(address, "/runs", { method });
    expect([method, status, headers["allow"]]).toEqual([method, 405, "GET, HEAD"]);
  }
  expect(await stop()).toMatchObject({ code: 0, stdout: "" });
});

slowTest("a name that leads to this machine from elsewhere is refused", async () => {
  const { address } = await startServing(await folderWith());
  const { port } = new URL(address);
  const statusOf = async (host: string) => (await ask(address, "/runs", { headers: { host } })).status;
  for (const host of ["localhost", `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, "LOCALHOST"])
    expect([host, await statusOf(host)]).toEqual([host, 200]);
  for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example", "192.168.0.1", "::1"])
    expect([host, await statusOf(host)]).toEqual([host, 403]);
});

slowTest("where it listens at all addresses, any address will do, but no name", async () => {
  const { address } = await startServing(await folderWith(), ["--port", "0", "--host", "0.0.0.0"]);
  expect(address).toMatch(/^http:\/\/localhost:\d+\/$/);
  const here = address.replace("localhost", "127.0.0.1");
  const statusOf = async (host: string) => (await ask(here, "/runs", { headers: { host } })).status;
  expect([await statusOf("192.168.0.1:1"), await statusOf("evil.example")]).toEqual([200, 403]);
});

slowTest("a path is a name that is looked up, and never leads out of the folder", async () => {
  const dir = temporaryFolder();
  await fillRun(join(dir, "secret"), { ...config, entrants });
  await fillRun(join(dir, "runs", "one"), { ...config, entrants });
  writeInto(dir, "secret.txt", "secret");
  const { address } = await startServing(join(dir, "runs"));
  const tricks = [
    "/runs/..%2fsecret",
    "/runs/../../secret",
    "/runs/%2e%2e/secret",
    "/runs/..%5csecret",
    "/runs/one/../../secret",
    "/runs/one%2f..%2f..%2fsecret",
    "/runs/one%00",
    "/runs/.",
    "/runs/%2e",
    "/runs/",
    "/runs/__proto__",
    "/runs/constructor",
    "/../secret.txt",
    "//secret.txt",
    "/secret.txt",
    "/runs/one/results.sqlite",
    "/runs/one/games/..%2f..%2fsecret",
    "/runs/one/games/%27%20or%201--",
    "/runs/%ff",
    "/runs/%",
    "/page.js",
    "http://127.0.0.1/runs",
    "*",
  ];
  for (const path of tricks) {
    const { status, body } = await ask(address, path);
    expect([path, status, body]).toEqual([path, 404, "There is nothing of that name here.\n"]);
  }
  expect(await list(address)).toHaveLength(1);
});

slowTest(
  "a run is listed and sent as the page needs it, the newest games first, and one game alone",
  async () => {
    const name = `it's "so" & <b>%2f ü`;
    const dir = await folderWith(name);
    const { address } = await startServing(dir);
    const [entry] = await list(address);
    expect(entry).toEqual({
      folder: name,
      kind: "run",
      name: "made-up",
      game: "tic-tac-toe",
      done: 10,
      planned: 10,
      state: "finished",
      leader: "alpha-beta:depth=2",
      notice: "",
      writtenAt: Math.round(statSync(join(dir, name, "results.sqlite")).mtimeMs),
      change: expect.any(Number) as number,
    });
    const path = `/runs/${encodeURIComponent(name)}`;
    const { headers, body } = await ask(address, path);
    const { tournaments } = json(body) as PageData;
    expect(tournaments).toMatchObject([{ folder: name, planned: 10, games: [], notices: [] }]);
    const { games, found } = json((await ask(address, `${path}/games`)).body) as GamesPage;
    expect(found).toBe(10);
    expect(games.map(({ number }) => number)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    const oldest = json((await ask(address, `${path}/games?order=ascending`)).body) as GamesPage;
    expect(oldest.games).toEqual(games.toReversed());
    const later = json((await ask(address, `${path}/games?page=2&sort=actions`)).body) as GamesPage;
    expect(later).toEqual({ found: 10, games: [] });
    const { status } = await ask(address, path, { headers: { "if-none-match": headers.etag! } });
    expect([headers.etag, status]).toEqual([`"${entry!.change}"`, 304]);
    const one = json((await ask(address, `${path}/games/${games[3]!.id}`)).body) as GameData;
    expect(one).toEqual(games[3]);
  },
);

slowTest(
  "folders that are half-made, damaged, or of another version are told; nothing is written anywhere",
  async () => {
    const dir = await folderWith();
    const make = (name: string) => {
      mkdirSync(join(dir, name));
      return join(dir, name);
    };
    make("nothing in it");
    mkdirSync(join(make("lock that is a folder"), "agon.lock"));
    writeInto(dir, "a file", "x");
    symlinkSync("nowhere", join(dir, "link"));
    writeFileSync(join(make("half"), "results.sqlite"), "");
    const whole = readFileSync(join(dir, "one", "results.sqlite"));
    writeFileSync(join(make("cut"), "results.sqlite"), whole.subarray(0, 6000));
    writeInto(make("text"), "results.sqlite", "no database at all, but a text that is long enough");
    const training = make("training");
    mkdirSync(join(training, "checkpoints"));
    writeInto(training, "config.json", { format: "of tomorrow" });
    const before = readdirSync(dir, { recursive: true });
    const { address } = await startServing(dir);
    const entries = await list(address);
    expect(Object.fromEntries(entries.map(({ folder, notice }) => [folder, notice]))).toEqual({
      one: "",
      half: "results.sqlite: is empty: no run was begun here",
      cut: "results.sqlite: is damaged",
      text: expect.stringMatching(/database/) as string,
      training: expect.stringMatching(/./) as string,
    });
    for (const folder of ["half", "cut", "text", "training"]) {
      const { status, body } = await ask(address, `/runs/${folder}`);
      expect([folder, status, json(body)]).toEqual([
        folder,
        503,
        { error: expect.stringMatching(/^(results\.sqlite|config\.json): [^/]+$/) as string },
      ]);
    }
    expect((await ask(address, "/runs/one")).status).toBe(200);
    expect(readdirSync(dir, { recursive: true })).toEqual(before);
  },
);

slowTest("a run that comes, and one that goes, change the list and its tag", async () => {
  const dir = temporaryFolder();
  const { address } = await startServing(dir);
  let tag = "";
  /** Asks until the list has changed. */
  const changed = async () => {
    for (;;) {
      const { status, body, headers } = await ask(address, "/runs", { headers: { "if-none-match": tag } });
      if (status === 200) {
        tag = headers.etag!;
        return JSON.parse(body) as RunEntry[];
      }
      expect([status, body, headers.etag]).toEqual([304, "", tag]);
      await setTimeout(50);
    }
  };
  expect(await changed()).toEqual([]);
  await fillRun(join(dir, "one"), { ...config, entrants });
  let seen = await changed();
  while (seen[0]!.state !== "finished") seen = await changed();
  expect(seen).toMatchObject([{ folder: "one", done: seen[0]!.planned }]);
  rmSync(join(dir, "one"), { recursive: true });
  expect(await changed()).toEqual([]);
  expect((await ask(address, "/runs/one")).status).toBe(404);
});

slowTest("a folder without runs is served, with a note of what makes them", async () => {
  for (const [dir, noted] of [[temporaryFolder(), true] as const, [await folderWith(), false] as const]) {
    const { address, stop } = await startServing(dir);
    // The note is written before the first answer.
    expect(await list(address)).toHaveLength(noted ? 0 : 1);
    expect(
      (await stop()).stderr.includes(`No runs are in ${dir} yet: agon run and agon train make them`),
    ).toBe(noted);
  }
});

slowTest("a folder that is a run itself is the only one", async () => {
  const dir = await folderWith();
  const { address } = await startServing(join(dir, "one"));
  expect(await list(address)).toMatchObject([{ folder: "one", done: 10 }]);
});

slowTest("without --port the next free port is taken; one that was asked for must be free", async () => {
  const dir = temporaryFolder();
  const taken = createServer();
  // The first port may be taken already, which serves the test as well.
  await new Promise<void>((resolve) => {
    taken.once("error", () => resolve()).listen(8642, "127.0.0.1", () => resolve());
  });
  onTestFinished(() => void taken.close());
  const { address } = await startServing(dir, []);
  const port = Number(new URL(address).port);
  expect(port).toBeGreaterThan(8642);
  const again = await agon(["serve", dir, "--port", String(port)]);
  expect(again).toEqual({
    code: 2,
    stdout: "",
    stderr: `port ${port} is in use; give another with --port, or 0 for any that is free\n`,
  });
});

const WRONG: readonly (readonly [args: string[], message: RegExp])[] = [
  [
    ["/no/such/folder"],
    /^\/no\/such\/folder: no such folder; agon run and agon train make the folder runs; agon serve DIR shows another\n$/,
  ],
  [["/dev/null"], /^\/dev\/null: is no folder; name the one that your runs are in\n$/],
  [[".", "--port", "70000"], /^--port must be a whole number from 0 to 65535, got 70000\n$/],
  [[".", "--port", "x"], /^--port must be a whole number from 0 to 65535, got NaN\n$/],
  [
    [".", "--host", "192.0.2.1"],
    /^--host 192\.0\.2\.1 is no address of this machine; leave it out for 127\.0\.0\.1\n$/,
  ],
];

test.each(everyFew(WRONG, 8))("%j is refused in one line", async (args, message) => {
  const { code, stdout, stderr } = await agon(["serve", ...args]);
  expect(stderr).toMatch(message);
  expect([code, stdout]).toEqual([2, ""]);
});

slowTest("the port of the server is free when it has ended", async () => {
  const dir = temporaryFolder();
  const { address, stop } = await startServing(dir);
  await list(address);
  await stop();
  const { port } = new URL(address);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(Number(port), "127.0.0.1", resolve);
  });
  expect((server.address() as AddressInfo).port).toBe(Number(port));
  server.close();
});
