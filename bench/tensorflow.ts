import { execFileSync } from "node:child_process";
import { raiseInliningBudget } from "../src/base/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { createNetwork } from "../src/evaluators/network/network.ts";
import { NetworkEvaluator } from "../src/evaluators/network/network-evaluator.ts";
import { BACKENDS, loadTensorFlow, type Backend } from "../src/evaluators/tensorflow/backend.ts";
import { toLayersModel } from "../src/evaluators/tensorflow/model.ts";
import { CHANCE, TERMINAL, type State } from "../src/games/game.ts";
import { createGame } from "../src/games/index.ts";
import type { BatchTrainer, SampleBatch } from "../src/training/network/batch.ts";
import { PlainTrainer } from "../src/training/network/plain-trainer.ts";
import { TensorFlowTrainer } from "../src/training/tensorflow/tensorflow-trainer.ts";

type Tensor2D = import("@tensorflow/tfjs-core").Tensor2D;

/**
 * A 198-80-1 network for backgammon on the positions of random games, each engine in a process of its own:
 * `npm run bench -- tensorflow [node|wasm|cpu|plain]`. Microseconds, best of several rounds.
 */
const BATCH = 256;
const ROUNDS = 8;
const ENGINES = [...BACKENDS, "plain"] as const;

raiseInliningBudget();
const game = createGame("backgammon");
const features = game.featureSets["tesauro"]!;
const shape = {
  inputs: features.size,
  hidden: [80],
  hiddenActivation: "sigmoid",
  outputs: 1,
  outputActivation: "tanh",
} as const;
const network = () => createNetwork(shape, createRandom("bench", "network"));

/** The first positions of random games in which a player decides. */
function randomPositions(count: number): State[] {
  const random = createRandom("bench", "positions");
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const positions: State[] = [];
  let state = game.start();
  while (positions.length < count) {
    if (state.toMove === TERMINAL) state = game.start();
    if (state.toMove === CHANCE) {
      const outcomes = state.chanceOutcomes(actions, probabilities, 0);
      state.apply(actions[random.weighted(probabilities, 0, outcomes)]);
      continue;
    }
    const position = game.start();
    position.copyFrom(state);
    positions.push(position);
    state.apply(actions[random.below(state.legalActions(actions, 0))]);
  }
  return positions;
}

function toBatch(positions: readonly State[]): SampleBatch {
  const size = positions.length;
  const index = new Int32Array(size * features.maxActive);
  const value = new Float32Array(size * features.maxActive).fill(1);
  const offsets = new Int32Array(size + 1);
  for (const [at, position] of positions.entries()) {
    const from = offsets[at];
    offsets[at + 1] = from + features.extract(position, 0, index.subarray(from), value.subarray(from));
  }
  const random = createRandom("bench", "targets");
  const targets = Float32Array.from({ length: size }, () => 2 * random.float() - 1);
  return { size, offsets, index, value, targets, weights: new Float32Array(size).fill(1) };
}

/** Microseconds for each of the `units` things that one call of `run` does; the best of several rounds. */
async function measure(units: number, run: () => unknown): Promise<number> {
  let best = Infinity;
  for (let round = 0; round <= ROUNDS; round++) {
    const begun = performance.now();
    let calls = 0;
    let elapsed = 0;
    for (; elapsed < 250; elapsed = performance.now() - begun, calls++) await run();
    if (round > 0) best = Math.min(best, (1000 * elapsed) / calls / units);
  }
  return best;
}

function report(what: string, microseconds: number): void {
  console.log(`  ${what.padEnd(44)}${microseconds.toPrecision(3).padStart(8)} us`);
}

const positions = randomPositions(8 * BATCH);
const batches = Array.from({ length: 8 }, (_, at) => toBatch(positions.slice(at * BATCH, (at + 1) * BATCH)));

async function benchTrainer(trainer: BatchTrainer): Promise<void> {
  let at = 0;
  const step = () => trainer.trainBatch(batches[at++ % batches.length]!);
  report(`training a sample, batches of ${BATCH}`, await measure(BATCH, step));
}

async function benchTensorFlow(preference: Backend): Promise<void> {
  const { tf, backend, notes } = await loadTensorFlow(preference);
  if (backend !== preference) {
    console.log(`${preference}: not here (${notes[0]})`);
    return;
  }
  console.log(`${backend}:`);
  await benchTrainer(new TensorFlowTrainer(tf, network()));
  const model = toLayersModel(tf, network());
  const row = new Float32Array(shape.inputs);
  const rows = tf.ones([BATCH, shape.inputs]) as Tensor2D;
  const targets = tf.zeros([BATCH, 1]);
  model.compile({ optimizer: tf.train.adam(), loss: "meanSquaredError" });
  report(
    `the same by model.trainOnBatch, dense rows`,
    await measure(BATCH, () => model.trainOnBatch(rows, targets)),
  );
  const predict = (input: Tensor2D) => (model.predict(input) as Tensor2D).dataSync();
  report(`prediction in batches of ${BATCH}`, await measure(BATCH, () => tf.tidy(() => predict(rows))));
  report(
    "prediction one at a time",
    await measure(1, () => tf.tidy(() => predict(tf.tensor2d(row, [1, shape.inputs])))),
  );
}

async function benchPlain(): Promise<void> {
  console.log("plain:");
  await benchTrainer(new PlainTrainer(network()));
  for (const startsAfresh of [false, true]) {
    const evaluator = new NetworkEvaluator(game, features, {
      network: network(),
      head: "value",
      startsAfresh,
    });
    const time = await measure(positions.length, () => {
      for (const position of positions) evaluator.evaluate(position, 0);
    });
    report(`evaluating a position, ${startsAfresh ? "each from nothing" : "sums kept"}`, time);
  }
}

const only = process.argv[2];
if (only === undefined) {
  for (const engine of ENGINES)
    execFileSync(process.execPath, [process.argv[1]!, engine], { stdio: "inherit" });
} else if (only === "plain") {
  await benchPlain();
} else {
  await benchTensorFlow(only as Backend);
}
