import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import { planTournament } from "../../src/arena/plan/config.ts";
import { playTournament } from "../../src/arena/tournament.ts";
import { createGame } from "../../src/games/index.ts";
import { loadAgent } from "../../src/specs/agents.ts";
import { findProgram, PlayerProcess, type PlayerCommand } from "../../src/players/player-process.ts";
import { inSandbox, sandboxHere } from "../../src/players/sandbox.ts";
import { agon, fixture, temporaryFolder, writeInto } from "../support/agon.ts";
import { storedGames } from "../support/stored-games.ts";
import { slow } from "../support/thorough.ts";

const here = sandboxHere();
const hasPython = findProgram("python3") !== undefined;
/** Tests that need a sandbox. Where there is none, their names say why; with AGON_SERVICES=1 they fail. */
const sandboxTest =
  (here.works && hasPython) || process.env["AGON_SERVICES"] === "1"
    ? test
    : (name: string, run: () => Promise<void>) =>
        test.skip(`${name} (left out: ${here.works ? "there is no python3 here" : here.reason})`, run);

/** A machine with things to attack: files, sockets and processes of others. */
async function machine(language: "py" | "mjs") {
  const dir = temporaryFolder();
  const mark = `71.${process.pid}1`;
  const own = join(dir, "bots/mallory");
  mkdirSync(own, { recursive: true });
  mkdirSync(join(dir, "bots/ann"));
  const deeds = join(own, `deeds.${language}`);
  copyFileSync(fixture(`hostile/deeds.${language}`), deeds);
  const secret = writeInto(dir, "secret.txt", "secret");
  symlinkSync(secret, join(own, "way-out"));
  const echo = createServer((socket) => socket.pipe(socket));
  const unix = join(dir, "socket");
  const abstract = `agon-${process.pid}`;
  const servers = [echo.listen(0, "127.0.0.1"), createServer((socket) => socket.pipe(socket)).listen(unix)];
  const udp = createSocket("udp4").bind(0, "127.0.0.1");
  udp.on("message", (message, { port }) => udp.send(message, port, "127.0.0.1"));
  // Node cannot listen at an abstract address.
  const listening = `import socket
one = socket.socket(socket.AF_UNIX)
one.bind("\\0${abstract}")
one.listen()
print(flush=True)
while True:
    other = one.accept()[0]
    other.send(other.recv(9))`;
  const helper = spawn("python3", ["-c", listening, mark], { stdio: ["ignore", "pipe", "ignore"] });
  await Promise.all([...servers.map(async (server) => once(server, "listening")), once(udp, "listening")]);
  await once(helper.stdout, "data");
  onTestFinished(() => {
    helper.kill();
    udp.close();
    for (const server of servers) server.close();
  });
  const places = {
    secret,
    store: writeInto(dir, "results.db", "games"),
    other: writeInto(join(dir, "bots/ann"), "bot.mjs", "export {};"),
    tcp: (echo.address() as AddressInfo).port,
    udp: udp.address().port,
    unix,
    abstract,
    pid: process.pid,
    mark: mark.split("").toReversed().join(""),
  };
  const program = language === "py" ? findProgram("python3")! : process.execPath;
  return { own, command: [program, deeds, JSON.stringify(places)] as const };
}

/** The outcome of each deed. */
async function deedsOf(command: PlayerCommand): Promise<Record<string, string>> {
  const player = new PlayerProcess(command);
  onTestFinished(() => player.kill());
  return JSON.parse(await player.within(60_000, "no line", async () => player.hear())) as Record<
    string,
    string
  >;
}

