import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadTournament } from "../../../src/arena/plan/config.ts";
import { GameFault } from "../../../src/arena/play/game-fault.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { agon, fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

const MATCHES = readFileSync(fixture("games/matches.ts"), "utf8");

/**
 * Throws after four actions take-1 in a row from where the state began; the random games that are played when a game
 * is loaded do not come there.
 */
const THROWS = [
  "this.history[this.plies++] = taken;",
  "this.history[this.plies++] = taken;\n    if (this.plies === 4 && this.history.subarray(0, 4).join('') === '1111') throw new TypeError('no');",
];
const agent = (choose: string) => `
import { defineAgent, z } from "agon-arena";
export const agent = defineAgent({ id: "mine", summary: "s", options: z.strictObject({}), budgets: [], unsupported: (): undefined => undefined,
  create: ({ game }) => ({ choose(state) {
    const legal = new Int32Array(game.maxActions);
    const count = state.legalActions(legal, 0);
    const action = legal[0];
    ${choose}
    return { action, nodes: 0, line: [action] };
  } }) });
`;

interface Played {
  /** 1 where the game's fault ended the run. */
  readonly code: number | null;
  /** The message of the fault. */
  readonly said: string;
  /** The forfeits: entrant and what happened. */
  readonly forfeits: string[];
  /** The line of the game's code that throws. */
  readonly line: number;
}

interface Setup {
  /** The code of the game. */
  readonly code?: string;
  /** A text in the code of the game, and what stands there instead. */
  readonly change?: readonly string[];
  /** The code of `mine.ts`. */
  readonly mine?: string;
  readonly entrants: readonly (string | { name: string; agent: string })[];
  /** True if threads play, from the command line; otherwise this thread plays. */
  readonly threads?: boolean;
}

/** Plays `entrants` at a game of matches whose code is changed. */
async function play({
  code: original = MATCHES,
  change = ["", ""],
  mine = agent(""),
  entrants,
  threads,
}: Setup): Promise<Played> {
  const dir = temporaryFolder();
  const code = original.replace(change[0]!, change[1]!);
  writeInto(dir, "matches.ts", code);
  writeInto(dir, "mine.ts", mine);
  const config = { name: "faults", game: { id: "./matches.ts", matches: 40 }, blocks: 2, entrants };
  const path = writeInto(dir, "run.json", config);
  const { exit, said, records } = await (threads === true ? playInThreads(path, dir) : playHere(path));
  const forfeits = records
    .filter(({ forfeitSeat }) => forfeitSeat >= 0)
    .map(({ seats, forfeitSeat, detail }) => `${JSON.stringify(entrants[seats[forfeitSeat]!])}: ${detail}`);
  return { code: exit, said: said.replaceAll(dir, "DIR"), forfeits, line: throwingLine(code) };
}

/** The number of the line that throws. */
function throwingLine(code: string): number {
  return code.split("\n").findIndex((text) => text.includes("throw new TypeError('no')")) + 1;
}

async function playHere(path: string) {
  const plan = await loadTournament(path);
  const store = Store.inMemory();
  try {
    const fault = await runTournament({ plan, store, workers: 0 }).then(
      () => undefined,
      (error: unknown) => error as Error,
    );
    if (fault !== undefined) expect(fault).toBeInstanceOf(GameFault);
    return { exit: fault === undefined ? 0 : 1, said: fault?.message ?? "", records: store.records() };
  } finally {
    store.close();
  }
}

async function playInThreads(path: string, cwd: string) {
  const { code, stderr } = await agon(["run", path, "--out", "run", "--workers", "2"], { cwd });
  expect(stderr).not.toContain("    at ");
  const store = Store.openExisting(join(cwd, "run"));
  const records = store.records();
  store.close();
  return { exit: code, said: stderr, records };
}

const OF_GAME =
  /^the game matches failed with TypeError: no, at (?:\/private)?DIR\/matches\.ts:(\d+):\d+, (?:after .*take-|at the start).*; this is a fault of the game, not of an agent, so the run ends: agon check .*$/m;

