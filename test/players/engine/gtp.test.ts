import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import type { Agent, Turn } from "../../../src/agents/agent.ts";
import { areaLead, GtpEngine } from "../../../src/players/engine/gtp.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { rowsOf, GtpConnection } from "../../../src/players/gtp/dialect.ts";
import { findProgram, PlayerProcess } from "../../../src/players/player-process.ts";
import { loadAgent, parseAgentSpec } from "../../../src/specs/agents.ts";
import { agon, MAIN } from "../../support/agon.ts";
import { engineTest } from "../../support/engines.ts";
import { playGame, seatOf } from "../../support/players.ts";
import { slowTest } from "../../support/thorough.ts";

const agonGtp = (...args: string[]) => [process.execPath, MAIN, "gtp", ...args];

async function createEngine(agent = "greedy:evaluator=area,ties=first", id = "go"): Promise<GtpEngine> {
  return GtpEngine.create({
    name: "agon",
    version: "1",
    seed: "seed",
    async prepare(options) {
      const set = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
      const game = createGame({ id, ...set });
      const prepared = await loadAgent(game, parseAgentSpec(agent));
      return { game, agent: prepared.create(), budget: prepared.budget };
    },
  });
}

/** The answers to some lines, without the empty line at their ends. */
async function answers(engine: GtpEngine, ...lines: string[]): Promise<string[]> {
  const all: string[] = [];
  for (const line of lines) all.push((await engine.hear(line)).trimEnd());
  return all;
}

