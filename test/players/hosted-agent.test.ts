import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { DialogueLog } from "../../src/players/dialogue-log.ts";
import { agon, fixture, temporaryFolder, writeInto } from "../support/agon.ts";
import { storedGames } from "../support/stored-games.ts";
import { slowTest } from "../support/thorough.ts";

const bad = (...args: readonly string[]) => [process.execPath, fixture("engines/bad.mjs"), ...args];

/** A run against random moves; a block has two games. */
async function play(program: object, env?: Readonly<Record<string, string>>) {
  const dir = temporaryFolder();
  const config = writeInto(dir, "config.json", {
    name: "programs",
    game: "connect-four",
    blocks: 1,
    entrants: ["random", { name: "program", agent: "program", ...program }],
  });
  const out = join(dir, "run");
  const args = ["run", config, "--out", out, "--workers", "1", "--quiet", "--json"];
  const { code, stderr, stdout } = await agon(args, env && { env });
  return { out, code, stderr, stdout };
}

/** The texts of the dialogues of a run. */
function dialoguesIn(out: string): string[] {
  const folder = join(out, "dialogues");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
}

describe("the option restart", () => {
  /** The program's starts in a run; the one before the first game is not in the dialogues. */
  const starts = async (restart: string, deed = "nothing") => {
    const { out } = await play({ command: bad(deed, "2"), restart, log: true });
    return dialoguesIn(out).join("").split('> {"type":"hello"').length - 1;
  };

  slowTest("on-crash has one process play all games", async () => {
    expect(await starts("on-crash")).toBe(1);
  });

  slowTest("on-crash has a new process play after each death", async () => {
    expect(await starts("on-crash", "dies")).toBe(2);
  });

  slowTest("always has one process for each game", async () => {
    expect(await starts("always")).toBe(2);
  });
});

/** Hosts that play against each other: their folder has a file for each process that was started. */
const COUNTED = String.raw`
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineAgent, z } from "agon-arena";
const folder = fileURLToPath(new URL(".", import.meta.url));
const me = randomUUID();
export const agent = defineAgent({
  id: "counted", summary: "s", options: z.strictObject({ number: z.int(), dies: z.int().default(0) }), budgets: [],
  unsupported: () => undefined,
  create: ({ options: { number, dies } }) => ({
    newGame: () => appendFileSync(folder + "starts", number + " " + me + "\n"),
    choose(state) {
      const actions = new Int32Array(9);
      state.legalActions(actions, 0);
      for (let death = 1; death <= dies; death++) {
        if (existsSync(folder + "death" + death)) continue;
        writeFileSync(folder + "death" + death, "");
        process.kill(process.pid, "SIGKILL");
      }
      return { action: actions[0], nodes: 0, line: [] };
    },
  }),
});
`;

/** Plays agents against each other with one worker. By agent: the number of its processes; and the games. */
async function playCounted(numbers: readonly object[], config: object = {}) {
  const dir = temporaryFolder();
  writeInto(dir, "counted.mjs", COUNTED);
  const path = writeInto(dir, "config.json", {
    name: "counted",
    game: "tic-tac-toe",
    blocks: 1,
    ...config,
    entrants: numbers.map((options, number) => ({
      name: `e${number}`,
      agent: "./counted.mjs",
      number,
      ...options,
    })),
  });
  const out = join(dir, "run");
  const { code, stderr } = await agon(["run", path, "--out", out, "--workers", "1", "--quiet"]);
  expect(code, stderr).toBe(0);
  const starts = readFileSync(join(dir, "starts"), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(" "));
  return {
    processes: numbers.map(
      (_, number) => new Set(starts.filter(([one]) => Number(one) === number).map(([, id]) => id)).size,
    ),
    games: storedGames(out),
  };
}

describe("the processes that a worker keeps", () => {
  slowTest("are as many as the config says: of more, those used longest ago end", async () => {
    const many = Array.from({ length: 3 }, () => ({}));
    const { processes, games } = await playCounted(many, { hosts: 3 });
    expect(processes).toEqual([1, 1, 1]);
    const few = await playCounted(many, { hosts: 2 });
    expect(Math.max(...few.processes)).toBeGreaterThan(1);
    // The ids differ, as the paths of the agents do.
    const moves = (all: typeof games) => all.map(({ seats, actions }) => `${seats.join()} ${actions.join()}`);
    expect(moves(few.games).toSorted()).toEqual(moves(games).toSorted());
  });

  slowTest("are replaced, and a game whose player a signal has ended is played once more", async () => {
    const { processes, games } = await playCounted([{ dies: 1 }, {}]);
    expect(processes).toEqual([2, 1]);
    expect(games.map(({ ending }) => ending)).toEqual(["finished", "finished"]);
  });

  slowTest("are not replaced for a second time in one game", async () => {
    const { games } = await playCounted([{ dies: 2 }, {}]);
    expect(new Set(games.map(({ ending, detail }) => `${ending}: ${detail}`))).toEqual(
      new Set(["finished: ", "worker died: its process ended: SIGKILL"]),
    );
  });
});

