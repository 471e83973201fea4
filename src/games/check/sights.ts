import { type Game, type State, TERMINAL } from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";
import type { ObservedGame } from "../contract/privacy.ts";
import { fail } from "./finding.ts";
import { text } from "./game-trial.ts";

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
