import type { Random } from "../../base/random.ts";
import type { Privacy, Worlds } from "../contract/privacy.ts";
import { TERMINAL } from "../contract/rules.ts";
import { type Pack, SEATS } from "./cards.ts";
import type { TrickState } from "./trick-state.ts";

/** Plays as a player has seen them: the cards, and by play the seat. */
interface SeenPlays {
  readonly cards: readonly number[];
  readonly seats: readonly number[];
}

/** The things that differ between games of tricks. */
interface CardPrivacyOptions<S extends TrickState> {
  /** By player: the seat whose hand it sees. */
  readonly seats: readonly number[];
  /** The seat whose hand all see after the first play. */
  readonly dummy?: number;
  /**
   * Adds to the ranks that a seat cannot hold, by seat x 4 + suit, what rules besides following suit say. Absent if there are
   * none.
   */
  readonly exclude?: (plays: SeenPlays, lacks: Int32Array) => void;
  /** The results so far, for the view. */
  readonly formatScore: (state: S) => string;
}

/** The code that tells all players that the cards are dealt. */
const DEALT = -1;

/**
 * Players see the cards that they receive, in order, then all plays. Codes: a card of one's own; (1 + seat) x size + card for
 * a play; 5 x size + card for a card of dummy.
 */
export function cardPrivacy<S extends TrickState>(
  pack: Pack,
  { seats, dummy = -1, exclude, formatScore }: CardPrivacyOptions<S>,
): Privacy<S> {
  const { size, hand } = pack;
  return {
    maxEvents: 2 * size,
    maxCodes: size + hand + 1 + (dummy < 0 ? 0 : hand),
    history: ({ receivers, dealt, cards, plays }) => [
      ...receivers.subarray(0, dealt),
      ...cards.subarray(0, plays),
    ],
    seen({ dealt, plays, seat, receivers }, action, player, out, at) {
      let next = at;
      if (dealt < size) {
        if (action === seats[player]) out[next++] = dealt;
        if (dealt === size - 1) out[next++] = DEALT;
        return next - at;
      }
      out[next++] = (1 + seat) * size + action;
      if (plays > 0 || dummy < 0) return 1;
      for (let card = 0; card < size; card++) if (receivers[card] === dummy) out[next++] = 5 * size + card;
      return next - at;
    },
    worlds(codes, count, player) {
      const receivers = new Int32Array(size).fill(-1);
      const known = { cards: [] as number[], seats: [] as number[] };
      const isOpen = [0, 1, 2, 3].map((seat) => seat === seats[player]);
      for (let at = 0; at < count; at++) {
        const code = codes[at];
        if (code === DEALT) continue;
        const card = code % size;
        const kind = Math.floor(code / size);
        if (kind === 0) receivers[card] = seats[player]!;
        else if (kind === 5) {
          receivers[card] = dummy;
          isOpen[dummy] = true;
        } else {
          receivers[card] = kind - 1;
          known.cards.push(card);
          known.seats.push(kind - 1);
        }
      }
      const lacks = new Int32Array(16);
      for (const [at, card] of known.cards.entries()) {
        const led = Math.floor(known.cards[at - (at % 4)]! / pack.ranks);
        if (Math.floor(card / pack.ranks) !== led) lacks[4 * known.seats[at]! + led] = -1;
      }
      exclude?.(known, lacks);
      return new CardWorlds(pack, { receivers, played: known.cards, isOpen, lacks });
    },
    formatView(state, player) {
      const own = seats[player]!;
      const handOf = (seat: number) => pack.handName((suit) => state.hands[4 * seat + suit]!);
      const lines = [`${SEATS[own]}: ${handOf(own)}`];
      if (state.dealt < size) return `${lines[0]}, dealing`;
      if (dummy >= 0 && dummy !== own && state.plays > 0) lines.push(`${SEATS[dummy]}: ${handOf(dummy)}`);
      const word = (play: number) => SEATS[state.seats[play]!]! + " " + pack.cardName(state.cards[play]!);
      const plays = Array.from({ length: state.plays }, (_, play) => word(play));
      const tricks = Array.from({ length: Math.ceil(plays.length / 4) }, (_, trick) =>
        plays.slice(4 * trick, 4 * trick + 4).join(", "),
      );
      // Who leads first is not known before, except to itself.
      const isKnown = state.toMove === player || (state.plays > 0 && state.toMove !== TERMINAL);
      const turn = isKnown ? `; ${SEATS[state.seat]} to play` : "";
      return [...lines, ...tricks, formatScore(state) + turn].join("\n");
    },
  };
}

