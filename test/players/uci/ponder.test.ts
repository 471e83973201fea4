import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentSpec, Budget, SeatClock } from "../../../src/agents/agent.ts";
import { planTime } from "../../../src/arena/plan/time-control.ts";
import { Referee } from "../../../src/arena/play/referee.ts";
import { createRandom } from "../../../src/base/random.ts";
import { uci } from "../../../src/games/chess/fen.ts";
import { createGame } from "../../../src/games/index.ts";
import { HostedAgent } from "../../../src/players/hosted-agent.ts";
import { Uci } from "../../../src/players/uci/dialect.ts";
import { planSpec } from "../../../src/specs/agents.ts";
import { engineTest, scriptedEngine } from "../../support/engines.ts";
import { slow, slowTest } from "../../support/thorough.ts";

const chess = createGame("chess");
const random = createRandom("ponder");
const game = { id: "game", seat: 0, random, limitMs: 20_000 };

/** An engine that ponders, and the commands that it is told after its greeting. */
function pondering([program = "", ...args]: readonly string[], options = {}) {
  const told: string[] = [];
  const onLine = (line: string, from: string) => {
    if (from === "said" && /^(position|go|ponderhit|stop|ucinewgame)/.test(line)) told.push(line);
  };
  const agent = new HostedAgent({
    command: { command: [program, ...args], onLine },
    showsDialogue: false,
    speak: (process) => new Uci(process, chess, { options, ponder: true }),
  });
  onTestFinished(() => agent.close());
  /** Has it decide after these moves; each look at the clock is 100 ms after the last one. */
  let nowMs = 0;
  const decide = async (moves: string, limits: { budget?: Budget; clocks?: readonly SeatClock[] }) => {
    const state = chess.start();
    const actions = moves.split(" ").flatMap((move) => {
      if (move === "") return [];
      const action = chess.parseAction(move, state);
      state.apply(action);
      return action;
    });
    const turn = { random, budget: {}, ...limits, clock: () => (nowMs += 100), played: () => ({ actions }) };
    const { action } = await agent.choose(state, turn);
    return uci.formatAction(action, state as never);
  };
  return { agent, decide, told };
}

const knights = (fault = "ponders") => scriptedEngine("uci-engine", fault);
const clock = (leftMs: number) => ({ leftMs, incrementMs: 20, movesToGo: 5 });

describe("an engine that ponders", () => {
  test("goes on with its search if its guess is played, and else begins another one", async () => {
    const { agent, decide, told } = pondering(knights());
    const clocks = [clock(1000), clock(900)];
    const next = () => told.splice(0);
    const go = "wtime 1000 btime 900 winc 20 binc 20 movestogo 5";
    const goPonder = "go ponder wtime 920 btime 900 winc 20 binc 20 movestogo 4";
    await agent.newGame(game);
    await decide("", { clocks });
    expect(next()).toEqual([
      "ucinewgame",
      "position startpos",
      `go ${go}`,
      "position startpos moves g1f3 g8f6",
      goPonder,
    ]);
    await decide("g1f3 g8f6", { clocks });
    expect(next()).toEqual(["ponderhit", "position startpos moves g1f3 g8f6 f3g1 f6g8", goPonder]);
    // The reply that it expects next is not legal.
    await decide("g1f3 g8f6 f3g1 b8c6", { clocks });
    const other = ["position startpos moves g1f3 g8f6 f3g1 b8c6", `go ${go}`];
    expect(next()).toEqual(["stop", ...other]);
    await decide("g1f3 g8f6 f3g1 b8c6 g1f3 c6b8", { clocks });
    expect(next()[0]).toBe("position startpos moves g1f3 g8f6 f3g1 b8c6 g1f3 c6b8");
  });

  test("stops when the game is over, and is asked for the next one when it has", async () => {
    const { agent, decide, told } = pondering(knights());
    for (const newGame of [() => agent.endGame([0, 0], []), () => {}]) {
      await agent.newGame(game);
      await decide("", { budget: { timeMs: 50 } });
      expect(told.splice(0).at(-1)).toBe("go ponder movetime 50");
      newGame();
      await agent.newGame(game);
      expect(told.splice(0)).toEqual(["stop", "ucinewgame"]);
    }
  });

  test("does so in games only, and with a limit of time", async () => {
    const { agent, decide, told } = pondering(knights());
    await decide("", { budget: { timeMs: 50 } });
    await agent.newGame(game);
    await decide("", { budget: { nodes: 50 } });
    expect(told.filter((line) => line.startsWith("go"))).toEqual(["go movetime 50", "go nodes 50"]);
  });

  slowTest("forfeits if it dies meanwhile, and plays the next game", async () => {
    const { agent, decide } = pondering(knights("ponders and dies"));
    const limits = { budget: { timeMs: 50 } };
    await agent.newGame(game);
    await decide("", limits);
    await expect(decide("g1f3 g8f6", limits)).rejects.toThrow("its process ended: exit code 7");
    await agent.newGame(game);
    expect(await decide("", limits)).toBe("g1f3");
  });

  slowTest("is planned with a limit of time, where the engine has the option", async () => {
    const spec: AgentSpec = { agent: "uci", command: knights(), ponder: true };
    const plan = async (limits: object, hasClocks = false) =>
      planSpec(chess, { ...spec, ...limits }, { hasClocks });
    expect(await plan({ timeMs: 5 })).toMatchObject({ ponder: true, timeMs: 5 });
    expect(await plan({}, true)).toMatchObject({ ponder: true });
    await expect(plan({ nodes: 5 })).rejects.toThrow(
      "ponder: needs timeMs or a clock (`time`): a search limited by nodes or depth gains nothing from its opponent's time",
    );
    await expect(plan({ command: knights("none"), timeMs: 5 })).rejects.toThrow(
      "ponder: this engine has no option Ponder: it cannot think in its opponent's time",
    );
  });
});

slow(engineTest("stockfish"))("Stockfish ponders, and finds the moves that are played", async () => {
  const options = { Threads: 1, Hash: 1 };
  const engines = [0, 1].map(() => pondering(["/usr/games/stockfish"], options));
  const seats = engines.map(({ agent }) => ({ agent, budget: {} }));
  // On a busy machine no flag falls.
  const time = planTime({ main: 0.5, increment: 0.02, margin: 3600 });
  const referee = new Referee(chess, () => performance.now(), { limitMs: 60_000, time });
  for (const id of ["first", "second"]) {
    const { ending } = await referee.play(seats, { id, block: "", opening: [], seed: "" });
    expect(ending).toBe("finished");
    for (const { told } of engines) {
      const counts = (begin: string) => told.filter((line) => line.startsWith(begin)).length;
      expect(counts("ponderhit")).toBeGreaterThan(5);
      expect(counts("ponderhit") + counts("stop")).toBe(counts("go ponder"));
      told.length = 0;
    }
  }
});
