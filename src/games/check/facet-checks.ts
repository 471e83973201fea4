import { createRandom } from "../../base/random.ts";
import {
  type FeatureSet,
  type Shape,
  type State,
  TERMINAL,
  type TupleBoard,
  isDuel,
} from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";
import { checkNegation, checkRange } from "./check-evaluator.ts";
import { fail, type Check } from "./finding.ts";
import { difference, isOver, nameAction, observe, returnsOf, text, type GameTrial } from "./game-trial.ts";

/** The greatest error allowed in a sum of feature values, which are float32, when the players' sums must negate. */
const FEATURE_ROUNDING = 1e-5;
/** The names of this many features are compared with each other. */
const NAMED_FEATURES = 500;
/** Policies are asked about this many last positions of a game. Exact solvers are slow in earlier ones. */
const LATE_POSITIONS = 6;

/** The checks of a game's facets, but for those of tactics-checks.ts. */
export const facetChecks: readonly Check<GameTrial>[] = [
  {
    name: "heuristics",
    demand:
      "a heuristic stays strictly between minReturn and maxReturn; between two players of a zero-sum game its values " +
      "negate exactly",
    applies: ({ heuristics }) => count(heuristics) > 0,
    run(trial) {
      for (const [name, heuristic] of Object.entries(trial.game.heuristics)) {
        trial.forEachPosition(`heuristic ${name}`, 1 / 4, (state) => {
          if (isOver(state)) return;
          checkRange(trial.game, state, heuristic, `the heuristic "${name}"`);
          checkNegation(trial.game, state, heuristic, `the heuristic "${name}"`);
        });
      }
    },
  },
  {
    name: "features",
    demand:
      "a feature set writes at most maxActive pairs: indexes from 0 to size - 1, finite values, none where unit is " +
      "declared; between two players of a zero-sum game they negate unless mirrored is declared",
    applies: ({ featureSets }) => count(featureSets) > 0,
    run(trial) {
      for (const [name, features] of Object.entries(trial.game.featureSets))
        checkFeatures(trial, name, features);
    },
  },
  {
    name: "feature-names",
    demand: "describe gives each feature a name of its own",
    applies: ({ featureSets }) => count(featureSets) > 0,
    run(trial) {
      for (const [name, features] of Object.entries(trial.game.featureSets)) {
        const known = new Map<string, number>();
        for (let feature = 0; feature < Math.min(features.size, NAMED_FEATURES); feature++) {
          const given = features.describe(feature);
          const other = known.get(given);
          if (typeof given !== "string" || given === "")
            fail(`feature set "${name}": describe(${feature}) is ${text(given)}`);
          if (other !== undefined)
            fail(`feature set "${name}": describe(${other}) and describe(${feature}) are both "${given}"`);
          known.set(given, feature);
        }
      }
    },
  },
  {
    name: "outcomes",
    demand:
      "outcomes are ascending numbers from minReturn to maxReturn, each other's negatives in duels, " +
      "and no final return lies outside them",
    applies: ({ outcomes }) => outcomes !== undefined,
    run: checkOutcomes,
  },
  {
    name: "picture",
    demand:
      "a picture draws every position within finite numbers and leaves it alone; `touches` names places that there are, " +
      "and `describe` is a text",
    applies: (game) => game.picture !== undefined,
    run: checkPicture,
  },
  {
    name: "phase",
    demand: "the phase of a position is a whole number from 0 to its max",
    applies: (game) => game.phase !== undefined,
    run(trial) {
      const phase = trial.game.phase!;
      trial.forEachPosition("phase", 1 / 4, (state) => {
        const value = phase.of(state);
        if (!Number.isInteger(value) || value < 0 || value > phase.max)
          fail(`the phase is ${text(value)}; its max is ${phase.max}`);
      });
    },
  },
  {
    name: "deeds",
    demand:
      "the kind of each legal action is -1 or a number below that of the kinds, and the state stays as it was",
    applies: (game) => game.deeds !== undefined,
    run(trial) {
      const deeds = trial.game.deeds!;
      trial.forEachPosition("deeds", 1 / 4, (state) => {
        if (state.toMove < 0) return;
        for (const action of possibleActions(trial.game, state)) {
          const kind = deeds.kindOf(action, state);
          if (!Number.isInteger(kind) || kind < -1 || kind >= deeds.kinds.length)
            fail(`the kind of action ${action} is ${text(kind)}; there are ${deeds.kinds.length} kinds`);
        }
      });
    },
  },
  {
    name: "tuple-board",
    demand:
      "read writes a digit from 0 to digits - 1 for each cell; symmetries are permutations of the cells, the identity " +
      "among them; neighbours are cells; groups tell the same digits",
    applies: (game) => game.tupleBoard !== undefined,
    run(trial) {
      checkTupleBoard(trial, trial.game.tupleBoard!);
    },
  },
  {
    name: "policy-head",
    demand:
      "each legal action has a number of its own, from 0 to size - 1; images, there and of features, have each number once",
    applies: (game) => game.policyHead !== undefined,
    run(trial) {
      const head = trial.game.policyHead!;
      for (const { size, images = [] } of [head, ...Object.values(trial.game.featureSets)])
        for (const image of images)
          if (
            image.length !== size ||
            new Set(image).size !== size ||
            image.some((to) => to < 0 || to >= size)
          )
            fail(`an image must have each number from 0 to ${size - 1} once`);
      trial.forEachPosition("policy-head", 1 / 4, (state) => {
        if (state.toMove < 0) return;
        const actions = possibleActions(trial.game, state);
        const numbers = actions.map((action) => head.index(action, state));
        const wrong = numbers.find(
          (number) => !Number.isInteger(number) || number < 0 || number >= head.size,
        );
        if (wrong !== undefined) fail(`an action has the number ${text(wrong)}; size is ${head.size}`);
        if (new Set(numbers).size < numbers.length)
          fail(`of the legal actions two have one number: ${numbers.join()}`);
      });
    },
  },
  {
    name: "policies",
    demand:
      "a policy chooses a legal action by the state and the generator alone, and leaves the state as it was; its promises " +
      "are 0 to 255",
    applies: ({ policies }) => count(policies) > 0,
    run: checkPolicies,
  },
];

