import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineAgent, type AgentSpec } from "../../src/agents/agent.ts";
import { agents } from "../../src/agents/index.ts";
import { fittingAgents, prepareAgent, type AgentSources } from "../../src/agents/prepare.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { InputError } from "../../src/base/errors.ts";
import { describeWeights } from "../../src/evaluators/stored-weights.ts";
import { loadEvaluator } from "../../src/specs/evaluators.ts";
import { saveWeights } from "../../src/specs/files/weights-file.ts";
import type { Game } from "../../src/games/contract/game.ts";
import { createGame, games } from "../../src/games/index.ts";
import { createTree } from "./random-trees.ts";

const connectFour = createGame("connect-four");

/** The lines of the error that a spec is refused with. */
function refusal(game: Game, spec: string | AgentSpec, sources?: AgentSources): string[] {
  try {
    prepareAgent(game, typeof spec === "string" ? parseAgentSpec(spec) : spec, sources);
  } catch (error) {
    if (error instanceof InputError) return error.message.split("\n");
    throw error;
  }
  throw new Error("the spec was not refused");
}

test("agents are listed under their own id", () => {
  for (const [id, family] of Object.entries(agents)) expect(family.id).toBe(id);
});

describe("an agent is prepared", () => {
  test("with its own budget, or else with those parts of the default that it heeds", () => {
    const defaultBudget = { nodes: 500, simulations: 70 };
    const budget = (spec: string) =>
      prepareAgent(connectFour, parseAgentSpec(spec), { defaultBudget }).budget;
    expect(budget("alpha-beta")).toEqual({ nodes: 500 });
    expect(budget("mcts")).toEqual(defaultBudget);
    expect(budget("alpha-beta:depth=3")).toEqual({ depth: 3 });
    expect(budget("random")).toEqual({});
  });

  test("with defaults filled in", () => {
    expect(prepareAgent(connectFour, parseAgentSpec("minimax:depth=3")).options).toEqual({
      evaluator: "none",
      deepening: true,
      ties: "random",
    });
  });
});

describe("a preset", () => {
  const optionsOf = (spec: string) => prepareAgent(connectFour, parseAgentSpec(spec)).options;

  test("stands for its options, and other keys of the spec win", () => {
    expect(optionsOf("minimax:depth=3,preset=textbook")).toEqual(
      optionsOf("minimax:depth=3,deepening=false,ties=first"),
    );
    expect(optionsOf("alpha-beta:depth=3,preset=textbook,table=2")).toMatchObject({
      ordering: "none",
      table: 2,
    });
  });

  test("textbook of alpha-beta turns off every option that has no such value by default", () => {
    const { shape } = agents["alpha-beta"].options;
    const others = ["evaluator", "threads", "memory", "solve"];
    const { options } = agents["alpha-beta"].presets!["textbook"]!;
    expect(Object.keys(options).toSorted()).toEqual(
      Object.keys(shape)
        .filter((name) => !others.includes(name))
        .toSorted(),
    );
  });

  test("that is unknown is refused, and so is one where there is none", () => {
    expect(refusal(connectFour, "alpha-beta:depth=3,preset=textbok")).toEqual([
      'preset: unknown preset "textbok" (did you mean "textbook"?); allowed: textbook',
    ]);
    expect(refusal(connectFour, "random:preset=textbook")).toEqual([
      'preset: unknown key "preset"; random takes tables, book',
    ]);
  });
});

