import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import type { NewGame } from "../../src/agents/agent.ts";
import { planTournament } from "../../src/arena/plan/config.ts";
import { verifyRun } from "../../src/arena/play/verify.ts";
import { loadReport } from "../../src/arena/results/runs.ts";
import { playTournament } from "../../src/arena/tournament.ts";
import { Store } from "../../src/arena/store/store.ts";
import { createRandom } from "../../src/base/random.ts";
import { Exchanges, Ledger } from "../../src/players/chat/exchanges.ts";
import type { Reply } from "../../src/players/chat/server.ts";
import type { RunReport } from "../../src/ratings/format-results.ts";
import { packRun } from "../../src/queue/bundle-kinds.ts";
import { formatReport } from "../../src/ratings/sections/format-report.ts";
import { agon, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { chatServer, last, replyOf, status } from "../support/servers/chat.ts";
import { slow } from "../support/thorough.ts";

/** A tournament of a chat model against one that plays at random. */
function configOf(url: string, more: object = {}, options: object = {}) {
  return {
    name: "chat",
    game: "tic-tac-toe",
    blocks: 2,
    moveTimeoutMs: 5000,
    entrants: ["random", { name: "talker", agent: "chat", url, model: "a-model", ...options }],
    ...more,
  };
}

describe("a run with a chat model", () => {
  test("ends where the server refuses, keeps its games, and goes on", async () => {
    let paid = false;
    const refusal = status(402, { error: { message: "pay first" } });
    const { url } = await chatServer((asked, count) => (paid || count <= 8 ? last(asked) : refusal));
    const outDir = join(temporaryFolder(), "run");
    const config = configOf(url);
    const { ended, complete, played } = await playTournament(config, { outDir, workers: 0 });
    expect({ ended, complete }).toEqual({
      ended: `${url}/chat/completions refuses the request, HTTP 402: pay first`,
      complete: false,
    });
    expect(Store.reading({ dir: outDir }, (store) => store.size)).toBe(played);
    paid = true;
    const rest = await playTournament(config, { outDir, workers: 0, resume: true });
    expect(rest).toMatchObject({ complete: true, played: 4 - played });
    expect(rest.records.map(({ ending }) => ending)).toEqual(Array(4).fill("finished"));
  });

  slow(test)("gives workers the key, and shows it nowhere", async () => {
    const key = "sk-never-to-be-seen";
    const { url, all } = await chatServer((asked) => `${asked.key}\n${last(asked)}`);
    const dir = temporaryFolder();
    const config = writeInto(dir, "config.json", configOf(url, {}, { key: "SOME_KEY" }));
    const args = ["run", config, "--out", join(dir, "run"), "--workers", "2", "--quiet", "--json"];
    const missing = await agon(args);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain("entrants[1].key: not in the environment of agon: SOME_KEY");
    const { code, stdout, stderr } = await agon(args, { env: { SOME_KEY: key } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain('"talker"');
    expect(all.every((asked) => asked.key === `Bearer ${key}`)).toBe(true);
    const names = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(names.length).toBeGreaterThan(10);
    for (const { name, parentPath } of names) {
      const content = readFileSync(join(parentPath, name));
      const text = name.endsWith(".gz") ? gunzipSync(content).toString() : content.toString("latin1");
      expect(text.includes(key), name).toBe(false);
      if (name.endsWith(".gz")) expect(text).toContain("Bearer [key]");
    }
  });

  test("is played again from what is kept: no question is asked twice", async () => {
    const faults = ["I resign.", "ACTION: z9"];
    const { url, all } = await chatServer((asked, count) => faults[count - 1] ?? last(asked));
    const outDir = join(temporaryFolder(), "run");
    const { records } = await playTournament(configOf(url), { outDir, workers: 0 });
    expect(records.length).toBe(4);
    const asked = all.splice(0).length;
    const verified = await Store.reading({ dir: outDir }, async (store) =>
      verifyRun(store, outDir, { workers: 0 }),
    );
    expect(verified).toMatchObject({ sampled: 4, verified: 4, differences: [], skipped: [] });
    expect(all.length).toBe(0);
    expect(new Ledger(outDir).news().length).toBe(asked);
    // A reply that is gone is not asked for by a verification.
    for (const name of gamesOf(outDir)) rmSync(join(outDir, "chat", name));
    const without = await Store.reading({ dir: outDir }, async (store) =>
      verifyRun(store, outDir, { workers: 0 }),
    );
    expect(without.differences[0]!.what).toContain("differ");
    expect(all.length).toBe(0);
  });

  test("may take as long as all its answers by default, and stays on this machine", async () => {
    const { moveTimeoutMs: _, ...config } = configOf(
      "http://127.0.0.1:1/v1",
      {},
      { timeoutMs: 50_000, retries: 1 },
    );
    const plan = await planTournament(config);
    expect(plan.moveTimeoutMs).toBe(100_000);
    expect((await planTournament({ ...config, moveTimeoutMs: 700 })).moveTimeoutMs).toBe(700);
    expect(() => packRun(plan, temporaryFolder())).toThrow("talker is a chat model, whose answers are kept");
  });

  test("keeps each request and reply of a game, and what they took", async () => {
    const { url, all } = await chatServer((asked, count) => (count === 2 ? "I resign." : last(asked)));
    const outDir = join(temporaryFolder(), "run");
    const price = { input: 0.5, output: 20 };
    const { report } = await playTournament(configOf(url, { blocks: 1 }, { price }), { outDir, workers: 0 });
    const kept = gamesOf(outDir).flatMap((name) => linesOf(join(outDir, "chat", name)));
    const exchanges = kept.filter((line) => "messages" in line);
    expect(kept.length - exchanges.length).toBe(2);
    expect(exchanges.length).toBe(all.length);
    expect(exchanges.map(({ messages }) => JSON.stringify(messages)).toSorted()).toEqual(
      all.map(({ messages }) => JSON.stringify(messages.slice(1))).toSorted(),
    );
    expect(exchanges[0]!.reply).toMatchObject({ id: "reply", usage: { prompt_tokens: 1000 } });
    const spent = new Ledger(outDir).news();
    expect(spent.map(({ cost }) => cost)).toEqual(all.map(() => 0.0007));
    expect(spent.filter(({ legal }) => !legal).length).toBe(1);
    const { name, games, answers, illegal, tokensIn, tokensOut, cost } = report.chat![0]!;
    expect({ name, games, answers, illegal, tokensIn, tokensOut }).toEqual({
      name: "talker",
      games: 2,
      answers: all.length,
      illegal: 1,
      tokensIn: 1000 * all.length,
      tokensOut: 10 * all.length,
    });
    expect(cost).toBeCloseTo(0.0007 * all.length, 10);
    const table = formatReport(report, "table");
    expect(table).toContain("Chat models: answers, tokens and cost a game");
    expect(table).toMatch(
      new RegExp(`talker +${(all.length / 2).toFixed(2)} +${((100 * 1) / all.length).toFixed(1)}`),
    );
    expect(await loadReport(outDir)).toEqual(report);
  });

  test("ends when its answers have cost as much as they may, and goes on with more", async () => {
    const { url, all } = await chatServer(last);
    const outDir = join(temporaryFolder(), "run");
    const price = { input: 1000, output: 0 };
    const config = (maxCost: number) => configOf(url, { maxCost }, { price });
    const { ended, complete } = await playTournament(config(5.5), { outDir, workers: 0 });
    expect({ ended, complete }).toEqual({
      ended: "the answers of chat models have cost 6 so far, and maxCost is 5.5; raise it to go on",
      complete: false,
    });
    expect(all.length).toBe(6);
    const rest = await playTournament(config(100), { outDir, workers: 0, resume: true });
    expect(rest.complete).toBe(true);
    // The questions of the game that had no end are not asked again.
    const decisions = rest.records.map(({ decisions: [first, second], seats }) =>
      seats[0] === 1 ? first! : second!,
    );
    expect(all.length).toBe(decisions.reduce((sum, count) => sum + count, 0));
    await expect(playTournament(configOf(url, { maxCost: 5 }), { workers: 0 })).rejects.toThrow(
      "maxCost: no entrant is a chat model with a price",
    );
  });

  test("goes on with a game whose file is damaged at its end", async () => {
    const dir = temporaryFolder();
    const game: NewGame = { id: "game", seat: 0, random: createRandom("chat"), limitMs: 1000, folder: dir };
    const message = { role: "system", content: "the rules" } as const;
    const exchange = (decision: string) => ({
      decision,
      attempt: 0,
      messages: [message, { ...message, content: decision }],
      reply: replyOf(decision) as Reply,
    });
    const spent = { tokensIn: 1, tokensOut: 1, timeMs: 1, cost: 1, legal: true };
    const first = new Exchanges(game);
    for (const decision of ["one", "two"]) first.add(exchange(decision), spent);
    const file = join(dir, "chat", "game-0.jsonl.gz");
    const whole = readFileSync(file);
    for (let cut = 1; cut < 60; cut += 7) {
      writeFileSync(file, whole.subarray(0, whole.length - cut));
      const damaged = new Exchanges(game);
      expect(damaged.find({ decision: "one", attempt: 0 })).toEqual(replyOf("one"));
      damaged.add(exchange("three"), spent);
      const again = new Exchanges(game);
      for (const decision of ["one", "three"])
        expect(again.find({ decision, attempt: 0 })).toEqual(replyOf(decision));
    }
    writeFileSync(file, whole.fill(7, 20, 30));
    expect(() => new Exchanges(game)).toThrow(`${file} is damaged; without it, the questions`);
    expect(readFileSync(file)).toEqual(whole);
  });

  slow(test)("loses no reply when it is killed", async () => {
    const { url, all } = await chatServer(last);
    const dir = temporaryFolder();
    const config = writeInto(dir, "config.json", configOf(url, { blocks: 30 }));
    const args = [
      "run",
      config,
      "--out",
      join(dir, "run"),
      "--workers",
      "1",
      "--quiet",
      "--json",
      "--resume",
    ];
    const { child, outcome } = startAgon(args);
    await vi.waitUntil(() => all.length > 40, { timeout: 60_000, interval: 5 });
    child.kill("SIGKILL");
    await outcome;
    const { code, stdout } = await agon(args);
    expect(code).toBe(0);
    const { chat } = JSON.parse(stdout) as RunReport;
    // One reply at most had come and was not yet written; all others are asked for once.
    expect(all.length - chat![0]!.answers).toBeLessThanOrEqual(1);
    expect(chat![0]!.games).toBe(60);
    const verified = await agon(["verify", join(dir, "run")]);
    expect(verified.stdout).toContain("60");
    expect(verified.code).toBe(0);
  });
});

/** The files of games with exchanges. */
function gamesOf(dir: string): string[] {
  return readdirSync(join(dir, "chat")).filter((name) => name.endsWith(".gz"));
}

function linesOf(file: string): { messages: object[]; reply: object }[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line) as { messages: object[]; reply: object });
}
