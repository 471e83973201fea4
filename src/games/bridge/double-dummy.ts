import { countBits, lowestBit } from "../../base/hashing.ts";
import { type Pack } from "../shared/cards.ts";
import type { BridgeState } from "./state.ts";

/** Entries of the table. It is emptied when it is full. */
const ENTRIES = 1 << 18;
const HEADS = 1 << 16;
/** Words of an entry: lengths of the hands (2), leader, bounds and counts of ranks (1), owners by suit (4), the next entry. */
const STRIDE = 8;
/** A rank above all: no card of the suit matters. */
const NO_RANK = 16;
/** Most plies, and most actions of one. */
const PLIES = 52;
const WIDTH = 13;

/**
 * Solves the play at bridge with all hands open: the tricks that declarer's side takes if everybody plays best. Null-window alpha-beta
 * over plays. A result found at the start of a trick holds for all positions with hands of the same lengths in which the highest
 * cards, as many as mattered, are held alike (partition search: Ginsberg 1996). Cards of a hand that no other card lies between are
 * equal, and tricks that one side can take at once are counted. A search allocates nothing.
 */
export class DoubleDummy {
  /** Positions visited so far. */
  nodes = 0;
  private readonly suits: number;
  private readonly ranks: number;
  private readonly trumps: number;
  /** By seat x 4 + suit: the set of ranks in hand, and by seat x 2 and one more: the lengths of suits, 4 bits each. */
  private readonly hands = new Int32Array(16);
  /** By suit: the set of ranks in hands and in the trick. */
  private readonly all = new Int32Array(4);
  /** By ply since the last trick that was whole at the root: suit, rank, and the lowest rank equal to it; its seat; the best ply so far. */
  private readonly suitAt = new Int32Array(PLIES);
  private readonly rankAt = new Int32Array(PLIES);
  private readonly equalAt = new Int32Array(PLIES);
  private readonly seatAt = new Int32Array(PLIES);
  private readonly bestAt = new Int32Array(PLIES);
  /** By ply x 4 + suit: the lowest rank that mattered for the result of the last search there. */
  private readonly low = new Int32Array(4 * PLIES + 4);
  private readonly actions = new Int32Array(PLIES * WIDTH);
  private readonly equals = new Int32Array(PLIES * WIDTH);
  private readonly worths = new Int32Array(PLIES * WIDTH);
  private readonly owners = new Int32Array(4 * PLIES + 4);
  private readonly heads = new Int32Array(HEADS);
  private readonly table = new Int32Array(ENTRIES * STRIDE);
  private readonly nexts = new Int32Array(ENTRIES);
  private entries = 0;

  /** @param trumps the suit of trumps; -1 for none */
  constructor({ suits, ranks }: Pack, trumps: number) {
    this.suits = suits;
    this.ranks = ranks;
    this.trumps = trumps;
    this.heads.fill(-1);
  }

  /** The tricks that declarer's side takes from here on, the trick on the table included. */
  solve(state: BridgeState): number {
    const most = Math.ceil((state.pack.size - state.plays) / 4);
    let tricks = most >> 1;
    if (this.reaches(state, tricks + 1)) {
      tricks++;
      while (tricks < most && this.reaches(state, tricks + 1)) tricks++;
    } else while (tricks > 0 && !this.reaches(state, tricks)) tricks--;
    return tricks;
  }

  /** True if declarer's side takes at least `target` tricks from here on, the trick on the table included. */
  reaches({ pack, hands, plays, cards, seats, seat }: BridgeState, target: number): boolean {
    const { all, ranks } = this;
    this.hands.set(hands);
    for (let suit = 0; suit < 4; suit++)
      all[suit] = hands[suit]! | hands[4 + suit]! | hands[8 + suit]! | hands[12 + suit]!;
    const inTrick = plays % 4;
    const begun = plays - inTrick;
    for (let at = begun; at < plays; at++) all[(cards[at]! / ranks) | 0]! |= 1 << (cards[at]! % ranks);
    for (let at = begun; at < plays; at++) {
      const suit = (cards[at]! / ranks) | 0;
      this.put(at - begun, seats[at]!, suit, cards[at]! % ranks, cards[at]! % ranks);
    }
    const left = (pack.size - begun) / 4;
    if (left === 0) return target <= 0;
    return inTrick === 0 ? this.lead(0, seat, left, target) : this.play(inTrick, seat, left, target);
  }

