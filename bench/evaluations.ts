import { execFileSync } from "node:child_process";
import { cpuUsage } from "node:process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { LinearEvaluator } from "../src/evaluators/linear.ts";
import { tupleFeatures, walkTuples } from "../src/evaluators/n-tuple.ts";
import { defaultActivation, headSize } from "../src/evaluators/network/head.ts";
import { createNetwork } from "../src/evaluators/network/network.ts";
import { NetworkEvaluator } from "../src/evaluators/network/network-evaluator.ts";
import { CHANCE, TERMINAL, type Evaluator, type FeatureSet, type Game } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";

/**
 * Evaluations a second on one core, each kind of evaluator in a process of its own: `npm run bench -- evaluations [GAME
 * KIND FEATURES]`. Positions come as a one-ply player sees them: at each ply of random games every legal action is
 * applied, evaluated and taken back. The kind `none` is the time of this without an evaluator. FEATURES is a feature
 * set, or COUNTxLENGTH for n-tuples by random walks. Time is the process's own, so that others on the machine do not
 * count.
 */
const HIDDEN = 80;
const ROUNDS = 7;
const ROUND_MS = 400;

const KINDS = [
  ["backgammon", "none", ""],
  ["backgammon", "heuristic", "pubeval"],
  ["backgammon", "linear", "tesauro"],
  ["backgammon", "network-afresh", "tesauro"],
  ["backgammon", "network-value", "tesauro"],
  ["backgammon", "network-outcomes", "tesauro"],
  ["backgammon", "network-outcomes", "tactics"],
  ["connect-four", "none", ""],
  ["connect-four", "heuristic", "threats"],
  ["connect-four", "linear", "lines"],
  ["connect-four", "linear", "70x8"],
] as const;

const [, , id, kind, features = ""] = process.argv;
if (id === undefined || kind === undefined) {
  for (const names of KINDS)
    execFileSync(process.execPath, [process.argv[1]!, "evaluations", ...names], { stdio: "inherit" });
} else {
  raiseInliningBudget();
  const game = createGame(id);
  const { speed, checksum } = measure(game, createEvaluator(game, kind, features));
  const million = (speed / 1e6).toFixed(3).padStart(7);
  console.log(
    `${id.padEnd(13)} ${kind.padEnd(17)} ${features.padEnd(9)} ${million} M/s (checksum ${checksum})`,
  );
}

function createEvaluator(game: Game, name: string, detail: string): Evaluator {
  if (name === "none") return { evaluate: () => 0 };
  if (name === "heuristic") return game.heuristics[detail]!;
  const random = createRandom("bench", "weights");
  const set = featureSet(game, detail);
  if (name === "linear") {
    const weights = Float32Array.from({ length: set.size }, () => random.float() - 0.5);
    return new LinearEvaluator(game, set, { weights, output: "tanh" });
  }
  const head = name === "network-outcomes" ? "outcomes" : "value";
  const network = createNetwork(
    {
      inputs: set.size,
      hidden: [HIDDEN],
      hiddenActivation: "relu",
      outputs: headSize(game, head),
      outputActivation: defaultActivation(head),
    },
    random,
  );
  return new NetworkEvaluator(game, set, { network, head, startsAfresh: name === "network-afresh" });
}

function featureSet(game: Game, name: string): FeatureSet {
  const walks = /^(\d+)x(\d+)$/.exec(name);
  if (walks === null) return game.featureSets[name]!;
  const size = { count: Number(walks[1]), length: Number(walks[2]) };
  return tupleFeatures(game.tupleBoard!, walkTuples(game.tupleBoard!, size, createRandom("tuples")));
}

/** The best of several rounds; the sum of what one round evaluated, so that changes of behaviour show. */
function measure(game: Game, evaluator: Evaluator): { speed: number; checksum: string } {
  const state = game.start();
  const start = game.start();
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  let sum = 0;
  const play = (number: number): number => {
    const random = createRandom("bench", game.id, number);
    let evaluations = 0;
    state.copyFrom(start);
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        const count = state.chanceOutcomes!(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]);
        continue;
      }
      const me = state.toMove;
      const count = state.legalActions(actions, 0);
      for (let at = 0; at < count; at++) {
        state.apply(actions[at]);
        sum += evaluator.evaluate(state, me);
        state.undo();
      }
      evaluations += count;
      state.apply(actions[random.below(count)]);
    }
    return evaluations;
  };
  for (let number = 0; number < 20; number++) play(number);
  const checksum = sum.toFixed(6);
  let speed = 0;
  for (let round = 0; round < ROUNDS; round++) {
    let evaluations = 0;
    const begun = cpuUsage();
    let ms = 0;
    for (let number = 0; ms < ROUND_MS; number++) {
      evaluations += play(number);
      ms = cpuUsage(begun).user / 1000;
    }
    speed = Math.max(speed, (1000 * evaluations) / ms);
  }
  return { speed, checksum };
}