describe("the option log", () => {
  slowTest("keeps the dialogue of each game in the folder of the run", async () => {
    const { out, code } = await play({ command: bad("throws", "2"), log: true });
    expect(code).toBe(0);
    const dialogues = dialoguesIn(out);
    expect(dialogues).toHaveLength(2);
    for (const text of dialogues) {
      expect(text).toMatch(/^seat [01]: .*bad\.mjs throws 2\n> \{"type":"hello"/);
      expect(text).toContain('< {"type":"decision"');
      expect(text).toContain("! TypeError: a fault of mine");
    }
    const { stdout } = await agon(["verify", out]);
    expect(stdout).toContain("differ");
    expect(dialoguesIn(out)).toEqual(dialogues);
  });

  slowTest("keeps nothing unless it is true", async () => {
    expect(dialoguesIn((await play({ command: bad("nothing") })).out)).toEqual([]);
  });

  const game = (folder: string, id: string) => ({
    id,
    seat: 0,
    random: createRandom("log"),
    limitMs: Infinity,
    folder,
  });

  test("leaves out the middle of a long dialogue, and says so", () => {
    const folder = temporaryFolder();
    const log = new DialogueLog(["bot"]);
    log.begin(game(folder, "long"));
    for (let at = 0; at < 10_000; at++) log.add(`line ${at}`, "heard");
    log.add("x".repeat(1_000_000), "error");
    log.end();
    const [text] = dialoguesIn(folder);
    expect(text!.length).toBeLessThan(66_000);
    expect(text).toMatch(/^seat 0: bot\n< line 0\n/);
    expect(text).toMatch(/\n\.\.\. \d+ lines are left out here: a dialogue has 64000 characters\n/);
    expect(text).toMatch(/\n< line 9999\n! x{4000}\.\.\. \(1000000 characters\)\n\n$/);
    const left = Number(/\.\.\. (\d+) lines/.exec(text!)![1]);
    expect(text!.match(/^< line/gm)!.length + left).toBe(10_000);
  });

  test("keeps no more than 100 MB of a run, and says so", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "dialogues"));
    const full = join(folder, "dialogues/full.log");
    writeFileSync(full, "");
    truncateSync(full, 100_000_001);
    const log = new DialogueLog(["bot"]);
    log.begin(game(folder, "late"));
    log.add("hello", "said");
    log.end();
    expect(readdirSync(join(folder, "dialogues"))).toEqual(["full.log", "not-kept.txt"]);
    expect(readFileSync(join(folder, "dialogues/not-kept.txt"), "utf8")).toBe(
      "The dialogues of other games are not kept: those here take 100 MB.\n",
    );
  });
});

describe("the option environment", () => {
  const SECRET = { BOT_KEY: "not to be stored", BOT_OTHER: "not given" };
  const program = () => {
    const file = writeInto(
      temporaryFolder(),
      "named.mjs",
      `import { createInterface } from "node:readline";
       const name = [process.env.BOT_KEY?.length, process.env.BOT_OTHER?.length].join();
       createInterface({ input: process.stdin }).on("line", (line) => {
         const { type, legal } = JSON.parse(line);
         if (type === "hello") console.log(JSON.stringify({ type, protocol: 1, name, wants: "numbers" }));
         if (type === "decide") console.log(JSON.stringify({ type: "decision", action: legal[0] }));
       });`,
    );
    return [process.execPath, file];
  };

  slowTest("hands named variables to the program, and their values are stored nowhere", async () => {
    const { out, code, stdout } = await play(
      { command: program(), environment: ["BOT_KEY"], log: true },
      SECRET,
    );
    expect(code).toBe(0);
    expect(dialoguesIn(out).join("")).toContain(`"name":"${SECRET.BOT_KEY.length},"`);
    const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
    const texts = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1"));
    expect([...texts, stdout].filter((text) => text.includes(SECRET.BOT_KEY))).toEqual([]);
    expect(texts.some((text) => text.includes("BOT_KEY"))).toBe(true);
  });

  slowTest("is refused where a variable is missing", async () => {
    const { code, stderr } = await play({ command: program(), environment: ["BOT_KEY", "BOT_NONE"] }, SECRET);
    expect(code).toBe(2);
    expect(stderr).toContain("entrants[1].environment: not in the environment of agon: BOT_NONE");
  });
});