/** A player's knowledge of a deal. */
interface KnownDeal {
  /** By card: the seat that received it; -1 if unseen. */
  readonly receivers: Int32Array;
  /** The cards that were played. */
  readonly played: readonly number[];
  /** By seat: true if its whole hand is known. */
  readonly isOpen: readonly boolean[];
  /** By seat x 4 + suit: the ranks that none of its unseen cards can have. */
  readonly lacks: Int32Array;
}

/** Kinds of unseen cards: the sets of up to three hidden hands, as bits. */
const KINDS = 8;

/**
 * Draws one of all deals that fit, each as likely. An unseen card is of the kind of the set of hands that may hold it. A way
 * of sharing says how many cards of each kind every hand gets, and there are few ways. A draw picks a way by the number of
 * its deals, and shuffles each kind.
 */
class CardWorlds implements Worlds {
  /** The receivers of all cards, and then the plays. Unseen cards have none yet. */
  private readonly template: Int32Array;
  /** By kind: its cards. */
  private readonly kinds: readonly Int32Array[];
  /** The seats of the hidden hands. */
  private readonly hidden: readonly number[];
  /** By way, then by kind: the cards for the first hidden hand, and for the second; the third gets the others. */
  private readonly ways: Uint8Array;
  /** By way: the number of deals up to it. */
  private readonly sums: Float64Array;

  constructor({ size, hand, ranks }: Pack, { receivers, played, isOpen, lacks }: KnownDeal) {
    this.template = Int32Array.of(...receivers, ...played);
    this.hidden = [0, 1, 2, 3].filter((seat) => !isOpen[seat]);
    const kinds = Array.from({ length: KINDS }, (): number[] => []);
    for (let card = 0; card < size; card++) {
      if (receivers[card]! >= 0) continue;
      const mayHold = (seat: number) =>
        (lacks[4 * seat + Math.floor(card / ranks)]! & (1 << (card % ranks))) === 0;
      kinds[this.hidden.reduce((set, seat, at) => set | (mayHold(seat) ? 1 << at : 0), 0)]!.push(card);
    }
    this.kinds = kinds.map((cards) => Int32Array.from(cards));
    const [, a = 0, b = 0, ab = 0, c = 0, ac = 0, bc = 0, abc = 0] = kinds.map((cards) => cards.length);
    const [roomA = 0, roomB = 0, roomC = 0] = this.hidden.map(
      (seat) => hand - receivers.filter((one) => one === seat).length,
    );
    const ways: number[] = [];
    const sums: number[] = [];
    let sum = 0;
    for (let x = 0; x <= ab; x++) {
      for (let y = 0; y <= ac; y++) {
        for (let z = 0; z <= bc; z++) {
          const toA = roomA - a - x - y;
          const toB = roomB - b - (ab - x) - z;
          const toC = roomC - c - (ac - y) - (bc - z);
          if (toA < 0 || toB < 0 || toC < 0) continue;
          sum += choose(ab, x) * choose(ac, y) * choose(bc, z) * choose(abc, toA) * choose(toB + toC, toB);
          ways.push(0, 0, a, 0, 0, b, x, ab - x, 0, 0, y, 0, 0, z, toA, toB);
          sums.push(sum);
        }
      }
    }
    if (sum === 0 || kinds[0]!.length > 0) throw new RangeError("no deal gives a player these codes");
    this.ways = Uint8Array.from(ways);
    this.sums = Float64Array.from(sums);
  }

  draw(random: Random, out: Int32Array): number {
    const { template, kinds, ways, sums } = this;
    const { length } = template;
    for (let at = 0; at < length; at++) out[at] = template[at]!;
    let way = 0;
    let last = sums.length - 1;
    const picked = random.float() * sums[last]!;
    while (way < last) {
      const middle = (way + last) >> 1;
      if (sums[middle]! > picked) last = middle;
      else way = middle + 1;
    }
    const [first = 0, second = 0, third = 0] = this.hidden;
    for (let kind = 1; kind < KINDS; kind++) {
      const cards = kinds[kind]!;
      const toFirst = ways[2 * (KINDS * way + kind)]!;
      const toSecond = toFirst + ways[2 * (KINDS * way + kind) + 1]!;
      if ((kind & (kind - 1)) !== 0) random.shuffle(cards, 0, cards.length);
      for (let at = 0; at < cards.length; at++)
        out[cards[at]!] = at < toFirst ? first : at < toSecond ? second : third;
    }
    return length;
  }
}

/** The number of ways to choose `some` of `all`. */
function choose(all: number, some: number): number {
  let ways = 1;
  for (let at = 1; at <= some; at++) ways = (ways * (all - some + at)) / at;
  return ways;
}
