import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentSpec } from "../../../src/agents/agent.ts";
import { Referee, type GameResult, type Seat } from "../../../src/arena/play/referee.ts";
import { planTime } from "../../../src/arena/plan/time-control.ts";
import { HostedAgent } from "../../../src/players/hosted-agent.ts";
import { Uci } from "../../../src/players/uci/dialect.ts";
import { createGame } from "../../../src/games/index.ts";
import { loadAgent, locateAgent, planSpec } from "../../../src/specs/agents.ts";
import { uci } from "../../../src/games/chess/fen.ts";
import { engineTest, scriptedEngine } from "../../support/engines.ts";
import { everyFew, slow, slowTest } from "../../support/thorough.ts";

const chess = createGame("chess");

async function seatOf(spec: AgentSpec): Promise<Seat> {
  const prepared = await loadAgent(chess, spec);
  const agent = prepared.create();
  onTestFinished(() => agent.close?.());
  return { agent, budget: prepared.budget };
}

/** A scripted engine with a fault. */
const knights = (fault: string, ...args: string[]): AgentSpec => ({
  agent: "uci",
  command: scriptedEngine("uci-engine", fault, ...args),
  nodes: 100,
});

/** A game between a scripted engine with a fault, as white, and one without. */
async function playAgainst(spec: AgentSpec, limitMs = 20_000): Promise<GameResult> {
  const seats = [await seatOf(spec), await seatOf(knights("none"))];
  const referee = new Referee(chess, () => 0, { limitMs });
  return referee.play(seats, { id: "game", block: "block", opening: [], seed: "uci" });
}

/** The moves of a game as UCI writes them. */
function movesOf({ actions }: GameResult): string[] {
  return actions.map((action) => uci.formatAction(action, chess.start() as never));
}

describe("an engine", () => {
  test("plays by its moves, and tells its thoughts", async () => {
    const result = await playAgainst(knights("none"));
    expect(result).toMatchObject({ ending: "finished", returns: [0, 0], detail: "" });
    const round = ["g1f3", "g8f6", "f3g1", "f6g8"];
    // The third occurrence of the start.
    expect(movesOf(result)).toEqual([...round, ...round]);
    const [first, second] = result.thoughts;
    const line = ["g1f3", "g8f6"].map((move) => result.actions[movesOf(result).indexOf(move)]);
    expect(first).toMatchObject({ depth: 3, nodes: 120, line });
    expect(first!.value).toBeCloseTo(0.0718, 4);
    // The line of a move that was not played tells nothing.
    expect(second).toMatchObject({ depth: 3, nodes: 120, line: [] });
  });

  test.each(everyFew(["garbage", "twice", "echo"], 2))("with the habit %s plays on", async (habit) => {
    expect(await playAgainst(knights(habit))).toMatchObject({ ending: "finished", detail: "" });
  });

  slowTest("is told the position from which play began, and all moves since then", async () => {
    const { agent, budget } = await seatOf(knights("hangs"));
    const from = "4k3/8/8/8/8/8/4P3/4K2R w K - 0 1";
    const state = chess.parseState(from);
    const actions = ["e2e4", "e8d7"].map((text) => {
      const action = chess.parseAction(text, state);
      state.apply(action);
      return action;
    });
    const turn = { budget, random: undefined as never, clock: () => 0, limitMs: 300 };
    const told = agent.choose(state, { ...turn, played: () => ({ from, actions }) });
    await expect(told).rejects.toThrow(`> position fen ${from} moves e2e4 e8d7 | > go nodes 100`);
    const alone = agent.choose(state, { ...turn, budget: { depth: 3, timeMs: 0.2 } });
    await expect(alone).rejects.toThrow(
      "> position fen 8/3k4/8/8/4P3/8/8/4K2R w K - 1 2 | > go depth 3 movetime 1",
    );
  });
});

slowTest("an engine is told the clocks, and needs no budget then", async () => {
  const { nodes: _, ...spec } = knights("dies");
  const full = await planSpec(chess, spec as AgentSpec, { hasClocks: true });
  const prepared = await loadAgent(chess, full, { hasClocks: true });
  const seats = [0, 1].map(() => ({ agent: prepared.create(), budget: {} }));
  onTestFinished(() => seats.forEach(({ agent }) => agent.close?.()));
  const referee = new Referee(chess, () => 0, { limitMs: 20_000, time: planTime("10+0.1") });
  const { detail } = await referee.play(seats, { id: "clocks", block: "", opening: [], seed: "" });
  // Each has moved twice, in no time.
  expect(detail).toMatch(/> go wtime 10200 btime 10200 winc 100 binc 100$/);
});

