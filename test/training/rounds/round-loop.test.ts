import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { initialWeights } from "../../../src/training/learn/initial-weights.ts";
import {
  createLearnable,
  createLearner,
  readAgain,
  storedModel,
} from "../../../src/training/learn/learnable.ts";
import type { Learner } from "../../../src/training/learn/learner.ts";
import { SelfPlayLearner } from "../../../src/training/loop/training-loop.ts";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { planTraining, type TrainingPlan } from "../../../src/training/plan/plan.ts";
import type {
  ActorJob,
  ActorResult,
  Actors,
  RoundWeights,
  Table,
} from "../../../src/training/rounds/actors.ts";
import { ActorsHere } from "../../../src/training/rounds/local-actors.ts";
import { RoundLoop } from "../../../src/training/rounds/round-loop.ts";
import { trainFromConfig, type TrainingRequest } from "../../../src/training/run/train.ts";
import { createListener, PlannedMoves } from "../../../src/training/self-play/create-moves.ts";
import { gameSeeder, Opponents, stepSizeAt } from "../../../src/training/self-play/game-settings.ts";
import { SelfPlay } from "../../../src/training/self-play/self-play.ts";
import { StartPositions } from "../../../src/training/self-play/start-positions.ts";
import { slowTest } from "../../support/thorough.ts";
import { contents, folders, HIDDEN, requestOf, TINY } from "../runs.ts";

const allocate = (_: string, length: number) => new Float32Array(length);

/** Expert iteration by a search of which such positions are samples, too. */
function treeTeaches(told: { nodes?: number; proven?: boolean }): Partial<TrainingConfig> {
  return {
    game: { id: "connect-four", width: 4, height: 4 },
    games: 30,
    evaluator: { kind: "network", features: "fours", hidden: [5], policy: true },
    learner: {
      rule: "expert",
      stepSize: 0.01,
      batch: 20,
      window: 1000,
      ...told,
      search: { agent: "mcts", simulations: 16, priors: "policy", root: "gumbel", noise: 1 },
    },
    exploration: { epsilon: 0.2 },
  };
}