describe("an exception in the code of a game", () => {
  slowTest("which is one of its heuristics ends the run", async () => {
    const heuristics = "{ bad: { summary: 's', evaluate() { throw new TypeError('no'); } } }";
    const change = ["  rules: (", `  facets: () => ({ heuristics: ${heuristics} }),\n  rules: (`];
    const { code, said, forfeits } = await play({ change, entrants: ["greedy:evaluator=bad", "random"] });
    expect({ code, forfeits }).toEqual({ code: 1, forfeits: [] });
    expect(said).toMatch(OF_GAME);
  });

  slowTest("is told with its place where there is no referee", async () => {
    const dir = temporaryFolder();
    const changed = MATCHES.replace(THROWS[0]!, THROWS[1]!);
    const path = writeInto(dir, "matches.ts", changed);
    const { code, stderr } = await agon(["perft", path, "5"]);
    expect({ code, stderr: stderr.replace(/:\d+\n$/, "") }).toEqual({
      code: 1,
      stderr: `TypeError: no, at ${path}:${throwingLine(changed)}`,
    });
  });

  slowTest("which the referee calls ends the run", async () => {
    const entrants = ["one", "two"].map((name) => ({ name, agent: "./mine.ts" }));
    const { code, said, forfeits, line } = await play({ change: THROWS, entrants, threads: true });
    expect({ code, forfeits }).toEqual({ code: 1, forfeits: [] });
    expect(OF_GAME.exec(said)?.[1]).toBe(String(line));
  });

  slowTest("which the search of one of our agents calls ends the run", async () => {
    // The agent looks further than the game has come.
    const { code, said, forfeits } = await play({
      change: THROWS,
      entrants: ["alpha-beta:depth=12", "random"],
    });
    expect({ code, forfeits }).toEqual({ code: 1, forfeits: [] });
    expect(said).toMatch(OF_GAME);
  });
});

/** Matches as a simple game, which gives an action twice after four actions 1 from the start. */
const SIMPLE = `
import { simpleGame, z } from "agon-arena";
export const game = simpleGame({
  id: "matches",
  summary: "s",
  options: z.strictObject({ matches: z.int().default(21) }),
  start: ({ matches }) => ({ left: matches, turn: 0, ones: 0 }),
  toMove: ({ turn }) => turn,
  legalActions: ({ left, ones }) => (ones === 4 ? [1, 1] : [1, 2, 3].filter((taken) => taken <= left)),
  apply: ({ left, turn, ones }, taken) => ({
    left: left - taken,
    turn: 1 - turn,
    ones: taken === 1 && ones >= 0 ? ones + 1 : -1,
  }),
  result: ({ left, turn }) => (left > 0 ? undefined : turn === 0 ? [-1, 1] : [1, -1]),
});
`;

describe("a game that breaks its contract late", () => {
  test("as a simple game, ends the run with the file and the position", async () => {
    const { code, said, forfeits } = await play({ code: SIMPLE, entrants: ["alpha-beta:depth=6", "random"] });
    expect({ code, forfeits }).toEqual({ code: 1, forfeits: [] });
    expect(said).toMatch(
      /RangeError: legalActions gives 1 twice \(in the position \{"left":36,"ones":4,"turn":0\}\), at .*matches\.ts:3:\d+/,
    );
    expect(said).toContain("this is a fault of the game, not of an agent, so the run ends");
  });

  const from = "this.history.subarray(0, 4).join('') === '1111'";

  slowTest.each([
    [
      "has no legal action",
      "return most;",
      `return ${from} ? 0 : most;`,
      /RangeError: there is no legal action in \d+ [01], in /,
    ],
    [
      "has a player too many",
      "this.turn = 1 - this.turn;\n",
      `this.turn = ${from} ? 7 : 1 - this.turn;\n`,
      /RangeError: toMove is 7, which is no player, in /,
    ],
  ] as const)("%s", async (_, before, after, message) => {
    const entrants = ["one", "two"].map((name) => ({ name, agent: "./mine.ts" }));
    const { code, said, forfeits } = await play({ change: [before, after], entrants });
    expect({ code, forfeits }).toEqual({ code: 1, forfeits: [] });
    expect(said).toMatch(message);
    expect(said).toMatch(
      /^the game matches failed with .* after (take-1 ?){3,4};? ?.*; this is a fault of the game/m,
    );
  });
});

