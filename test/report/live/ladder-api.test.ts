import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LadderDoor } from "../../../src/arena/ladder/door.ts";
import { Ladder, planLadder } from "../../../src/arena/ladder/ladder.ts";
import { issueTokens } from "../../../src/arena/ladder/tokens.ts";
import { sandboxHere } from "../../../src/players/sandbox.ts";
import { LadderApi, MAX_UPLOAD_BYTES } from "../../../src/report/live/ladder-api.ts";
import { startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { botText } from "../../support/ladder-bots.ts";
import { slowTest } from "../../support/thorough.ts";

/** Sends a request to the API of a ladder; the code and the JSON of the answer. */
type Send = (
  token: string,
  request?: { path?: string; method?: string; body?: string },
) => Promise<[number, object]>;

const senderTo =
  (address: string): Send =>
  async (token, { path = "/api/bots", method = "GET", body } = {}) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${address}${path}`, { method, headers, ...(body !== undefined && { body }) });
    return [answer.status, (await answer.json()) as object];
  };
const upload = (body: string, file = "bot.mjs") => ({ path: `/api/bots?file=${file}`, method: "POST", body });

/** A ladder with tokens for Ann and Bob, and its API. */
async function serve(
  trust: boolean,
): Promise<{ dir: string; ladder: Ladder; ann: string; bob: string; send: Send }> {
  const dir = temporaryFolder();
  const config = { name: "ladder", game: "tic-tac-toe", entrants: ["random"] };
  const ladder = Ladder.open(dir, await planLadder(config, { baseDir: ".", source: "" }));
  onTestFinished(() => ladder.close());
  const api = new LadderApi(await LadderDoor.open(ladder, { trust }));
  const server = createServer((request, response) => {
    void api.answer(request, response, request.url!.split("?")[0]!.replace("/api/", ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const tokens = issueTokens(dir, ["ann", "bob"]);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { dir, ladder, ann: tokens.get("ann")!, bob: tokens.get("bob")!, send: senderTo(address) };
}

test("without a token, without trust, or with a wrong file nothing is taken", async () => {
  const strict = await serve(false);
  if (!sandboxHere().works)
    expect(await strict.send(strict.ann, upload("text"))).toEqual([
      403,
      { error: expect.stringMatching(/^This ladder takes no bots: without a sandbox/) as string },
    ]);
  const { dir, ann, send } = await serve(true);
  const codeOf = async (...given: Parameters<Send>) => (await send(...given))[0];
  expect(await codeOf("")).toBe(401);
  expect(await codeOf(`${ann}x`)).toBe(401);
  expect(await codeOf("", upload("text"))).toBe(401);
  expect(await codeOf(ann, { method: "PUT" })).toBe(405);
  expect(await codeOf(ann, { path: "/api/other" })).toBe(404);
  expect(await codeOf(ann, { path: "/api/bots", method: "POST", body: "text" })).toBe(400);
  expect(await codeOf(ann, upload(""))).toBe(400);
  expect(await send(ann, upload("text", "notes.txt"))).toEqual([
    400,
    { error: '"notes.txt" is no bot; allowed: .py, .js, .mjs, .jar, or a program without an ending' },
  ]);
  expect(await codeOf(ann, upload("x".repeat(MAX_UPLOAD_BYTES + 1)))).toBe(413);
  expect(readdirSync(join(dir, "bots"))).toEqual([]);
  expect(await send(ann)).toEqual([200, { bot: "ann", now: null, trial: null, forfeits: [] }]);
});

slowTest(
  "a bot is tried before it plays; its sender alone sees what was found",
  { timeout: 120_000 },
  async () => {
    const { dir, ann, bob, send } = await serve(true);
    const [code, refused] = await send(ann, upload(botText("illegal")));
    expect([code, refused]).toMatchObject([
      422,
      {
        accepted: false,
        findings: [expect.stringMatching(/^answers: none is not a legal action|^answers: "none" is/)],
      },
    ]);
    expect(JSON.stringify(refused)).not.toContain(dir);
    expect(readdirSync(join(dir, "bots"))).toEqual([]);
    writeInto(dir, "bots/ann.py", "an older bot");
    expect(await send(ann, upload(botText("first")))).toEqual([
      200,
      { accepted: true, findings: [], remarks: [] },
    ]);
    expect(readdirSync(join(dir, "bots"))).toEqual(["ann.mjs"]);
    expect(readFileSync(join(dir, "bots/ann.mjs"), "utf8")).toBe(botText("first"));
    expect((await send(ann))[1]).toMatchObject({ bot: "ann", trial: { accepted: true } });
    expect((await send(bob))[1]).toEqual({ bot: "bob", now: null, trial: null, forfeits: [] });
    // Two at once: one of them is tried, whichever came first.
    const codes = await Promise.all([
      send(ann, upload(botText("last"))),
      send(ann, upload(botText("first"))),
    ]);
    expect(codes.map(([one]) => one).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const both = await Promise.all([
      send(ann, upload(botText("last"))),
      send(bob, upload(botText("first"), "b.js")),
    ]);
    expect(both.map(([one]) => one)).toEqual([200, 200]);
    expect(readdirSync(join(dir, "bots"))).toEqual(["ann.mjs", "bob.js"]);
  },
);

slowTest.runIf(sandboxHere().works)(
  "without trust a bot that is sent is shut in, also when it plays",
  async () => {
    const { dir, ladder, ann, send } = await serve(false);
    const spy = botText("first").replace(
      "for await",
      `import { existsSync } from "node:fs";
if (existsSync(${JSON.stringify(join(dir, "tokens.json"))})) process.exit(1);
for await`,
    );
    expect(await send(ann, upload(spy))).toMatchObject([200, { accepted: true }]);
    const signal = AbortSignal.timeout(60_000);
    await ladder.play({ workers: 0, forfeits: 2, games: 32, signal, onNews: () => {} });
    const report = ladder.report();
    for (const { name, games, forfeits } of report.entrants)
      expect({ name, games, forfeits }).toEqual({ name, games: 32, forfeits: 0 });
    expect(report.entrants).toHaveLength(2);
    expect(ladder.bot("ann")).toMatchObject({ state: "plays" });
  },
  120_000,
);

slowTest("agon ladder serves its page and takes bots while it plays", { timeout: 120_000 }, async () => {
  const dir = temporaryFolder();
  const ann = issueTokens(dir, ["ann"]).get("ann")!;
  const args = ["ladder", dir, "--game", "tic-tac-toe", "--port", "0", "--trust", "--workers", "1"];
  const { child, outcome } = startAgon(args);
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const saying = async (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const found = pattern.exec(said);
        if (found !== null) resolve(found);
        else child.stderr!.once("data", () => setImmediate(look));
      };
      look();
    });
  child.stderr!.on("data", (text: string) => (said += text));
  const [, address] = await saying(/Its page is at (http:\S+)\/\n/);
  const send = senderTo(address!);
  expect((await send(ann, upload(botText("first"))))[0]).toBe(200);
  await saying(/ann plays\.\n/);
  expect((await send(ann))[1]).toMatchObject({ now: { bot: "ann", entrant: "ann", state: "plays" } });
  const runs = (await (await fetch(`${address!}/runs`)).json()) as { name: string }[];
  expect(runs).toHaveLength(1);
  expect((await fetch(`${address!}/runs`, { method: "POST" })).status).toBe(405);
  child.kill("SIGINT");
  expect((await outcome).code).toBe(130);
  expect(existsSync(join(dir, "report.json"))).toBe(true);
});
