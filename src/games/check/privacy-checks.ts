import { createRandom } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";
import { ObservedGame } from "../contract/privacy.ts";
import { fail, type Check } from "./finding.ts";
import { difference, observe, text, type GameTrial } from "./game-trial.ts";

/** Games with more histories than this are not enumerated. */
const MOST_HISTORIES = 12_000;
/** The most information sets of a game from which worlds are counted. */
const MOST_SETS = 40;
/** Draws from one information set: at least so many for each world, and at least so many expected of the rarest. */
const DRAWS_PER_WORLD = 200;
const LEAST_EXPECTED = 50;
const MOST_DRAWS = 50_000;
/** Draws that are compared between two worlds of one information set. */
const COMPARED_DRAWS = 8;
/** The quantile of the normal distribution beyond which frequencies count as wrong: one case in 3.5 million. */
const QUANTILE = 5;

/** True if a game says anything about hidden information. */
function isHidden({ hiddenInformation, privacy }: Game): boolean {
  return hiddenInformation || privacy !== undefined;
}

/** The checks of games with hidden information: no player can know more than its codes. */
export const privacyChecks: readonly Check<GameTrial>[] = [
  {
    name: "privacy",
    demand:
      "privacy is there exactly where hiddenInformation is declared; a game has at most maxEvents events and gives a player " +
      "at most maxCodes codes; seen writes to out from `at` on, nowhere else, and leaves the state as it was",
    applies: isHidden,
    run: checkPrivacy,
  },
  {
    name: "worlds",
    demand:
      "a drawn world is a game from the start that gives the player its codes, and nothing that the player may look at " +
      "differs between worlds: whether it is to move, legal actions, view, features, and what the same generator draws",
    applies: isHidden,
    run: checkWorlds,
  },
  {
    name: "information-sets",
    demand:
      "in a small game, all positions with equal codes of a player look alike to it, and its own actions change its codes",
    applies: isHidden,
    run(trial) {
      enumerate(trial);
    },
  },
  {
    name: "world-frequencies",
    demand:
      "in a small game, every world of an information set is drawn, with the probability of its chance events",
    applies: isHidden,
    run: checkFrequencies,
  },
];

function checkPrivacy(trial: GameTrial): void {
  const { game } = trial;
  const { privacy } = game;
  if (privacy === undefined) fail("hiddenInformation is declared, and there is no privacy");
  if (!game.hiddenInformation) fail("there is a privacy, and hiddenInformation is not declared");
  const { maxEvents, maxCodes } = privacy;
  for (const [name, value] of Object.entries({ maxEvents, maxCodes }))
    if (!Number.isSafeInteger(value) || value < 1)
      fail(`${name} is ${text(value)}, not a whole number of at least 1`);
  const BEFORE = -77_777;
  trial.forEachPosition("privacy", 1, (state) => {
    const actions = trial.actions();
    if (actions.length > maxEvents) fail(`there are ${actions.length} events; maxEvents is ${maxEvents}`);
    const observed = new ObservedGame({
      ...pick(game),
      privacy: { ...boundTo(privacy), maxCodes: maxCodes * 2 + 1 },
    });
    observed.replay(actions);
    for (const [player, count] of observed.counts.entries()) {
      if (count > maxCodes) fail(`player ${player} has ${count} codes; maxCodes is ${maxCodes}`);
    }
    if (state.toMove === TERMINAL) return;
    const before = observe(game, state);
    const out = new Int32Array(maxCodes + 4);
    for (const action of possibleActions(game, state)) {
      for (let player = 0; player < game.players; player++) {
        out.fill(BEFORE);
        const written = privacy.seen(state, action, player, out, 1);
        if (!Number.isInteger(written) || written < 0) fail(`seen returns ${text(written)}`);
        if (out[0] !== BEFORE || out[1 + written] !== BEFORE)
          fail(`seen writes outside of out[at...at + ${written} - 1]`);
      }
    }
    const changed = difference(observe(game, state), before, "before it was");
    if (changed !== undefined) fail(`after seen, ${changed}`);
  });
}

/** The members that an observer reads. A spread would make every facet. */
function pick(game: Game): Pick<Game, "id" | "players" | "start"> {
  return { id: game.id, players: game.players, start: () => game.start() };
}

/** The methods of a privacy, which may be an object of a class. */
function boundTo(privacy: NonNullable<Game["privacy"]>): NonNullable<Game["privacy"]> {
  return {
    maxEvents: privacy.maxEvents,
    maxCodes: privacy.maxCodes,
    seen: (...args) => privacy.seen(...args),
    worlds: (...args) => privacy.worlds(...args),
    formatView: (...args) => privacy.formatView(...args),
  };
}

