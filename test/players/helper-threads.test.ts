import { join } from "node:path";
import process from "node:process";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Agent, AgentSpec, Decision, MakeHelpers, Turn } from "../../src/agents/agent.ts";
import { createRandom } from "../../src/base/random.ts";
import type { Game, State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { parseAgentSpec, readAgent } from "../../src/specs/agents.ts";
import { loadGame } from "../../src/specs/games.ts";
import { nim } from "../../src/games/nim/nim.ts";
import { randomPositions } from "../agents/play.ts";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

/*
 * Threads are started from what is built: build/players/helper-thread.js.
 */

let built: typeof import("../../src/specs/agents.ts");
beforeAll(async () => {
  built = (await import(new URL("../../build/specs/agents.js", import.meta.url).href)) as typeof built;
});

/** An agent with threads, and what its helpers reported of each decision. */
async function together(game: Game, text: string) {
  const { family, parts, budget } = await built.loadAgent(game, parseAgentSpec(text));
  const reports: (readonly unknown[])[] = [];
  const makeHelpers: MakeHelpers = <Report>(count: number, memory?: SharedArrayBuffer) => {
    const helpers = parts.makeHelpers!<Report>(count, memory);
    return {
      async during(task, decide) {
        const found = await helpers.during(task, decide);
        reports.push(found.reports);
        return found;
      },
    };
  };
  const agent: Agent = family.create({ ...parts, makeHelpers });
  const decide = async (state: State, turn: Partial<Turn> = {}): Promise<Decision> => {
    const copy = game.start();
    copy.copyFrom(state);
    const random = createRandom("threads", reports.length);
    return agent.choose(copy, { random, budget, clock: () => performance.now(), ...turn });
  };
  /** Has it decide until all of the helpers, which take a while to start, take part. */
  const warmUp = async (count: number) => {
    const deadline = performance.now() + 60_000;
    do await decide(game.start(), { budget: { timeMs: 50 } });
    while (reports.at(-1)!.length < count && performance.now() < deadline);
    expect(reports.at(-1)).toHaveLength(count);
  };
  return { decide, reports, warmUp, agent };
}

const EXACT = "quiescence=false,reductions=false,extensions=false,nullMove=false,futility=0";

describe("helpers in threads", () => {
  slowTest("of alpha-beta search the same position, and the value is that of one thread", async () => {
    const game = createGame("connect-four");
    const spec = `alpha-beta:depth=7,evaluator=threats,table=4,${EXACT}`;
    const { decide, reports, warmUp } = await together(game, `${spec},threads=3`);
    await warmUp(2);
    const alone = await together(game, spec);
    let helped = 0;
    for (const state of randomPositions(game, 8, { plies: 20 })) {
      const one = await alone.decide(state);
      const all = await decide(state);
      expect([all.value, all.pliesToEnd]).toEqual([one.value, one.pliesToEnd]);
      helped += (reports.at(-1) as number[]).reduce((sum, nodes) => sum + nodes, 0);
    }
    expect(helped).toBeGreaterThan(0);
  });

  slowTest("of mcts grow trees of their own, and all simulations count", async () => {
    const game = createGame("breakthrough");
    const { decide, reports, warmUp } = await together(game, "mcts:simulations=600,threads=3");
    await warmUp(2);
    const { nodes, ranking = [] } = await decide(game.start(), { ranked: 50 });
    const theirs = reports.at(-1) as { simulations: number }[];
    const all = theirs.reduce((sum, { simulations }) => sum + simulations, 200);
    expect(nodes).toBe(all);
    expect(ranking.reduce((sum, { visits }) => sum + visits!, 0)).toBe(all);
    expect(Math.max(...reports.map((found) => found.length))).toBe(2);
  });

  slowTest("help as long as the agent lives: a decision in time leaves no deadline behind", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const game = createGame("connect-four");
    const { decide, reports, warmUp } = await together(game, "mcts:timeMs=50,threads=2");
    await warmUp(1);
    const told = warnings();
    vi.advanceTimersByTime(60_000);
    await decide(game.start());
    expect([told, reports.at(-1)!.length]).toEqual([[], 1]);
  });

  slowTest("go to the position by the play that led to it, where its text does not tell all", async () => {
    const game = createGame("chess");
    const { decide, reports, warmUp } = await together(
      game,
      "alpha-beta:timeMs=50,table=1,evaluator=material,threads=2",
    );
    await warmUp(1);
    const state = game.start();
    const actions = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6".split(" ").map((text) => {
      const action = game.parseAction(text, state);
      state.apply(action);
      return action;
    });
    await decide(state, { played: () => ({ actions }) });
    expect(reports.at(-1)).toHaveLength(1);
  });

  slowTest("that come to another position do not help, which is told once", async () => {
    const game = createGame("connect-four");
    const { decide, reports, warmUp } = await together(game, "mcts:timeMs=50,threads=2");
    await warmUp(1);
    const told = warnings();
    for (let time = 0; time < 2; time++) {
      await decide(game.parseState("44"), { played: () => ({ actions: [3, 4] }) });
      expect(reports.at(-1)).toEqual([]);
    }
    await decide(game.parseState("44"), { played: () => ({ from: "4", actions: [3] }) });
    expect(reports.at(-1)).toHaveLength(1);
    expect(told).toEqual([
      "a thread of mcts does not help: it came to another position, as not all that led to it is known",
    ]);
  });
});

