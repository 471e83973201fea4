import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { loadHeader } from "../../../src/files/weights-file.ts";
import { createRandom } from "../../../src/base/random.ts";
import type { TrainingLoop } from "../../../src/training/loop/training-loop.ts";
import { Actor } from "../../../src/training/actors/actor.ts";
import {
  actorLoop,
  type ActorJob,
  type ActorResult,
  type Actors,
  type OpenActors,
} from "../../../src/training/actors/actor-loop.ts";
import { trainFromConfig, type TrainingRequest } from "../../../src/training/run/train.ts";
import { SelfPlayLearner } from "../../../src/training/loop/self-play-learner.ts";
import {
  explorationAt,
  gameSeeder,
  createStartPositions,
  stepSizeAt,
} from "../../../src/training/self-play/game-settings.ts";
import { initialWeights } from "../../../src/training/learn/initial-weights.ts";
import type { Learner } from "../../../src/training/learn/learner.ts";
import { createLearnable, storedModel } from "../../../src/training/learn/learnable.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { planTraining, type TrainingPlan } from "../../../src/training/plan/plan.ts";
import { OnePly, OnePlyPlay } from "../../../src/training/self-play/one-ply-play.ts";
import { contents, folders, requestOf, TINY } from "../runs.ts";

const allocate = (_: string, length: number) => new Float32Array(length);

function createLearning(plan: TrainingPlan): SelfPlayLearner {
  return new SelfPlayLearner(plan, initialWeights(plan.game, plan.config, allocate), { allocate });
}

/** Actors in this thread, all jobs of which come back in the order that `choose` says. */
class ActorsHere implements Actors {
  readonly jobs: number;
  readonly jobMs: number;
  readonly given: ActorJob[] = [];
  closed = false;
  private readonly actor: Actor;
  private readonly versions = new Map<string, Float32Array>();

  constructor(plan: TrainingPlan, { jobs = 1, jobMs = 0 } = {}) {
    this.actor = new Actor(plan);
    this.jobs = jobs;
    this.jobMs = jobMs;
  }

  async publish(weights: Float32Array, games: number): Promise<string> {
    const name = `${games}-${this.versions.size}`;
    this.versions.set(name, weights.slice());
    return name;
  }

