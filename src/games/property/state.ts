import { finish, grown, step } from "../../base/hashing.ts";
import { CHANCE, type State, TERMINAL } from "../contract/rules.ts";
import { ARREST, type Board, MAX_HOUSES, TAX } from "./board.ts";
import { estateOf, hasGroup, rentOf, worthOf } from "./money.ts";
import {
  AUCTION,
  BANK,
  BEFORE,
  BEST_BID,
  BID,
  BIDDER,
  BID_PARTS,
  BUILD,
  BUY,
  CREDITOR,
  DEBT,
  DICE,
  DOUBLES,
  JAIL_ROLLS,
  LEAVE,
  MAX_BID,
  MAX_DOUBLES,
  MIN_BID,
  OFFER,
  OUTS,
  OVER,
  OWED,
  PASS,
  PHASE,
  ROLL,
  ROUND,
  SELL,
  TO_MOVE,
  TURN,
  WORDS,
  type PropertyRules,
} from "./position.ts";

const FACES = 6;

/**
 * A position, which is one array: `words`, then the cash of each player, then bytes. The other arrays are views of it.
 * Players who are out stay in the arrays without cash and property.
 */
export class PropertyState implements State {
  readonly rules: PropertyRules;
  readonly words: Int32Array;
  /** By player: money. */
  readonly cash: Int32Array;
  /** By player: the square. */
  readonly at: Int8Array;
  /** By player: 0 for free, otherwise 1 more than the rolls made in jail. */
  readonly held: Int8Array;
  /** By player: 0 for one who plays on, 1 for the first who went bankrupt, 2 for the second. */
  readonly out: Int8Array;
  /** By square: the owner, or BANK. */
  readonly owner: Int8Array;
  /** By square: houses. */
  readonly houses: Int8Array;
  private readonly board: Board;
  private readonly size: number;
  private history: Int32Array;
  private steps = 0;

  constructor(rules: PropertyRules) {
    const { players, board, cash } = rules;
    this.rules = rules;
    this.board = board;
    this.size = board.kinds.length;
    const bytes = 3 * players + 2 * this.size;
    const words = WORDS + players + Math.ceil(bytes / 4);
    this.words = new Int32Array(words);
    this.history = new Int32Array(64 * words);
    this.cash = this.words.subarray(WORDS, WORDS + players).fill(cash);
    let byte = 4 * (WORDS + players);
    const view = (length: number) => {
      byte += length;
      return new Int8Array(this.words.buffer, byte - length, length);
    };
    this.at = view(players);
    this.held = view(players);
    this.out = view(players);
    this.owner = view(this.size).fill(BANK);
    this.houses = view(this.size);
  }

  get toMove(): number {
    return this.words[TO_MOVE];
  }

  /** The lowest bid that may come next. It may be above MAX_BID: then nobody can bid any more. */
  get leastBid(): number {
    return Math.max(MIN_BID, this.words[BEST_BID] + 1);
  }

  get hashLow(): number {
    let hash = 0x2545f491;
    for (let word = 0; word < this.words.length; word++) hash = step(hash, this.words[word]);
    return finish(hash);
  }

  get hashHigh(): number {
    let hash = 0x6c62272e;
    for (let word = this.words.length - 1; word >= 0; word--) hash = step(hash, this.words[word]);
    return finish(hash);
  }

  legalActions(out: Int32Array, at: number): number {
    const player = this.toMove;
    let end = at;
    switch (this.words[PHASE]) {
      case BEFORE:
        out[end++] = ROLL;
        if (this.held[player] > 0 && this.cash[player] >= this.board.fine) out[end++] = LEAVE;
        for (let square = 0; square < this.size; square++)
          if (this.canBuild(player, square)) out[end++] = BUILD + square;
        break;
      case OFFER:
        out[end++] = BUY;
        out[end++] = PASS;
        break;
      case AUCTION:
        out[end++] = PASS;
        for (let bid = this.leastBid; this.canBid(player, bid); bid++) out[end++] = BID + bid;
        break;
      default:
        for (let square = 0; square < this.size; square++)
          if (this.canSell(player, square)) out[end++] = SELL + square;
    }
    return end - at;
  }

