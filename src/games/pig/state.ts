import { grown, mixHigh, mixLow } from "../../base/hashing.ts";
import { CHANCE, TERMINAL, type State } from "../contract/rules.ts";

export const MAX_PLAYERS = 6;
export const MAX_TARGET = 1000;

/** The actions of a player; a chance outcome is the face of the die, 1 to 6. */
export const HOLD = 0;
export const ROLL = 1;

/** The rules of one game of pig. */
export interface PigRules {
  readonly players: number;
  readonly target: number;
  readonly maxTurns: number;
}

/** An entry of the history: the turn total before the step in the low bits, and above them the kind of step. */
const TOTAL_BITS = 10;
const TOTAL_MASK = (1 << TOTAL_BITS) - 1;
const ROLLED = 0;
const ADDED = 1;
const BUSTED = 2;
const HELD = 3;

/** A pig position: banked scores, the total of this turn, the player on turn, and the die in the hand or in the air. */
export class PigState implements State {
  toMove = 0;
  /** The player on turn. */
  turnPlayer = 0;
  /** Points rolled in this turn and not yet banked. */
  turnTotal = 0;
  /** Turns finished by all players together. */
  turns = 0;
  /** Banked points. */
  readonly scores: Int32Array;
  readonly rules: PigRules;
  private readonly players: number;
  private readonly target: number;
  private readonly maxTurns: number;
  private steps = 0;
  private history = new Int32Array(256);

  constructor(rules: PigRules) {
    this.rules = rules;
    this.players = rules.players;
    this.target = rules.target;
    this.maxTurns = rules.maxTurns;
    this.scores = new Int32Array(rules.players);
  }

  /** Becomes a position. The number of turns gives the player on turn. */
  place(scores: readonly number[], { turnTotal = 0, turns = 0, rolling = false }): void {
    this.scores.set(scores);
    this.turnTotal = turnTotal;
    this.turns = turns;
    this.turnPlayer = turns % this.players;
    this.steps = 0;
    const over = turns === this.maxTurns || this.scores[this.turnPlayer] + turnTotal >= this.target;
    this.toMove = over ? TERMINAL : rolling ? CHANCE : this.turnPlayer;
  }

  get hashLow(): number {
    return mixLow(this.scoresFrom(0), this.scoresFrom(3), this.turns, this.turnWord());
  }

  get hashHigh(): number {
    return mixHigh(this.scoresFrom(0), this.scoresFrom(3), this.turns, this.turnWord());
  }

  legalActions(out: Int32Array, at: number): number {
    if (this.turnTotal === 0) {
      out[at] = ROLL;
      return 1;
    }
    out[at] = HOLD;
    out[at + 1] = ROLL;
    return 2;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    for (let face = 1; face <= 6; face++) {
      out[at + face - 1] = face;
      probabilities[at + face - 1] = 1 / 6;
    }
    return 6;
  }

  apply(action: number): void {
    if (this.toMove !== CHANCE) {
      if (action === ROLL) {
        this.remember(ROLLED);
        this.toMove = CHANCE;
      } else {
        this.remember(HELD);
        this.scores[this.turnPlayer] += this.turnTotal;
        this.passTurn();
      }
    } else if (action === 1) {
      this.remember(BUSTED);
      this.passTurn();
    } else {
      this.remember(ADDED);
      this.turnTotal += action;
      const { turnPlayer } = this;
      this.toMove = this.scores[turnPlayer] + this.turnTotal >= this.target ? TERMINAL : turnPlayer;
    }
  }

  undo(): void {
    const step = this.history[--this.steps];
    const kind = step >> TOTAL_BITS;
    this.turnTotal = step & TOTAL_MASK;
    if (kind >= BUSTED) {
      this.turns--;
      this.turnPlayer = (this.turnPlayer === 0 ? this.players : this.turnPlayer) - 1;
      if (kind === HELD) this.scores[this.turnPlayer] -= this.turnTotal;
    }
    this.toMove = kind === ROLLED || kind === HELD ? this.turnPlayer : CHANCE;
  }

  returns(player: number): number {
    const winner = this.turnPlayer;
    if (this.toMove !== TERMINAL || this.scores[winner] + this.turnTotal < this.target) return 0;
    return player === winner ? 1 : -1 / (this.players - 1);
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.turnPlayer = other.turnPlayer;
    this.turnTotal = other.turnTotal;
    this.turns = other.turns;
    this.scores.set(other.scores);
    this.steps = 0;
  }

  private passTurn(): void {
    this.turnTotal = 0;
    this.turnPlayer = this.turnPlayer + 1 === this.players ? 0 : this.turnPlayer + 1;
    this.toMove = ++this.turns === this.maxTurns ? TERMINAL : this.turnPlayer;
  }