describe("an exception that is the agent's", () => {
  slowTest("is every one in its own process, the game's in its search among them", async () => {
    const mine = agent(
      "let plies = 0; while (state.toMove >= 0) { state.legalActions(legal, 0); state.apply(legal[0]); plies++; } while (plies-- > 0) state.undo();",
    );
    const { code, forfeits } = await play({ change: THROWS, mine, entrants: ["./mine.ts", "random"] });
    expect({ code, count: forfeits.length }).toEqual({ code: 0, count: 4 });
    for (const one of forfeits)
      expect(one).toMatch(/^"\.\/mine\.ts": TypeError: no, at .*\/matches\.ts:\d+:\d+$/);
  });

  slowTest("is one in its evaluator, which is a file of the user's", async () => {
    const mine = `import { defineEvaluator } from "agon-arena";
      export const evaluator = defineEvaluator({ create: () => ({ summary: "s", evaluate() { throw new Error("blind"); } }) });`;
    const { code, forfeits } = await play({ mine, entrants: ["greedy:evaluator=./mine.ts", "random"] });
    expect({ code, count: forfeits.length }).toEqual({ code: 0, count: 4 });
    expect(forfeits[0]).toMatch(/^"greedy:evaluator=\.\/mine\.ts": Error: blind, at .*mine\.ts:\d+:\d+$/);
  });

  slowTest("is one in its own code: it forfeits", async () => {
    const mine = agent("if (count > 0) throw new Error('no idea');");
    const { code, forfeits } = await play({ mine, entrants: ["./mine.ts", "random"] });
    expect(code).toBe(0);
    expect(forfeits).toHaveLength(4);
    for (const one of forfeits)
      expect(one).toMatch(/^"\.\/mine\.ts": Error: no idea, at .*mine\.ts:\d+:\d+$/);
  });

  slowTest("is one of the game at an action that is not legal: it forfeits", async () => {
    const mine = agent("state.apply(17);");
    const change = [
      "this.left -= taken;",
      "if (taken > 3) throw new TypeError('no');\n    this.left -= taken;",
    ];
    const { code, forfeits } = await play({ change, mine, entrants: ["./mine.ts", "random"], threads: true });
    expect(code).toBe(0);
    expect(forfeits[0]).toMatch(/^"\.\/mine\.ts": TypeError: no, at .*\/matches\.ts:\d+:\d+$/);
    expect(forfeits).toHaveLength(4);
  });

  slowTest("is an InputError of the game, which refuses what is wrong", async () => {
    const mine = agent('game.parseState("nonsense");');
    const { code, forfeits } = await play({ mine, entrants: ["./mine.ts", "random"] });
    expect({ code, count: forfeits.length }).toEqual({ code: 0, count: 4 });
    expect(forfeits[0]).toContain('InputError: "nonsense" is not matches left');
  });

  slowTest("is one at the begin of a game", async () => {
    const mine = agent("").replace("({ choose", "({ newGame() { throw new Error('not today'); }, choose");
    const { code, forfeits } = await play({ mine, entrants: ["./mine.ts", "random"] });
    expect({ code, count: forfeits.length }).toEqual({ code: 0, count: 4 });
    expect(forfeits[0]).toMatch(/^"\.\/mine\.ts": Error: not today, at .*mine\.ts:\d+:\d+$/);
  });
});

slowTest("a game and an agent in one file are told apart", async () => {
  const both = (choose: string) =>
    `${MATCHES}\n${agent(choose).replace(/^import.*$/m, 'import { defineAgent } from "agon-arena";')}`;
  const dir = temporaryFolder();
  const file = writeInto(dir, "both.ts", both("throw new Error('mine');"));
  const out = join(dir, "run");
  const args = ["match", file, file, "random", "--blocks", "2", "--out", out, "--json"];
  expect(await agon(args)).toMatchObject({ code: 0 });
  const store = Store.openExisting(out);
  const details = store.records().map(({ detail }) => detail);
  expect(details).toHaveLength(4);
  for (const detail of details) expect(detail).toMatch(/^Error: mine, at .*both\.ts:\d+:\d+$/);
  store.close();
});
