import { describe, expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { createRandom } from "../../../src/base/random.ts";
import { JsonLinesEngine } from "../../../src/players/engine/json-lines.ts";
import { loadAgent, parseAgentSpec } from "../../../src/specs/agents.ts";
import { loadGame, parseGameSpec } from "../../../src/specs/games.ts";
import { agon } from "../../support/agon.ts";
import { agonEngine, playGame, seatOf } from "../../support/players.ts";
import { slowTest } from "../../support/thorough.ts";

/** The answers of an agent as a player of the protocol. */
async function answersOf(spec: string, messages: readonly unknown[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  const engine = new JsonLinesEngine(spec, {
    async prepare(hello) {
      const game = await loadGame(hello.game);
      const prepared = await loadAgent(game, parseAgentSpec(spec));
      const { budget, family } = prepared;
      return { game, agent: prepared.create(), budget, heeds: family.budgets };
    },
    send: (message) => answers.push(message),
  });
  for (const message of messages)
    await engine.hear(typeof message === "string" ? message : JSON.stringify(message));
  return answers;
}

const hello = { type: "hello", protocol: 1, game: { id: "connect-four" }, players: 2 };
const newGame = { type: "new-game", id: "x", seat: 0, seed: [1, 2, 3, 4] };
const decide = { type: "decide", moves: [], budget: {} };

describe("an agent of agon's as a player of its protocol", () => {
  slowTest.each([
    ["connect-four", "mcts:simulations=50"],
    ["backgammon", "expectimax:depth=1,evaluator=pip-count"],
    ["pig:target=20", "mcts:simulations=20"],
    ["chess", "alpha-beta:depth=1,evaluator=material,ties=random"],
    ["chinese-checkers:players=3", "random"],
  ])("decides at %s as it does in this thread: %s", async (written, agent) => {
    const game = await loadGame(parseGameSpec(written, "."));
    const here = await seatOf(game, parseAgentSpec(agent));
    const there = await seatOf(game, { agent: "program", command: agonEngine("--agent", agent) });
    const others = await Promise.all(
      Array.from({ length: game.players - 1 }, async () => seatOf(game, parseAgentSpec("random"))),
    );
    for (const id of ["first", "second"]) {
      const result = await playGame(game, [here, ...others], { id });
      expect(result.ending).toBe("finished");
      expect(await playGame(game, [there, ...others], { id })).toEqual(result);
    }
  });

  slowTest("is asked about a position that no play led to", async () => {
    const game = createGame("connect-four");
    const [here, there] = [
      await seatOf(game, parseAgentSpec("alpha-beta:depth=4,evaluator=threats,ties=first")),
      await seatOf(game, {
        agent: "program",
        command: agonEngine("--agent", "alpha-beta:depth=4,evaluator=threats,ties=first"),
      }),
    ];
    const random = createRandom("positions");
    for (let count = 0; count < 5; count++) {
      const state = game.start();
      for (const column of [random.below(7), random.below(7), random.below(7), 3, random.below(7)])
        state.apply(column);
      const ask = async ({ agent, budget }: typeof here) => {
        const copy = game.parseState(game.formatState(state));
        return agent.choose(copy, { random: createRandom("turn"), budget, clock: () => 0 });
      };
      const { action, value, nodes } = await ask(here);
      expect(await ask(there)).toMatchObject({ action, value, nodes });
    }
  });

  test("takes the limits that it heeds, or else its own", async () => {
    const ask = { ...decide, budget: { simulations: 7, depth: 3 } };
    const [, first, second] = await answersOf("mcts:simulations=20", [hello, newGame, decide, newGame, ask]);
    expect(first).toMatchObject({ type: "decision", nodes: 20 });
    expect(second).toMatchObject({ type: "decision", nodes: 7 });
    const other = { ...decide, budget: { depth: 3 } };
    expect((await answersOf("mcts:simulations=20", [hello, newGame, other]))[1]).toMatchObject({ nodes: 20 });
  });

  test("refuses what it cannot play, and another version", async () => {
    const refusal = async (message: object) => (await answersOf("alpha-beta:depth=2", [message]))[0];
    expect(await refusal({ ...hello, game: { id: "backgammon" } })).toMatchObject({
      type: "refuse",
      reason: expect.stringContaining("alpha-beta cannot play backgammon"),
    });
    expect(await refusal({ ...hello, protocol: 2 })).toEqual({
      type: "refuse",
      reason: "the protocol's version is 2; this player speaks 1",
    });
  });

  test("passes over messages of other types, and names what is no message", async () => {
    const answers = await answersOf("random", [hello, { type: "weather" }, "what", newGame, decide]);
    expect(answers).toMatchObject([
      { type: "hello", wants: "moves" },
      { type: "error", detail: '"what" is no message' },
      { type: "decision" },
    ]);
  });
});

describe("agon engine", () => {
  const talk = async (args: readonly string[], ...messages: readonly object[]) => {
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join("");
    const { code, stdout, stderr } = await agon(["engine", ...args], { input });
    const answers = stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown);
    return { code, answers, stderr };
  };

  slowTest("answers on standard output and ends with its input", async () => {
    const { code, answers } = await talk(["--agent", "mcts:simulations=10"], hello, newGame, decide);
    expect(code).toBe(0);
    expect(answers).toMatchObject([
      { type: "hello", protocol: 1, name: "mcts:simulations=10", wants: "moves" },
      { type: "decision", nodes: 10 },
    ]);
  });

  slowTest("plays the game of --game alone", async () => {
    const chess = { ...hello, game: { id: "chess" } };
    const { answers } = await talk(["--agent", "random", "--game", "connect-four:width=5"], hello, chess);
    expect(answers).toMatchObject([
      {
        type: "refuse",
        reason: "this player plays connect-four:width=5,height=6, not connect-four:width=7,height=6",
      },
      { type: "refuse", reason: expect.stringContaining("not chess:") },
    ]);
  });

  slowTest("says at once what is wrong with its agent", async () => {
    const { code, stderr } = await talk(["--agent", "alpha-bet:depth=2", "--game", "chess"]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('did you mean "alpha-beta"'),
    });
  });
});
