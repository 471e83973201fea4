import { describe, expect, test } from "vitest";
import { agents } from "../../src/agents/index.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import type { AgentSpec } from "../../src/agents/agent.ts";
import { InputError } from "../../src/base/errors.ts";
import { checkAgent } from "../../src/agents/check/check-agent.ts";
import { formatFinding } from "../../src/games/check/finding.ts";
import type { Game } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { usualOpenGames, sampleName } from "../games/samples.ts";
import { thorough } from "../support/thorough.ts";
import { ask, randomPositions, type Player } from "./play.ts";

const NODES = 500;
const SIMULATIONS = 12;
/** Positions that an agent is asked about. */
const POSITIONS = thorough(5, 2);
/** The solver of connect four takes long with few stones. */
const LATE = 14;

/** Options that keep an agent small, and those that it cannot do without. */
function specFor(agent: string, game: Game): AgentSpec {
  const [heuristic = "none"] = Object.keys(game.heuristics);
  switch (agent) {
    case "random":
    case "determinized":
    case "strategy":
    case "local-best-response":
      return { agent };
    case "greedy":
      return { agent, evaluator: heuristic };
    case "policy":
      return { agent, policy: Object.keys(game.policies)[0] };
    case "mcts":
      return { agent, simulations: SIMULATIONS, maxNodes: 1000 };
    case "ismcts":
      return { agent, simulations: SIMULATIONS };
    case "alpha-beta":
      // A chess position with many captures takes more than NODES for one ply.
      return { agent, nodes: 6 * NODES, table: 0.1, evaluator: heuristic };
    default:
      return { agent, nodes: NODES, evaluator: heuristic };
  }
}

/** The agents of the index that play this game, made anew at each call. */
function playersOf(game: Game): (readonly [name: string, create: () => Player])[] {
  return Object.keys(agents).flatMap((agent) => {
    try {
      const prepared = prepareAgent(game, specFor(agent, game));
      return [[agent, () => ({ agent: prepared.create(), budget: prepared.budget })] as const];
    } catch (error) {
      if (error instanceof InputError && /cannot play/.test(error.message)) return [];
      throw error;
    }
  });
}

describe.each(usualOpenGames.map((spec) => [sampleName(spec), spec] as const))("agents at %s", (_, spec) => {
  const game = createGame(spec);
  const players = playersOf(game);
  const samples = randomPositions(game, 5);

  test("random and greedy are among those that fit", () => {
    expect(players.map(([name]) => name)).toEqual(expect.arrayContaining(["random", "greedy"]));
  });

  describe.each(players)("%s", (name, create) => {
    const isSolver = name === "policy" && game.id === "connect-four";
    const { budget } = create();

    test("passes the checks of an agent", async () => {
      const source = { budget, create: () => create().agent };
      const findings = await checkAgent(game, source, {
        positions: POSITIONS,
        minPlies: isSolver ? LATE : 0,
      });
      expect(findings.map(formatFinding)).toEqual([]);
    });

    test("has a view where it looks ahead, and counts what it looks at", () => {
      const player = create();
      for (const state of isSolver ? [] : samples) {
        const { depth, nodes, value } = ask(player, game, { state });
        if (name === "mcts") {
          // Fewer only where the decision is proven.
          if (value !== game.maxReturn && value !== game.minReturn) expect(nodes).toBe(SIMULATIONS);
          expect(nodes).toBeLessThanOrEqual(SIMULATIONS);
        }
        expect(value === undefined).toBe(depth === undefined);
        if (name === "random" || name === "policy") expect([value, nodes]).toEqual([undefined, 0]);
        else expect(value, game.formatState(state)).toBeDefined();
      }
    });
  });
});