function count(named: Readonly<Record<string, unknown>> | undefined): number {
  return Object.keys(named ?? {}).length;
}

function checkFeatures(trial: GameTrial, name: string, features: FeatureSet): void {
  const { game } = trial;
  const { maxActive, size } = features;
  const UNTOUCHED = -77;
  const index = new Int32Array(maxActive + 1);
  const value = new Float32Array(maxActive + 1);
  const say = (found: string) => fail(`feature set "${name}": ${found}`);
  /** Returns the sum of the values of each active feature, from the view of `player`. */
  const read = (state: State, player: number) => {
    index[maxActive] = UNTOUCHED;
    // The reader fills in the values of unit features; `extract` must write all other values each time.
    value.fill(features.unit === true ? 1 : Number.NaN);
    const pairs = features.extract(state, player, index, value);
    if (!Number.isInteger(pairs) || pairs < 0 || pairs > maxActive)
      say(`extract returns ${text(pairs)}; maxActive is ${maxActive}`);
    if (index[maxActive] !== UNTOUCHED)
      say(`extract writes behind index[maxActive - 1], maxActive being ${maxActive}`);
    if (features.unit === true && value.some((one) => one !== 1))
      say("unit is declared, and extract writes to the values");
    const sums = new Map<number, number>();
    for (let at = 0; at < pairs; at++) {
      const feature = index[at]!;
      if (feature < 0 || feature >= size) say(`extract writes the index ${feature}; size is ${size}`);
      if (!Number.isFinite(value[at])) say(`feature ${feature} has the value ${value[at]}`);
      sums.set(feature, (sums.get(feature) ?? 0) + value[at]!);
    }
    return sums;
  };
  /** Weights from -1 to 1 without a pattern, from index 1 on. */
  const weights = Float32Array.from({ length: features.weigh ? size + 1 : 0 }, (_, at) => Math.sin(at * at));
  trial.forEachPosition(`features ${name}`, 1 / 4, (state) => {
    if (isOver(state)) return;
    const viewer = features.viewer?.(state) ?? 0;
    if (!Number.isInteger(viewer) || viewer < 0 || viewer >= game.players) say(`viewer is ${text(viewer)}`);
    const views = Array.from({ length: game.players }, (_, player) => read(state, player));
    for (const [player, view] of views.entries()) {
      const weighed = features.weigh?.(state, player, weights, 1) ?? 0;
      let sum = 0;
      if (features.weigh !== undefined) for (const [at, total] of view) sum += weights[1 + at]! * total;
      if (!(Math.abs(weighed - sum) <= FEATURE_ROUNDING * (1 + view.size)))
        say(`weigh returns ${weighed} for player ${player}; by the pairs of extract it is ${sum}`);
    }
    if (!isDuel(game) || features.symmetry === "mirrored") return;
    for (const [one, other, player] of [
      [views[0]!, views[1]!, 0],
      [views[1]!, views[0]!, 1],
    ] as const) {
      for (const [feature, sum] of one) {
        const opposite = other.get(feature) ?? 0;
        if (Math.abs(opposite + sum) > FEATURE_ROUNDING)
          say(
            `"${features.describe(feature)}" is ${sum} for player ${player} and ${opposite} for player ${1 - player}: ` +
              "they do not negate, and symmetry is not mirrored",
          );
      }
    }
  });
}