describe.each(["py", "mjs"] as const)("hostile deeds in %s", (language) => {
  /** Without a sandbox they harm the copy of the bot alone. */
  slow(sandboxTest)(
    "all go through without a sandbox",
    async () => {
      const { command } = await machine(language);
      const found = await deedsOf({ command: [...command], apart: false });
      expect(new Set(Object.values(found))).toEqual(new Set(["done"]));
    },
    60_000,
  );

  sandboxTest(
    "none goes through in a sandbox",
    async () => {
      const { command, own } = await machine(language);
      const found = await deedsOf(inSandbox({ command: [...command] }, [own]));
      expect(Object.keys(found).length).toBeGreaterThan(12);
      expect(Object.entries(found).filter(([, what]) => what === "done")).toEqual([]);
      expect(readdirSync(own).toSorted()).toEqual([`deeds.${language}`, "way-out"]);
    },
    60_000,
  );
});

/** The deeds that break what has no limits, and how the game ends by each. */
const BREAKS: Readonly<Record<string, string>> = {
  fork_bomb: "^(?:worker died: its process ended: exit code 5|out of memory)",
  eat_memory: "MemoryError|out of memory",
  eat_in_children: "^out of memory: it took more than 1024 MB",
  fill_home: "No space left on device",
  chatter: "^exception: it said a line of more than 1000000 characters",
  complain: "^time-out",
  leave_child: "^worker died: its process ended: exit code 6",
  kill_all: "^worker died: its process ended: (?:exit code 7|SIGKILL)",
};

describe("bots that break machines", () => {
  /** Each bot plays against one that behaves; a block has two games. */
  const play = async (deeds: readonly string[]) => {
    const dir = temporaryFolder();
    const mark = `72.${process.pid}`;
    const breaker = (deed: string) => ["python3", fixture("hostile/breaks.py"), deed, mark];
    const config = writeInto(dir, "config.json", {
      name: "strangers",
      game: "connect-four",
      format: { type: "gauntlet", challengers: ["last"] },
      blocks: 1,
      moveTimeoutMs: 20_000,
      entrants: ["last", "random", ...deeds].map((name) =>
        name === "random" ? name : { name, agent: "program", command: breaker(name), sandbox: true },
      ),
    });
    const out = join(dir, "run");
    const { code, stderr } = await agon(["run", config, "--out", out, "--workers", "1", "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    return { games: storedGames(out), mark };
  };

  slow(sandboxTest)(
    "forfeit their own games, and nobody else's game changes",
    async () => {
      const { games, mark } = await play(Object.keys(BREAKS));
      for (const [at, [deed, ending]] of Object.entries(BREAKS).entries()) {
        const own = games.filter(({ seats }) => seats.includes(at + 2));
        expect(own, deed).toHaveLength(2);
        for (const { seats, forfeitSeat, ending: how, detail } of own) {
          expect(seats[forfeitSeat!], deed).toBe(at + 2);
          expect(`${how}: ${detail}`, deed).toMatch(new RegExp(ending, "s"));
        }
      }
      // The system takes a moment to end what was in a sandbox.
      await expect
        .poll(() => readdirSync("/proc").filter((pid) => commandOf(pid).includes(mark)), { timeout: 30_000 })
        .toEqual([]);
      const alone = await play([]);
      expect(alone.games).toHaveLength(2);
      expect(games.filter(({ seats }) => seats.every((one) => one < 2))).toEqual(alone.games);
    },
    180_000,
  );
});

sandboxTest(
  "a bot that behaves plays the same game; its files may not be links",
  async () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "ann"));
    copyFileSync(fixture("hostile/breaks.py"), join(dir, "ann/bot.py"));
    const match = async (sandbox: boolean) => {
      const program = `{ agent: program, command: [python3, ./ann/bot.py], sandbox: ${sandbox} }`;
      const out = join(dir, String(sandbox));
      // Openings and random moves would depend on the entrants.
      const args = ["match", "connect-four", program, "minimax:depth=1,ties=first", "--blocks", "1"];
      const more = ["--random-plies", "0", "--quiet", "--out", out, "--workers", "1"];
      const { code, stderr } = await agon([...args, ...more], { cwd: dir });
      expect(stderr).toBe("");
      expect(code).toBe(0);
      return storedGames(out)
        .map(({ seats, actions, returns }) => JSON.stringify({ seats, actions, returns }))
        .toSorted();
    };
    expect(await match(true)).toEqual(await match(false));
    const link = join(dir, "link.py");
    symlinkSync(join(dir, "ann/bot.py"), link);
    expect(() => inSandbox({ command: [findProgram("python3")!, link] }, [link])).toThrow(
      `files: ${link} is a symbolic link, which a sandbox does not follow`,
    );
  },
  60_000,
);