describe("one of agon's agents as an engine of GTP", () => {
  test("answers with ids, and passes over comments and empty lines", async () => {
    const engine = await createEngine();
    expect(await engine.hear("protocol_version")).toBe("= 2\n\n");
    expect(await engine.hear("17 protocol_version")).toBe("=17 2\n\n");
    expect(await engine.hear("\tname # who?\r")).toBe("= agon\n\n");
    expect(await engine.hear("18 no_such_thing")).toBe("?18 unknown command\n\n");
    expect(await engine.hear("  # nothing")).toBe("");
    expect(await engine.hear("clear_board")).toBe("=\n\n");
    expect(engine.hasQuit).toBe(false);
    expect(await engine.hear("quit")).toBe("=\n\n");
    expect(engine.hasQuit).toBe(true);
  });

  test("lists the commands that it knows", async () => {
    const engine = await createEngine();
    const list = (await engine.hear("list_commands")).slice(2).trim().split("\n");
    const required = [
      "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove",
      "undo showboard final_score time_settings time_left reg_genmove",
    ];
    expect(list).toEqual(expect.arrayContaining(required.join(" ").split(" ")));
    for (const name of list) expect(await engine.hear(`known_command ${name}`)).toBe("= true\n\n");
    expect(await engine.hear("known_command loadsgf")).toBe("= false\n\n");
  });

  test("refuses in the words of the specification, and goes on", async () => {
    const engine = await createEngine();
    const refused = [
      ["boardsize 30", "unacceptable size"],
      ["boardsize", "syntax error"],
      ["komi much", "syntax error"],
      ["play black", "syntax error"],
      ["play green d4", "syntax error"],
      ["play black 4d", "syntax error"],
      ["play black i4", "illegal move"],
      ["genmove", "syntax error"],
      ["undo", "cannot undo"],
      ["time_left b", "syntax error"],
    ] as const;
    for (const [line, message] of refused) expect(await engine.hear(line)).toBe(`? ${message}\n\n`);
    expect(await answers(engine, "play b d4", "play w d4", "undo", "play w d4")).toEqual([
      "=",
      "? illegal move",
      "=",
      "=",
    ]);
  });

  test("takes back what it played, a pass of the other player included", async () => {
    const engine = await createEngine();
    await answers(engine, "boardsize 5", "play b c3", "play b d4", "genmove w", "undo", "undo");
    const board = await engine.hear("showboard");
    await answers(engine, "clear_board", "play b c3");
    expect(await engine.hear("showboard")).toBe(board);
    expect(board).toContain("1 moves played");
  });

  test("decides without playing, and plays on after a change of the komi", async () => {
    const engine = await createEngine();
    await answers(engine, "boardsize 5", "play b c3");
    const [one, two] = await answers(engine, "reg_genmove w", "genmove w");
    expect(one).toBe(two);
    expect(one).toMatch(/^= [A-E][1-5]$/);
    const before = await engine.hear("showboard");
    await engine.hear("komi 0.5");
    expect(await engine.hear("showboard")).toBe(before);
    expect(await answers(engine, "komi 100000", "showboard")).toEqual([
      "? unacceptable komi",
      before.trimEnd(),
    ]);
  });

  test("passes when the game is over", async () => {
    const engine = await createEngine();
    const lines = ["boardsize 5", "play b c3", "play w pass", "play b pass", "genmove w", "final_score"];
    expect((await answers(engine, ...lines)).slice(-2)).toEqual(["= pass", "= B+17.5"]);
  });

  slowTest("analyses until the next line", async () => {
    const engine = await createEngine("mcts:simulations=300,evaluator=area");
    await engine.hear("boardsize 5");
    const analysis = await engine.hear("lz-analyze b 50");
    expect(analysis).toMatch(/^= \ninfo move [A-E][1-5] visits \d+ winrate \d+ order 0 pv [A-E][1-5]/);
    expect(analysis.endsWith("\n\n")).toBe(false);
    expect(await engine.hear("name")).toBe("\n= agon\n\n");
  });

  test("tells its agent the clocks, and without them a budget", async () => {
    const turns: Turn[] = [];
    const game = createGame({ id: "go", size: 5 });
    const agent: Agent = {
      choose(_, turn) {
        turns.push(turn);
        return { action: 25, nodes: 0, line: [] };
      },
    };
    const prepare = async () => Promise.resolve({ game, agent, budget: {} });
    const engine = await GtpEngine.create({ name: "agon", version: "1", seed: "seed", prepare });
    const cases = [
      [[], undefined],
      [["time_settings 60 10 5"], { leftMs: 60_000, periods: 1, periodMs: 2000 }],
      [["time_left b 30 0"], { leftMs: 30_000, periods: 1, periodMs: 2000 }],
      [["time_left b 9 4"], { leftMs: 9000, movesToGo: 4 }],
      [["time_settings 60 0 0"], { leftMs: 60_000 }],
      [["time_settings 0 10 5"], { leftMs: 10_000, movesToGo: 5 }],
      [["time_settings 0 10 0"], undefined],
    ] as const;
    for (const [lines, clock] of cases) {
      await answers(engine, ...lines, "reg_genmove b");
      const { clocks, budget } = turns.at(-1)!;
      const expected =
        clock === undefined ? [undefined, { timeMs: 1000 }] : [{ incrementMs: 0, ...clock }, {}];
      expect([lines, clocks?.[0], budget]).toEqual([lines, ...expected]);
    }
  });

  test("tells a fault of its agent, and goes on", async () => {
    const game = createGame({ id: "go", size: 5 });
    const agent: Agent = {
      choose() {
        throw new Error("tired\nand hungry");
      },
    };
    const prepare = async () => Promise.resolve({ game, agent, budget: {} });
    const engine = await GtpEngine.create({ name: "agon", version: "1", seed: "seed", prepare });
    const found = [await engine.hear("genmove b"), await engine.hear("play b c3")];
    expect(found).toEqual([expect.stringMatching(/^\? [^\n]*tired[^\n]*\n\n$/), "=\n\n"]);
  });

  test("plays othello", async () => {
    const engine = await createEngine("greedy:evaluator=mobility-stability", "othello");
    const found = await answers(engine, "boardsize 8", "komi 6.5", "final_score", "genmove b", "final_score");
    expect(found).toEqual(["=", "=", "= 0", expect.stringMatching(/^= [A-H][1-8]$/), "= B+3"]);
  });
});