  /** Notes a card as played at a ply. */
  private put(ply: number, seat: number, suit: number, rank: number, equal: number): void {
    const { suitAt, rankAt, bestAt } = this;
    suitAt[ply] = suit;
    rankAt[ply] = rank;
    this.equalAt[ply] = equal;
    this.seatAt[ply] = seat;
    const best = ply % 4 === 0 ? -1 : bestAt[ply - 1]!;
    bestAt[ply] = best < 0 || this.beats(suit, rank, best) ? ply : best;
  }

  /** True if a card would take the trick from that of ply `best`. */
  private beats(suit: number, rank: number, best: number): boolean {
    return suit === this.suitAt[best] ? rank > this.rankAt[best]! : suit === this.trumps;
  }

  /** The position at the start of a trick, with `left` cards in each hand: true if declarer's side takes `target` tricks. */
  private lead(ply: number, seat: number, left: number, target: number): boolean {
    const { low, suits } = this;
    const base = 4 * ply;
    for (let suit = 0; suit < 4; suit++) low[base + suit] = NO_RANK;
    if (target <= 0) return true;
    if (target > left) return false;
    this.nodes++;
    const isOurs = seat % 2 === 0;
    const needed = isOurs ? target : left - target + 1;
    if (left > 1) {
      if (this.cash(base, seat, needed)) return isOurs;
      if (this.ruffs(base, seat, needed)) return isOurs;
      if (this.ruffs(base, seat + 1, left + 1 - needed)) return !isOurs;
    }
    if (left === 1) return this.play(ply, seat, left, target);
    const { hands } = this;
    let lengths = 0;
    let others = 0;
    for (let suit = 0; suit < suits; suit++) {
      lengths = (lengths << 8) | (countBits(hands[suit]!) << 4) | countBits(hands[4 + suit]!);
      others = (others << 8) | (countBits(hands[8 + suit]!) << 4) | countBits(hands[12 + suit]!);
      this.owners[base + suit] = this.ownersOf(suit);
    }
    const head = this.headOf(lengths, others, seat);
    const found = this.find(head, lengths, others, seat, base, target);
    if (found >= 0) return found === 1;
    const result = this.play(ply, seat, left, target);
    this.store(head, lengths, others, seat, base, result ? (target << 4) | left : target - 1);
    return result;
  }

  /** The seats that hold the cards of a suit, from the highest card at the top, 2 bits each. */
  private ownersOf(suit: number): number {
    const { hands } = this;
    let word = 0;
    let shift = 30;
    const b = hands[4 + suit]!;
    const c = hands[8 + suit]!;
    const d = hands[12 + suit]!;
    for (let rest = this.all[suit]!; rest !== 0; shift -= 2) {
      const bit = 1 << (31 - Math.clz32(rest));
      rest ^= bit;
      word |= ((b & bit) !== 0 ? 1 : (c & bit) !== 0 ? 2 : (d & bit) !== 0 ? 3 : 0) << shift;
    }
    return word;
  }

  private headOf(lengths: number, others: number, seat: number): number {
    const hash = Math.imul(Math.imul(lengths, 0x9e3779b1) ^ (others + seat), 0x85ebca6b);
    return (hash ^ (hash >>> 15)) & (HEADS - 1);
  }