function checkWorlds(trial: GameTrial): void {
  const { game } = trial;
  const truth = new ObservedGame(game);
  const drawn = new ObservedGame(game);
  const out = new Int32Array(truth.privacy.maxEvents);
  let number = 0;
  trial.forEachPosition("worlds", 1, (state) => {
    const player = state.toMove;
    if (player < 0) return;
    truth.replay(trial.actions());
    const draw = () => {
      const random = createRandom(trial.seed, "worlds", number);
      const source = truth.worlds(player);
      return Array.from({ length: COMPARED_DRAWS }, () => {
        const length = source.draw(random, out);
        if (!Number.isInteger(length) || length < 0 || length > out.length)
          fail(`draw returns ${text(length)}; maxEvents is ${out.length}`);
        return Array.from(out.subarray(0, length));
      });
    };
    const worlds = draw();
    for (const world of new Map(worlds.map((one) => [one.join(), one])).values()) {
      drawn.restart();
      for (const action of world) {
        if (drawn.state.toMove === TERMINAL || !possibleActions(game, drawn.state).includes(action))
          fail(`a drawn world, ${text(world)}, breaks the rules with ${action}`);
        drawn.apply(action);
      }
      if (drawn.key(player) !== truth.key(player))
        fail(`a drawn world gives player ${player} the codes ${drawn.key(player)}, not ${truth.key(player)}`);
      compareSights(sightOf(game, truth, player), sightOf(game, drawn, player), player);
      // The game has just been told of this world, and might remember it.
      const again = draw();
      const at = again.findIndex((other, index) => other.join() !== worlds[index]!.join());
      if (at >= 0)
        fail(
          `the same generator draws the world ${text(worlds[at])} from one of two worlds, ${text(again[at])} from the other`,
        );
    }
    number++;
  });
}

/** An information set of the player to move. */
interface InformationSet {
  readonly player: number;
  /** The worlds, as their actions with commas between, and their probabilities, which are in proportion. */
  readonly worlds: Map<string, number>;
}

/** The information sets of each small game that was walked through. */
const walked = new WeakMap<GameTrial, readonly InformationSet[]>();

/** Walks through all histories, and compares those that a player cannot tell apart; nothing in games that are larger. */
function enumerate(trial: GameTrial): readonly InformationSet[] {
  const sets = walked.get(trial) ?? (isSmall(trial.game) ? walk(trial) : []);
  walked.set(trial, sets);
  return sets;
}

/** True if the game has no more histories than are enumerated. */
function isSmall(game: Game): boolean {
  const state = game.start();
  let histories = 0;
  const visit = (): void => {
    if (++histories > MOST_HISTORIES || state.toMove === TERMINAL) return;
    for (const action of possibleActions(game, state)) {
      state.apply(action);
      visit();
      state.undo();
      if (histories > MOST_HISTORIES) return;
    }
  };
  visit();
  return histories <= MOST_HISTORIES;
}

function walk(trial: GameTrial): readonly InformationSet[] {
  const { game } = trial;
  const observed = new ObservedGame(game);
  const sights = Array.from({ length: game.players }, () => new Map<string, Sight>());
  const sets = Array.from({ length: game.players }, () => new Map<string, InformationSet>());
  const path: number[] = [];
  const visit = (weight: number): void => {
    const { state } = observed;
    if (state.toMove === TERMINAL) return;
    trial.locate(path);
    for (const [player, known] of sights.entries()) {
      const key = observed.key(player);
      const sight = sightOf(game, observed, player);
      const other = known.get(key);
      if (other === undefined) known.set(key, sight);
      else compareSights(sight, other, player);
      if (state.toMove !== player) continue;
      const set = sets[player]!.get(key) ?? { player, worlds: new Map<string, number>() };
      sets[player]!.set(key, set);
      set.worlds.set(path.join(), weight);
    }
    const probabilities = new Float64Array(game.maxActions);
    const mover = state.toMove;
    if (mover === CHANCE) state.chanceOutcomes!(new Int32Array(game.maxActions), probabilities, 0);
    const after = new Set<string>();
    const possible = possibleActions(game, state);
    for (const [at, action] of possible.entries()) {
      observed.apply(action);
      path.push(action);
      if (mover !== CHANCE) after.add(observed.key(mover));
      visit(mover === CHANCE ? weight * probabilities[at]! : weight);
      path.pop();
      observed.undo();
    }
    if (mover !== CHANCE && after.size < possible.length)
      fail(`after different actions of player ${mover} its codes are the same`);
  };
  visit(1);
  trial.locate(undefined);
  return sets.flatMap((one) => [...one.values()]);
}

