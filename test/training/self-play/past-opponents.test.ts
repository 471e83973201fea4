import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL } from "../../../src/games/contract/game.ts";
import { createLearnable, storedModel } from "../../../src/training/learn/learnable.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { createMoves } from "../../../src/training/self-play/create-moves.ts";
import { PastOpponents } from "../../../src/training/self-play/game-settings.ts";
import { StartPositions } from "../../../src/training/self-play/start-positions.ts";
import { folders, requestOf, TINY } from "../runs.ts";

const planOf = async (parts: Partial<TrainingConfig>) =>
  planTraining({ ...TINY, rating: { ...TINY.rating, pool: ["random"] }, ...parts }, { baseDir: "." });

const THREE: Partial<TrainingConfig> = {
  game: { id: "pig", players: 3 },
  evaluator: { features: "race" },
  games: 30_000,
  opponents: { past: 0.2 },
};

/** Chi-square of counts that should all be the same. */
function chiSquare(counts: readonly number[]): number {
  const mean = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - mean) ** 2 / mean, 0);
}

describe("the past", () => {
  test("plays its share of the games, in every seat as often", async () => {
    const opponents = new PastOpponents(await planOf(THREE));
    const seats = [0, 0, 0];
    for (let number = 0; number < 30_000; number++) {
      const seat = opponents.seatIn(number);
      if (seat !== undefined) seats[seat]!++;
    }
    const played = seats.reduce((sum, count) => sum + count, 0);
    // Four standard deviations of 30,000 draws; the chi-square of three counts passes 18.4 once in 10,000 times.
    expect(Math.abs(played - 6000)).toBeLessThan(4 * Math.sqrt(30_000 * 0.2 * 0.8));
    expect(chiSquare(seats)).toBeLessThan(18.4);
  });

  test.each([
    [undefined, 3001],
    [300, 3600],
  ])("is a checkpoint from before the weights that play: rounds of %s", async (round, first) => {
    const opponents = new PastOpponents(await planOf({ ...THREE, ...(round && { round }), checkpoints: 10 }));
    const drawn = Array.from({ length: 30_000 }, (_, number) => opponents.checkpointFor(number));
    expect(drawn.findIndex((games) => games !== undefined)).toBe(first);
    for (const [number, games] of drawn.entries()) {
      if (games === undefined) continue;
      // The weights that play a round are those before the round before it.
      const learned = round === undefined ? number : number - (number % round) - round;
      expect(games % 3000 === 0 && games < learned).toBe(true);
    }
  });

  test("is drawn evenly", async () => {
    const opponents = new PastOpponents(await planOf({ ...THREE, games: 1_000_000, checkpoints: 1000 }));
    // A thousand draws, the first half of which know fewer than 500 checkpoints.
    const places = Array.from({ length: 990 }, (_, at) => {
      const number = 1000 * (at + 10) + 500;
      const known = Math.floor(number / 1000);
      return Math.floor((10 * (opponents.checkpointFor(number)! / 1000 - 1)) / known);
    });
    const counts = Array.from({ length: 10 }, (_, at) => places.filter((place) => place === at).length);
    // The chi-square of ten counts passes 33.7 once in 10,000 times; early draws are a little uneven.
    expect(chiSquare(counts)).toBeLessThan(33.7);
  });

  test("a round meets one checkpoint", async () => {
    const opponents = new PastOpponents(await planOf({ ...THREE, round: 100, checkpoints: 100 }));
    for (let number = 0; number < 30_000; number++)
      expect(opponents.checkpointFor(number)).toBe(opponents.checkpointFor(number - (number % 100)));
  });
});

const TUPLES = { kind: "n-tuple", tuples: { count: 30, length: 5 } } as const;

const MOVES: Readonly<Record<string, Partial<TrainingConfig>>> = {
  "one ply": { game: "connect-four", evaluator: TUPLES },
  "one ply, chance": { game: "backgammon", evaluator: { features: "tesauro" } },
  "a search": {
    game: "connect-four",
    evaluator: TUPLES,
    learner: { rule: "td-leaf", lambda: 0.5, stepSize: 0.1, search: "alpha-beta:depth=2" },
  },
};

