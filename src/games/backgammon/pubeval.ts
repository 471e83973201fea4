import type { FeatureSet, PolicyFamily } from "../facets.ts";
import { BAR, MEN, OFF, PLACES } from "./position.ts";
import { CONTACT_WEIGHTS, RACE_WEIGHTS } from "./pubeval-weights.ts";
import type { BackgammonState } from "./state.ts";
import { MAX_LEGAL_TURNS } from "./turns.ts";

const POINTS = 24;
const UNITS = 5;
const THEIR_BAR = POINTS * UNITS;
const OWN_OFF = THEIR_BAR + 1;
const INPUTS = OWN_OFF + 1;
/** At most 15 inputs from men of either side, and the last two. */
const MAX_ACTIVE = 2 * MEN + 2;

const UNIT_NAMES = ["their blot", "own blot", "made", "three men", "men beyond three / 2"];

/**
 * The inputs of Tesauro's pubeval: five for each point from 24 down to 1, the other's men on the bar
 * (halves) and the own men off (fifteenths). Made for positions in which `player` has just moved.
 */
export const pubevalFeatures: FeatureSet<BackgammonState> = {
  summary: "the 122 inputs of pubeval, from the view of the player who has just moved (Tesauro 1993)",
  version: 1,
  size: INPUTS,
  maxActive: MAX_ACTIVE,
  symmetry: "mirrored",
  extract(state, player, index, value) {
    const { men } = state;
    const own = player * PLACES;
    const their = (1 - player) * PLACES;
    const theirBlots = state.blots[1 - player];
    let end = 0;
    let unit = 0;
    for (let point = POINTS; point >= 1; point--, unit += UNITS) {
      const count = men[own + point];
      if (count === 0) {
        if (((theirBlots >>> point) & 1) === 0) continue;
        index[end] = unit;
        value[end++] = 1;
      } else if (count === 1) {
        index[end] = unit + 1;
        value[end++] = 1;
      } else {
        index[end] = unit + 2;
        value[end++] = 1;
        if (count === 2) continue;
        index[end] = count === 3 ? unit + 3 : unit + 4;
        value[end++] = count === 3 ? 1 : (count - 3) / 2;
      }
    }
    if (men[their + BAR] > 0) {
      index[end] = THEIR_BAR;
      value[end++] = men[their + BAR] / 2;
    }
    if (men[own + OFF] > 0) {
      index[end] = OWN_OFF;
      value[end++] = men[own + OFF] / MEN;
    }
    return end;
  },
  describe(index) {
    if (index === THEIR_BAR) return "their men on the bar / 2";
    if (index === OWN_OFF) return "own men off / 15";
    return `${UNIT_NAMES[index % UNITS]} on point ${POINTS - Math.floor(index / UNITS)}`;
  },
};

const inputIndex = new Int32Array(MAX_ACTIVE);
const inputValue = new Float32Array(MAX_ACTIVE);

/** What pubeval gives `player`, who has just moved to this position: a figure for ranking moves only. */
export function pubevalScore(state: BackgammonState, player: number, race: boolean): number {
  const weights = race ? RACE_WEIGHTS : CONTACT_WEIGHTS;
  const count = pubevalFeatures.extract(state, player, inputIndex, inputValue);
  let score = 0;
  for (let at = 0; at < count; at++) score += weights[inputIndex[at]] * inputValue[at];
  return score;
}

const turns = new Int32Array(MAX_LEGAL_TURNS);

/**
 * The turn that pubeval plays: the one whose position scores highest, the first of equals, with the
 * race weights if the position *before* the turn is a race; the last men off is best of all.
 * `state` has a player to move, and is left as it was.
 */
export function pubevalTurn(state: BackgammonState): number {
  const player = state.onRoll;
  const race = state.isRace();
  const count = state.legalActions(turns, 0);
  let best = turns[0];
  let bestScore = -Infinity;
  for (let at = 0; at < count; at++) {
    state.apply(turns[at]);
    const won = state.men[player * PLACES + OFF] === MEN;
    const score = won ? Infinity : pubevalScore(state, player, race);
    state.undo();
    if (score <= bestScore) continue;
    best = turns[at];
    bestScore = score;
  }
  return best;
}

/** Pubeval itself, deterministic as its author published it. */
export const pubevalPolicy: PolicyFamily<BackgammonState> = {
  summary: "Tesauro's pubeval as published: race or contact weights by the board before the turn (1993)",
  create: () => ({ choose: pubevalTurn }),
};