function checkOutcomes(trial: GameTrial): void {
  const { game } = trial;
  const outcomes = game.outcomes!;
  const shown = text([...outcomes]);
  trial.locate(undefined);
  for (const [at, value] of outcomes.entries()) {
    if (!(value >= game.minReturn && value <= game.maxReturn))
      fail(`the outcome ${text(value)} is not from ${game.minReturn} to ${game.maxReturn}`);
    if (at > 0 && !(value > outcomes[at - 1]!)) fail(`the outcomes ${shown} are not ascending`);
    if (isDuel(game) && !outcomes.includes(0 - value)) fail(`the outcomes ${shown} lack ${0 - value}`);
  }
  trial.forEachPosition("outcomes", 1, (state) => {
    if (!isOver(state)) return;
    for (const [player, value] of returnsOf(game, state).entries()) {
      if (value < outcomes[0]! || value > outcomes.at(-1)!)
        fail(`the game ends with returns(${player}) = ${value}; the outcomes are ${shown}`);
    }
  });
}

function checkTupleBoard(trial: GameTrial, board: TupleBoard): void {
  const { game } = trial;
  const { cells, digits, neighbours, symmetries } = board;
  trial.locate(undefined);
  const identity = Array.from({ length: cells }, (_, cell) => cell);
  for (const symmetry of symmetries) {
    if ([...symmetry].toSorted((a, b) => a - b).join() !== identity.join())
      fail(`the symmetry ${text([...symmetry])} is no permutation of the ${cells} cells`);
  }
  if (!symmetries.some((symmetry) => symmetry.join() === identity.join()))
    fail("the identity is not among the symmetries");
  if (neighbours.length !== cells) fail(`neighbours are listed for ${neighbours.length} of ${cells} cells`);
  for (const [cell, list] of neighbours.entries()) {
    const wrong = list.find(
      (other) => !Number.isInteger(other) || other < 0 || other >= cells || other === cell,
    );
    if (wrong !== undefined) fail(`cell ${cell} has the neighbour ${wrong}`);
  }
  const UNTOUCHED = 255;
  const found = new Uint8Array(cells + 1);
  const { groups } = board;
  const grouped = groups?.cells.flat() ?? identity;
  if (grouped.toSorted((a, b) => a - b).join() !== identity.join())
    fail(`the groups have the cells ${text(grouped)}; each of the ${cells} cells is in one group`);
  if (
    groups &&
    board.context !== undefined &&
    !groups.cells.some((list) => list.join() === `${board.context}`)
  )
    fail(`the context, cell ${board.context}, is not alone in its group`);
  const keys = new Int32Array(groups?.cells.length ?? 0);
  const regrouped = new Uint8Array(cells);
  trial.forEachPosition("tuple-board", 1 / 4, (state) => {
    if (isOver(state)) return;
    for (let player = 0; player < game.players; player++) {
      found.fill(UNTOUCHED);
      board.read(state, player, found);
      if (found[cells] !== UNTOUCHED) fail(`read writes behind the last of ${cells} cells`);
      const cell = found.subarray(0, cells).findIndex((digit) => digit >= digits);
      if (cell >= 0) fail(`read writes ${found[cell]} for cell ${cell}; digits is ${digits}`);
      if (groups === undefined) continue;
      groups.keys(state, player, keys);
      for (const [group, key] of keys.entries()) groups.read(group, key, regrouped);
      const other = regrouped.findIndex((digit, at) => digit !== found[at]);
      if (other >= 0)
        fail(`groups.read writes ${regrouped[other]} for cell ${other}, where read writes ${found[other]}`);
    }
  });
}