  /** 1 or 0 if the table knows the result, and then the ranks that matter are set; -1 if not. */
  private find(
    head: number,
    lengths: number,
    others: number,
    seat: number,
    base: number,
    target: number,
  ): number {
    const { table, nexts, owners, suits } = this;
    const a = owners[base]!;
    const b = owners[base + 1]!;
    const c = owners[base + 2]!;
    const d = owners[base + 3]!;
    for (let entry = this.heads[head]!; entry >= 0; entry = nexts[entry]!) {
      const at = entry * STRIDE;
      if (table[at] !== lengths || table[at + 1] !== others) continue;
      const bounds = table[at + 2]!;
      if (bounds >> 24 !== seat) continue;
      const isMet = ((bounds >> 20) & 15) >= target;
      if (!isMet && ((bounds >> 16) & 15) >= target) continue;
      if (
        ((table[at + 4]! ^ a) & maskOf(bounds)) !== 0 ||
        ((table[at + 5]! ^ b) & maskOf(bounds >> 4)) !== 0 ||
        ((table[at + 6]! ^ c) & maskOf(bounds >> 8)) !== 0 ||
        ((table[at + 7]! ^ d) & maskOf(bounds >> 12)) !== 0
      )
        continue;
      for (let suit = 0; suit < suits; suit++) {
        let count = (bounds >> (4 * suit)) & 15;
        if (count === 0) continue;
        let rest = this.all[suit]!;
        while (--count > 0) rest ^= 1 << (31 - Math.clz32(rest));
        this.low[base + suit] = 31 - Math.clz32(rest);
      }
      return isMet ? 1 : 0;
    }
    return -1;
  }

  /** Keeps a result. @param bounds the least tricks x 16 + the most */
  private store(
    head: number,
    lengths: number,
    others: number,
    seat: number,
    base: number,
    bounds: number,
  ): void {
    const { table, all, low } = this;
    if (this.entries === ENTRIES) this.forget();
    const entry = this.entries++;
    const at = entry * STRIDE;
    let counts = 0;
    for (let suit = 0; suit < this.suits; suit++) {
      const from = low[base + suit]!;
      if (from < NO_RANK) counts |= countBits(all[suit]! >>> from) << (4 * suit);
      table[at + 4 + suit] = this.owners[base + suit]!;
    }
    table[at] = lengths;
    table[at + 1] = others;
    table[at + 2] = (seat << 24) | (bounds << 16) | counts;
    this.nexts[entry] = this.heads[head]!;
    this.heads[head] = entry;
  }

  private forget(): void {
    this.heads.fill(-1);
    this.entries = 0;
  }

  /** True if the leader's side takes `needed` tricks at once with the highest cards. Sets the ranks that matter. */
  private cash(base: number, seat: number, needed: number): boolean {
    const { low, suits } = this;
    const partner = (seat + 2) % 4;
    let sure = 0;
    for (let suit = 0; suit < suits && sure < needed; suit++)
      sure += this.mark(base, suit, seat, this.sureTricks(seat, suit), needed - sure);
    if (sure >= needed) return true;
    // The leader cashes suits in which partner follows, then partner its own, if one of these can be led to.
    sure = 0;
    let isReached = false;
    for (let suit = 0; suit < suits; suit++) {
      low[base + suit] = NO_RANK;
      const own = Math.min(this.sureTricks(seat, suit), countBits(this.hands[4 * partner + suit]!));
      const partners = this.sureTricks(partner, suit);
      if (partners < own || partners === 0) sure += this.mark(base, suit, seat, own, own);
      else {
        isReached ||= this.hands[4 * seat + suit] !== 0;
        sure += this.mark(base, suit, partner, partners, partners);
      }
    }
    if (isReached && sure >= needed) return true;
    for (let suit = 0; suit < suits; suit++) low[base + suit] = NO_RANK;
    return false;
  }

  /** The tricks that a hand on lead takes in a suit with its highest cards, and then with its last ones. */
  private sureTricks(seat: number, suit: number): number {
    const { hands, all, trumps } = this;
    const own = hands[4 * seat + suit]!;
    const others = all[suit]! ^ own;
    let count = countBits(others === 0 ? own : own >>> (32 - Math.clz32(others)));
    if (count === 0) return 0;
    const next = (seat + 1) % 4;
    const partner = (seat + 2) % 4;
    const last = (seat + 3) % 4;
    const a = countBits(hands[4 * next + suit]!);
    const b = countBits(hands[4 * partner + suit]!);
    const c = countBits(hands[4 * last + suit]!);
    if (count >= a && count >= b && count >= c) count = countBits(own);
    if (suit === trumps || trumps < 0) return count;
    // Nobody may have to ruff.
    if ((hands[4 * next + trumps]! | hands[4 * last + trumps]!) !== 0) count = Math.min(count, a, c);
    return hands[4 * partner + trumps] === 0 ? count : Math.min(count, b);
  }