  /** Outcomes are 6 * (high - 1) + low - 1, by the faces of the two dice. */
  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    let end = at;
    for (let high = 0; high < FACES; high++) {
      for (let low = 0; low <= high; low++) {
        out[end] = FACES * high + low;
        probabilities[end++] = (low === high ? 1 : 2) / 36;
      }
    }
    return end - at;
  }

  apply(action: number): void {
    const { words, board } = this;
    const length = words.length;
    this.history = grown(this.history, (this.steps + 1) * length);
    this.history.set(words, this.steps++ * length);
    const player = words[TO_MOVE];
    if (player === CHANCE) this.roll(action);
    else if (action >= SELL) this.sell(player, action - SELL);
    else if (action >= BUILD) {
      this.houses[action - BUILD]++;
      this.cash[player] -= board.houseCosts[action - BUILD];
    } else if (action === ROLL) {
      words[PHASE] = DICE;
      words[TO_MOVE] = CHANCE;
    } else if (action === LEAVE) {
      this.held[player] = 0;
      this.cash[player] -= board.fine;
    } else if (action === BUY) {
      this.take(player, board.prices[this.at[player]]);
      this.endMove();
    } else if (words[PHASE] === OFFER) this.refuse();
    else {
      if (action !== PASS) {
        words[BEST_BID] = action - BID;
        words[BIDDER] = player;
      }
      if (player === words[TURN]) this.knockDown();
      else this.askAfter(player);
    }
  }

  undo(): void {
    const length = this.words.length;
    const from = --this.steps * length;
    for (let word = 0; word < length; word++) this.words[word] = this.history[from + word];
  }

  /** The share of the others who stand worse, less the share of those who stand better. */
  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    const own = this.standing(player);
    let sum = 0;
    for (let other = 0; other < this.rules.players; other++) sum += Math.sign(own - this.standing(other));
    return sum / (this.rules.players - 1);
  }

  copyFrom(other: this): void {
    this.words.set(other.words);
    this.steps = 0;
  }

  /** True if a player may bid so many fifths for the square of the player on turn. */
  canBid(player: number, bid: number): boolean {
    return bid <= MAX_BID && this.out[player] === 0 && this.cash[player] >= this.priceOfBid(bid);
  }

  /** The money of a bid for the square of the player on turn. */
  priceOfBid(bid: number): number {
    return (this.board.prices[this.at[this.words[TURN]]] / BID_PARTS) * bid;
  }

  private canBuild(player: number, square: number): boolean {
    const { houseCosts, groupOf, groups } = this.board;
    const cost = houseCosts[square];
    if (cost === 0 || this.owner[square] !== player || this.cash[player] < cost) return false;
    const houses = this.houses[square];
    if (houses === MAX_HOUSES || !hasGroup(this, player, groupOf[square])) return false;
    const squares = groups[groupOf[square]];
    for (let at = 0; at < squares.length; at++) if (this.houses[squares[at]] < houses) return false;
    return true;
  }

  /** A house is sold where most are, a street once its group has none. */
  private canSell(player: number, square: number): boolean {
    if (this.owner[square] !== player) return false;
    const squares = this.board.groups[this.board.groupOf[square]];
    for (let at = 0; at < squares.length; at++)
      if (this.houses[squares[at]] > this.houses[square]) return false;
    return true;
  }

  private roll(outcome: number): void {
    const { words } = this;
    const player = words[TURN];
    const low = outcome % FACES;
    const high = (outcome - low) / FACES;
    const isDouble = low === high;
    if (this.held[player] > 0) {
      if (!isDouble && this.held[player] < JAIL_ROLLS) {
        this.held[player]++;
        this.endMove();
        return;
      }
      this.held[player] = 0;
    } else {
      words[DOUBLES] = isDouble ? words[DOUBLES] + 1 : 0;
      if (words[DOUBLES] === MAX_DOUBLES) {
        this.arrest(player);
        return;
      }
    }
    this.move(player, low + high + 2);
  }

  private move(player: number, pips: number): void {
    const { board, size } = this;
    let square = this.at[player] + pips;
    if (square >= size) {
      square -= size;
      this.cash[player] += board.salary;
    }
    this.at[player] = square;
    const owner = this.owner[square];
    if (board.kinds[square] === ARREST) this.arrest(player);
    else if (board.kinds[square] === TAX) this.pay(player, board.tax, BANK);
    else if (board.prices[square] === 0 || owner === player) this.endMove();
    else if (owner !== BANK) this.pay(player, rentOf(this, square, pips), owner);
    else if (this.cash[player] >= board.prices[square]) this.ask(player, OFFER);
    else this.refuse();
  }

  private arrest(player: number): void {
    this.at[player] = this.board.jail;
    this.held[player] = 1;
    this.words[DOUBLES] = 0;
    this.endMove();
  }

  private ask(player: number, phase: number): void {
    this.words[TO_MOVE] = player;
    this.words[PHASE] = phase;
  }

  private take(player: number, price: number): void {
    this.cash[player] -= price;
    this.owner[this.at[this.words[TURN]]] = player;
  }

  /** The player on turn does not buy: all are asked once, this player last. */
  private refuse(): void {
    if (this.rules.auctions) this.askAfter(this.words[TURN]);
    else this.endMove();
  }

  private askAfter(player: number): void {
    const bid = this.leastBid;
    let next = player;
    do {
      next = next + 1 === this.rules.players ? 0 : next + 1;
      if (this.canBid(next, bid)) {
        this.ask(next, AUCTION);
        return;
      }
    } while (next !== this.words[TURN]);
    this.knockDown();
  }

  /** The auction ends: the square goes to the highest bid, if there is one. */
  private knockDown(): void {
    const { words } = this;
    if (words[BEST_BID] > 0) this.take(words[BIDDER], this.priceOfBid(words[BEST_BID]));
    words[BEST_BID] = 0;
    words[BIDDER] = 0;
    this.endMove();
  }

  private pay(player: number, amount: number, creditor: number): void {
    const { words, cash } = this;
    const can = cash[player] >= amount;
    words[OWED] = can ? 0 : amount;
    words[CREDITOR] = can ? 0 : creditor;
    if (can) {
      cash[player] -= amount;
      if (creditor !== BANK) cash[creditor] += amount;
      this.endMove();
    } else if (estateOf(this, player) < amount) this.goBankrupt(player, creditor);
    else this.ask(player, DEBT);
  }

  private sell(player: number, square: number): void {
    const { prices, houseCosts } = this.board;
    if (this.houses[square] > 0) {
      this.houses[square]--;
      this.cash[player] += houseCosts[square] / 2;
    } else {
      this.owner[square] = BANK;
      this.cash[player] += prices[square] / 2;
    }
    this.pay(player, this.words[OWED], this.words[CREDITOR]);
  }

  /** Sells everything, for the creditor. */
  private goBankrupt(player: number, creditor: number): void {
    const { words } = this;
    if (creditor !== BANK) this.cash[creditor] += estateOf(this, player);
    for (let square = 0; square < this.size; square++) {
      if (this.owner[square] !== player) continue;
      this.owner[square] = BANK;
      this.houses[square] = 0;
    }
    this.cash[player] = 0;
    this.at[player] = 0;
    this.out[player] = ++words[OUTS];
    words[OWED] = 0;
    words[CREDITOR] = 0;
    words[DOUBLES] = 0;
    if (words[OUTS] === this.rules.players - 1) this.ask(TERMINAL, OVER);
    else this.endMove();
  }

  /** The player on turn goes on after a double, otherwise the next one comes. */
  private endMove(): void {
    const { words } = this;
    if (words[DOUBLES] === 0) {
      const { players, maxRounds } = this.rules;
      do {
        words[TURN] = words[TURN] + 1 === players ? 0 : words[TURN] + 1;
        if (words[TURN] === 0) words[ROUND]++;
      } while (this.out[words[TURN]] > 0);
      if (words[ROUND] === maxRounds) {
        this.ask(TERMINAL, OVER);
        return;
      }
    }
    this.ask(words[TURN], BEFORE);
  }

  /** Worth for those who play on; those who are out follow, the last of them first. */
  private standing(player: number): number {
    const out = this.out[player];
    return out > 0 ? out - this.rules.players : worthOf(this, player);
  }
}