describe("threads are refused", () => {
  const refusal = (game: Game, spec: AgentSpec, sources = {}) => {
    try {
      readAgent(game, spec, sources);
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  const connectFour = createGame("connect-four");

  test("where the game is given as an object", async () => {
    const mine = { ...nim, id: "my-nim" };
    const objects = { games: { "my-nim": mine }, agents: {} };
    const game = await loadGame("my-nim", objects);
    const own = { ...game, id: "my-nim" };
    expect(refusal(own, { agent: "mcts", simulations: 10, threads: 2 })).toBe(
      "threads: must be 1 where a game is given as an object: threads can load files only",
    );
    expect(refusal(own, { agent: "mcts", simulations: 10, threads: 1 })).toBeUndefined();
  });

  test("where the evaluator is given as an object, and where nothing is shared", () => {
    const spec = { agent: "alpha-beta", depth: 3, evaluator: "none", threads: 2 };
    const evaluator = { evaluate: () => 0 };
    expect(refusal(connectFour, spec, { evaluator })).toBe(
      "threads: must be 1 here: no threads can be started",
    );
    expect(refusal(connectFour, { ...spec, table: 0 })).toBe(
      "threads: must be 1 where `table` is 0: what threads find they share in the table",
    );
    expect(refusal(connectFour, { ...spec, threads: 0 })).toBe("threads: must be at least 1, got 0");
    expect(refusal(connectFour, spec)).toBeUndefined();
  });
});

describe("a thread that fails", () => {
  /** An evaluator of the user's that does something in helpers' threads only. */
  const evaluator = (atLoading: string, atWork: string) => `
    import { workerData } from "node:worker_threads";
    const helps = workerData?.agent?.threads > 1;
    if (helps) { ${atLoading} }
    let evaluations = 0;
    export const evaluator = {
      create: () => ({
        summary: "counts",
        evaluate(state, player) {
          if (helps && ++evaluations > 100) { ${atWork} }
          return ((state.hashLow & 255) / 1024) * (player === 0 ? 1 : -1);
        },
      }),
    };
  `;
  const game = createGame("connect-four");
  const spec = (path: string) => `alpha-beta:depth=5,evaluator=${path},${EXACT},table=1`;

  const failures = [
    ["ends while it works", "", "process.exit(3);", "it ended with exit code 3"],
    ["throws while it works", "", 'throw new Error("tired");', "tired"],
    ["cannot be loaded", 'throw new Error("no such thing");', "", "no such thing"],
  ] as const;
  slowTest.each(failures)("%s: it is told once, and the agent goes on", async (_, atLoading, atWork, why) => {
    const path = writeInto(temporaryFolder(), "own.mjs", evaluator(atLoading, atWork));
    const told = warnings();
    const { decide, reports } = await together(game, `${spec(path)},threads=2`);
    const alone = await together(game, spec(path));
    const state = game.parseState("445");
    const { value } = await alone.decide(state);
    const deadline = performance.now() + 60_000;
    while (told.length === 0 && performance.now() < deadline) expect((await decide(state)).value).toBe(value);
    for (let time = 0; time < 3; time++) {
      expect((await decide(state)).value).toBe(value);
      expect(reports.at(-1)).toEqual([]);
    }
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`a thread of alpha-beta does not help: `);
    expect(told[0]).toContain(why);
  });

  slowTest("a thread that never comes keeps no decision and no process waiting", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "own.mjs", evaluator("for (;;);", ""));
    const agent = `${spec(path)},threads=2`;
    const { code, stdout, stderr } = await agon(["analyze", "connect-four", "--agent", agent, "--json"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ depth: 5 });
  });
});

slowTest("agents with threads play a tournament in workers, and its games are not played again", async () => {
  const dir = join(temporaryFolder(), "run");
  const agents = ["mcts:timeMs=5,threads=2", "alpha-beta:nodes=2000,threads=2,memory=game,table=1"];
  const line = ["match", "breakthrough", ...agents, "--blocks", "1", "--out", dir, "--quiet", "--json"];
  const { code, stdout } = await agon([...line, "--workers", "1"]);
  expect(code).toBe(0);
  const { games, entrants } = JSON.parse(stdout) as { games: number; entrants: { forfeits: number }[] };
  expect([games, ...entrants.map(({ forfeits }) => forfeits)]).toEqual([2, 0, 0]);
  const verified = await agon(["verify", dir, "--json"]);
  expect(JSON.parse(verified.stdout)).toMatchObject({ sampled: 2, verified: 0, differences: [] });
});

/** The texts of the warnings from now on to the end of the test. */
function warnings(): string[] {
  const texts: string[] = [];
  const hear = ({ message }: Error) => void texts.push(message);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  return texts;
}