describe("area", () => {
  test("is that of the rules at the ends of random games", () => {
    for (const size of [5, 9]) {
      const game = createGame({ id: "go", size, komi: 0 });
      for (let seed = 0; seed < 40; seed++) {
        const random = createRandom("area", seed);
        const state = game.start();
        while (state.toMove !== TERMINAL) {
          const actions = possibleActions(game, state);
          state.apply(actions[random.below(actions.length)]!);
        }
        expect(Math.sign(areaLead(rowsOf(game.formatState(state), size)))).toBe(state.returns(0));
      }
    }
  });

  test("counts empty regions for the one colour that they touch", () => {
    expect(areaLead(rowsOf("3X1/3X1/3XX/OOXX1/1OX2 b - 0 0", 5))).toBe(7 + 2 + 3 - (3 + 1));
    expect(areaLead(rowsOf("5/5/5/5/5 b", 5))).toBe(0);
  });
});

describe("both sides of GTP", () => {
  const agents = [
    "alpha-beta:depth=1,evaluator=area,ties=first",
    "greedy:evaluator=area,ties=first",
  ] as const;

  slowTest("play the game that is played in this thread", async () => {
    const game = createGame({ id: "go", size: 7, komi: 5.5, repetition: "play-on" });
    const here = await Promise.all(agents.map(async (agent) => seatOf(game, parseAgentSpec(agent))));
    const there = await Promise.all(
      agents.map(async (agent) => seatOf(game, { agent: "gtp", command: agonGtp("--agent", agent) })),
    );
    for (const id of ["first", "second"]) {
      const { actions, ending } = await playGame(game, here, { id });
      expect(ending).toBe("finished");
      expect((await playGame(game, there, { id })).actions).toEqual(actions);
    }
  });

  slowTest("play othello, with its passes", async () => {
    const game = createGame({ id: "othello", size: 4 });
    const spec = "alpha-beta:depth=2,evaluator=weighted-squares,ties=first";
    const command = agonGtp("--game", "othello", "--agent", spec);
    const there = await seatOf(game, { agent: "gtp", command });
    const here = await seatOf(game, parseAgentSpec("random"));
    let passes = 0;
    for (let id = 0; id < 10; id++) {
      const { actions, ending } = await playGame(game, [there, here], { id: String(id) });
      expect(ending).toBe("finished");
      passes += actions.filter((action) => game.formatAction(action, game.start()) === "pass").length;
    }
    expect(passes).toBeGreaterThan(0);
  });

  slowTest("a game that GTP cannot carry is refused", async () => {
    const { code, stderr } = await agon(["gtp", "--game", "chess", "--agent", "random"]);
    expect([code, stderr.trim()]).toEqual([2, "GTP carries go and othello, not chess"]);
  });

  engineTest("gnugo")("agree with GNU Go on what is refused", async () => {
    const child = new PlayerProcess({ command: [findProgram("gnugo")!, "--mode", "gtp"] });
    onTestFinished(() => child.kill());
    const gnugo = new GtpConnection(child);
    const engine = await createEngine();
    const lines = [
      "boardsize 7; clear_board; komi 7.5; foo; undo; boardsize 99; play b d4; play w d4; play w pass; play b h1",
      "known_command genmove; known_command foo; protocol_version; play b; time_settings 60 10 1; time_left b 10 1",
      "play black G7; undo; komi; final_score 1 2",
    ];
    for (const line of lines.join("; ").split("; ")) {
      const { succeeded, text } = await gnugo.ask(line);
      const ours = await engine.hear(line);
      expect([line, ours[0]]).toEqual([line, succeeded ? "=" : "?"]);
      const isCommon = !succeeded && !/^(invalid|komi|bad)/i.test(text) && line !== "play b";
      if (isCommon) expect(ours).toBe(`? ${text}\n\n`);
    }
  });
});
