import { describe, expect, test } from "vitest";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { createRandom } from "../../src/base/random.ts";
import type { Game } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { decide, randomPositions } from "./play.ts";

describe("the agent policy", () => {
  test("plays what the policy chooses, with the turn's generator", () => {
    const game = createGame("tic-tac-toe");
    const policy = game.policies["perfect"]!.create();
    for (const [at, state] of randomPositions(game, 20).entries()) {
      const action = policy.choose(state, createRandom(`policy ${at}`));
      const decision = decide(game, "policy:policy=perfect", state, `policy ${at}`);
      expect(decision).toEqual({ action, nodes: 0, line: [action] });
    }
  });

  test("is refused with the policies that there are", () => {
    const refusal = (game: Game, spec: string) => () => prepareAgent(game, parseAgentSpec(spec));
    const ticTacToe = createGame("tic-tac-toe");
    expect(refusal(ticTacToe, "policy")).toThrow(/^policy: missing; allowed: perfect$/);
    expect(refusal(ticTacToe, "policy:policy=perfekt")).toThrow(
      /^policy: unknown policy "perfekt" \(did you mean "perfect"\?\); allowed: perfect$/,
    );
    expect(refusal(ticTacToe, "policy:policy=toString")).toThrow(/unknown policy "toString"/);
    expect(refusal(createGame("backgammon"), "policy:policy=perfect")).toThrow(
      /^policy: unknown policy "perfect"; allowed: pubeval$/,
    );
    for (const spec of ["chess", { id: "nim", players: 3 }])
      expect(refusal(createGame(spec), "policy:policy=perfect")).toThrow(
        /^agent: policy cannot play (chess|nim), which has no policies; agents that fit: random, /,
      );
  });
});