const CASES: Readonly<Record<string, Partial<TrainingConfig>>> = {
  "traces, random plies": {},
  "TDLeaf, exploring, positions to begin from": {
    game: { id: "connect-four", width: 4, height: 4 },
    games: 30,
    learner: { rule: "td-leaf", lambda: 0.7, stepSize: 0.02, search: "alpha-beta:depth=3,quiescence=false" },
    exploration: { epsilon: 0.2 },
    openings: { states: ["start", "1", "224"] },
  },
  "TreeStrap against another agent, with a table": {
    game: { id: "connect-four", width: 4, height: 4 },
    games: 30,
    learner: { rule: "tree-strap", stepSize: 0.001, coherence: true, search: "alpha-beta:depth=3" },
    exploration: { epsilon: 0.2 },
    opponents: { pool: [{ agent: "random", share: 0.3 }] },
  },
  "TDLeaf with chance events": {
    game: { id: "pig", target: 20 },
    games: 20,
    evaluator: { kind: "linear", features: "race", output: "tanh" },
    learner: { rule: "td-leaf", lambda: 0.5, stepSize: 0.02, search: "expectimax:depth=1" },
    openings: { randomPlies: 0 },
  },
  "softmax, weights that change at the end of games, a mixture of openings": {
    openings: { mix: [{}, { share: 2, randomPlies: { from: 1, to: 3 } }, { states: ["x../.o./..."] }] },
    learner: { lambda: 0.5, stepSize: 0.05, updates: "game" },
    exploration: { kind: "softmax", temperature: 0.3 },
  },
  "other agents on a seat, one of which remembers": {
    game: { id: "connect-four", width: 4, height: 4 },
    learner: { lambda: 0.5, stepSize: 0.05, positions: "own" },
    opponents: {
      pool: [
        { agent: "greedy", evaluator: "threats", epsilon: 0.3, share: 0.3 },
        { agent: "mcts", simulations: 8, memory: "game", share: 0.3 },
      ],
    },
  },
  "TDLeaf against another agent": {
    game: { id: "connect-four", width: 4, height: 4 },
    games: 30,
    learner: { rule: "td-leaf", lambda: 0.7, stepSize: 0.02, search: "alpha-beta:depth=2" },
    opponents: { pool: [{ agent: "random", share: 0.5 }] },
  },
  "temporal coherence, n-tuples": {
    game: { id: "connect-four", width: 4, height: 4 },
    evaluator: { kind: "n-tuple", tuples: { count: 3, length: 4 }, stages: [6] },
    learner: { lambda: 0.5, stepSize: 0.05, normalized: true, coherence: true },
  },
  "a network": {
    evaluator: { kind: "network", features: "lines", hidden: [5] },
    learner: { rule: "lambda-returns", lambda: 0.8, stepSize: 0.01, batch: 7 },
  },
  "a network with a policy learns from an expert": {
    game: { id: "connect-four", width: 4, height: 4 },
    games: 30,
    evaluator: { kind: "network", features: "fours", hidden: [5], policy: true },
    learner: { rule: "expert", stepSize: 0.01, batch: 20, window: 1000, search: "alpha-beta:depth=2" },
    exploration: { epsilon: 0.2 },
    opponents: { pool: [{ agent: "random", share: 0.3 }] },
  },
  "Descent teaches a value": {
    game: { id: "connect-four", width: 4, height: 4 },
    games: 30,
    evaluator: { kind: "network", features: "fours", hidden: [5] },
    learner: {
      rule: "expert",
      stepSize: 0.01,
      batch: 20,
      window: 1000,
      nodes: 1,
      search: { agent: "descent", simulations: 3, ends: true },
    },
    exploration: { kind: "ordinal", exploitation: { from: 0, to: 1 } },
  },
  "the tree of Gumbel's search teaches": treeTeaches({ nodes: 3 }),
  "positions that are proven in the tree teach": treeTeaches({ nodes: 4, proven: true }),
  "a search with chance teaches a policy over afterstates": {
    game: "backgammon",
    games: 6,
    round: 2,
    evaluator: { kind: "linear", features: "tesauro", policy: true },
    learner: {
      rule: "expert",
      stepSize: 0.01,
      nodes: 3,
      coherence: true,
      search: { agent: "mcts", simulations: 4, priors: "policy", noise: 0.25 },
    },
    exploration: { epsilon: 0.2 },
    openings: { randomPlies: 0 },
  },
  "chance, one player, rewards": {
    game: "2048",
    games: 3,
    round: 2,
    evaluator: { kind: "linear", features: "tuples-4", output: "identity" },
    learner: { lambda: 0, stepSize: 0.1, normalized: true, positions: "afterstates" },
    openings: { randomPlies: 0 },
  },
  "hidden information": { ...HIDDEN, worlds: 3, games: 40 },
  "chance in turns, own positions": {
    game: "backgammon",
    games: 12,
    round: 3,
    evaluator: { kind: "linear", features: "tesauro", output: "tanh" },
    learner: { lambda: 0.7, stepSize: 0.01, positions: "own" },
  },
};

const planOf = async (parts: Partial<TrainingConfig> = {}) =>
  planTraining(
    {
      ...TINY,
      round: 7,
      ...parts,
      rating: { ...(parts.rating ?? TINY.rating), pool: ["random"] },
    },
    { baseDir: "." },
  );

/** The outcome of learning. */
interface Learned {
  readonly decisions: number;
  readonly steps: number;
  readonly errors: object;
  readonly memory: object;
  readonly weights: Float32Array;
}

function learned({ steps, errors, memory }: Learner, weights: Float32Array, decisions: number): Learned {
  return { decisions, steps, errors, memory, weights };
}