  private remember(kind: number): void {
    if (this.steps === this.history.length) this.history = grown(this.history);
    this.history[this.steps++] = (kind << TOTAL_BITS) | this.turnTotal;
  }

  /** Three scores in one word, ten bits each. */
  private scoresFrom(player: number): number {
    const { scores, players } = this;
    let word = 0;
    const end = Math.min(players, player + 3);
    for (let at = player; at < end; at++) word = (word << 10) | scores[at];
    return word;
  }

  private turnWord(): number {
    return (this.turnTotal << 1) | (this.toMove === CHANCE ? 1 : 0);
  }
}

/**
 * A rule to play pig: true if the player on turn rolls, by both banked scores and the turn's total, which is above 0.
 */
export type PigDecision = (own: number, other: number, total: number) => boolean;

const LARGEST_FACE = 6;

/**
 * The chance to win of the player on turn, by the turn's total so far. It is a linear function of c, the
 * chance to win after a 1 has ended the turn: won[total] + ones[total] * c. The chance of a player who holds is 1 less
 * the other's chance with the turn (Neller and Presser 2004).
 */
export class PigTurn {
  readonly won: Float64Array;
  /** The chance that the turn ends by a 1. */
  readonly ones: Float64Array;
  private readonly target: number;

  constructor(target: number) {
    this.target = target;
    this.won = new Float64Array(target + LARGEST_FACE);
    this.ones = new Float64Array(target + LARGEST_FACE);
  }

  /**
   * Calculates the turn of a player who always takes the better decision for this value of `c`. `others` has the other
   * player's chance to win with the turn, at [its score * target + own score], for all higher own scores.
   */
  play(own: number, other: number, { others, c }: { others: Float64Array; c: number }): void {
    const { won, ones } = this;
    const held = other * this.target + own;
    for (let total = this.finish(own); total > 0; total--) {
      const [rolled, lost] = [this.rolled(total), this.lost(total)];
      const hold = 1 - others[held + total];
      const rolls = rolled + lost * c > hold;
      won[total] = rolls ? rolled : hold;
      ones[total] = rolls ? lost : 0;
    }
    this.begin();
  }

  /** Calculates the turn of a player who decides by `rolls`. */
  follow(own: number, other: number, { others, rolls }: { others: Float64Array; rolls: PigDecision }): void {
    const { won, ones } = this;
    const held = other * this.target + own;
    for (let total = this.finish(own); total > 0; total--) {
      const rolling = rolls(own, other, total);
      won[total] = rolling ? this.rolled(total) : 1 - others[held + total];
      ones[total] = rolling ? this.lost(total) : 0;
    }
    this.begin();
  }

  /** Marks the totals that win; returns the highest total that does not. */
  private finish(own: number): number {
    const missing = this.target - own;
    this.won.fill(1, missing, missing + LARGEST_FACE);
    this.ones.fill(0, missing, missing + LARGEST_FACE);
    return missing - 1;
  }

  /** Calculates the beginning of the turn, which is a roll. */
  private begin(): void {
    this.won[0] = this.rolled(0);
    this.ones[0] = this.lost(0);
  }

  private rolled(total: number): number {
    const { won } = this;
    return (won[total + 2] + won[total + 3] + won[total + 4] + won[total + 5] + won[total + 6]) / 6;
  }

  private lost(total: number): number {
    const { ones } = this;
    return (1 + ones[total + 2] + ones[total + 3] + ones[total + 4] + ones[total + 5] + ones[total + 6]) / 6;
  }
}

/**
 * The solution x of x = a + b (1 - y) and y = c + d (1 - x): the chance of a turn, of two that lead to each other by a 1.
 */
export function solvePair(a: number, b: number, c: number, d: number): number {
  return (a + b * (1 - c - d)) / (1 - b * d);
}

/**
 * The exact chance that the first player wins if each player follows a rule, without a limit of turns.
 */
export function firstWins(first: PigDecision, second: PigDecision, target: number): number {
  /** The chances to win with the turn of the first and the second player, at [own score * target + other's]. */
  const firsts = new Float64Array(target * target);
  const seconds = new Float64Array(target * target);
  const turn = new PigTurn(target);
  for (let sum = 2 * (target - 1); sum >= 0; sum--) {
    for (let own = Math.max(0, sum - target + 1); own <= Math.min(sum, target - 1); own++) {
      const other = sum - own;
      turn.follow(other, own, { others: firsts, rolls: second });
      const [won, ones] = [turn.won[0], turn.ones[0]];
      turn.follow(own, other, { others: seconds, rolls: first });
      const chance = solvePair(turn.won[0], turn.ones[0], won, ones);
      firsts[own * target + other] = chance;
      seconds[other * target + own] = won + ones * (1 - chance);
    }
  }
  return firsts[0];
}