describe("a seat from the past", () => {
  test.each(Object.entries(MOVES))(
    "has the moves of its weights, the others theirs: %s",
    async (_, parts) => {
      const plan = await planOf({ ...parts, opponents: { past: 0.5 }, openings: { randomPlies: 0 } });
      const { game, config } = plan;
      const model = storedModel(game, config.evaluator);
      const learnable = (name: string) => {
        const random = createRandom(name);
        return createLearnable(
          game,
          model,
          Float32Array.from({ length: model.size }, () => random.float() - 0.5),
        );
      };
      const movesOf = (own: string, past?: string) => {
        const random = createRandom("moves");
        const starts = new StartPositions(plan.game, plan.starts, random);
        return createMoves(plan, learnable(own), {
          starts,
          random,
          past: past === undefined ? past : learnable(past),
        });
      };
      let apart = 0;
      for (const pastSeat of [0, 1]) {
        const both = movesOf("present", "past");
        both.pastSeat = pastSeat;
        const [present, past] = [movesOf("present"), movesOf("past")];
        const state = game.start();
        // On the empty board two columns are as good as each other.
        if (game.id === "connect-four") state.apply(0);
        for (const moves of [both, present, past]) moves.begin();
        const random = createRandom("dice");
        const out = new Int32Array(game.maxActions);
        for (let ply = 0; ply < 60 && state.toMove !== TERMINAL; ply++) {
          if (state.toMove === CHANCE) {
            state.apply(out[random.below(state.chanceOutcomes!(out, new Float64Array(out.length), 0))]!);
            continue;
          }
          const [by, other] = state.toMove === pastSeat ? [past, present] : [present, past];
          const action = both.next(state);
          expect(action).toBe(by.next(state));
          if (action !== other.next(state)) apart++;
          state.apply(action);
        }
      }
      expect(apart).toBeGreaterThan(5);
    },
  );
});

describe("a training against the past", () => {
  const newDir = folders();

  test.each([undefined, 7])(
    "is another one; with a share of 0 it is the same: rounds of %s",
    async (round) => {
      const weights = [];
      for (const opponents of [undefined, { past: 0 }, { past: 0.5 }]) {
        const dir = newDir();
        const config = { ...TINY, ...(round && { round }), ...(opponents && { opponents }) };
        const { curve } = await trainFromConfig(requestOf(dir, config));
        weights.push(curve.points.map(({ tdError }) => tdError));
      }
      expect(weights[1]).toEqual(weights[0]);
      // Up to the first checkpoint all is the same.
      expect(weights[2]!.slice(0, 2)).toEqual(weights[0]!.slice(0, 2));
      expect(weights[2]![2]).not.toEqual(weights[0]![2]);
    },
  );

  test.each([undefined, 7])("says which file of its past is gone: rounds of %s", async (round) => {
    const dir = newDir();
    const config = { ...TINY, ...(round && { round }), opponents: { past: 1 } };
    const controller = new AbortController();
    const signal = controller.signal;
    await trainFromConfig(
      requestOf(dir, config, { signal, onProgress: ({ gamesDone }) => gamesDone > 60 && controller.abort() }),
    );
    rmSync(join(dir, "checkpoints", "40.json"));
    await expect(trainFromConfig(requestOf(dir, config, { resume: true }))).rejects.toThrow(
      /^a past opponent cannot play, since its weights are gone or damaged: .*checkpoints.40\.json/,
    );
  });

  test.each<[string, Partial<TrainingConfig>, string]>([
    [
      "one player",
      { game: "2048", evaluator: { features: "simple" } },
      "opponents.past: has no meaning in 2048, which one player plays",
    ],
    [
      "no checkpoint",
      { checkpoints: 1 },
      "opponents.past: no checkpoint is there in time: the first one is taken after 120 of 120 games",
    ],
    ["too long a round", { round: 60 }, "or play shorter rounds"],
    ["no share", { opponents: { past: 2 } }, "opponents.past"],
  ])("is refused with a reason: %s", async (_, parts, why) => {
    await expect(planOf({ opponents: { past: 0.2 }, ...parts })).rejects.toThrow(why);
  });
});
