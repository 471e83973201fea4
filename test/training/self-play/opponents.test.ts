import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL } from "../../../src/games/contract/game.ts";
import { createLearnable, storedModel } from "../../../src/training/learn/learnable.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { PlannedMoves } from "../../../src/training/self-play/create-moves.ts";
import { Opponents } from "../../../src/training/self-play/game-settings.ts";
import { StartPositions } from "../../../src/training/self-play/start-positions.ts";
import { folders, requestOf, TINY } from "../runs.ts";
import { slowTest } from "../../support/thorough.ts";

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
    const opponents = new Opponents(await planOf(THREE));
    const seats = [0, 0, 0];
    for (let number = 0; number < 30_000; number++) {
      const seat = opponents.in(number, { hasCheckpoint: true })?.seat;
      if (seat !== undefined) seats[seat]!++;
    }
    const played = seats.reduce((sum, count) => sum + count, 0);
    // Four standard deviations of 30,000 draws; the chi-square of three counts passes 18.4 once in 10,000 times.
    expect(Math.abs(played - 6000)).toBeLessThan(4 * Math.sqrt(30_000 * 0.2 * 0.8));
    expect(chiSquare(seats)).toBeLessThan(18.4);
  });

  slowTest.each([
    [undefined, 3001],
    [300, 3600],
  ])("is a checkpoint from before the weights that play: rounds of %s", async (round, first) => {
    const opponents = new Opponents(await planOf({ ...THREE, ...(round && { round }), checkpoints: 10 }));
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
    const opponents = new Opponents(await planOf({ ...THREE, games: 1_000_000, checkpoints: 1000 }));
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

  slowTest("a round meets one checkpoint", async () => {
    const opponents = new Opponents(await planOf({ ...THREE, round: 100, checkpoints: 100 }));
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
  slowTest.each(Object.entries(MOVES))(
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
        return new PlannedMoves(plan, learnable(own), {
          starts,
          random,
          past: past === undefined ? past : learnable(past),
        });
      };
      let apart = 0;
      for (const seat of [0, 1]) {
        const both = movesOf("present", "past");
        both.seat({ seat, by: "past" });
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
          const [by, other] = state.toMove === seat ? [past, present] : [present, past];
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

describe("the pool", () => {
  const POOL: Partial<TrainingConfig> = {
    game: "connect-four",
    evaluator: TUPLES,
    openings: {},
    opponents: {
      past: 0.1,
      pool: [
        { agent: "greedy", evaluator: "threats", share: 0.2 },
        { agent: "policy", policy: "perfect", share: 0.4 },
      ],
    },
  };

  slowTest("each agent has its share of the games, in every seat as often", async () => {
    const opponents = new Opponents(await planOf(POOL));
    const names = ["none", "past", "0", "1"];
    const counts = names.map(() => [0, 0]);
    for (let number = 0; number < 30_000; number++) {
      const { seat = number % 2, by = "none" } = opponents.in(number, { hasCheckpoint: true }) ?? {};
      counts[names.indexOf(String(by))]![seat]!++;
    }
    const shares = [0.3, 0.1, 0.2, 0.4];
    for (const [at, [first, second]] of counts.entries()) {
      const mean = 30_000 * shares[at]!;
      expect(Math.abs(first! + second! - mean)).toBeLessThan(4 * Math.sqrt(mean));
      expect(chiSquare([first!, second!])).toBeLessThan(15.2);
    }
    // Without a checkpoint its games are self-play; the others stay.
    for (let number = 0; number < 300; number++) {
      const early = opponents.in(number, { hasCheckpoint: false });
      const late = opponents.in(number, { hasCheckpoint: true });
      expect(early).toEqual(late?.by === "past" ? undefined : late);
    }
  });

  test("an agent moves on its seat, with what it draws itself; the weights that learn move elsewhere", async () => {
    const plan = await planOf({
      ...POOL,
      opponents: { pool: [{ agent: "greedy", evaluator: "threats", share: 1 }] },
      exploration: { epsilon: 0.5 },
    });
    const { game, config } = plan;
    const model = storedModel(game, config.evaluator);
    const random = createRandom("pool");
    const starts = new StartPositions(game, plan.starts, random);
    const learnable = createLearnable(game, model, new Float32Array(model.size));
    const moves = new PlannedMoves(plan, learnable, { starts, random });
    moves.exploration.begin(config, 0);
    const judge = game.heuristics["threats"]!;
    let [explored, best] = [0, 0];
    for (let number = 0; number < 20; number++) {
      const seat = number % 2;
      moves.seat({ seat, by: 0 });
      const state = game.start();
      moves.begin();
      const out = new Int32Array(game.maxActions);
      while (state.toMove !== TERMINAL) {
        const by = state.toMove;
        const values = Array.from(out.subarray(0, state.legalActions(out, 0)), (action) => {
          state.apply(action);
          const value = state.toMove === TERMINAL ? state.returns(by) : judge.evaluate(state, by);
          state.undo();
          return { action, value };
        });
        const action = moves.next(state);
        if (by === seat) {
          expect(moves.explored).toBe(false);
          const most = Math.max(...values.map(({ value }) => value));
          expect(values.find((one) => one.action === action)!.value).toBe(most);
          best++;
        } else if (moves.explored) explored++;
        state.apply(action);
      }
    }
    expect(best).toBeGreaterThan(50);
    expect(explored).toBeGreaterThan(20);
  });

  test.each<[string, Partial<TrainingConfig>, string | RegExp]>([
    [
      "shares above 1",
      { opponents: { past: 0.5, pool: [{ agent: "random", share: 0.6 }] } },
      /^opponents\.pool: its shares and `past` make 1\.1 of the games; at most 1/,
    ],
    ["no share", { opponents: { pool: [{ agent: "random" } as never] } }, "opponents.pool[0].share: missing"],
    [
      "no such agent",
      { opponents: { pool: [{ agent: "greed", share: 0.1 }] } },
      /^opponents\.pool\[0\]\.agent: unknown agent "greed"[^\n]*$/,
    ],
    [
      "an engine",
      { opponents: { pool: [{ agent: "uci", command: ["cat"], share: 0.1 }] } },
      /^opponents\.pool\[0\]/,
    ],
    [
      "time",
      { opponents: { pool: [{ agent: "mcts", timeMs: 5, share: 0.1 }] } },
      /^opponents\.pool\[0\]: timeMs: the weights would depend on the machine/,
    ],
    [
      "one player",
      { game: "2048", evaluator: { features: "simple" } },
      "opponents.pool: has no meaning in 2048",
    ],
    [
      "hidden",
      { game: "liars-dice", evaluator: { features: "hand-and-bid" } },
      "opponents.pool: games of hidden information",
    ],
  ])("is refused with a reason: %s", async (_, parts, why) => {
    await expect(
      planOf({ opponents: { pool: [{ agent: "random", share: 0.2 }] }, openings: {}, ...parts }),
    ).rejects.toThrow(why);
  });
});

describe("a training against the past", () => {
  const newDir = folders();

  slowTest.each([undefined, 7])(
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
