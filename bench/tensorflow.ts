import { execFileSync } from "node:child_process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { createNetwork } from "../src/evaluators/network/network.ts";
import { NetworkEvaluator } from "../src/evaluators/network/network-evaluator.ts";
import { BACKENDS, loadTensorFlow, type Backend } from "../src/training/learn/tensorflow/backend.ts";

import { CHANCE, TERMINAL, type State } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import type { BatchTrainer, SampleBatch } from "../src/training/learn/network/batch.ts";
import { PlainTrainer } from "../src/training/learn/network/plain-trainer.ts";
import { TensorFlowTrainer, toLayersModel } from "../src/training/learn/tensorflow/tensorflow-trainer.ts";

type Tensor2D = import("@tensorflow/tfjs-core").Tensor2D;

/**
 * A 198-80-1 network on the positions of random games of backgammon, each engine in a process of its own:
 * `npm run bench -- tensorflow [node|wasm|cpu|plain]`. Microseconds of processor time, which other programs
 * disturb less than the clock, the best of many short rounds.
 */
const BATCH = 256;
const SECONDS = 3;
const ROUND_MS = 20;
const ENGINES = [...BACKENDS, "plain"] as const;

raiseInliningBudget();
const game = createGame("backgammon");
const features = game.featureSets["tesauro"]!;
const shape = {
  inputs: features.size,
  hidden: [80],
  hiddenActivation: "relu",
  outputs: 1,
  outputActivation: "tanh",
} as const;
const network = () => createNetwork(shape, createRandom("bench", "network"));

/** A position and the player who evaluates it. */
interface Seen {
  readonly position: State;
  readonly player: number;
}

/** The positions that a one-ply player evaluates in random games: those after each of its legal actions. */
function afterstates(count: number): Seen[] {
  const random = createRandom("bench", "positions");
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const seen: Seen[] = [];
  let state = game.start();
  while (seen.length < count) {
    const player = state.toMove;
    if (player === TERMINAL) {
      state = game.start();
    } else if (player === CHANCE) {
      const outcomes = state.chanceOutcomes!(actions, probabilities, 0);
      state.apply(actions[random.weighted(probabilities, 0, outcomes)]);
    } else {
      const legal = state.legalActions(actions, 0);
      for (let at = 0; at < legal; at++) {
        const position = game.start();
        position.copyFrom(state);
        position.apply(actions[at]);
        seen.push({ position, player });
      }
      state.apply(actions[random.below(legal)]);
    }
  }
  return seen.slice(0, count);
}

function toBatch(positions: readonly Seen[]): SampleBatch {
  const size = positions.length;
  const index = new Int32Array(size * features.maxActive);
  const value = new Float32Array(size * features.maxActive).fill(1);
  const offsets = new Int32Array(size + 1);
  for (const [at, { position, player }] of positions.entries()) {
    const from = offsets[at];
    offsets[at + 1] = from + features.extract(position, player, index.subarray(from), value.subarray(from));
  }
  const random = createRandom("bench", "targets");
  const targets = Float32Array.from({ length: size }, () => 2 * random.float() - 1);
  return { size, offsets, index, value, targets, weights: new Float32Array(size).fill(1) };
}

/** Microseconds of all cores for each of the `units` things that one call of `run` does; the best of many short rounds. */
async function measure(units: number, run: () => unknown): Promise<number> {
  let best = Infinity;
  const end = performance.now() + 1000 * SECONDS;
  for (let begun = performance.now(); begun < end; begun = performance.now()) {
    const before = process.cpuUsage();
    let calls = 0;
    for (; performance.now() < begun + ROUND_MS; calls++) await run();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / calls / units);
  }
  return best;
}

function report(what: string, microseconds: number): void {
  console.log(`  ${what.padEnd(44)}${microseconds.toPrecision(3).padStart(8)} us`);
}

const positions = afterstates(8 * BATCH);
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
  const predict = (input: Tensor2D) => (model.predict(input, { batchSize: BATCH }) as Tensor2D).dataSync();
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
      for (const { position, player } of positions) evaluator.evaluate(position, player);
    });
    report(`evaluating a position, ${startsAfresh ? "each from nothing" : "sums kept"}`, time);
  }
}

const only = process.argv[2];
if (only === undefined) {
  for (const engine of ENGINES)
    execFileSync(process.execPath, [process.argv[1]!, "tensorflow", engine], { stdio: "inherit" });
} else if (only === "plain") {
  await benchPlain();
} else {
  await benchTensorFlow(only as Backend);
}
