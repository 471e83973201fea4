import type { ExactValues, FeatureSet, PolicyFamily, Heuristic } from "../contract/facets.ts";
import { CHANCE } from "../contract/rules.ts";
import { type PigState, HOLD, ROLL, PigTurn, solvePair, type PigDecision } from "./state.ts";

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

/** The calculation ends when a round changes the chances to win by less than this. */
const EXACT = 1e-13;

/**
 * Two-player pig without a limit of turns, solved (Neller and Presser, "Optimal play of the dice game
 * Pig", 2004). After a turn, the scores are the same with the players exchanged, or their sum is higher.
 * So positions are solved in pairs, from the highest sum down. Each pair is solved by policy iteration
 * (Howard 1960): find the best decisions for the values so far, then the values of those decisions, and
 * repeat.
 */
export class OptimalPig {
  readonly target: number;
  /** The chance to win of the player whose turn begins, at [own score * target + the other's]. */
  private readonly starts: Float64Array;
  private readonly turn: PigTurn;
  /** The scores for which `turn` was played last, as an index of `starts`. */
  private shown = -1;

  constructor(target: number) {
    this.target = target;
    this.starts = new Float64Array(target * target);
    this.turn = new PigTurn(target);
    for (let sum = 2 * (target - 1); sum >= 0; sum--)
      for (let own = Math.max(0, sum - target + 1); 2 * own <= sum; own++) this.solve(own, sum - own);
  }

  /** The chance to win of the player on turn, by the banked points of both players and the points of this turn. */
  wins(own: number, other: number, total: number): number {
    if (own + total >= this.target) return 1;
    this.show(own, other);
    return this.turn.won[total] + this.turn.ones[total] * this.afterOne(own, other);
  }

  /** True if rolling is better than holding. If both are equally good, rounding decides. */
  readonly rolls: PigDecision = (own, other, total) => {
    if (total === 0) return true;
    this.show(own, other);
    // A player who holds cannot lose the turn to a 1; one who rolls can.
    return this.turn.ones[total] > 0;
  };

  private show(own: number, other: number): void {
    const place = own * this.target + other;
    if (place === this.shown) return;
    this.turn.play(own, other, { others: this.starts, c: this.afterOne(own, other) });
    this.shown = place;
  }

  private afterOne(own: number, other: number): number {
    return 1 - this.starts[other * this.target + own];
  }

  private solve(own: number, other: number): void {
    const { starts, target, turn } = this;
    const here = own * target + other;
    const there = other * target + own;
    // Known neighbours are a good first guess.
    starts[here] = own + 1 < target ? starts[here + target] : 1;
    starts[there] = own + 1 < target ? starts[there + 1] : 0.5;
    for (let change = 1; change > EXACT;) {
      turn.play(other, own, { others: starts, c: 1 - starts[here] });
      const [won, ones] = [turn.won[0], turn.ones[0]];
      turn.play(own, other, { others: starts, c: 1 - starts[there] });
      const x = solvePair(turn.won[0], turn.ones[0], won, ones);
      const y = won + ones * (1 - x);
      change = Math.max(Math.abs(x - starts[here]), Math.abs(y - starts[there]));
      starts[here] = x;
      starts[there] = y;
    }
  }
}

/** Optimal play of the game without a limit of turns. */
export function perfect(target: number): PolicyFamily<PigState> {
  return {
    summary: "the best chance to win, solved exactly (Neller and Presser 2004), as if turns had no limit",
    create() {
      const optimal = new OptimalPig(target);
      return {
        choose({ scores, turnPlayer, turnTotal }) {
          return optimal.rolls(scores[turnPlayer], scores[1 - turnPlayer], turnTotal) ? ROLL : HOLD;
        },
      };
    },
  };
}

/** The turn total at which the pace-maker of the estimate holds. */
const HOLD_AT = 20;

/** Expected points banked by a turn that holds at 20, by its total so far. */
const EXPECTED = new Float64Array(HOLD_AT);
for (let total = HOLD_AT - 1; total >= 0; total--) EXPECTED[total] = afterRoll(total);

function expected(total: number): number {
  return total >= HOLD_AT ? total : EXPECTED[total];
}

/** Expected points banked by that turn while the die is in the air. */
function afterRoll(total: number): number {
  let sum = 0;
  for (let face = 2; face <= 6; face++) sum += expected(total + face);
  return sum / 6;
}

/** The worth of being next: half of the points of a fresh turn. */
const NEXT = expected(0) / 2;
/**
 * The luck still to come, in points: the root of a part for each point that the leader misses plus a part
 * that stays to the end. Both are fitted to the exact chances of two players and target 100. The root mean square
 * error is 0.04 of a win. One ply of search on the estimate wins 45.5% against optimal play; holding at
 * 20 wins 46.0%.
 */
const LUCK_PER_POINT = 6;
const LUCK_AT_LAST = 300;
/** Keeps estimates strictly within the returns. */
const NEARLY = 0.999;

/**
 * Each player's standing is the banked score. The player on turn adds the expected points of the turn, holding at 20; the
 * next player adds half the points of a fresh turn. The chance to win is the soft maximum of the standings, in units of the
 * luck still to come.
 */
export const race: Heuristic<PigState> = {
  summary: "expected lead if all hold at 20, in units of the luck still to come",
  evaluate(state, player) {
    const { players } = state.rules;
    // Two players' values are each other's negatives to the last bit.
    if (players === 2) return player === 0 ? estimate(state, 0) : 0 - estimate(state, 0);
    return estimate(state, player);
  },
};

function estimate(state: PigState, player: number): number {
  const { players, target } = state.rules;
  const own = standing(state, player);
  let most = 0;
  for (let other = 0; other < players; other++) most = Math.max(most, standing(state, other));
  const luck = Math.sqrt(LUCK_PER_POINT * Math.max(0, target - most) + LUCK_AT_LAST);
  let odds = 0;
  for (let other = 0; other < players; other++) odds += Math.exp((standing(state, other) - own) / luck);
  return (NEARLY * (players / odds - 1)) / (players - 1);
}

function standing({ scores, turnPlayer, turnTotal, toMove, rules }: PigState, player: number): number {
  const score = scores[player];
  if (player === turnPlayer) return score + (toMove === CHANCE ? afterRoll(turnTotal) : expected(turnTotal));
  return player === (turnPlayer + 1) % rules.players ? score + NEXT : score;
}

/** Solves two-player pig without a limit of turns: the values are means. */
export function createSolver(target: number): ExactValues<PigState> {
  const optimal = new OptimalPig(target);
  return {
    value({ scores, turnPlayer, turnTotal }, player) {
      const lead = 2 * optimal.wins(scores[turnPlayer], scores[1 - turnPlayer], turnTotal) - 1;
      return player === turnPlayer ? lead : 0 - lead;
    },
  };
}
