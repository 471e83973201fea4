import { grown, zobristTable } from "../../base/hashing.ts";
import { CHANCE, TERMINAL, type State } from "../contract/rules.ts";
import {
  BAR,
  HOME,
  LARGE,
  MEN,
  NO_ROLL,
  OFF,
  OPENING_OUTCOMES,
  PLACES,
  Position,
  ROLL_PROBABILITIES,
  ROLLS,
  SMALL,
} from "./position.ts";
import { PASS, writeTurns } from "./turns.ts";

/** Hash keys of the situation: one for each roll, then OPENING_KEY, OVER_KEY and TURN_KEY. */
const OPENING_KEY = ROLLS;
const OVER_KEY = ROLLS + 1;
const TURN_KEY = ROLLS + 2;
const SITUATION_LOW = zobristTable("backgammon/situation/low", ROLLS + 3);
const SITUATION_HIGH = zobristTable("backgammon/situation/high", ROLLS + 3);

/** History entries: the two below for rolls, or what `applyTurn` packs, which is never negative. */
const OPENING_ROLL = -2;
const LATER_ROLL = -1;
const ACTION_BITS = (1 << 20) - 1;
const HITS_SHIFT = 20;
const ROLL_SHIFT = 24;
const SMALL_FIRST = 1 << 29;

const FIRST_HISTORY = 256;

/** The options of backgammon. */
export interface BackgammonRules {
  /** True if gammons and backgammons count 2 and 3 points. */
  readonly gammons: boolean;
  /** Turns after which a game without a winner ends as a draw. */
  readonly maxTurns: number;
}

/**
 * A backgammon game. CHANCE throws the dice, then the player on roll plays a whole turn as one action
 * (see turns.ts), and so on. At CHANCE the position is the afterstate of the last turn, and `onRoll` is
 * the player about to roll; at the opening the roll decides who that is. The hash and the notation leave out the number of
 * turns: the limit on turns only keeps endless games out of an arena, and positions should not differ because of it.
 */
export class BackgammonState extends Position implements State {
  toMove = CHANCE;
  /** True if the first roll is still to come. */
  opening = true;
  /** Points of the first player once TERMINAL: -3 to 3, 0 after `maxTurns`. */
  result = 0;
  turns = 0;
  readonly rules: BackgammonRules;
  private history = new Int32Array(FIRST_HISTORY);
  private played = 0;

  constructor(rules: BackgammonRules) {
    super();
    this.rules = rules;
    this.setUp();
    this.toggle(OPENING_KEY);
  }

  legalActions(out: Int32Array, at: number): number {
    return writeTurns(this, out, at);
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    if (this.opening) {
      const count = OPENING_OUTCOMES.length;
      out.set(OPENING_OUTCOMES, at);
      probabilities.fill(1 / count, at, at + count);
      return count;
    }
    for (let roll = 0; roll < ROLLS; roll++) {
      out[at + roll] = roll;
      probabilities[at + roll] = ROLL_PROBABILITIES[roll];
    }
    return ROLLS;
  }

  apply(action: number): void {
    if (this.toMove === CHANCE) this.applyRoll(action);
    else this.applyTurn(action);
  }

  undo(): void {
    const entry = this.history[--this.played];
    if (entry < 0) this.undoRoll(entry);
    else this.undoTurn(entry);
  }

  private applyRoll(outcome: number): void {
    if (this.opening) {
      this.push(OPENING_ROLL);
      this.opening = false;
      this.toggle(OPENING_KEY);
      if (outcome >= ROLLS) this.passTurn();
      this.roll = outcome >= ROLLS ? outcome - ROLLS : outcome;
    } else {
      this.push(LATER_ROLL);
      this.roll = outcome;
    }
    this.toggle(this.roll);
    this.toMove = this.onRoll;
  }

  private undoRoll(entry: number): void {
    this.toggle(this.roll);
    this.roll = NO_ROLL;
    this.toMove = CHANCE;
    if (entry === LATER_ROLL) return;
    if (this.onRoll === 1) this.passTurn();
    this.opening = true;
    this.toggle(OPENING_KEY);
  }