function checkPolicies(trial: GameTrial): void {
  const { game } = trial;
  const paths = latePositions(trial);
  for (const [name, family] of Object.entries(game.policies!)) {
    const policy = family.create();
    const other = family.create();
    for (const path of paths) {
      trial.locate([]);
      const state = game.start();
      for (const action of path) trial.apply(state, action);
      const before = observe(game, state);
      const promises = new Int32Array(before.actions.length).fill(-1);
      policy.promises?.(state, Int32Array.from(before.actions), 0, before.actions.length, promises);
      const bad = promises.findIndex((promise) => promise < 0 || promise > 255);
      if (policy.promises !== undefined && bad >= 0)
        fail(
          `the policy "${name}" promises ${promises[bad]} for ${text(before.actions[bad])}; allowed: 0 to 255`,
        );
      const check = (choose: () => number) => {
        const action = choose();
        if (!before.actions.includes(action))
          fail(`the policy "${name}" chooses ${text(action)}, which is not legal`);
        const wrong = difference(observe(game, state), before, "before it was");
        if (wrong !== undefined) fail(`the policy "${name}" changes the state: ${wrong}`);
        return action;
      };
      check(() => policy.choose(state));
      const first = check(() => policy.choose(state, createRandom(trial.seed, name)));
      const second = check(() => other.choose(state, createRandom(trial.seed, name)));
      if (first !== second) {
        const [one, two] = [first, second].map((action) => nameAction(game, action, state));
        fail(`the policy "${name}" chooses "${one}", and asked again with the same generator "${two}"`);
      }
    }
  }
}

/** Returns the actions to the last positions with a player to move, in the longest third of the games. */
function latePositions(trial: GameTrial): number[][] {
  const games = Array.from({ length: trial.games }, (_, number) => {
    const paths: number[][] = [];
    trial.playGame("policies", number, (state) => {
      if (state.toMove >= 0 && possibleActions(trial.game, state).length > 0) paths.push(trial.actions());
    });
    return paths;
  });
  return games
    .toSorted((a, b) => b.length - a.length)
    .slice(0, Math.ceil(trial.games / 3))
    .flatMap((paths) => paths.slice(-LATE_POSITIONS));
}

function checkPicture(trial: GameTrial): void {
  const { game } = trial;
  const { width, height, ground, places, ...picture } = game.picture!;
  if (!(width > 0 && height > 0)) fail(`the picture is ${text(width)} wide and ${text(height)} high`);
  checkShapes(ground);
  const actions = new Int32Array(game.maxActions);
  trial.forEachPosition("picture", 1 / 4, (state) => {
    const before = observe(game, state);
    checkShapes(picture.draw(state));
    for (let player = 0; player < game.players && state.toMove !== TERMINAL; player++)
      checkShapes(picture.view?.draw(state, player) ?? []);
    for (let place = 0; place < places.length; place++) {
      const said = picture.describe(state, place);
      if (typeof said !== "string") fail(`describe(${place}) is ${text(said)}, not a text`);
    }
    const count = state.toMove >= 0 ? state.legalActions(actions, 0) : 0;
    for (const action of actions.subarray(0, count)) {
      for (const place of picture.touches(state, action)) {
        if (places[place] !== undefined) continue;
        fail(`touches of ${nameAction(game, action, state)} has the place ${text(place)}; there is none`);
      }
    }
    const changed = difference(observe(game, state), before, "before it was");
    if (changed !== undefined) fail(`after it was drawn, ${changed}`);
  });
}

function checkShapes(shapes: readonly Shape[]): void {
  for (const shape of shapes) {
    const numbers = Object.values(shape)
      .flat()
      .filter((value) => typeof value === "number");
    if (!numbers.every(Number.isFinite)) fail(`a shape has no finite numbers: ${JSON.stringify(shape)}`);
  }
}