test("an engine is told what was played, also after moves were taken back", async () => {
  const told: string[] = [];
  const [program = "", ...args] = scriptedEngine("uci-engine");
  const agent = new HostedAgent({
    command: {
      command: [program, ...args],
      onLine: (line) => void (line.startsWith("position") && told.push(line)),
    },
    showsDialogue: true,
    speak: (process) => new Uci(process, chess, { options: {} }),
  });
  onTestFinished(() => agent.close());
  const games = [" g1f3 g8f6", " g1f3 b8c6", "", " g1f3 b8c6 f3g1 c6b8", " g1f3 b8c6"];
  for (const moves of games) {
    const state = chess.start();
    const actions = moves
      .split(" ")
      .filter(Boolean)
      .map((move) => {
        const action = chess.parseAction(move, state);
        state.apply(action);
        return action;
      });
    const played = () => ({ actions });
    await agent.choose(state, { budget: { nodes: 1 }, random: undefined as never, clock: () => 0, played });
  }
  expect(told).toEqual(games.map((moves) => `position startpos${moves === "" ? "" : ` moves${moves}`}`));
});

describe("a fault is a forfeit with its reason:", () => {
  slowTest.each([
    ["dies", "worker died", /^its process ended: exit code 7; the last lines: .*> go nodes 100$/],
    ["floods", "exception", /^it said 100000 lines without bestmove; does it speak UCI\?; the last lines: /],
    ["endless", "exception", /^it said a line of more than 1000000 characters; the last lines: /],
    ["says e2e5", "illegal action", /^bestmove "e2e5" is no legal move in startpos; the last lines: /],
    ["says e7e5", "illegal action", /^bestmove "e7e5" is no legal move in startpos; /],
    ["says Nf3", "illegal action", /^bestmove "Nf3" is no legal move in startpos; /],
    [
      "says (none)",
      "illegal action",
      /^it said that it has no move \(bestmove \(none\)\), and there are legal ones/,
    ],
    [
      "says 0000",
      "illegal action",
      /^it said that it has no move \(bestmove 0000\), and there are legal ones/,
    ],
    [
      "says",
      "illegal action",
      /^it said that it has no move \(bestmove \), and there are legal ones in startpos/,
    ],
    [
      "leaves before",
      "worker died",
      /^no uciok from it, its process ended: exit code 3; does it speak UCI\?; /,
    ],
    ["babbles", "exception", /^it said 100000 lines without uciok; does it speak UCI\?; /],
  ] as const)("%s", async (deed, ending, detail) => {
    const [fault = "", ...args] = deed.startsWith("says") ? deed.split(" ") : [deed];
    const result = await playAgainst(knights(fault, ...args));
    expect(result).toMatchObject({ ending, forfeitSeat: 0, returns: [-1, 1] });
    expect(result.detail).toMatch(detail);
  });

  slowTest("hangs", async () => {
    const result = await playAgainst(knights("hangs"), 500);
    expect(result).toMatchObject({ ending: "time-out", forfeitSeat: 0 });
    expect(result.detail).toMatch(
      /^no action within 500 ms; the last lines: .*> position startpos \| > go nodes 100$/,
    );
  });

  test("a child that it leaves behind ends with it", async () => {
    const seconds = `${100_000 + Math.floor(performance.now())}.25`;
    const runs = () =>
      readdirSync("/proc").filter(
        (name) => /^\d+$/.test(name) && commandLineOf(name) === `/bin/sleep\0${seconds}\0`,
      );
    const { agent, budget } = await seatOf(knights("has a child", seconds));
    const turn = { budget, random: undefined as never, clock: () => 0 };
    await agent.choose(chess.start(), turn);
    while (runs().length === 0) await sleep(10);
    agent.close!();
    while (runs().length > 0) await sleep(10);
  });
});

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

