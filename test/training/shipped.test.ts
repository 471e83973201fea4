import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { TournamentOpenings } from "../../src/arena/schedule/openings.ts";
import { Referee, type Seat } from "../../src/arena/play/referee.ts";
import { rate } from "../../src/ratings/elo/rate.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { readDocument, readJson } from "../../src/specs/files/documents.ts";
import { loadHeader, loadWeights } from "../../src/specs/files/weights-file.ts";
import { TERMINAL, type Evaluator, type Game, type State } from "../../src/games/contract/game.ts";
import { loadEvaluator } from "../../src/specs/evaluators.ts";
import { createGame } from "../../src/games/index.ts";
import { OptimalPig } from "../../src/games/pig/judge.ts";
import { PigState, type PigDecision } from "../../src/games/pig/state.ts";
import { storedModel } from "../../src/training/learn/learnable.ts";
import { planTraining } from "../../src/training/plan/plan.ts";
import { shareOfWins } from "../support/pig.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const weightsOf = (id: string) => join(root, "weights", id, "linear.json");
const configs = readdirSync(join(root, "configs", "training")).filter((name) => name.endsWith(".yaml"));
const shipped = readdirSync(join(root, "weights"), { recursive: true, encoding: "utf8" }).filter(
  (name) =>
    name.endsWith(".json") &&
    (readJson(join(root, "weights", name)) as { format?: string }).format === "agon-weights",
);

/** The training that a config plans, by the config's name. */
async function planOf(name: string) {
  const path = join(root, "configs", "training", `${name}.yaml`);
  return planTraining(readDocument(path), { baseDir: join(path, ".."), source: path });
}

test.each(everyFew(configs, 10))(
  "configs/training/%s is in order, and named after its file",
  async (file) => {
    const name = file.replace(".yaml", "");
    const path = join(root, "configs", "training", file);
    const document = readDocument(path) as { name: string; learner: { rule?: string } };
    expect(document.name).toBe(name);
    // The games of a fit are played by the commands of docs/training.md, which test/documents.test.ts runs.
    if (document.learner.rule !== "fit") await planOf(name);
    const [first] = readFileSync(join(root, "configs", "training", file), "utf8").split("\n");
    expect(first).toBe("# yaml-language-server: $schema=../../schema/training.json");
  },
);

test.each(everyFew(shipped, 6))("weights/%s was made by its config as it is now", async (file) => {
  const path = join(root, "weights", file);
  const { training, evaluator, game: made } = loadHeader(path);
  const { config, game } = await planOf(String(training["config"]));
  expect(made.id).toBe(game.id);
  expect(() => loadWeights(path, game)).not.toThrow();
  expect(evaluator).toEqual(storedModel(game, config.evaluator));
  const { seed, games, learner, exploration, openings, patience } = config;
  const parts = JSON.parse(JSON.stringify({ seed, learner, exploration, openings })) as object;
  expect(training).toMatchObject(parts);
  if (patience === undefined) expect(training.games).toBe(games);
  else expect(training.games).toBeLessThanOrEqual(games);
});

describe("tic-tac-toe", () => {
  const game = createGame("tic-tac-toe");

  test.each([0, 1])("one ply on the weights never loses from seat %d, whatever the other plays", (me) => {
    const evaluator = loadWeights(weightsOf(game.id), game);
    const results = new Map<number, number>();
    const follow = (state: State): void => {
      if (state.toMove === TERMINAL) {
        results.set(state.returns(me), (results.get(state.returns(me)) ?? 0) + 1);
        return;
      }
      const actions = new Int32Array(game.maxActions);
      const all = Array.from(actions.subarray(0, state.legalActions(actions, 0)));
      for (const action of state.toMove === me ? bestActions(state, all, evaluator) : all) {
        state.apply(action);
        follow(state);
        state.undo();
      }
    };
    follow(game.start());
    expect(results.get(-1)).toBeUndefined();
    expect(results.get(1)).toBeGreaterThan(50);
  });
});

/** All that a greedy player might choose. */
function bestActions(state: State, actions: readonly number[], evaluator: Evaluator): number[] {
  const me = state.toMove;
  const values = actions.map((action) => {
    state.apply(action);
    const value = state.toMove === TERMINAL ? state.returns(me) : evaluator.evaluate(state, me);
    state.undo();
    return value;
  });
  const best = Math.max(...values);
  return actions.filter((_, at) => values[at] === best);
}

describe("connect four", () => {
  /** 200 games; were the two equal, the lower end would be above 0 once in 40 times. The figure is about +115. */
  slowTest("the weights beat `threats`, both at alpha-beta depth 4", async () => {
    const game = createGame("connect-four");
    const records = await playMatch(game, [weightsOf(game.id), "threats"], 100);
    const [trained] = rate(records, 2, { anchor: { entrant: 1, elo: 0 } }).entrants;
    expect(trained!.low).toBeGreaterThan(0);
  });
});

async function playMatch(game: Game, evaluators: readonly string[], blocks: number): Promise<GameRecord[]> {
  const seats = evaluators.map((evaluator): Seat => {
    const prepared = prepareAgent(
      game,
      { agent: "alpha-beta", depth: 4, evaluator, table: 0.1 },
      { loadEvaluator },
    );
    return { agent: prepared.create(), budget: prepared.budget };
  });
  const referee = new Referee(game, () => 0);
  const openings = new TournamentOpenings(game, { randomPlies: 4 }, "shipped").pairing("");
  const records: GameRecord[] = [];
  for (let block = 0; block < blocks; block++) {
    const opening = openings.next();
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const id = `${block}/${order.join()}`;
      const setup = { id, seed: "shipped", block: id, opening };
      const result = await referee.play(
        order.map((entrant) => seats[entrant]!),
        setup,
      );
      records.push({ id, block: String(block), seats: order, openingLength: opening.length, ...result });
    }
  }
  return records;
}

describe("pig", () => {
  const game = createGame("pig");

  slowTest(
    "one ply on the weights wins within half a point of half of its games against optimal play: 49.57%",
    () => {
      const optimal = new OptimalPig(100);
      // Neller and Presser: 53.06% for who begins.
      expect(optimal.wins(0, 0, 0)).toBeCloseTo(0.5306, 4);
      const learnt = policyOf(loadWeights(weightsOf(game.id), game));
      const share = shareOfWins(learnt, optimal.rolls, 100);
      expect(share).toBeGreaterThan(0.495);
      expect(share).toBeLessThan(0.5);
    },
  );

  /** The actions of a greedy player in each position. */
  function policyOf(evaluator: Evaluator): PigDecision {
    const state = game.start() as PigState;
    return (own, other, total) => {
      state.place([own, other], { turnTotal: total });
      const [hold, roll] = [0, 1].map((action) => {
        state.apply(action);
        const value = evaluator.evaluate(state, 0);
        state.undo();
        return value;
      });
      return roll! > hold!;
    };
  }
});
