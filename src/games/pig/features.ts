import type { FeatureSet } from "../contract/facets.ts";
import { CHANCE } from "../contract/rules.ts";
import type { PigState } from "./state.ts";

/** The places of the grid's corners. Scores are shares of the target, closer together where the race is decided. */
const SCORE_KNOTS = [0, 0.15, 0.3, 0.45, 0.6, 0.7, 0.8, 0.9, 1] as const;
const TOTAL_KNOTS = [0, 5, 10, 15, 20, 25, 30, 40, 60, 100] as const;
const SCORES = SCORE_KNOTS.length;
const TOTALS = TOTAL_KNOTS.length;

/** The faces of the die: a roll can win when this many points or fewer are missing. */
const FACES = 6;

const GRID = 2 * SCORES * SCORES * TOTALS;
const BLOCK = GRID + 2 * FACES * SCORES;
const MAX_ACTIVE = 8 + 2;

/** By whole number, 0 to last: the knot at or below it, and the share of the way to the next knot. */
function placesBetween(knots: readonly number[], last: number) {
  const knot = new Int32Array(last + 1);
  const share = new Float64Array(last + 1);
  for (let number = 0; number <= last; number++) {
    let low = 0;
    while (low < knots.length - 2 && knots[low + 1]! <= number) low++;
    knot[number] = low;
    share[number] = Math.min(1, (number - knots[low]!) / (knots[low + 1]! - knots[low]!));
  }
  return { knot, share };
}

/**
 * `race`: a grid over the own score, the best other score and the turn total, once for the die in the hand and once for the
 * die in the air. The features are the corners of the grid's cell around the position. Their values say how near each
 * corner is, and sum to 1 (multilinear interpolation), so that a linear evaluator is a continuous function. If a single
 * roll may win, the points missing and the best other score are features as well. With two players the other player's
 * values are the negatives. With more players there is a block of features for each distance from the player on turn, with
 * the scores as that player sees them.
 */
export function raceFeatures(players: number, target: number): FeatureSet<PigState> {
  const blocks = players === 2 ? 1 : players;
  const scorePlaces = placesBetween(
    SCORE_KNOTS.map((share) => share * target),
    target,
  );
  const totalPlaces = placesBetween(TOTAL_KNOTS, target + FACES);
  return {
    summary: "grid over own score, best other score, turn total and die; points missing to win at once",
    version: 1,
    size: blocks * BLOCK,
    maxActive: MAX_ACTIVE,
    extract(state, player, index, value) {
      const { scores, turnPlayer, turnTotal, toMove } = state;
      const distance = player < turnPlayer ? player - turnPlayer + players : player - turnPlayer;
      const viewer = players === 2 ? turnPlayer : player;
      const sign = players === 2 && distance === 1 ? -1 : 1;
      const base = players === 2 ? 0 : distance * BLOCK;
      const die = toMove === CHANCE ? 1 : 0;
      let other = 0;
      for (let at = 0; at < players; at++) if (at !== viewer) other = Math.max(other, scores[at]);

      const ownKnot = scorePlaces.knot[scores[viewer]];
      const ownShare = scorePlaces.share[scores[viewer]];
      const otherKnot = scorePlaces.knot[other];
      const otherShare = scorePlaces.share[other];
      const totalKnot = totalPlaces.knot[turnTotal];
      const totalShare = totalPlaces.share[turnTotal];
      let end = 0;
      for (let corner = 0; corner < 8; corner++) {
        const up = corner & 1;
        const right = (corner >> 1) & 1;
        const far = corner >> 2;
        const near =
          (up === 1 ? ownShare : 1 - ownShare) *
          (right === 1 ? otherShare : 1 - otherShare) *
          (far === 1 ? totalShare : 1 - totalShare);
        if (near === 0) continue;
        index[end] =
          base + ((die * SCORES + ownKnot + up) * SCORES + otherKnot + right) * TOTALS + totalKnot + far;
        value[end++] = sign * near;
      }
      const missing = target - scores[turnPlayer] - turnTotal;
      if (missing >= 1 && missing <= FACES) {
        const row = base + GRID + (die * FACES + missing - 1) * SCORES + otherKnot;
        if (otherShare < 1) {
          index[end] = row;
          value[end++] = sign * (1 - otherShare);
        }
        if (otherShare > 0) {
          index[end] = row + 1;
          value[end++] = sign * otherShare;
        }
      }
      return end;
    },
    describe(index) {
      const distance = Math.floor(index / BLOCK);
      const whose = players === 2 ? "" : `, ${distance} turns before one's own`;
      return describeOne(index % BLOCK, target) + whose;
    },
  };
}

function describeOne(feature: number, target: number): string {
  const score = (knot: number) => Math.round(SCORE_KNOTS[knot]! * target * 100) / 100;
  const die = (number: number) => (number === 0 ? "in the hand" : "in the air");
  if (feature >= GRID) {
    const [rest, other] = split(feature - GRID, SCORES);
    const [air, missing] = split(rest, FACES);
    return `${missing + 1} missing, best other near ${score(other)}, die ${die(air)}`;
  }
  const [row, total] = split(feature, TOTALS);
  const [plane, other] = split(row, SCORES);
  const [air, own] = split(plane, SCORES);
  return `own near ${score(own)}, best other near ${score(other)}, turn near ${TOTAL_KNOTS[total]!}, die ${die(air)}`;
}

function split(number: number, size: number): [quotient: number, remainder: number] {
  return [Math.floor(number / size), number % size];
}
