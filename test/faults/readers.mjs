/*
 * Everything of agon that reads what others write, and how wrong input for it is made. A reader may return or throw
 * InputError. What it has read is used a little, so that nonsense that passed is noticed too.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import Database from "libsql";
import { loadTournament, planTournament } from "../../build/arena/plan/config.js";
import { runTournament } from "../../build/arena/play/run.js";
import { verifyRun } from "../../build/arena/play/verify.js";
import { exportRun } from "../../build/arena/results/export.js";
import { createReport } from "../../build/ratings/report.js";
import { loadRuns } from "../../build/arena/results/runs.js";
import { parseAnchor } from "../../build/ratings/elo/scale.js";
import { openRun } from "../../build/arena/store/run-folder.js";
import { Store } from "../../build/arena/store/store.js";
import { namedEvaluator } from "../../build/evaluators/index.js";
import { describeWeights } from "../../build/evaluators/stored-weights.js";
import { CHANCE, TERMINAL } from "../../build/games/contract/game.js";
import { createGame, games } from "../../build/games/index.js";
import { possibleActions } from "../../build/games/contract/notation.js";
import { formatAgentSpec, loadAgent, locateAgent, parseAgentSpec } from "../../build/specs/agents.js";
import { loadGame, parseGameSpec, parseOpening } from "../../build/specs/games.js";
import { parseDocumentText } from "../../build/specs/files/document-text.js";
import { importModel } from "../../build/specs/files/import-model.js";
import { loadLayersModel, saveLayersModel } from "../../build/specs/files/layers-model-file.js";
import { inspectWeights } from "../../build/report/inspect-weights.js";
import { loadWeights, saveWeights } from "../../build/specs/files/weights-file.js";
import { planTraining } from "../../build/training/plan/plan.js";
import { trainFromConfig } from "../../build/training/run/train.js";
import { loadTrainingState, saveTrainingState } from "../../build/training/run/training-folder.js";
import { createNetwork } from "../../build/evaluators/network/network.js";
import { createRandom } from "../../build/base/random.js";
import { mutateBytes, mutateText, mutateValue, stirText } from "./mutations.mjs";
import { put, ROOT } from "./support.mjs";

/** Games with their options where these change what is read; `tree` has a root of its own. */
const SPECS =
  `tic-tac-toe nim othello checkers chess breakthrough connect-four go 2048 backgammon pig chinese-checkers tree
nim:piles=[3,5,7],misere=true nim:piles=[4,4,4],players=3 othello:size=6 connect-four:width=5,height=4 go:size=5
go:size=9,komi=6.5 2048:height=3,width=3 breakthrough:width=5,height=6 pig:target=20 chinese-checkers:players=3
chinese-checkers:players=6`.split(/\s/);
const AGENTS = `random greedy greedy:evaluator=open-lines minimax:depth=2 alpha-beta:depth=6,evaluator=threats
expectimax:depth=2 max-n:depth=3 paranoid:depth=2 best-reply:depth=2 mcts:simulations=100 alpha-beta:timeMs=100
mcts:simulations=50,exploration=1.4 policy:policy=perfect alpha-beta:nodes=1000,table=0.1
mcts:simulations=10,evaluator=pip-count`.split(/\s/);
const CHECK_PLIES = 12;
const SAMPLE_GAMES = 3;
/** A tournament or training that is begun is stopped after this time; a game of it may take longer. */
const BEGUN_MS = 300;
const MAX_BEGUN_MS = 15_000;
/** A plan of a training may make networks and read positions. */
const MAX_PLAN_MS = 5000;
/** Files of a megabyte, or of thousands of entrants, may take longer. */
const MAX_LARGE_MS = 10_000;

/** A fault that threw no error. */
class Broken extends Error {}

function expectThat(condition, what) {
  if (!condition) throw new Broken(what);
}