describe("a spec is refused", () => {
  test("for an unknown agent, with the nearest", () => {
    const list = Object.keys(agents).join(", ");
    expect(refusal(connectFour, "alphabeta:depth=3")).toEqual([
      `agent: unknown agent "alphabeta" (did you mean "alpha-beta"?); allowed: ${list}`,
    ]);
    expect(refusal(connectFour, "./bots/bot.py")).toEqual([
      `agent: unknown agent "./bots/bot.py"; allowed: ${list}; a program in another language is { agent: program, command: ./bots/bot.py }`,
    ]);
    expect(refusal(connectFour, "toString")).toEqual([`agent: unknown agent "toString"; allowed: ${list}`]);
  });

  test("with all that is wrong in keys, budget and options", () => {
    const spec = { agent: "alpha-beta", dept: 3, simulations: 9, nodes: 0.5, ties: "frist", table: -1 };
    expect(refusal(connectFour, spec)).toEqual([
      'dept: unknown key "dept" (did you mean "depth"?); alpha-beta takes evaluator, deepening, ties, table, threads, memory, ordering, solve, scout, quiescence, reductions, extensions, nullMove, futility, depth, nodes, timeMs, tables, book, weights, preset',
      'simulations: alpha-beta does not heed the budget "simulations"; it heeds depth, nodes, timeMs',
      "nodes: must be a whole number, got 0.5",
      'ties: must be one of random, first, got "frist" (did you mean "first"?)',
      "table: must be at least 0, got -1",
    ]);
    expect(refusal(connectFour, "random:depth=3,colour=red")).toEqual([
      'depth: random does not heed the budget "depth"; it heeds none',
      'colour: unknown key "colour"; random takes tables, book',
    ]);
  });

  test("with all that is wrong in fit, budget and evaluator", () => {
    expect(refusal(createGame("pig"), "alpha-beta:evaluator=rase")).toEqual([
      "agent: alpha-beta cannot play pig, which has chance; agents that fit: random, policy, greedy, expectimax, max-n, mcts",
      "alpha-beta needs a budget: depth, nodes, timeMs",
      'evaluator: unknown evaluator "rase" (did you mean "race"?); allowed: none, race; no file can be named here',
    ]);
  });

  test("with what is wrong in the opponent's model", () => {
    expect(refusal(connectFour, { agent: "expectimax", depth: 1, opponent: { agent: "gredy" } })).toEqual([
      expect.stringMatching(/^opponent.agent: unknown agent "gredy" \(did you mean "greedy"\?\)/),
    ]);
    expect(refusal(connectFour, "expectimax:depth=1,opponent.agent=greedy,opponent.epsilon=2")).toEqual([
      "opponent.epsilon: must be at most 1, got 2",
    ]);
    expect(refusal(connectFour, "expectimax:depth=1,opponent=worst")).toEqual([
      expect.stringMatching(/^opponent: must be one of best, random/),
    ]);
    expect(refusal(createGame("pig"), "expectimax:depth=1,opponent.agent=minimax,opponent.depth=1")).toEqual([
      expect.stringMatching(/^opponent.agent: minimax cannot play pig, which has chance/),
    ]);
  });

  test("for want of an evaluator, where one is needed", () => {
    expect(refusal(connectFour, "greedy")).toEqual(["evaluator: missing; must be a text"]);
  });

  test("with the file that a problem of its weights is in", () => {
    const folder = mkdtempSync(join(tmpdir(), "agon-spec-"));
    try {
      const path = join(folder, "w.json");
      const small = createGame({ id: "connect-four", width: 4, height: 4 });
      const features = small.featureSets["lines"]!;
      const model = {
        kind: "linear",
        features: "lines",
        output: "tanh",
        stages: [] as number[],
        featuresVersion: features.version,
        size: features.size,
      } as const;
      const header = describeWeights(small, model, { method: "none", seed: "", games: 0, date: "" });
      saveWeights(path, header, new Float32Array(features.size));
      const [first, ...others] = refusal(
        connectFour,
        { agent: "greedy", evaluator: path },
        { loadEvaluator },
      );
      expect(refusal(connectFour, { agent: "greedy", evaluator: path })).toEqual([
        `evaluator: unknown evaluator "${path}"; allowed: none, threats; no file can be named here`,
      ]);
      expect(first).toBe(
        `evaluator: ${path}: game options: the weights are for {"width":4,"height":4}, wanted is {"width":7,"height":6}`,
      );
      expect(others.every((line) => line.startsWith(`evaluator: ${path}: `))).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("which agents fit which games", () => {
  const threePlayers = createGame({ id: "nim", players: 3 });
  const notZeroSum = createTree({
    player: 0,
    actions: [
      [1, 2],
      [3, 4],
    ],
  });
  const alone = createTree({ player: 0, actions: [[1], [2]] }, 1);
  const forHidden = ["determinized", "ismcts", "strategy", "local-best-response"];
  const forOpen = Object.keys(agents).filter((id) => !forHidden.includes(id));
  const hidden: Game = { ...connectFour, hiddenInformation: true };

  test.each([
    ["two players, no chance", createGame("tic-tac-toe"), forOpen],
    ["no policies", { ...connectFour, policies: {} }, forOpen.filter((id) => id !== "policy")],
    ["chance", createGame("pig"), ["random", "policy", "greedy", "expectimax", "max-n", "mcts"]],
    ["three players", threePlayers, ["random", "greedy", "max-n", "paranoid", "best-reply", "mcts"]],
    [
      "returns that do not sum to zero",
      notZeroSum,
      ["random", "greedy", "max-n", "paranoid", "best-reply", "mcts"],
    ],
    ["one player", alone, ["random", "greedy", "expectimax", "max-n", "mcts"]],
    ["hidden information", hidden, ["random", ...forHidden]],
  ])("%s", (_, game, fitting) => {
    expect(fittingAgents(game)).toEqual(fitting);
  });

  test.each([
    ["minimax:depth=1", createGame("pig"), "chance"],
    ["alpha-beta:depth=1", threePlayers, "3 players"],
    ["expectimax:depth=1", threePlayers, "3 players"],
    ["minimax:depth=1", notZeroSum, "returns that do not sum to zero"],
    ["minimax:depth=1", alone, "1 player"],
    ["paranoid:depth=1", createGame("pig"), "chance"],
    ["best-reply:depth=1", alone, "1 player"],
    ["paranoid:depth=1", hidden, "hidden information"],
    ["mcts:nodes=1", hidden, "hidden information"],
    ["expectimax:depth=1,opponent=random", hidden, "hidden information"],
  ])("%s names what does not fit: %#", (spec, game, trait) => {
    expect(refusal(game, spec)[0]).toContain(`cannot play ${game.id}, which has ${trait}; agents that fit: `);
  });

  test("an option may make an agent fit", () => {
    expect(prepareAgent(threePlayers, parseAgentSpec("expectimax:depth=1,opponent=random")).budget).toEqual({
      depth: 1,
    });
  });

  test("every game without hidden information can be searched", () => {
    for (const id of Object.keys(games).filter((name) => name !== "tree")) {
      const game = createGame(id);
      if (!game.hiddenInformation)
        expect(fittingAgents(game)).toEqual(expect.arrayContaining(["max-n", "mcts"]));
    }
  });
});

test("agents from outside are found under the name they are given", () => {
  const stubborn = defineAgent({
    id: "stubborn",
    summary: "always the first action",
    options: z.strictObject({ loud: z.boolean().default(false) }),
    budgets: [],
    unsupported: () => undefined,
    create: ({ options }) => ({ choose: () => ({ action: options.loud ? 1 : 0, nodes: 0, line: [] }) }),
  });
  const families = { ...agents, "./stubborn.ts": stubborn };
  const { options } = prepareAgent(connectFour, parseAgentSpec("./stubborn.ts:loud=true"), { families });
  expect(options).toEqual({ loud: true });
  expect(fittingAgents(connectFour, families)).toContain("./stubborn.ts");
  expect(refusal(connectFour, "./stubborn.ts:lout=true", { families })).toEqual([
    'lout: unknown key "lout" (did you mean "loud"?); ./stubborn.ts takes loud, tables, book',
  ]);
});