describe("told before the first game:", () => {
  const plan = async (spec: AgentSpec, game = chess) => planSpec(game, spec, {});

  test("the plan of an engine that is right", async () => {
    const spec = { ...knights("none"), options: { hash: 64, style: "very risky", "Clear Hash": true } };
    expect(await plan(spec)).toEqual({ ...spec, restart: "on-crash" });
  });

  test("a program that is not there", async () => {
    await expect(plan({ agent: "uci", command: ["stokfish"], nodes: 1 })).rejects.toThrow(
      "command: there is no program stokfish on the PATH or in /usr/games",
    );
  });

  test("a command may be a text, whose relative paths start at the config's folder", () => {
    const { command } = locateAgent("uci:command=./engines/mine --book ../book.bin,nodes=5", "/games/chess");
    expect(command).toEqual(["/games/chess/engines/mine", "--book", "/games/book.bin"]);
    expect(locateAgent({ agent: "uci", command: ["./a b", "."] }, "/c")).toEqual({
      agent: "uci",
      command: ["/c/a b", "."],
    });
    // Another agent's option of that name is its own.
    expect(locateAgent({ agent: "./mine.ts", command: "./a b" }, "/c")).toMatchObject({ command: "./a b" });
  });

  test("options that it has not got, and values that it does not take", async () => {
    const options = { Hsh: 16, "Own Book": "yes", Hash: 4096, UCI_Chess960: true };
    await expect(plan({ ...knights("none"), options })).rejects.toThrow(
      'options.Hsh: unknown option of this engine: "Hsh" (did you mean "Hash"?); allowed: Hash, Style, Own Book, ' +
        "Clear Hash, Nalimov Path, UCI_Chess960\noptions.Own Book: must be true or false, got yes\n" +
        "options.Hash: must be a whole number from 1 to 1024, got 4096\n" +
        "options.UCI_Chess960: must be false in this game, got true",
    );
  });

  test("a game that is not chess, and a missing budget", async () => {
    await expect(plan(knights("none"), createGame("go"))).rejects.toThrow(
      "agent: uci cannot play go, which has no notation in UCI, the protocol of chess engines; agents that fit: ",
    );
    const { nodes: _, ...unlimited } = knights("none");
    await expect(plan(unlimited as AgentSpec)).rejects.toThrow("uci needs a budget: depth, nodes, timeMs");
    await expect(plan({ ...unlimited, simulations: 5 } as AgentSpec)).rejects.toThrow(
      'uci does not heed the budget "simulations"; it heeds depth, nodes, timeMs',
    );
  });

  test("a program of another protocol", async () => {
    await expect(plan(knights("leaves before"))).rejects.toThrow(
      "uci cannot be started: no uciok from it, its process ended: exit code 3; does it speak UCI?",
    );
  });
});

describe("Stockfish", () => {
  const stockfish = (nodes: number, options = {}): AgentSpec => ({
    agent: "uci",
    command: ["stockfish"],
    options: { Threads: 1, Hash: 1, ...options },
    nodes,
  });
  const play = async (specs: readonly AgentSpec[], id: string, opening: readonly number[] = []) => {
    const seats = [await seatOf(specs[0]!), await seatOf(specs[1]!)];
    const referee = new Referee(chess, () => 0, { limitMs: 60_000 });
    return referee.play(seats, { id, block: id, opening, seed: "stockfish" });
  };

  slow(engineTest("stockfish"))("mates a random player, which its thoughts foresee", async () => {
    for (const seat of [0, 1]) {
      const specs = [stockfish(2000), { agent: "random" }];
      const result = await play(seat === 0 ? specs : specs.toReversed(), `mate ${seat}`);
      expect([result.ending, result.returns[seat]]).toEqual(["finished", 1]);
      const its = result.thoughts.filter(({ nodes }) => nodes > 0);
      expect(its.every(({ depth = 0 }) => depth >= 1)).toBe(true);
      expect(its.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(result.nodes[seat]);
      expect(its.at(-1)!.value).toBeCloseTo(1, 5);
    }
  });

  slow(engineTest("stockfish"))("and a search of ours accept all moves of each other", async () => {
    const ours = { agent: "alpha-beta", depth: 2, evaluator: "piece-squares" };
    for (const game of Array(20).keys()) {
      const specs = [stockfish(100), ours];
      const result = await play(game % 2 === 0 ? specs : specs.toReversed(), `duel ${game}`);
      expect([result.ending, result.detail]).toEqual(["finished", ""]);
    }
  });

  slow(engineTest("stockfish"))("plays the same game again: nothing of the last one is left", async () => {
    const seats = [await seatOf(stockfish(200)), await seatOf(stockfish(100))];
    const referee = new Referee(chess, () => 0, { limitMs: 60_000 });
    const games: (readonly number[])[] = [];
    for (let game = 0; game < 2; game++)
      games.push((await referee.play(seats, { id: "same", block: "same", opening: [], seed: "x" })).actions);
    expect(games[1]).toEqual(games[0]);
  });
});
