import { describe, expect, onTestFinished, test } from "vitest";
import type { HostedAgent } from "../../../src/players/hosted-agent.ts";
import type { Seat } from "../../../src/arena/play/referee.ts";
import { createGame } from "../../../src/games/index.ts";
import { planSpec } from "../../../src/specs/agents.ts";
import { Gtp } from "../../../src/players/gtp/dialect.ts";
import { PlayerProcess } from "../../../src/players/player-process.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { scriptedEngine } from "../../support/engines.ts";
import { playGame, seatOf } from "../../support/players.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const go = createGame({ id: "go", size: 5, moveLimit: 12 });

async function engine(game: Game, ...args: string[]): Promise<Seat> {
  return seatOf(game, { agent: "gtp", command: scriptedEngine("gtp-engine", ...args) });
}

/** Plays a game between an engine, which is black, and one that plays the first empty point. */
async function play(game: Game, ...args: string[]) {
  const seats = [await engine(game, ...args), await engine(game)];
  return playGame(game, seats);
}

describe("an engine that speaks GTP", () => {
  test("is told the other's moves and plays its own", async () => {
    const { ending, actions } = await play(go);
    expect(ending).toBe("finished");
    expect(actions).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test("passes, in any case of its letters", async () => {
    const { ending, actions } = await play(go, "passes");
    expect([ending, actions]).toEqual(["finished", [25, 0, 25, 1, 25, 2, 25, 3, 25, 4, 25, 5]]);
  });

  test("is brought to an earlier position, to another game, and to the next one", async () => {
    const { agent } = await engine(go);
    const random = undefined as never;
    const choose = async (actions: readonly number[], from?: string) => {
      const state = from === undefined ? go.start() : go.parseState(from);
      for (const action of actions) state.apply(action);
      const { action } = await agent.choose(state, {
        random,
        budget: {},
        clock: () => 0,
        played: () => ({ actions, ...(from !== undefined && { from }) }),
      });
      return action;
    };
    expect(await choose([])).toBe(0);
    expect(await choose([0, 1])).toBe(2);
    expect(await choose([0])).toBe(1);
    expect(await choose([1, 0])).toBe(2);
    expect(await choose([])).toBe(0);
    await agent.newGame?.();
    expect(await choose([0, 1, 2])).toBe(3);
    expect(await choose([0, 1], go.formatState(go.start()))).toBe(2);
    const later = "5/5/5/2O2/X4 b - 0 2";
    expect(await choose([], later)).toBe(1);
    expect(await choose([1, 2], later)).toBe(3);
    expect(await choose([0])).toBe(1);
  });

  test.each(
    everyFew(
      [
        ["dies", ["dies"], "worker died", "its process ended: exit code 3"],
        ["resigns", ["resigns"], "illegal action", "it resigned, which is a loss"],
        [
          "plays nonsense",
          ["says", "two", "words"],
          "illegal action",
          '"two words" is no move; a move is d4, pass or resign',
        ],
        ["plays off the board", ["says", "Z9"], "illegal action", "z9"],
        ["answers with nothing", ["says"], "illegal action", '"" is no move'],
      ],
      2,
    ),
  )("that %s forfeits", async (_, args, ending, detail) => {
    const result = await play(go, ...args);
    expect([result.ending, result.forfeitSeat, result.returns]).toEqual([ending, 0, [-1, 1]]);
    expect(result.detail).toContain(detail);
    expect(result.detail).toContain("the last lines: ");
  });

  test("that plays an occupied point forfeits, with the reason", async () => {
    const { ending, detail, actions } = await play(go, "says", "a1");
    expect([ending, actions]).toEqual(["illegal action", [0, 1]]);
    expect(detail).toContain('"a1" is not possible here: a1 is occupied');
  });

  test("that refuses a legal move forfeits, with the rules of the game", async () => {
    const { ending, detail } = await play(go, "refuses");
    expect(ending).toBe("exception");
    expect(detail).toContain(
      'it refuses the legal move "white b1": illegal move; the rules here are ko: simple, repetition: draw, suicide: false',
    );
  });

  slowTest("that hangs forfeits in time", async () => {
    const seats = [await engine(go, "hangs"), await engine(go)];
    const agent = seats[0]!.agent as HostedAgent;
    await agent.start();
    const { ending, detail } = await playGame(go, seats, { limitMs: 500 });
    expect(ending).toBe("time-out");
    expect(detail).toContain("no action within 500 ms");
  });
});

test.each(
  everyFew(
    [
      [{ leftMs: 60_900, incrementMs: 0 }, "60 0 0", "60 0"],
      [{ leftMs: 60_000, incrementMs: 2000 }, "60 0 0", "60 0"],
      [{ leftMs: 60_000, incrementMs: 0, movesToGo: 40 }, "0 60 40", "60 40"],
      [{ leftMs: 60_000, incrementMs: 0, periods: 3, periodMs: 5000 }, "60 5 1", "60 0"],
      [{ leftMs: 0, incrementMs: 0, periods: 1, periodMs: 5500 }, "0 5 1", "5 1"],
    ],
    2,
  ),
)("the clock %j is told once as %s, and then as %s", async (clock, settings, left) => {
  const told: string[] = [];
  const [program, ...args] = scriptedEngine("gtp-engine");
  const process = new PlayerProcess({
    command: [program!, ...args],
    onLine: (line, from) => void (from === "said" && line.startsWith("time") && told.push(line)),
  });
  onTestFinished(() => process.kill());
  const dialect = new Gtp(process, go);
  await dialect.greet();
  const turn = { random: undefined as never, budget: {}, clock: () => 0 };
  for (const clocks of [[clock, clock], [clock, clock], undefined]) {
    if (clocks === undefined) await dialect.newGame(undefined);
    await dialect.decide(go.start(), { ...turn, ...(clocks && { clocks }) });
  }
  const both = [`time_left black ${left}`, `time_left white ${left}`];
  // The same position again is another game.
  const once = [`time_settings ${settings}`, ...both];
  expect(told).toEqual([...once, ...once]);
});

describe("before the first game", () => {
  const refusal = async (game: Game, ...args: string[]) =>
    refusalOf(game, { command: scriptedEngine("gtp-engine", ...args) });
  const refusalOf = async (game: Game, options: Record<string, unknown>) => {
    try {
      await planSpec(game, { agent: "gtp", ...options }, {});
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };

  test("an engine that fits is accepted", async () => {
    expect(await refusal(createGame("go"))).toBeUndefined();
    expect(await refusal(createGame("othello"))).toBeUndefined();
  });

  test.each([
    [["uci"], '"info string unknown command protocol_version" is no answer of GTP to "protocol_version"'],
    [["old"], 'it speaks version "1" of GTP; this program speaks 2'],
    [["small"], "Scripted refuses a board of size 13: unacceptable size"],
    [["endless"], 'its answer to "protocol_version" has more than 5000 lines'],
    [["flood"], 'it speaks version "" of GTP'],
  ])("%s", async (args, message) => {
    expect(await refusal(createGame({ id: "go", size: 13 }), ...args)).toContain(message);
  });

  test("a game that GTP cannot carry is refused", async () => {
    expect(await refusal(createGame("chess"))).toContain(
      "gtp cannot play chess, which has moves that GTP cannot carry; agents that fit: ",
    );
  });

  test("commands that the engine lacks, or refuses, are told", async () => {
    const command = scriptedEngine("gtp-engine");
    expect(await refusalOf(go, { command, commands: ["level 3"] })).toBeUndefined();
    expect(await refusalOf(go, { command, commands: ["levl 3"] })).toContain(
      'Scripted: unknown command of GTP "levl" (did you mean "level"?); allowed: protocol_version,',
    );
    expect(await refusalOf(go, { command, commands: ["level"] })).toContain(
      'Scripted refuses the command "level": syntax error',
    );
    expect(await refusalOf(go, { command, commands: ["level 3\nquit"] })).toContain("commands[0]");
  });

  test("a program that is not there is told", async () => {
    expect(await refusalOf(go, { command: ["gnugoo"] })).toContain("there is no program gnugoo on the PATH");
  });
});
