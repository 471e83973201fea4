import { squash } from "../shared/score-heuristic.ts";
import type { Heuristic, FeatureSet, PolicyFamily } from "../contract/facets.ts";
import type { BackgammonState } from "./state.ts";
import { BAR, MEN, OFF, PLACES } from "./position.ts";
import { MAX_LEGAL_TURNS } from "./turns.ts";

/** The lead of the player about to roll, in pips: half of the 8 1/6 pips of an average roll, rounded. */
const ROLL_LEAD_PIPS = 4;
/** The lead in pips that is worth half of the most points. */
const HALF_LEAD_PIPS = 100;

/** The score of an even position with contact, found by self-play of pubeval. */
const EVEN_SCORE = 15;
/** The distance from EVEN_SCORE that is worth half of the most points. */
const HALF_SCORE = 20;

/** The difference of the pip counts, with half a roll for the player on roll. */
export function pipCount(maxPoints: number): Heuristic<BackgammonState> {
  return {
    summary: "lead in the race: the other's pips less the own, half a roll for being on roll",
    evaluate(state, player) {
      const turn = state.opening ? 0 : state.onRoll === 0 ? ROLL_LEAD_PIPS : 0 - ROLL_LEAD_PIPS;
      const value = squash(state.pips(1) - state.pips(0) + turn, HALF_LEAD_PIPS) * maxPoints;
      return player === 0 ? value : 0 - value;
    },
  };
}

/**
 * pubeval for agents that look ahead. The value is the score of the player who has just moved, mapped into the range of
 * returns in the same order: so it ranks a player's own turns as pubeval does. The race weights apply if this position is a
 * race; `pubevalTurn` asks the position before the turn, so that turns which end the contact may be ranked differently. The
 * score was made to compare the turns of one roll. It hardly compares positions that are far apart, or contact with race.
 */
export function pubeval(maxPoints: number): Heuristic<BackgammonState> {
  return {
    summary: "Tesauro's pubeval (1993): a linear benchmark player, ranks the positions after a turn",
    evaluate(state, player) {
      if (state.opening) return 0;
      const mover = 1 - state.onRoll;
      const score = pubevalScore(state, mover, state.isRace());
      const value = squash(score - EVEN_SCORE, HALF_SCORE) * maxPoints;
      return player === mover ? value : 0 - value;
    },
  };
}

/*
 * pubeval, the benchmark player that Gerry Tesauro released into the public domain (rec.games.backgammon, 1993): a linear
 * evaluation trained on expert preferences. It has five weights for each point from 24 down to 1, one for the other's men
 * on the bar, and one for the own men borne off.
 */

/**
 * The weights for positions in which men can still be hit.
 * @internal tests compare it with the published table.
 */
export const CONTACT_WEIGHTS = Float64Array.from([
  0.25696, -0.66937, -1.66135, -2.02487, -2.53398, -0.16092, -1.11725, -1.06654, -0.9283, -1.99558, -1.10388,
  -0.80802, 0.09856, -0.62086, -1.27999, -0.5922, -0.73667, 0.89032, -0.38933, -1.59847, -1.50197, -0.60966,
  1.56166, -0.47389, -1.8039, -0.83425, -0.97741, -1.41371, 0.245, 0.1097, -1.36476, -1.05572, 1.1542,
  0.11069, -0.38319, -0.74816, -0.59244, 0.81116, -0.39511, 0.11424, -0.73169, -0.56074, 1.09792, 0.15977,
  0.13786, -1.18435, -0.43363, 1.06169, -0.21329, 0.04798, -0.94373, -0.22982, 1.22737, -0.13099, -0.06295,
  -0.75882, -0.13658, 1.78389, 0.30416, 0.36797, -0.69851, 0.13003, 1.2307, 0.40868, -0.21081, -0.64073,
  0.31061, 1.59554, 0.65718, 0.25429, -0.80789, 0.0824, 1.78964, 0.54304, 0.41174, -1.06161, 0.07851, 2.01451,
  0.49786, 0.91936, -0.9075, 0.05941, 1.8312, 0.58722, 1.28777, -0.83711, -0.33248, 2.64983, 0.52698, 0.82132,
  -0.58897, -1.18223, 3.35809, 0.62017, 0.57353, -0.07276, -0.36214, 4.37655, 0.45481, 0.21746, 0.10504,
  -0.61977, 3.54001, 0.04612, -0.18108, 0.63211, -0.87046, 2.47673, -0.48016, -1.27157, 0.86505, -1.11342,
  1.24612, -0.82385, -2.77082, 1.23606, -1.59529, 0.10438, -1.30206, -4.1152, 5.62596, -2.758,
]);

/**
 * The weights for races.
 * @internal tests compare it with the published table.
 */
export const RACE_WEIGHTS = Float64Array.from([
  0, -0.1716, 0.2701, 0.29906, -0.08471, 0, -1.40375, -1.05121, 0.07217, -0.01351, 0, -1.29506, -2.16183,
  0.13246, -1.03508, 0, -2.29847, -2.34631, 0.17253, 0.08302, 0, -1.27266, -2.87401, -0.07456, -0.3424, 0,
  -1.3464, -2.46556, -0.13022, -0.01591, 0, 0.27448, 0.60015, 0.48302, 0.25236, 0, 0.39521, 0.68178, 0.05281,
  0.09266, 0, 0.24855, -0.06844, -0.37646, 0.05685, 0, 0.17405, 0.0043, 0.74427, 0.00576, 0, 0.12392, 0.31202,
  -0.91035, -0.1627, 0, 0.01418, -0.10839, -0.02781, -0.88035, 0, 1.07274, 2.00366, 1.16242, 0.2252, 0,
  0.85631, 1.06349, 1.49549, 0.18966, 0, 0.37183, -0.50352, -0.14818, 0.12039, 0, 0.13681, 0.13978, 1.11245,
  -0.12707, 0, -0.22082, 0.20178, -0.06285, -0.52728, 0, -0.13597, -0.19412, -0.09308, -1.26062, 0, 3.05454,
  5.16874, 1.5068, 5.35, 0, 2.19605, 3.8539, 0.88296, 2.30052, 0, 0.92321, 1.08744, -0.11696, -0.7856, 0,
  -0.09795, -0.8305, -1.09167, -4.94251, 0, -1.00316, -3.66465, -2.56906, -9.67677, 0, -2.77982, -7.26713,
  -3.40177, -12.32252, 0, 3.4204,
]);

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

/**
 * The score that pubeval gives `player`, who has just moved to this position. It is good for ranking moves only.
 * @internal tests alone import it.
 */
export function pubevalScore(state: BackgammonState, player: number, race: boolean): number {
  const weights = race ? RACE_WEIGHTS : CONTACT_WEIGHTS;
  const count = pubevalFeatures.extract(state, player, inputIndex, inputValue);
  let score = 0;
  for (let at = 0; at < count; at++) score += weights[inputIndex[at]] * inputValue[at];
  return score;
}

const turns = new Int32Array(MAX_LEGAL_TURNS);

/**
 * The turn that pubeval plays: the one whose position scores highest, the first of equals. The race
 * weights apply if the position *before* the turn is a race. A turn that takes the last men off is best
 * of all. `state` has a player to move, and is left as it was.
 * @internal tests compare its turns with those of the published program.
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