  /** Notes that `count` sure tricks of a hand, or `most` if they are fewer, are used. Returns their number. */
  private mark(base: number, suit: number, seat: number, count: number, most: number): number {
    const { hands, all } = this;
    const used = Math.min(count, most);
    let rest = hands[4 * seat + suit]!;
    const others = all[suit]! ^ rest;
    if (used === 0 || others === 0) return used;
    // Cards below the highest of the others win when these are played.
    let matter = Math.min(used, countBits(rest >>> (32 - Math.clz32(others))));
    while (--matter > 0) rest ^= 1 << (31 - Math.clz32(rest));
    this.low[base + suit] = 31 - Math.clz32(rest);
    return used;
  }

  /** True if one hand of the side of a seat takes `needed` tricks at some time with the highest trumps. */
  private ruffs(base: number, seat: number, needed: number): boolean {
    const { hands, all, trumps } = this;
    if (trumps < 0) return false;
    for (let whose = seat; whose < seat + 4; whose += 2) {
      const own = hands[4 * (whose % 4) + trumps]!;
      const others = all[trumps]! ^ own;
      let rest = others === 0 ? own : own & (-1 << (32 - Math.clz32(others)));
      if (countBits(rest) < needed) continue;
      if (others === 0) return true;
      for (let more = needed; more > 1; more--) rest ^= 1 << (31 - Math.clz32(rest));
      this.low[base + trumps] = 31 - Math.clz32(rest);
      return true;
    }
    return false;
  }

  /** One play, in a trick that began with `left` cards in each hand. True if declarer's side takes `target` tricks, this one included. */
  private play(ply: number, seat: number, left: number, target: number): boolean {
    const { hands, all, low, actions, equals, ranks } = this;
    const base = 4 * ply;
    const isOurs = seat % 2 === 0;
    const isLast = ply % 4 === 3;
    const from = ply * WIDTH;
    const end = from + this.generate(ply, seat, from);
    let a = NO_RANK;
    let b = NO_RANK;
    let c = NO_RANK;
    let d = NO_RANK;
    for (let at = from; at < end; at++) {
      this.bringBest(at, end);
      const action = actions[at]!;
      const suit = (action / ranks) | 0;
      const rank = action - suit * ranks;
      hands[4 * seat + suit]! ^= 1 << rank;
      this.put(ply, seat, suit, rank, equals[at]!);
      const below = base + 4;
      let result: boolean;
      if (isLast) {
        const best = this.bestAt[ply]!;
        const taker = this.seatAt[best]!;
        const { suitAt, rankAt } = this;
        for (let one = ply - 3; one <= ply; one++) all[suitAt[one]!]! ^= 1 << rankAt[one]!;
        result = this.lead(ply + 1, taker, left - 1, taker % 2 === 0 ? target - 1 : target);
        let met = 0;
        const bestSuit = suitAt[best]!;
        for (let one = ply - 3; one <= ply; one++) {
          all[suitAt[one]!]! |= 1 << rankAt[one]!;
          if (suitAt[one] === bestSuit) met++;
        }
        if (met > 1) low[below + bestSuit] = Math.min(low[below + bestSuit]!, this.equalAt[best]!);
      } else result = this.play(ply + 1, (seat + 1) % 4, left, target);
      hands[4 * seat + suit]! ^= 1 << rank;
      if (result === isOurs) {
        for (let one = 0; one < 4; one++) low[base + one] = low[below + one]!;
        return result;
      }
      a = Math.min(a, low[below]!);
      b = Math.min(b, low[below + 1]!);
      c = Math.min(c, low[below + 2]!);
      d = Math.min(d, low[below + 3]!);
    }
    low[base] = a;
    low[base + 1] = b;
    low[base + 2] = c;
    low[base + 3] = d;
    return !isOurs;
  }