function createLoop(plan: TrainingPlan, actors: Actors): { loop: RoundLoop; outcome: () => Learned } {
  const weights = initialWeights(plan.game, plan.config, allocate);
  const { learnable, learner } = new SelfPlayLearner(plan, weights, { allocate });
  const loop = new RoundLoop(plan, 0, { learnable, learner, actors, clock: () => performance.now() });
  return { loop, outcome: () => learned(learner, weights, loop.counts.decisions) };
}

/** The weights that these actors and a learner come to. */
async function learnWith(plan: TrainingPlan, actors: Actors): Promise<Learned> {
  const { loop, outcome } = createLoop(plan, actors);
  expect(await loop.play(0, plan.config.games, async () => true)).toBe(plan.config.games);
  return outcome();
}

/** The definition, with nothing at the same time: each game is played with the weights of its round, and then learned from. */
function learnPlainly(plan: TrainingPlan): Learned {
  const { game, config } = plan;
  const model = storedModel(game, config.evaluator);
  const own = createLearnable(game, model, initialWeights(game, config, allocate));
  const learner = createLearner(game, config.learner, own, { allocate });
  const played = createLearnable(game, model, own.weights.slice());
  const random = createRandom("any");
  const starts = new StartPositions(plan.game, plan.starts, random);
  const moves = new PlannedMoves(plan, played, { starts, random });
  const listener = createListener(plan, {
    begin: (state) => learner.begin(state),
    // What the played evaluator holds is not the learner's.
    observe: (state, by, explored) => learner.observe(state, by, explored),
    end: (state, explored) => learner.end(state, explored),
    study: (state, tree) => learner.study!(state, tree),
  } as Learner);
  const play = new SelfPlay(game, { starts, moves, listener });
  const opponents = new Opponents(plan);
  const left = [own.weights.slice()];
  for (let number = 0; number < config.games; number++) {
    const round = Math.floor(number / config.round!);
    if (number % config.round! === 0) {
      if (number > 0) left.push(own.weights.slice());
      played.weights.set(left[Math.max(0, round - 1)]!);
      readAgain(played);
    }
    gameSeeder(config)(random, number);
    moves.exploration.begin(config, number);
    learner.stepSize = stepSizeAt(config, number);
    const opponent = opponents.in(number, { hasCheckpoint: false });
    learner.opponentSeat = opponent?.seat;
    moves.seat(opponent);
    play.playGame();
    if ((number + 1) % config.round! === 0 || number + 1 === config.games) learner.endRound?.();
  }
  return learned(learner, own.weights, play.decisions);
}

describe("rounds", () => {
  slowTest.each(Object.entries(CASES))("give the weights of their definition: %s", async (_, parts) => {
    const plan = await planOf(parts);
    const plain = learnPlainly(plan);
    expect(await learnWith(plan, new ActorsHere(plan))).toEqual(plain);
    expect(plain.weights.some((weight) => weight !== 0)).toBe(true);
    expect(plain.steps).toBeGreaterThan(plan.config.games);
  });

  test.each([1, 2, 40, 119, 120])("of %d games, too", async (round) => {
    const plan = await planOf({ round });
    expect(await learnWith(plan, new ActorsHere(plan))).toEqual(learnPlainly(plan));
  });

  test("of other sizes give other weights", async () => {
    const [one, other] = [await planOf({ round: 7 }), await planOf({ round: 8 })];
    expect(learnPlainly(one).weights).not.toEqual(learnPlainly(other).weights);
  });
});

/** Actors that play their jobs in any order, several at a time, and lose some of them. */
class Unsteady extends ActorsHere {
  override readonly jobs = 5 as 1;
  override readonly jobMs = 5 as 0;
  readonly given: ActorJob[] = [];
  private readonly random = createRandom("unsteady");
  private readonly losing: number;

  constructor(plan: TrainingPlan, losing = 0) {
    super(plan);
    this.losing = losing;
  }

