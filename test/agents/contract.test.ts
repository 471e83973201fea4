import { describe, expect, test } from "vitest";
import { agents } from "../../src/agents/index.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import type { AgentSpec } from "../../src/agents/agent.ts";
import { InputError } from "../../src/base/errors.ts";
import type { Game, State } from "../../src/games/game.ts";
import { createGame } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/notation.ts";
import { sampleGames, sampleName } from "../games/samples.ts";
import { ask, copyOf, randomPositions, type Player } from "./play.ts";

/** Positions of each game that each agent is asked about. */
const POSITIONS = 5;
const NODES = 500;
const SIMULATIONS = 12;

/** Options that keep an agent small, and those that it cannot do without. */
function specFor(agent: string, game: Game): AgentSpec {
  const [heuristic = "none"] = Object.keys(game.heuristics);
  switch (agent) {
    case "random":
      return { agent };
    case "greedy":
      return { agent, evaluator: heuristic };
    case "policy":
      return { agent, policy: Object.keys(game.policies)[0] };
    case "mcts":
      return { agent, simulations: SIMULATIONS, maxNodes: 1000 };
    case "alpha-beta":
      return { agent, nodes: NODES, table: 512, evaluator: heuristic };
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

/** The positions that an agent is asked about: the solver of connect four takes long with few stones. */
function positionsFor(name: string, game: Game, positions: readonly State[]): readonly State[] {
  if (name !== "policy" || game.id !== "connect-four") return positions;
  return positions.filter((state) => (state as State & { stones: number }).stones >= 14);
}

/** The first action of the line that cannot be played, chance and the end included; undefined if none. */
function firstUnplayable(game: Game, state: State, line: readonly number[]): number | undefined {
  const copy = copyOf(game, state);
  return line.find((action) => {
    if (copy.toMove < 0 || !possibleActions(game, copy).includes(action)) return true;
    copy.apply(action);
    return false;
  });
}

describe.each(sampleGames.map((spec) => [sampleName(spec), spec] as const))("agents at %s", (_, spec) => {
  const game = createGame(spec);
  const samples = randomPositions(game, POSITIONS);
  const players = playersOf(game);

  test("random and greedy are among those that fit", () => {
    expect(players.map(([name]) => name)).toEqual(expect.arrayContaining(["random", "greedy"]));
  });

  describe.each(players)("%s", (name, create) => {
    const positions = positionsFor(name, game, samples);

    test("decides for a legal action, within the budget and the returns, with a line that can be played", () => {
      const player = create();
      for (const state of positions) {
        const { action, depth, line, nodes, value } = ask(player, game, { state });
        expect(possibleActions(game, state)).toContain(action);
        expect(line[0]).toBe(action);
        expect(firstUnplayable(game, state, line)).toBeUndefined();
        if (name === "mcts") expect(nodes).toBe(SIMULATIONS);
        else if (player.budget.nodes !== undefined) expect(nodes).toBeLessThanOrEqual(NODES);
        expect(value === undefined).toBe(depth === undefined);
        if (name === "random" || name === "policy") expect([value, nodes]).toEqual([undefined, 0]);
        else {
          expect(value).toBeGreaterThanOrEqual(game.minReturn);
          expect(value).toBeLessThanOrEqual(game.maxReturn);
        }
      }
    });

    test("decides by state and seed alone, whatever was decided before", () => {
      const fresh = positions.map((state, at) => ask(create(), game, { state, seed: `seed ${at}` }));
      const player = create();
      const order = [...positions.keys()].toReversed();
      for (const at of [...order, ...order.toReversed()])
        expect(ask(player, game, { state: positions[at]!, seed: `seed ${at}` })).toEqual(fresh[at]);
    });
  });
});