  /** Writes the highest of each run of equal cards that may be played, its lowest equal and its worth for ordering; returns their number. */
  private generate(ply: number, seat: number, from: number): number {
    const { hands, all, suits, ranks, actions, equals } = this;
    const inTrick = ply % 4;
    const led = inTrick === 0 ? -1 : this.suitAt[ply - inTrick]!;
    const follows = led >= 0 && hands[4 * seat + led] !== 0;
    let next = from;
    for (let suit = follows ? led : 0; suit < (follows ? led + 1 : suits); suit++) {
      const own = hands[4 * seat + suit]!;
      let rest = own;
      while (rest !== 0) {
        const rank = 31 - Math.clz32(rest);
        // The next card of the suit in another hand or on the table ends the run.
        const between = (all[suit]! ^ own) & ((1 << rank) - 1);
        const run = between === 0 ? rest : rest & (-1 << (32 - Math.clz32(between)));
        rest ^= run;
        actions[next] = suit * ranks + rank;
        equals[next] = lowestBit(run);
        this.worths[next] = this.worthOf(ply, seat, suit, rank);
        next++;
      }
    }
    return next - from;
  }

  /** How early a play is tried. */
  private worthOf(ply: number, seat: number, suit: number, rank: number): number {
    const { hands, all, trumps, bestAt, seatAt } = this;
    const inTrick = ply % 4;
    const next = (seat + 1) % 4;
    const partner = (seat + 2) % 4;
    const last = (seat + 3) % 4;
    const length = countBits(hands[4 * seat + suit]!);
    if (inTrick === 0) {
      const others = all[suit]! ^ hands[4 * seat + suit]!;
      const isTop = others >> rank === 0;
      const enemies = hands[4 * next + suit]! | hands[4 * last + suit]!;
      if (isTop) return 60 + (suit === trumps ? 10 : 0) + length;
      // Partner has the highest card: lead low to it.
      if (hands[4 * partner + suit]! > enemies) return 45 - rank + length;
      if (
        trumps >= 0 &&
        suit !== trumps &&
        hands[4 * partner + suit] === 0 &&
        hands[4 * partner + trumps] !== 0
      )
        return 50 - rank;
      // Through strength: the player behind has the highest card.
      return (hands[4 * next + suit]! > hands[4 * last + suit]! ? 25 : 15) - rank + length;
    }
    const best = bestAt[ply - 1]!;
    const wins = this.beats(suit, rank, best);
    const partnersBest = inTrick > 1 && seatAt[best] === partner;
    const led = this.suitAt[ply - inTrick]!;
    if (inTrick === 3) {
      if (partnersBest) return wins ? 10 - rank : 40 - rank - (suit === trumps ? 20 : 0) + length;
      return wins ? 60 - rank : 20 - rank - (suit === trumps && led !== trumps ? 20 : 0) + length;
    }
    // Whether those behind can beat this card, or the best one.
    const keeps = wins
      ? !this.canBeat(next, led, suit, rank)
      : !this.canBeat(next, led, this.suitAt[best]!, this.rankAt[best]!);
    if (inTrick === 2) {
      if (partnersBest) {
        if (!wins) return (keeps ? 50 : 20) - rank + length;
        return keeps ? 45 - rank : 10 - rank;
      }
      return wins ? (keeps ? 60 : 30) - rank : 20 - rank + length;
    }
    if (wins) return (keeps ? 50 : 25) - rank;
    return 30 - rank + length;
  }

  /** True if a seat, which follows to `led`, has a card that beats this one. */
  private canBeat(seat: number, led: number, suit: number, rank: number): boolean {
    const { hands, trumps } = this;
    if (hands[4 * seat + led] !== 0) return suit === led && hands[4 * seat + led]! >> (rank + 1) !== 0;
    return (
      trumps >= 0 &&
      hands[4 * seat + trumps] !== 0 &&
      (suit !== trumps || hands[4 * seat + trumps]! >> (rank + 1) !== 0)
    );
  }

  /** Swaps the action of the highest worth among those from `at` on to `at`. */
  private bringBest(at: number, end: number): void {
    const { worths, actions, equals } = this;
    let best = at;
    for (let other = at + 1; other < end; other++) if (worths[other]! > worths[best]!) best = other;
    if (best === at) return;
    const action = actions[at]!;
    const equal = equals[at]!;
    const worth = worths[at]!;
    actions[at] = actions[best]!;
    equals[at] = equals[best]!;
    worths[at] = worths[best]!;
    actions[best] = action;
    equals[best] = equal;
    worths[best] = worth;
  }
}

/** The mask of the highest cards in a word of owners; the low 4 bits are their number. */
function maskOf(count: number): number {
  const cards = count & 15;
  return cards === 0 ? 0 : -1 << (32 - 2 * cards);
}