  override async play(job: ActorJob): Promise<ActorResult> {
    this.given.push(job);
    for (let wait = this.random.below(6); wait > 0; wait--) await setImmediate();
    const result = await super.play(job);
    if (this.random.float() < this.losing) return { lost: "for a test" };
    return { ...result, timeMs: job.count };
  }
}

describe("any actors", () => {
  test.each([0, 0.3])("come to the same weights, if %d of their jobs are lost", async (losing) => {
    const plan = await planOf({ games: 300, round: 40 });
    const actors = new Unsteady(plan, losing);
    expect(await learnWith(plan, actors)).toEqual(learnPlainly(plan));
    expect(actors.given.some(({ count }) => count > 1)).toBe(true);
    for (const { table, from, count } of actors.given) {
      expect(table).toBe(Math.floor(from / 40) % 2);
      // A job is of one round.
      expect(Math.floor((from + count - 1) / 40)).toBe(Math.floor(from / 40));
    }
  });

  test("play the next round while the learner waits for this one", async () => {
    const plan = await planOf({ games: 40, round: 10 });
    const actors = new Unsteady(plan);
    let ready = false;
    const play = actors.play.bind(actors);
    actors.play = async (job) => {
      while (job.from === 0 && !ready) {
        await setImmediate();
        ready = actors.given.some(({ from }) => from >= 10);
      }
      return play(job);
    };
    await learnWith(plan, actors);
    // Game 0 had to wait for a game of round 1, and none of round 2 was given out before.
    expect(ready).toBe(true);
    const begun = actors.given.findIndex(({ from }) => from === 0);
    expect(actors.given.slice(0, begun).every(({ from }) => from < 20)).toBe(true);
  });

  test("that lose all their jobs end the training", async () => {
    const plan = await planOf();
    await expect(learnWith(plan, new Unsteady(plan, 1))).rejects.toThrow(
      "no games come from the actors: for a test",
    );
  });

  test("have their weights again after a loss", async () => {
    const published: Table[] = [];
    class Forgetful extends ActorsHere {
      private played = 0;
      override async publish(table: Table, weights: RoundWeights): Promise<void> {
        published.push(table);
        await super.publish(table, weights);
      }
      override async play(job: ActorJob): Promise<ActorResult> {
        return ++this.played === 3 ? { lost: "for a test" } : super.play(job);
      }
    }
    const plan = await planOf({ games: 10, round: 10 });
    expect(await learnWith(plan, new Forgetful(plan))).toEqual(learnPlainly(plan));
    expect(published.slice(0, 4)).toEqual([0, 1, 0, 1]);
  });

  test.each([
    ["a move that the rules do not allow: 9", [2 * 9]],
    ["a game without an end", [2 * 4]],
    ["a number of too many bytes", [128, 128, 128, 128, 128, 1]],
    ["more than the 1 games that were asked for", [0, 6, 2, 8, 4, 0]],
  ])("that send no games stop the training: %s", async (what, moves) => {
    const plan = await planOf({ openings: { randomPlies: 0 } });
    const actors = new ActorsHere(plan);
    actors.play = async () => ({ moves: Uint8Array.from(moves), worker: "w7", timeMs: 1 });
    await expect(learnWith(plan, actors)).rejects.toThrow(`worker w7 sent no games of tic-tac-toe: ${what}`);
  });

  test.each([
    ["a move that the rules do not allow: 0", [1, 0, 4]],
    ["a principal variation that goes beyond the end or a chance event", [3, 2, 8, 3, 4]],
  ])("that send lines which are none stop it, too: %s", async (what, moves) => {
    const learner = { rule: "td-leaf", lambda: 0.7, stepSize: 0.02, search: "alpha-beta:depth=2" } as const;
    const plan = await planOf({ learner, openings: { states: ["xo./.x./..."] }, games: 7 });
    const actors = new ActorsHere(plan);
    actors.play = async () => ({ moves: Uint8Array.from(moves), worker: "w7", timeMs: 1 });
    await expect(learnWith(plan, actors)).rejects.toThrow(`worker w7 sent no games of tic-tac-toe: ${what}`);
  });
});

