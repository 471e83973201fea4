import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { createLinear, modelFeatures } from "../../../src/evaluators/models.ts";
import { OUTPUTS } from "../../../src/evaluators/linear.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { POSITIONS, TdLearner } from "../../../src/training/learn/td.ts";
import { TRACE_KINDS } from "../../../src/training/learn/credit.ts";
import { PlainTd } from "./plain-td.ts";
import { randomGames, retell } from "../play.ts";
import { walk } from "../walk.ts";
import { slowTest } from "../../support/thorough.ts";

interface Setup {
  readonly game: Game;
  readonly features?: string;
  readonly tuples?: number[][];
}

const of = (spec: GameSpec, parts: Omit<Setup, "game">): Setup => ({ game: createGame(spec), ...parts });

const SETUPS: Readonly<Record<string, Setup>> = {
  "views that negate": of("tic-tac-toe", { features: "lines" }),
  "n-tuples that one player's view serves": {
    game: firstsView(),
    tuples: [[0, 6, 12], [3, 10, 17, 24], [21]],
  },
  "n-tuples with a viewer": of(
    { id: "othello", size: 6 },
    {
      tuples: [
        [0, 1, 2],
        [7, 8],
      ],
    },
  ),
  "views that mirror": of({ id: "backgammon", maxTurns: 15 }, { features: "tesauro" }),
  chance: of({ id: "pig", target: 20 }, { features: "race" }),
  "three players and chance": of({ id: "pig", players: 3, target: 15 }, { features: "race" }),
  "one player, rewards along the way": of({ id: "2048", height: 2, width: 2 }, { features: "simple" }),
  "three players in turns": {
    game: walk({ players: 3, mover: "players", pays: "steps" }),
    features: "cells",
  },
};

/** Connect four as the first player sees it, whoever moves. */
function firstsView(): Game {
  const game = createGame("connect-four");
  return { ...game, tupleBoard: { ...game.tupleBoard!, viewer: () => 0 } };
}

const options = fc.record({
  lambda: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0.05, max: 0.95, noNaN: true })),
  traces: fc.constantFrom(...TRACE_KINDS),
  afterRandomMove: fc.constantFrom("cut" as const, "continue" as const),
  updates: fc.constantFrom("step" as const, "game" as const),
  positions: fc.constantFrom(...POSITIONS),
  normalized: fc.boolean(),
  coherence: fc.constantFrom(
    undefined,
    { kind: "identity", beta: 0 } as const,
    { kind: "exponential", beta: 2.7 } as const,
  ),
});

/** The seat of older weights in game `at`: none, the first, the last, none, ... */
const opponentSeatIn = (at: number, { players }: Game) =>
  [undefined, 0, players - 1][at % (players === 1 ? 1 : 3)];

/** Every combination of options, on games of random moves, some of which are said to be explored. */
describe.each(Object.entries(SETUPS))("%s", (_, { game, features, tuples }) => {
  const model = (output: (typeof OUTPUTS)[number]) =>
    features === undefined
      ? { kind: "n-tuple" as const, tuples: tuples!, output, stages: [] }
      : { kind: "linear" as const, features, output, stages: [] };
  const games = randomGames(game, 5, { explored: 0.15 });
  const reach = game.maxReturn - game.minReturn;

  slowTest("learns as the formulas say", () => {
    fc.assert(
      fc.property(options, fc.constantFrom(...OUTPUTS), fc.integer(), (rule, output, seed) => {
        const set = modelFeatures(game, model(output));
        const random = createRandom("initial", seed);
        const initial = Float32Array.from({ length: set.size }, () => 0.2 * random.float() - 0.1);
        const evaluator = createLinear(game, model(output), initial.slice());
        const learner = new TdLearner(game, evaluator, rule);
        const plain = new PlainTd(game, set, { ...rule, weights: initial, output });
        const steep = output !== "identity" && !rule.normalized;
        learner.stepSize = plain.stepSize = steep ? 0.02 / reach ** 2 : 0.02;
        for (const [at, seen] of games.entries()) {
          learner.opponentSeat = plain.opponentSeat = opponentSeatIn(at, game);
          retell(seen, learner);
          retell(seen, plain);
        }
        const moved = Math.max(...plain.weights.map((weight, at) => Math.abs(weight - initial[at]!)));
        expect(moved).toBeGreaterThan(1e-5);
        // Float32, and traces below a millionth are let go; coherence magnifies where errors are no more than that.
        const apart = Math.max(
          ...plain.weights.map((weight, at) => Math.abs(weight - evaluator.weights[at]!)),
        );
        expect(apart).toBeLessThan(1e-6 + 5e-3 * moved);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test("counts the positions that it learns from", () => {
    const evaluator = createLinear(
      game,
      model("tanh"),
      new Float32Array(modelFeatures(game, model("tanh")).size),
    );
    for (const positions of POSITIONS) {
      const learner = new TdLearner(game, evaluator, { lambda: 0.5, positions });
      for (const seen of games) retell(seen, learner);
      const steps = games.map(([, ...seen]) =>
        seen.filter(({ by }) => positions === "all" || by >= 0 || by === TERMINAL),
      );
      expect(learner.steps).toBe(steps.flat().length);
    }
  });
});

describe("games of more than a hundred positions, kept until they are over", () => {
  test.each(["step", "game"] as const)("learn as the formulas say: updates %s", (updates) => {
    const game = createGame("pig");
    const rule = { lambda: 0.9, updates } as const;
    const set = modelFeatures(game, { kind: "linear", features: "race", output: "tanh", stages: [] });
    const initial = new Float32Array(set.size).fill(0.01);
    const evaluator = createLinear(
      game,
      { kind: "linear", features: "race", output: "tanh", stages: [] },
      initial.slice(),
    );
    const learner = new TdLearner(game, evaluator, rule);
    const plain = new PlainTd(game, set, { ...rule, weights: initial, output: "tanh" });
    learner.stepSize = plain.stepSize = 0.002;
    const games = randomGames(game, 3, { seed: "long", explored: 0.02 });
    expect(Math.min(...games.map((seen) => seen.length))).toBeGreaterThan(2 * 64);
    for (const seen of games) {
      retell(seen, learner);
      retell(seen, plain);
    }
    const moved = Math.max(...plain.weights.map((weight, at) => Math.abs(weight - initial[at]!)));
    const apart = Math.max(...plain.weights.map((weight, at) => Math.abs(weight - evaluator.weights[at]!)));
    expect(moved).toBeGreaterThan(1e-4);
    expect(apart).toBeLessThan(1e-6 + 5e-3 * moved);
  });
});