/** Plays at random from a position that was read, and takes it all back; says what does not hold. */
function walk(game, state, random) {
  const before = { text: game.formatState(state), low: state.hashLow, high: state.hashHigh };
  const again = game.parseState(before.text);
  expectThat(
    game.formatState(again) === before.text,
    `${before.text} is written as ${game.formatState(again)}`,
  );
  expectThat(
    again.hashLow === state.hashLow && again.hashHigh === state.hashHigh,
    "read again its hash differs",
  );
  game.render(state);
  let plies = 0;
  for (; plies < CHECK_PLIES && state.toMove !== TERMINAL; plies++) {
    expectThat(
      state.toMove === CHANCE || (state.toMove >= 0 && state.toMove < game.players),
      "nobody is to move",
    );
    const actions = possibleActions(game, state);
    expectThat(actions.length > 0, `nothing is possible in ${game.formatState(state)}`);
    expectThat(actions.length <= game.maxActions, "more actions are possible than maxActions");
    const action = actions[random.below(actions.length)];
    const text = game.formatAction(action, state);
    expectThat(game.parseAction(text, state) === action, `${text} is read as another action`);
    state.apply(action);
    for (let player = 0; player < game.players; player++) {
      const value = state.returns(player);
      expectThat(
        value >= game.minReturn && value <= game.maxReturn,
        `player ${player} has a return of ${value}`,
      );
    }
  }
  if (state.toMove !== TERMINAL && state.toMove !== CHANCE)
    for (const name of Object.keys(game.heuristics)) {
      const value = namedEvaluator(game, name).evaluate(state, 0);
      expectThat(value >= game.minReturn && value <= game.maxReturn, `${name} says ${value}`);
    }
  for (; plies > 0; plies--) state.undo();
  expectThat(
    game.formatState(state) === before.text && state.hashLow === before.low && state.hashHigh === before.high,
    `taken back, ${before.text} is ${game.formatState(state)}`,
  );
}

/** True if an agent decides at once. */
function isQuick({ depth = 0, nodes = 0, simulations = 0, timeMs }) {
  return timeMs === undefined && depth <= 3 && nodes <= 2000 && simulations <= 200;
}

/** One decision at the start of a game. */
async function decide(game, prepared) {
  const agent = prepared.create();
  if (!isQuick(prepared.budget) || game.start().toMove < 0) return;
  const random = createRandom("agent");
  agent.newGame?.();
  const { action, value } = await agent.choose(game.start(), {
    random,
    budget: prepared.budget,
    clock: () => 0,
  });
  expectThat(possibleActions(game, game.start()).includes(action), `${action} is no action at the start`);
  expectThat(
    value === undefined || (value >= game.minReturn && value <= game.maxReturn),
    `a value of ${value}`,
  );
}

/** Positions of random games as text, each with the moves that are possible in it. */
function samplesOf(game, name) {
  const random = createRandom("samples", name);
  const samples = [];
  for (let count = 0; count < SAMPLE_GAMES; count++) {
    const state = game.start();
    for (let plies = 0; plies < 60 && state.toMove !== TERMINAL; plies++) {
      const actions = possibleActions(game, state);
      const moves = Array.from(actions, (action) => game.formatAction(action, state));
      samples.push({ text: game.formatState(state), moves });
      state.apply(actions[random.below(actions.length)]);
    }
  }
  return samples;
}

function configsIn(folder) {
  const dir = join(ROOT, "configs", folder);
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => readFileSync(join(dir, name), "utf8"));
}