describe("a training in rounds", () => {
  const newDir = folders();

  const PAST: typeof CASES = {
    "opponents from the past": { opponents: { past: 0.5 }, checkpoints: 5 },
    "opponents from the past, TDLeaf": {
      ...CASES["TDLeaf with chance events"],
      opponents: { past: 0.5 },
      games: 30,
      checkpoints: { every: 4 },
    },
    "opponents from the past, a network": {
      ...CASES["a network"],
      opponents: { past: 1 },
      checkpoints: { every: 7 },
    },
  };

  slowTest.each([...Object.entries(CASES), ...Object.entries(PAST)])(
    "killed at any moment, and gone on with by other actors, leaves the same files: %s",
    async (_, parts) => {
      const config: TrainingConfig = {
        ...TINY,
        round: 7,
        checkpoints: 2,
        ...parts,
        rating: { ...(parts.rating ?? TINY.rating), pool: ["random"], blocks: 1 },
      };
      const whole = newDir();
      let moments = 0;
      await trainFromConfig(requestOf(whole, config, { onProgress: () => moments++ }));
      for (const share of [0.2, 0.5, 0.8]) {
        const dir = newDir();
        let told = 0;
        const parts: Partial<TrainingRequest> = { openActors: async ({ plan }) => new Unsteady(plan) };
        const killed = trainFromConfig(
          requestOf(dir, config, {
            ...parts,
            onProgress: () => {
              if (told++ >= share * moments - 2) throw new Error("killed");
            },
          }),
        );
        await expect(killed).rejects.toThrow("killed");
        await trainFromConfig(requestOf(dir, config, { resume: true }));
        expect(contents(dir)).toEqual(contents(whole));
      }
    },
  );

  slowTest("stopped in the middle of a round goes on in it", async () => {
    const config = { ...TINY, round: 50 };
    const [whole, dir] = [newDir(), newDir()];
    await trainFromConfig(requestOf(whole, config));
    const controller = new AbortController();
    const { games } = await trainFromConfig(
      requestOf(dir, config, {
        signal: controller.signal,
        onProgress: ({ gamesDone }) => gamesDone > 20 && controller.abort(),
      }),
    );
    expect(games % 50).toBeGreaterThan(0);
    await trainFromConfig(requestOf(dir, config, { resume: true }));
    expect(contents(dir)).toEqual(contents(whole));
  });

  slowTest("copies all weights for the next rounds when it goes on", async () => {
    const config: TrainingConfig = {
      ...TINY,
      game: "connect-four",
      games: 60,
      round: 10,
      evaluator: { kind: "n-tuple", tuples: { count: 20, length: 6 } },
      learner: { lambda: 0, stepSize: 1, normalized: true },
      checkpoints: 1,
      rating: { ...TINY.rating, pool: ["random"], blocks: 1 },
    };
    const whole = newDir();
    await trainFromConfig(requestOf(whole, config));
    for (const most of [13, 17, 22, 35]) {
      const dir = newDir();
      const controller = new AbortController();
      await trainFromConfig(
        requestOf(dir, config, {
          signal: controller.signal,
          onProgress: ({ gamesDone }) => gamesDone >= most && controller.abort(),
        }),
      );
      await trainFromConfig(requestOf(dir, config, { resume: true }));
      expect(contents(dir)).toEqual(contents(whole));
    }
  });

  test("is what other machines play; another one is refused", async () => {
    const openActors: TrainingRequest["openActors"] = async ({ plan }) => new ActorsHere(plan);
    await expect(trainFromConfig(requestOf(newDir(), TINY, { openActors }))).rejects.toThrow(
      /^round: other machines play rounds of games/,
    );
  });

  test("of one round that is longer than the training is refused", async () => {
    await expect(planOf({ games: 6 })).rejects.toThrow("round: must be at most the 6 games of the training");
  });
});