function checkFrequencies(trial: GameTrial): void {
  const { game } = trial;
  const sets = enumerate(trial).filter(({ worlds }) => worlds.size > 1);
  const observed = new ObservedGame(game);
  const out = new Int32Array(observed.privacy.maxEvents);
  const step = Math.max(1, Math.floor(sets.length / MOST_SETS));
  for (const [at, { player, worlds }] of sets.entries()) {
    if (at % step !== 0) continue;
    const total = [...worlds.values()].reduce((sum, weight) => sum + weight, 0);
    const rarest = Math.min(...worlds.values()) / total;
    const draws = Math.ceil(Math.max(DRAWS_PER_WORLD * worlds.size, LEAST_EXPECTED / rarest));
    if (draws > MOST_DRAWS) continue;
    // All draws start from one member.
    const [first] = worlds.keys();
    const path = first!.split(",").map(Number);
    trial.locate(path);
    observed.replay(path);
    const source = observed.worlds(player);
    const random = createRandom(trial.seed, "world-frequencies", at);
    const counts = new Map<string, number>();
    for (let draw = 0; draw < draws; draw++) {
      const world = out.subarray(0, source.draw(random, out)).join();
      if (!worlds.has(world))
        fail(`the world ${world} is drawn, which does not give player ${player} its codes`);
      counts.set(world, (counts.get(world) ?? 0) + 1);
    }
    let sum = 0;
    for (const [world, weight] of worlds) {
      const expected = (draws * weight) / total;
      sum += ((counts.get(world) ?? 0) - expected) ** 2 / expected;
    }
    if (sum > chiSquareLimit(worlds.size - 1))
      fail(
        `${draws} draws from the ${worlds.size} worlds of player ${player} do not have their probabilities: chi-square is ` +
          sum.toFixed(1),
      );
  }
}

/** The value that chi-square passes with the probability of QUANTILE (Wilson and Hilferty 1931). */
function chiSquareLimit(freedom: number): number {
  const spread = 2 / (9 * freedom);
  return freedom * (1 - spread + QUANTILE * Math.sqrt(spread)) ** 3;
}

/** Everything that a player may look at. */
export interface Sight {
  readonly isToMove: boolean;
  readonly actions: string;
  readonly view: string;
  /** The drawn view and the things on its places in words. */
  readonly picture: string;
  /** By feature set: the active features. */
  readonly features: readonly string[];
}

/** Reads everything that a player may look at, features only where it is to move. */
export function sightOf(game: Game, { state, privacy }: ObservedGame, player: number): Sight {
  const isToMove = state.toMove === player;
  return {
    isToMove,
    actions: isToMove ? possibleActions(game, state).join(" ") : "",
    view: privacy.formatView(state, player),
    picture: pictureOf(game, state, player),
    features: isToMove ? featuresOf(game, state, player) : [],
  };
}

function pictureOf({ picture }: Game, state: State, player: number): string {
  if (picture?.view === undefined || state.toMove === TERMINAL) return "";
  const words = picture.places.map((_, place) => picture.view!.describe(state, place, player));
  return JSON.stringify([picture.view.draw(state, player), words]);
}

function featuresOf(game: Game, state: State, player: number): string[] {
  return Object.entries(game.featureSets).map(([name, features]) => {
    const index = new Int32Array(features.maxActive);
    const value = new Float32Array(features.maxActive).fill(1);
    const pairs = features.extract(state, player, index, value);
    const active = Array.from({ length: pairs }, (_, at) => `${index[at]}: ${value[at]}`);
    return `feature set "${name}": ${active.toSorted().join(", ")}`;
  });
}

/** Fails if a player sees a difference between two positions in which it has the same codes. */
export function compareSights(one: Sight, other: Sight, player: number): void {
  const say = (what: string, here: unknown, there: unknown) =>
    fail(`with equal codes of player ${player}, ${what} is ${text(here)} here and ${text(there)} elsewhere`);
  if (one.isToMove !== other.isToMove) say("being to move", one.isToMove, other.isToMove);
  if (one.actions !== other.actions) say("the list of legal actions", one.actions, other.actions);
  if (one.view !== other.view) say("the view", one.view, other.view);
  if (one.picture !== other.picture) say("the drawn view", one.picture, other.picture);
  for (const [at, features] of one.features.entries())
    if (features !== other.features[at]) say("what a player reads", features, other.features[at]);
}