  async play(job: ActorJob): Promise<ActorResult> {
    this.given.push(job);
    this.actor.load(this.versions.get(job.weights)!);
    return { moves: this.actor.playGames(job.from, job.count), worker: "here", timeMs: job.count };
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

const GAME_UPDATES: TrainingConfig["learner"] = { lambda: 0.5, stepSize: 0.05, updates: "game" };
/** The weights change at the end of games alone: they are the same all through a game. */
const BETWEEN_GAMES: Readonly<Record<string, Partial<TrainingConfig>>> = {
  "softmax, random plies": { learner: GAME_UPDATES, exploration: { kind: "softmax", temperature: 0.3 } },
  "temporal coherence, n-tuples, positions to begin from": {
    game: { id: "connect-four", width: 4, height: 4 },
    evaluator: { kind: "n-tuple", tuples: { count: 3, length: 4 }, stages: [6] },
    learner: { ...GAME_UPDATES, normalized: true, coherence: true },
    openings: { states: ["start", "1", "224"] },
  },
  "a network": {
    evaluator: { kind: "network", features: "lines", hidden: [5] },
    learner: { rule: "lambda-returns", lambda: 0.8, stepSize: 0.01, batch: 7 },
  },
};
/** The weights change during a game. */
const IN_GAMES: Readonly<Record<string, Partial<TrainingConfig>>> = {
  "traces, random plies": {},
  "chance, one player, rewards": {
    game: "2048",
    games: 3,
    evaluator: { kind: "linear", features: "tuples-4", output: "identity" },
    learner: { lambda: 0, stepSize: 0.1, normalized: true, positions: "afterstates" },
    openings: { randomPlies: 0 },
  },
  "chance in turns, own positions": {
    game: "backgammon",
    games: 12,
    evaluator: { kind: "linear", features: "tesauro", output: "tanh" },
    learner: { lambda: 0.7, stepSize: 0.01, positions: "own" },
  },
};
const CASES = { ...BETWEEN_GAMES, ...IN_GAMES };

const planOf = async (parts: Partial<TrainingConfig>) =>
  planTraining({ ...TINY, rating: { ...TINY.rating, pool: ["random"] }, ...parts }, { baseDir: "." });

/** The games that a loop has learned from. */
function learnedBy(learning: SelfPlayLearner, decisions: number): object {
  const { learner, learnable } = learning;
  const { steps, errors, memory } = learner;
  return { decisions, steps, errors, memory, weights: learnable.weights };
}

async function learnFrom(
  actors: Actors,
  plan: TrainingPlan,
): Promise<{ loop: TrainingLoop; learning: SelfPlayLearner }> {
  const learning = createLearning(plan);
  const loop = actorLoop(plan, { learning, actors, clock: () => 0 });
  expect(await loop.play(0, plan.config.games, async () => true)).toBe(plan.config.games);
  return { loop, learning };
}

describe("games that actors play, one after the other, with the newest weights,", () => {
  test.each(Object.entries(CASES))(
    "teach what the same games teach while they are played here: %s",
    async (_, parts) => {
      const plan = await planOf(parts);
      const { game, config } = plan;
      const { loop, learning } = await learnFrom(new ActorsHere(plan), plan);
      const here = createLearning(plan);
      const random = createRandom("any");
      const weights = here.learnable.weights.slice();
      const frozen = createLearnable(game, storedModel(game, config.evaluator), weights);
      const chooser = new OnePly(game, frozen.evaluator, random);
      const { learner } = here;
      // The chooser holds its own evaluator, not the learner's.
      const unheld: Pick<Learner, "begin" | "observe" | "end"> = {
        begin: (state) => learner.begin(state),
        observe: (state, by, explored) => learner.observe(state, by, explored),
        end: (state, explored) => learner.end(state, explored),
      };
      const starts = createStartPositions(plan, random);
      const play = new OnePlyPlay(game, { starts, chooser, learner: unheld as Learner });
      for (let number = 0; number < config.games; number++) {
        weights.set(here.learnable.weights);
        if (frozen.kind === "network") frozen.evaluator.load(frozen.network);
        gameSeeder(config)(random, number);
        Object.assign(chooser.exploration, explorationAt(config, number));
        learner.stepSize = stepSizeAt(config, number);
        play.playGame();
      }
      expect(learnedBy(learning, loop.counts.decisions)).toEqual(learnedBy(here, play.decisions));
      expect(weights.some((weight) => weight !== 0)).toBe(true);
      expect(loop.staleness).toEqual({ games: config.games, behind: 0, most: 0 });
    },
  );

  test.each(Object.entries(BETWEEN_GAMES))(
    "are those of a training here, where weights change at the end of games: %s",
    async (_, parts) => {
      const plan = await planOf(parts);
      const { loop, learning } = await learnFrom(new ActorsHere(plan), plan);
      const here = createLearning(plan);
      for (let number = 0; number < plan.config.games; number++) {
        gameSeeder(plan.config)(here.random, number);
        here.playGame(number);
      }
      expect(learnedBy(learning, loop.counts.decisions)).toEqual(learnedBy(here, here.counts.decisions));
    },
  );
});

/** Plays a training of tic-tac-toe with these actors. */
async function train(actors: ActorsHere, plan: TrainingPlan): Promise<TrainingLoop> {
  const loop = actorLoop(plan, { learning: createLearning(plan), actors, clock: () => 0 });
  expect(await loop.play(0, plan.config.games, async () => true)).toBe(plan.config.games);
  return loop;
}

/** Numbers of the games of jobs, in ascending order. */
const numbersOf = (jobs: readonly ActorJob[]) =>
  jobs
    .flatMap(({ from, count }) => Array.from({ length: count }, (_, at) => from + at))
    .toSorted((one, other) => one - other);
const upTo = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("several jobs at once", () => {
  test("are learned from in the order in which they come, and it is counted how old their weights were", async () => {
    const plan = await planOf({ games: 2000 });
    const actors = new ActorsHere(plan, { jobs: 3, jobMs: 5 });
    const { staleness } = await train(actors, plan);
    let [games, behind, most] = [0, 0, 0];
    for (const { weights, count } of actors.given)
      for (let at = 0; at < count; at++, games++) {
        const age = games - Number(weights.split("-")[0]);
        behind += age;
        most = Math.max(most, age);
      }
    expect(staleness).toEqual({ games: 2000, behind, most });
    expect(behind).toBeGreaterThan(0);
    // A hundredth of all games may be at play.
    expect(most).toBeLessThan(2 * 20);
    expect(actors.given.length).toBeLessThan(500);
    expect(numbersOf(actors.given)).toEqual(upTo(2000));
  });

  test("that are lost are given out again, with weights that are published again", async () => {
    class Forgetful extends ActorsHere {
      readonly finished: ActorJob[] = [];

      override async play(job: ActorJob): Promise<ActorResult> {
        const result = await super.play(job);
        if (this.given.length % 3 === 0) return { lost: "for a test" };
        this.finished.push(job);
        return result;
      }
    }
    const plan = await planOf({});
    const actors = new Forgetful(plan, { jobs: 3, jobMs: 5 });
    const { staleness } = await train(actors, plan);
    expect(numbersOf(actors.finished)).toEqual(upTo(120));
    expect(staleness.games).toBe(120);
  });

  test("do not hang on for ever when all of them are lost", async () => {
    const plan = await planOf({});
    const actors = new ActorsHere(plan);
    actors.play = async () => ({ lost: "for a test" });
    await expect(train(actors, plan)).rejects.toThrow("no games come from the actors: for a test");
  });

  test("whose weights have become too old are played again", async () => {
    class Slow extends ActorsHere {
      override async play(job: ActorJob): Promise<ActorResult> {
        const result = await super.play(job);
        while (job.from === 0 && this.given.length < 50) await setImmediate();
        return result;
      }
    }
    const plan = await planOf({ games: 200 });
    const actors = new Slow(plan, { jobs: 2 });
    const { staleness } = await train(actors, plan);
    expect(actors.given.filter(({ from }) => from === 0)).toHaveLength(2);
    expect(staleness.games).toBe(200);
    expect(staleness.most).toBeLessThanOrEqual(16);
  });

  test.each([
    ["a move that the rules do not allow: 9", [2 * 9]],
    ["a game without an end", [2 * 4]],
    ["a number of too many bytes", [128, 128, 128, 128, 128, 1]],
    ["more than the 1 games that were asked for", [0, 6, 2, 8, 4, 0]],
  ])("that are no games stop the training: %s", async (what, moves) => {
    const plan = await planOf({ openings: { randomPlies: 0 } });
    const actors = new ActorsHere(plan);
    actors.play = async () => ({ moves: Uint8Array.from(moves), worker: "w7", timeMs: 1 });
    await expect(train(actors, plan)).rejects.toThrow(`worker w7 sent no games of tic-tac-toe: ${what}`);
  });
});

describe("a training with actors", () => {
  const newDir = folders();
  const openActors: OpenActors = async ({ plan }) => new ActorsHere(plan);
  const request = (dir: string, parts: Parameters<typeof requestOf>[2] = {}) =>
    requestOf(dir, TINY, { openActors, clock: () => 0, ...parts });

  test("killed and resumed ends the same; its weights say how old those of the actors were", async () => {
    const [whole, dir] = [newDir(), newDir()];
    await trainFromConfig(request(whole));
    let made: ActorsHere | undefined;
    let told = 0;
    const killed = trainFromConfig(
      request(dir, {
        openActors: async ({ plan }) => (made = new ActorsHere(plan)),
        onProgress: () => {
          if (told++ === 60) throw new Error("killed");
        },
      }),
    );
    await expect(killed).rejects.toThrow("killed");
    expect(made!.closed).toBe(true);
    await trainFromConfig(request(dir, { resume: true }));
    expect(contents(dir)).toEqual(contents(whole));
    expect(loadHeader(join(dir, "weights.json")).training).toMatchObject({
      actors: { games: 120, meanGamesBehind: 0, mostGamesBehind: 0 },
      reproducible: false,
    });
  });

  test("that goes on without them still says that they played", async () => {
    const dir = newDir();
    const controller = new AbortController();
    const onProgress: TrainingRequest["onProgress"] = ({ gamesDone }) => {
      if (gamesDone >= 50) controller.abort();
    };
    const { games } = await trainFromConfig(request(dir, { signal: controller.signal, onProgress }));
    await trainFromConfig(request(dir, { resume: true, openActors: undefined }));
    const { training } = loadHeader(join(dir, "weights.json"));
    expect(games).toBeGreaterThan(0);
    expect(training).toMatchObject({ games: 120, actors: { games }, reproducible: false });
  });

  test("is refused for TDLeaf", async () => {
    const learner = { rule: "td-leaf", lambda: 0.7, stepSize: 0.02, search: "alpha-beta:depth=2" } as const;
    await expect(trainFromConfig(requestOf(newDir(), { ...TINY, learner }, { openActors }))).rejects.toThrow(
      /^learner\.rule: td-leaf learns from the leaves of searches by the present weights/,
    );
  });
});