function readJson(path) {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Pieces of configs; `§` becomes the number of the piece. */
const PIECES =
  `[|{|- |? |: |,|'|"|#|%|@|x| |\t|\r|\0|\n|[],|{},|"a",|#\n|---\n|- a\n|? a\n|%A\n|- &a b\n|- *a\n|a=1,|x§: 1\n|    k§: 1\n|{x§: 1},|  - random\n|  - mcts:seed=§\n|  - { name: x§, agent: random }\n|  - a: {}\n|  - 3\n`.split(
    "|",
  );
const MAX_TEXT = 1.2 * 2 ** 20;

/** Texts in which a piece stands very often, at the end of a line or anywhere. */
function largeText(texts) {
  return (dice) => {
    const base = dice.pick(texts);
    const ends = [...base.matchAll(/\n/g)].map(({ index }) => index + 1);
    const at = dice.chance(0.7) ? dice.pick(ends) : dice.below(base.length);
    const piece = dice.pick(PIECES);
    const count = dice.pick([1000, 3000, 5000, 10_000, 100_000, 1_000_000]);
    const repeated = Array.from({ length: Math.min(count, MAX_TEXT / piece.length) }, (_, number) =>
      piece.replace("§", number),
    );
    return base.slice(0, at) + repeated.join("") + base.slice(at);
  };
}

/** The keys and the texts that a JSON Schema allows. */
function wordsOf(schema) {
  const found = new Set();
  const visit = (inner) => {
    if (typeof inner !== "object" || inner === null) return;
    for (const key of Object.keys(inner.properties ?? {})) found.add(key);
    for (const word of [inner.const, ...(Array.isArray(inner.enum) ? inner.enum : [])])
      if (typeof word === "string") found.add(word);
    Object.values(inner).forEach(visit);
  };
  visit(schema);
  return [...found];
}

/** A tournament of a moment, whose plan and games are damaged. */
const SMALL_RUN = {
  name: "small",
  game: "tic-tac-toe",
  blocks: 2,
  openings: { randomPlies: 1 },
  entrants: ["random", "greedy:evaluator=open-lines", "mcts:simulations=4"],
};

/**
 * All readers by name: `make` draws an input (a text, a value or bytes) and `read` reads it; one of weight 2 is drawn
 * twice as often as one of weight 1, which is the usual one. `dir` is an empty folder. Games and files are made once.
 */
export async function createReaders(dir) {
  const made = await Promise.all(
    SPECS.map(async (text) => {
      const game = await loadSpec(text);
      return { text, game, samples: samplesOf(game, text) };
    }),
  );
  const all = made.map(({ game }) => game);
  const tournaments = configsIn("tournaments");
  const trainings = configsIn("training");
  const tournamentValues = tournaments.map((text) => parseDocumentText(text, "config").value);
  const trainingValues = trainings.map((text) => parseDocumentText(text, "config").value);
  const file = join(dir, "input");

  const text =
    (texts, extra = []) =>
    (dice) =>
      mutateText(dice.pick(texts), [...texts, ...extra], dice);
  const words = wordsOf(
    ["tournament", "training"].map((name) => readJson(join(ROOT, "schema", `${name}.json`))),
  );
  const value = (values) => (dice) => mutateValue(dice.pick(values), values, dice, words);
  const readers = {
    position: {
      weight: 40,
      make: (dice) => {
        const { text: spec, samples } = dice.pick(made);
        const texts = [dice.pick(samples).text, dice.pick(samples).text];
        const text = dice.chance(0.6) ? stirText(texts[0], dice) : mutateText(texts[0], texts, dice);
        return { spec, text, walk: dice.below(2 ** 30) };
      },
      read({ spec, text: given, walk: seed }) {
        const { game } = made.find((one) => one.text === spec);
        walk(game, game.parseState(given), createRandom(seed));
      },
    },
    move: {
      weight: 40,
      make: (dice) => {
        const { text: spec, samples } = dice.pick(made);
        const { text: position, moves } = dice.pick(samples);
        return {
          spec,
          state: position,
          text: dice.chance(0.3)
            ? stirText(dice.pick(moves), dice)
            : mutateText(dice.pick(moves), moves, dice),
        };
      },
      read({ spec, state: position, text: given }) {
        const { game } = made.find((one) => one.text === spec);
        const state = game.parseState(position);
        const action = game.parseAction(given, state);
        expectThat(
          possibleActions(game, state).includes(action),
          `${given} is read as an action that is not legal`,
        );
      },
    },
    opening: {
      make: (dice) => ({
        spec: dice.pick(SPECS),
        text: text(["4 4 3 3", "e4 e5 Nf3", "c3 d3", "11-15 23-19", "a1", "D4 Q16"])(dice),
      }),
      read: ({ spec, text: given }) => parseOpening(made.find((one) => one.text === spec).game, given),
    },
    "game spec": {
      weight: 10,
      make: text(SPECS, Object.keys(games)),
      async read(given) {
        const game = await loadSpec(given);
        walk(game, game.start(), createRandom("start"));
      },
    },
    "game value": {
      weight: 10,
      make: value(all.map(({ id, options }) => ({ ...JSON.parse(JSON.stringify(options)), id }))),
      async read(given) {
        if (typeof given !== "object" || given === null || typeof given.id !== "string") return;
        const game = createGame(given);
        walk(game, game.start(), createRandom("start"));
      },
    },
    "agent spec": {
      weight: 10,
      make: (dice) => ({ spec: dice.pick(SPECS), text: text(AGENTS)(dice) }),
      async read({ spec, text: given }) {
        const { game } = made.find((one) => one.text === spec);
        const agent = locateAgent(given, dir);
        const prepared = await loadAgent(game, agent);
        await decide(game, prepared);
        expectThat(
          parseAgentSpec(formatAgentSpec(agent)).agent === agent.agent,
          "written and read it is another",
        );
      },
    },
    anchor: {
      make: text(["random=0", "a=b=1500", "alpha-beta:depth=2=-3.5"]),
      read: (given) => parseAnchor(given, ["random", "a=b", "alpha-beta:depth=2"]),
    },
    "begun tournament": {
      maxMs: MAX_BEGUN_MS,
      make: value(tournamentValues),
      async read(given) {
        const plan = await planTournament(given, { baseDir: join(ROOT, "configs/tournaments") });
        const entrants = plan.entrants.filter(({ spec }) => isQuick(spec)).slice(0, plan.players + 1);
        if (entrants.length < Math.max(2, plan.players) || plan.anchor !== undefined) return;
        const store = Store.inMemory();
        const signal = AbortSignal.timeout(BEGUN_MS);
        await runTournament({
          plan: { ...plan, entrants, format: { type: "round-robin" }, blocks: 1 },
          store,
          workers: 0,
          signal,
        });
        for (const { ending, detail } of store.records())
          expectThat(["finished", "adjudicated"].includes(ending), `a game ends with ${ending}: ${detail}`);
        store.close();
      },
    },
    "begun training": {
      maxMs: MAX_BEGUN_MS,
      make: value(
        trainingValues.filter(({ game }) => !["2048", "chess", "checkers"].includes(game.id ?? game)),
      ),
      async read(given) {
        const baseDir = join(ROOT, "configs/training");
        const { config } = await planTraining(given, { baseDir });
        const isLarge = config.evaluator.kind === "n-tuple" || config.learner.rule === "td-leaf";
        if (isLarge || config.learner.engine === "tensorflow" || config.patience === 1) return;
        const few = { games: 6, checkpoints: 1, round: config.round && Math.min(config.round, 6) };
        const rating = { ...config.rating, pool: ["random"], anchor: undefined, blocks: 1 };
        const outDir = join(dir, "begun");
        rmSync(outDir, { recursive: true, force: true });
        const signal = AbortSignal.timeout(BEGUN_MS);
        try {
          await trainFromConfig({
            config: { ...config, ...few, rating },
            baseDir,
            outDir,
            workers: 0,
            signal,
          });
        } catch (error) {
          // A step size of 1e300 makes weights diverge.
          if (error.name !== "DivergenceError") throw error;
        }
      },
    },
    "tournament file": {
      make: text(tournaments),
      read: (given) => loadTournament(put(`${file}.yaml`, given)),
    },
    "large tournament file": {
      maxMs: MAX_LARGE_MS,
      weight: 3,
      make: largeText(tournaments),
      read: (given) => loadTournament(put(`${file}.yaml`, given)),
    },
    tournament: {
      make: value(tournamentValues),
      async read(given) {
        const plan = await planTournament(given, { baseDir: join(ROOT, "configs/tournaments") });
        JSON.stringify(plan);
      },
    },
    training: {
      maxMs: MAX_PLAN_MS,
      make: value(trainingValues),
      read: (given) => planTraining(given, { baseDir: join(ROOT, "configs/training") }),
    },
    "training file": {
      maxMs: MAX_PLAN_MS,
      make: text(trainings),
      async read(given) {
        const { readDocument } = await import("../../build/specs/files/documents.js");
        const document = readDocument(put(`${file}.yaml`, given));
        await planTraining(document, { baseDir: join(ROOT, "configs/training") });
      },
    },
    ...weightsReaders(file, dir),
    ...stateReaders(dir),
    ...(await storeReaders(join(dir, "run"))),
  };
  return readers;
}

async function loadSpec(text) {
  return loadGame(text === "tree" ? TREE : parseGameSpec(text, "."));
}

const TREE = {
  id: "tree",
  ...parseDocumentText(
    readFileSync(join(ROOT, "configs/tournaments/textbook/t04-chance-ten.yaml"), "utf8"),
    "t04",
  ).value.game,
};

/** Weights of every kind, and layers models. */
function weightsReaders(file, dir) {
  const training = { method: "td", seed: "agon", games: 10, date: "2026-01-01" };
  const tuples = (id, cells) => {
    const game = createGame(id);
    const model = { kind: "n-tuple", tuples: cells, output: "tanh", stages: [] };
    const path = join(dir, `${id}-n-tuple.json`);
    const size = cells.reduce((sum, { length }) => sum + (id === "2048" ? 18 : 3) ** length, 0);
    saveWeights(path, describeWeights(game, model, training), new Float32Array(size));
    return { game, path };
  };
  const shipped = ["tic-tac-toe/linear", "nim/linear", "pig/linear", "chess/td-leaf", "othello/linear"];
  const inline = [
    ...shipped.map((name) => ({
      game: createGame(name.split("/")[0]),
      path: join(ROOT, "weights", `${name}.json`),
    })),
    tuples("tic-tac-toe", [
      [0, 1, 2],
      [3, 4, 5, 8],
    ]),
  ].map(({ game, path }) => ({ game, text: readFileSync(path, "utf8") }));
  const pig = createGame("pig");
  const [[features, { size }]] = Object.entries(pig.featureSets);
  const shape = {
    inputs: size,
    hidden: [3],
    hiddenActivation: "relu",
    outputs: 1,
    outputActivation: "sigmoid",
  };
  const network = createNetwork(shape, createRandom("network"));
  const model = join(dir, "model.json");
  saveLayersModel(model, network);
  const bins = readdirSync(dir).filter((name) => name.endsWith(".bin"));
  const modelText = readFileSync(model, "utf8");
  const bytes = readFileSync(join(dir, bins[0]));
  importModel(model, pig, { features, out: join(dir, "imported.json"), date: new Date(0) });
  const packed = gzipSync(Buffer.alloc(4 * 2 * 3 ** 9));
  const evaluate = (game, path) => {
    const evaluator = loadWeights(path, game);
    for (let player = 0; player < game.players; player++) {
      const estimate = evaluator.evaluate(game.start(), player);
      expectThat(
        estimate >= game.minReturn && estimate <= game.maxReturn,
        `the value of the start is ${estimate}`,
      );
    }
  };
  const inspect = (game, path) => JSON.stringify(inspectWeights(path, game, { top: 3 }));
  const onnx = readFileSync(new URL("../fixtures/onnx/chain.onnx", import.meta.url));
  /** Most faults are behind the checksum. */
  const unsealed = (given) => {
    const { sha256: _, ...rest } = given;
    return rest;
  };
  return {
    "weights text": {
      make: (dice) => {
        const { game, text } = dice.pick(inline);
        return { game: game.id, text: mutateText(text, [text], dice) };
      },
      read: ({ game, text }) => evaluate(createGame(game), put(`${file}.json`, text)),
    },
    weights: {
      weight: 0.3,
      make: (dice) => {
        const { game, text } = dice.pick(inline);
        const values = inline.map((one) => unsealed(JSON.parse(one.text)));
        return { game: game.id, value: mutateValue(unsealed(JSON.parse(text)), values, dice) };
      },
      read({ game, value }) {
        const path = put(`${file}.json`, value);
        evaluate(createGame(game), path);
        inspect(createGame(game), path);
      },
    },
    "packed weights": {
      make: (dice) => ({ bytes: mutateBytes(packed, dice).toString("base64") }),
      read({ bytes: given }) {
        const header = JSON.parse(inline.at(-1).text);
        const evaluator = { ...header.evaluator, tuples: [[0, 1, 2, 3, 4, 5, 6, 7, 8]], size: 3 ** 9 };
        put(`${file}.f32.gz`, Buffer.from(given, "base64"));
        const weights = { file: "input.f32.gz" };
        evaluate(createGame("tic-tac-toe"), put(`${file}.json`, { ...unsealed(header), evaluator, weights }));
      },
    },
    "layers model": {
      make: (dice) => ({
        text: dice.chance(0.3)
          ? mutateText(modelText, [modelText], dice)
          : JSON.stringify(mutateValue(JSON.parse(modelText), [JSON.parse(modelText)], dice)),
        bytes: (dice.chance(0.2) ? mutateBytes(bytes, dice) : bytes).toString("base64"),
      }),
      read({ text, bytes: given }) {
        put(join(dir, bins[0]), Buffer.from(given, "base64"));
        put(model, text);
        loadLayersModel(model);
        importModel(model, pig, { features, out: join(dir, "imported.json"), date: new Date(0) });
        evaluate(pig, join(dir, "imported.json"));
      },
    },
    "onnx network": {
      make: (dice) => ({ bytes: mutateBytes(onnx, dice).toString("base64") }),
      read({ bytes: given }) {
        const [game, out] = [createGame("tic-tac-toe"), join(dir, "imported.json")];
        const path = put(join(dir, "network.onnx"), Buffer.from(given, "base64"));
        importModel(path, game, { features: "lines", out, date: new Date(0) });
        evaluate(game, out);
      },
    },
  };
}

/** The state of a training. */
function stateReaders(dir) {
  const path = join(dir, "training", "state.json");
  saveTrainingState(path, {
    games: 5,
    decisions: 50,
    steps: 40,
    timeMs: 12,
    errors: { count: 3, squares: 0.5 },
    random: [1, 2, 3, 4],
    arrays: { weights: Float32Array.of(1, 2, 3), traces: new Float32Array(4) },
  });
  const { sha256: _, ...state } = JSON.parse(readFileSync(path, "utf8"));
  const numbers = readFileSync(join(dir, "training", state.file));
  return {
    "training state": {
      make: (dice) => ({
        value: mutateValue(state, [state], dice),
        bytes: (dice.chance(0.2) ? mutateBytes(numbers, dice) : numbers).toString("base64"),
      }),
      read({ value, bytes }) {
        put(join(dir, "training", state.file), Buffer.from(bytes, "base64"));
        put(path, value);
        loadTrainingState(path);
      },
    },
  };
}

/** The plan in a store, and the rows of its games. */
async function storeReaders(dir) {
  const planned = await planTournament(SMALL_RUN);
  const { store, plan } = openRun(dir, planned, { resume: false });
  await runTournament({ plan, store, dir, workers: 0 });
  const records = store.records();
  store.close();
  const path = join(dir, "results.sqlite");
  const columns = [
    "id",
    "block",
    "seats",
    "actions",
    "returns",
    "ending",
    "detail",
    "decisions",
    "nodes",
    "time_ms",
  ];
  const useAll = async () => {
    const loaded = loadRuns([dir]);
    createReport(loaded);
    const opened = Store.openExisting(dir);
    try {
      await verifyRun(opened, dir, { sample: 3 });
      for (const _ of await exportRun(opened, dir, "jsonl"));
    } finally {
      opened.close();
    }
  };
  const restore = (database) => {
    database.exec("delete from games");
    database.prepare("insert or replace into run values ('plan', ?)").run(JSON.stringify(plan));
  };
  const withDatabase = (change) => {
    const database = new Database(path);
    try {
      database.exec("pragma synchronous = off");
      restore(database);
      change(database);
    } finally {
      database.close();
    }
  };
  const addAll = () => {
    const opened = Store.open(dir);
    try {
      opened.add(records);
    } finally {
      opened.close();
    }
  };
  return {
    "stored plan": {
      weight: 0.3,
      make: (dice) => mutateValue(plan, [plan], dice),
      async read(given) {
        withDatabase(() => {});
        addAll();
        const database = new Database(path);
        database
          .prepare("insert or replace into run values ('plan', ?)")
          .run(JSON.stringify(given) ?? "null");
        database.close();
        await useAll();
      },
    },
    "stored game": {
      weight: 0.3,
      make: (dice) => ({
        column: dice.pick(columns),
        text: mutateText(
          dice.pick(["0,1", "4,0,8", "1,-1", "finished", "12,3.5", "illegal action"]),
          ["0,1", "-1"],
          dice,
        ),
        number: dice.pick([undefined, -2, -1, 0, 1, 2, 9, 2 ** 31, 1e300, 0.5]),
      }),
      async read({ column, text, number }) {
        withDatabase(() => {});
        addAll();
        const database = new Database(path);
        const row = "where id = (select min(id) from games)";
        if (number !== undefined) {
          database.prepare(`update games set forfeit_seat = ? ${row}`).run(number);
          database.prepare(`update games set opening_length = ? ${row}`).run(number);
        }
        database.prepare(`update games set ${column} = ? ${row}`).run(text);
        database.close();
        await useAll();
      },
    },
  };
}
