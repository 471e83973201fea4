import process from "node:process";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentSpec } from "../../../../src/agents/agent.ts";
import { createGame } from "../../../../src/games/index.ts";
import { uci } from "../../../../src/games/chess/fen.ts";
import { parseOption } from "../../../../src/players/uci/options.ts";
import { agon, fixture, MAIN, startAgon, temporaryFolder, writeInto } from "../../../support/agon.ts";
import { engineTest } from "../../../support/engines.ts";
import { playGame, seatOf } from "../../../support/players.ts";
import { slow, slowTest } from "../../../support/thorough.ts";

const chess = createGame("chess");
/** An agent that throws. */
const TIRED = `
  import { defineAgent, z } from "agon-arena";
  export const agent = defineAgent({
    id: "tired", summary: "throws", options: z.strictObject({}), budgets: [], unsupported: () => undefined,
    create: () => ({ choose() { throw new Error("tired"); } }),
  });
`;
const QUICK = "alpha-beta:evaluator=piece-squares,ties=first";

/** `agon uci`, spoken to line by line. It ends with the test. */
function startEngine(agent: string) {
  const { child, outcome } = startAgon(["uci", "--agent", agent]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
  const say = (...commands: string[]) =>
    void child.stdin!.write(commands.map((line) => `${line}\n`).join(""));
  /** All lines up to the first that begins with the word. */
  const until = async (word: string) => {
    const heard: string[] = [];
    while (heard.at(-1)?.split(" ")[0] !== word) {
      const next = await lines.next();
      if (next.done === true) throw new Error(`it ended: ${heard.join("\n")}`);
      heard.push(next.value);
    }
    return heard;
  };
  return { say, until, outcome, close: () => child.stdin!.end() };
}

describe("agon uci", () => {
  test("introduces itself, with the options of its agent", async () => {
    const { stdout, code } = await agon(["uci", "--agent", QUICK], { input: "uci\nnonsense\n\nquit\n" });
    const lines = stdout.trim().split("\n");
    expect([code, lines.at(-1)]).toEqual([0, "uciok"]);
    expect(lines[0]).toMatch(/^id name agon [\d.]+ alpha-beta$/);
    const options = lines.map(parseOption).filter((option) => option !== undefined);
    expect(options).toHaveLength(lines.length - 3);
    expect(options).toContainEqual({ name: "Hash", type: "spin", default: "16", min: 1, max: 8192 });
    expect(options).toContainEqual({ name: "Threads", type: "spin", default: "1", min: 1, max: 64 });
    expect(options).toContainEqual({ name: "evaluator", type: "string", default: "piece-squares" });
    expect(options).toContainEqual({
      name: "ties",
      type: "combo",
      default: "first",
      values: ["random", "first"],
    });
    expect(options).toContainEqual({
      name: "nullMove",
      type: "combo",
      default: "auto",
      values: ["auto", "true", "false"],
    });
    expect(options).toContainEqual({ name: "solve", type: "check", default: "false" });
    expect(options).toContainEqual({ name: "futility", type: "string", default: "auto" });
  });

  slowTest.each(["mcts:simulations=50", "greedy:evaluator=shannon", "random", fixture("agents/last.mjs")])(
    "%s plays, whatever the limits are",
    async (agent) => {
      const { say, until, close, outcome } = startEngine(agent);
      for (const limits of ["depth 1", "nodes 20", "movetime 5", "wtime 100 btime 100", "mate 1", ""]) {
        say("ucinewgame", "position startpos moves e2e4 c7c5", `go ${limits}`);
        const answer = (await until("bestmove")).at(-1)!.split(" ")[1]!;
        expect(uci.parseAction(answer, chess.parseState("startpos moves e2e4 c7c5") as never)).toBeDefined();
      }
      close();
      expect((await outcome).code).toBe(0);
    },
  );

  slowTest("is ready while it thinks, stops when it is told to, and only then", async () => {
    const { say, until } = startEngine(QUICK);
    say("position startpos", "go infinite");
    await until("info");
    say("isready", "go depth 1");
    expect((await until("readyok")).some((line) => line.startsWith("bestmove"))).toBe(false);
    say("stop", "stop");
    const heard = await until("bestmove");
    expect(heard).toContain("info string it thinks already: stop comes first");
    // The search is over at once, and the answer waits.
    say("position fen 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "go infinite");
    expect((await until("info")).at(-1)).toMatch(/^info depth 1 score mate 1 .* pv d1d8$/);
    say("isready");
    expect((await until("readyok")).some((line) => line.startsWith("bestmove"))).toBe(false);
    say("stop");
    expect(await until("bestmove")).toEqual(["bestmove d1d8"]);
  });

  slowTest("stops a search that has not begun yet", async () => {
    const { say, until } = startEngine(QUICK);
    for (const limits of ["infinite", "ponder wtime 9000 btime 9000", "wtime 1000000 btime 1000000"]) {
      say("position startpos", `go ${limits}`, "stop");
      expect((await until("bestmove")).at(-1)).toMatch(/^bestmove [a-h][1-8][a-h][1-8]/);
    }
  });

  slowTest("ponders until the move is played or another one", async () => {
    const { say, until } = startEngine(QUICK);
    say("position startpos moves e2e4 e7e5", "go ponder wtime 200 btime 200");
    await until("info");
    say("ponderhit");
    await until("bestmove");
    say("go ponder depth 2", "isready");
    expect((await until("readyok")).some((line) => line.startsWith("bestmove"))).toBe(false);
    say("ponderhit");
    expect((await until("bestmove")).at(-1)).toMatch(/^bestmove [a-h][1-8][a-h][1-8] ponder /);
  });

  slowTest("tells depth, score, nodes, time and line; with MultiPV of several moves", async () => {
    const { say, until } = startEngine(QUICK);
    const INFO =
      /^info depth \d+ (multipv \d+ )?score (cp -?\d+|mate -?\d+) nodes \d+ nps \d+ time \d+ pv( [a-h][1-8][a-h][1-8]\w?)+$/;
    say("position startpos", "go depth 3");
    const [first, second, third, ...rest] = await until("bestmove");
    expect(rest).toHaveLength(1);
    for (const line of [first, second, third]) expect(line).toMatch(INFO);
    say("setoption name multipv value 3", "go depth 2");
    const ranked = (await until("bestmove")).slice(0, -1);
    expect(ranked.map((line) => INFO.exec(line)?.[1])).toEqual(
      [1, 2, 3, 1, 2, 3].map((number) => `multipv ${number} `),
    );
    // Mated in two, and by whom it does not matter.
    say("setoption name MultiPV value 1", "position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "go depth 4");
    expect((await until("bestmove")).at(-1)).toBe("bestmove (none)");
    say("position fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1", "go depth 4");
    expect((await until("bestmove")).at(-2)).toMatch(/score mate -1 /);
  });

  slowTest("chooses the best of searchmoves", async () => {
    const { say, until } = startEngine(QUICK);
    // The queen on e5 hangs: one of the moves takes it.
    say("position fen 4k3/8/8/4q3/3P4/8/8/3K3R w - - 0 1", "go depth 3");
    expect((await until("bestmove")).at(-1)).toMatch(/^bestmove d4e5/);
    say("go searchmoves h1h8 d1d2 d1d4 depth 3");
    const said = await until("bestmove");
    expect(said[0]).toBe("info string searchmoves: d1d4 is not legal");
    const firsts = said.flatMap((line) => / pv (\w+)/.exec(line)?.[1] ?? []);
    expect(firsts.length).toBeGreaterThan(0);
    for (const move of [...firsts, said.at(-1)!.split(" ")[1]!]) expect(["h1h8", "d1d2"]).toContain(move);
    const { say: tell, until: hear } = startEngine("random");
    tell("position startpos", "go searchmoves a2a3");
    expect((await hear("bestmove")).at(-1)).toBe("bestmove a2a3");
  });

  slowTest("options change the agent; wrong ones are told and change nothing", async () => {
    const { say, until } = startEngine(QUICK);
    say("setoption name Hash value 1", "setoption name EVALUATOR value material", "uci");
    const options = (await until("uciok")).join("\n");
    expect(options).toContain("option name Hash type spin default 1 min 1");
    expect(options).toContain("option name evaluator type string default material");
    say("position startpos", "go depth 1");
    expect((await until("bestmove"))[0]).toMatch(/score cp 0 /);
    say("setoption name evaluator value piece-square", "setoption name Hash value 0");
    say("setoption name Hsh value 3", "setoption name futility value much", "isready", "go depth 1");
    expect(await until("readyok")).toEqual([
      expect.stringMatching(
        /^info string evaluator: unknown evaluator "piece-square" \(did you mean "piece-squares"\?\)/,
      ),
      "info string option Hash does not take 0",
      "info string no such option: Hsh",
      expect.stringMatching(/^info string futility: must be /),
      "readyok",
    ]);
    expect((await until("bestmove"))[0]).toMatch(/score cp 0 /);
  });

  slowTest(
    "wrong positions are told; after a draw by counting, and in dead positions, it plays on",
    async () => {
      const { say, until } = startEngine(QUICK);
      say("position startpos moves e2e5", "go depth 1");
      expect(await until("bestmove")).toEqual([
        'info string move 1, "e2e5", is not legal in startpos',
        "info string there is no position: the last one could not be read",
        "bestmove 0000",
      ]);
      const knights = "g1f3 g8f6 f3g1 f6g8";
      say(`position startpos moves ${knights} ${knights} ${knights}`, "go depth 2");
      expect((await until("bestmove")).at(-1)).toMatch(/^bestmove [a-h]/);
      say("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "go depth 2");
      expect((await until("bestmove")).at(-1)).toBe("bestmove e1d1");
    },
  );

  slowTest(
    "what other programs send is read: unknown words, counters from 0, capitals, rights that are none",
    async () => {
      const { say, until } = startEngine(QUICK);
      say("joho isready");
      expect(await until("readyok")).toEqual(["readyok"]);
      say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 0 moves", "go depth 2");
      expect((await until("bestmove")).at(-1)).toBe("bestmove d1d8");
      say("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8Q", "go depth 1");
      expect((await until("bestmove")).at(-1)).toMatch(/^bestmove h7[gh][67]/);
      say("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4", "isready");
      expect(await until("readyok")).toEqual(["readyok"]);
      say("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w KQ - 0 1", "go depth 2");
      expect((await until("bestmove"))[0]).toBe(
        "info string castling KQ is no right there: king or rook is not at home",
      );
    },
  );

  slowTest("quit and the end of input end it, also while it thinks", async () => {
    for (const end of ["quit", ""]) {
      const { say, until, close, outcome } = startEngine(QUICK);
      say("position startpos", "go infinite");
      await until("info");
      if (end !== "") say(end);
      else close();
      const { code, stdout } = await outcome;
      expect([code, stdout.trim().split("\n").at(-1)]).toEqual([0, expect.stringMatching(/^bestmove /)]);
    }
  });

  slowTest("a search whose thread is still starting has an answer before the end", async () => {
    const { stdout } = await agon(["uci", "--agent", QUICK], {
      input: "position startpos\ngo depth 1\nquit\n",
    });
    expect(stdout.trim().split("\n").at(-1)).toMatch(/^bestmove /);
  });

  slowTest("with UCI_Chess960 castling is the king's move to its rook, and without it no more", async () => {
    const { say, until } = startEngine(QUICK);
    const position = "position fen 4k3/8/8/8/8/8/8/R1K4R w HA - 0 1";
    say("setoption name UCI_Chess960 value true", position, "go depth 1 searchmoves c1h1");
    expect((await until("bestmove")).at(-1)).toMatch(/^bestmove c1h1/);
    say(`${position} moves c1a1 e8e7`, "go depth 1 searchmoves d1d2");
    expect((await until("bestmove")).at(-1)).toMatch(/^bestmove d1d2/);
    say("setoption name UCI_Chess960 value false", `${position} moves c1a1`, "go depth 1");
    expect(await until("bestmove")).toContainEqual(
      expect.stringMatching(/info string .*c1a1.* is not legal/),
    );
  });

  slowTest("an agent that throws has no move, and says why", async () => {
    const { say, until } = startEngine(writeInto(temporaryFolder(), "tired.mjs", TIRED));
    say("position startpos", "go nodes 5");
    expect(await until("bestmove")).toEqual([
      expect.stringMatching(/^info string the agent failed in rnbqkbnr\/.*: .*tired/),
      "bestmove 0000",
    ]);
  });

  slowTest.each([
    ["alpha-bet", /unknown agent "alpha-bet" \(did you mean "alpha-beta"\?\)/],
    ["alpha-beta:evaluator=nothing", /alpha-beta:evaluator=nothing: evaluator: unknown evaluator "nothing"/],
  ])("%s is refused at once", async (agent, message) => {
    const { code, stderr } = await agon(["uci", "--agent", agent]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });
});

describe("both sides of the protocol", () => {
  const engine = (agent: string, limits: Partial<AgentSpec>): AgentSpec => ({
    agent: "uci",
    command: [process.execPath, MAIN, "uci", "--agent", agent],
    ...limits,
  });
  const plain: AgentSpec = { agent: "alpha-beta", evaluator: "piece-squares", ties: "first" };

  slowTest("together are the agent itself: the same games, thoughts and nodes", async () => {
    const budgets = [{ nodes: 300 }, { depth: 2 }];
    const [here, there] = [
      await Promise.all(budgets.map(async (budget) => seatOf(chess, { ...plain, ...budget }))),
      await Promise.all(budgets.map(async (budget) => seatOf(chess, engine(QUICK, budget)))),
    ];
    for (const seats of [[0, 1] as const, [1, 0] as const]) {
      const direct = await playGame(chess, [here[seats[0]]!, here[seats[1]]!]);
      const told = await playGame(chess, [there[seats[0]]!, there[seats[1]]!]);
      expect(told.actions).toEqual(direct.actions);
      expect([told.ending, told.returns, told.nodes]).toEqual([direct.ending, direct.returns, direct.nodes]);
      expect(told.thoughts.map(({ depth, line }) => ({ depth, line }))).toEqual(
        direct.thoughts.map(({ depth, line }) => ({ depth, line })),
      );
      // Centipawns are rounded.
      for (const [at, { value }] of told.thoughts.entries())
        expect(Math.abs(value! - direct.thoughts[at]!.value!)).toBeLessThan(0.003);
    }
  });

  const games = [
    "chess",
    // White can castle at once.
    { id: "chess", chess960: true, fen: "bbrkrnqn/pppppppp/8/8/8/8/PPPPPPPP/BBRK1R2 w KQkq - 0 1" },
    ...[0, 407, 959].map((start) => ({ id: "chess", chess960: true, start })),
  ];
  for (const spec of games) {
    slow(engineTest("stockfish"))(
      `play Stockfish at ${JSON.stringify(spec)}: it accepts every move`,
      async () => {
        const game = createGame(spec);
        const stockfish = await seatOf(game, {
          agent: "uci",
          command: ["stockfish"],
          options: { Hash: 1 },
          nodes: 50,
        });
        const ours = await seatOf(game, engine(QUICK, { depth: 1 }));
        for (const seats of [
          [stockfish, ours],
          [ours, stockfish],
        ])
          expect(await playGame(game, seats)).toMatchObject({ ending: "finished", detail: "" });
      },
    );
  }
});