function commandOf(pid: string): string {
  const path = `/proc/${pid}/cmdline`;
  try {
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

/** An agent in a file that plays the last action, and does something before. */
const agentText = (before: string): string => `
import { spawnSync } from "node:child_process";
import { readFileSync, writeSync } from "node:fs";
import { defineAgent, z } from "agon-arena";
import { last } from "./last.ts"; // import "../secret.txt" does not show it
const goes = (deed: () => unknown): boolean => { try { deed(); return true; } catch { return false; } };
export const agent = defineAgent({
  id: "shut-in", summary: "plays the last action", options: z.strictObject({ skill: z.number().default(3) }),
  budgets: [], unsupported: () => undefined,
  create({ game }) {
    ${before}
    return { choose: (state) => ({ action: last(game, state), nodes: 1, line: [] }) };
  },
});`;

/** A config with an agent in a file, and a secret beside it. */
function agentConfig(before: (secret: string) => string, more: object = { sandbox: true }) {
  const dir = temporaryFolder();
  const secret = writeInto(dir, "secret.txt", "secret");
  const text = `export const last = (game: any, state: any): number => {
  const legal = new Int32Array(game.maxActions);
  return legal[state.legalActions(legal, 0) - 1]!;
};`;
  mkdirSync(join(dir, "ann"));
  writeInto(dir, "ann/last.ts", text);
  const agent = writeInto(dir, "ann/agent.ts", agentText(before(JSON.stringify(secret))));
  return {
    name: "shut-in",
    game: "tic-tac-toe",
    blocks: 1,
    entrants: ["random", { name: "mine", agent, ...more }],
  };
}

const lookAround = (secret: string) =>
  `if (goes(() => readFileSync(${secret}))) throw new Error("it read the secret");
  if (goes(() => { if (spawnSync("true").status !== 0) throw new Error(); })) throw new Error("it started a program");`;

sandboxTest("an agent in a file is shut in, when it is planned and when it plays", async () => {
  await expect(planTournament(agentConfig(lookAround, {}))).rejects.toThrow(
    /cannot be made: Error: it read the secret/,
  );
  const outDir = join(temporaryFolder(), "run");
  const { records, plan } = await playTournament(agentConfig(lookAround), { outDir, workers: 0 });
  expect(records.map(({ ending }) => ending)).toEqual(["finished", "finished"]);
  expect(plan.entrants[1]!.spec).toMatchObject({ sandbox: true, skill: 3 });
  await expect(loadAgent(createGame("tic-tac-toe"), plan.entrants[1]!.spec)).rejects.toThrow(
    "sandbox: an agent in a file is shut in by tournaments alone",
  );
  await expect(planTournament(agentConfig(lookAround, { sandbox: "yes" }))).rejects.toThrow(
    "entrants[1].sandbox: must be true or false",
  );
});

sandboxTest(
  "an agent that answers for its process in a sandbox names no other agent and no other file",
  async () => {
    const lie = (spec: object) => () =>
      `writeSync(1, ${JSON.stringify(`${JSON.stringify({ type: "planned", results: [{ spec }] })}\n`)});`;
    const other = { agent: "program", command: ["true"], sandbox: false };
    const plan = await planTournament(agentConfig(lie(other)));
    expect(plan.entrants[1]!.spec).toMatchObject({
      agent: expect.stringMatching(/agent\.ts$/) as string,
      sandbox: true,
    });
    await expect(planTournament(agentConfig(lie({ ...other, evaluator: "/etc/x.json" })))).rejects.toThrow(
      "entrants[1]: cannot be made: in a sandbox it may name no other files",
    );
  },
);