  private applyTurn(action: number): void {
    const { onRoll: player, roll } = this;
    const large = LARGE[roll];
    const small = SMALL[roll];
    let entry = action | (roll << ROLL_SHIFT);
    if (large === small) {
      for (let shift = 15, hit = HITS_SHIFT; shift >= 0; shift -= 5, hit++) {
        const from = (action >>> shift) & 31;
        if (from === 0) break;
        entry |= this.step(player, from, large) << hit;
      }
    } else if (action !== PASS) {
      const fromLarge = action >>> 5;
      const fromSmall = action & 31;
      // A man comes to an empty place by the other die.
      const smallFirst = fromLarge === 0 || this.men[player * PLACES + fromLarge] === 0;
      if (smallFirst) entry |= SMALL_FIRST | (this.step(player, fromSmall, small) << HITS_SHIFT);
      if (fromLarge !== 0) entry |= this.step(player, fromLarge, large) << (HITS_SHIFT + 1);
      if (!smallFirst && fromSmall !== 0) entry |= this.step(player, fromSmall, small) << HITS_SHIFT;
    }
    this.push(entry);
    this.turns++;
    this.toggle(roll);
    this.roll = NO_ROLL;
    this.passTurn();
    if (this.men[player * PLACES + OFF] === MEN) this.finish(player);
    else if (this.turns >= this.rules.maxTurns) this.finish(-1);
    else this.toMove = CHANCE;
  }

  private undoTurn(entry: number): void {
    if (this.toMove === TERMINAL) {
      this.toggle(OVER_KEY);
      this.result = 0;
    }
    this.passTurn();
    const player = this.onRoll;
    const action = entry & ACTION_BITS;
    const roll = (entry >>> ROLL_SHIFT) & 31;
    const large = LARGE[roll];
    const small = SMALL[roll];
    this.turns--;
    this.roll = roll;
    this.toggle(roll);
    this.toMove = player;
    if (large === small) {
      for (let shift = 0, hit = HITS_SHIFT + 3; shift <= 15; shift += 5, hit--) {
        const from = (action >>> shift) & 31;
        if (from !== 0) this.unstep(player, from, large, (entry >>> hit) & 1);
      }
    } else if (action !== PASS) {
      const fromLarge = action >>> 5;
      const fromSmall = action & 31;
      const smallHit = (entry >>> HITS_SHIFT) & 1;
      const smallFirst = (entry & SMALL_FIRST) !== 0;
      if (!smallFirst && fromSmall !== 0) this.unstep(player, fromSmall, small, smallHit);
      if (fromLarge !== 0) this.unstep(player, fromLarge, large, (entry >>> (HITS_SHIFT + 1)) & 1);
      if (smallFirst) this.unstep(player, fromSmall, small, smallHit);
    }
  }

  returns(player: number): number {
    return player === 0 ? this.result : 0 - this.result;
  }

  /** Ends the game; `winner` is -1 for a draw. */
  finish(winner: number): void {
    this.toMove = TERMINAL;
    this.toggle(OVER_KEY);
    if (winner >= 0) this.result = (1 - 2 * winner) * (this.rules.gammons ? this.stakeOf(1 - winner) : 1);
  }

  /** The points that `loser` pays: 1; 2 with no man off; 3 if a man is also on the bar or in the winner's home. */
  private stakeOf(loser: number): number {
    if (this.men[loser * PLACES + OFF] > 0) return 1;
    return this.occupied[loser] >= 1 << (BAR - HOME) ? 3 : 2;
  }

  /** Sets the situation, after the men were placed by hand; only on a state without dice. */
  place(situation: { readonly onRoll: number; readonly roll: number; readonly opening: boolean }): void {
    if (situation.onRoll !== this.onRoll) this.passTurn();
    if (situation.opening !== this.opening) this.toggle(OPENING_KEY);
    this.opening = situation.opening;
    this.roll = situation.roll;
    if (this.roll !== NO_ROLL) this.toggle(this.roll);
    this.toMove = this.roll === NO_ROLL ? CHANCE : this.onRoll;
  }

  copyFrom(other: this): void {
    this.copyMen(other);
    this.toMove = other.toMove;
    this.onRoll = other.onRoll;
    this.roll = other.roll;
    this.opening = other.opening;
    this.result = other.result;
    this.turns = other.turns;
    this.played = 0;
  }

  private passTurn(): void {
    this.onRoll = 1 - this.onRoll;
    this.toggle(TURN_KEY);
  }

  private toggle(key: number): void {
    this.hashLow ^= SITUATION_LOW[key];
    this.hashHigh ^= SITUATION_HIGH[key];
  }

  private push(entry: number): void {
    if (this.played === this.history.length) this.history = grown(this.history);
    this.history[this.played++] = entry;
  }
}
