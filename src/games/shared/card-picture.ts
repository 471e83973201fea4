import { bitsOf } from "../../base/hashing.ts";
import { type Paint, type Picture, type Place, PLAYER_PAINTS } from "../contract/picture.ts";
import { toPicture } from "../contract/simple-picture.ts";
import { type Pack, SEATS } from "./cards.ts";
import { label, rect } from "./shapes.ts";
import type { TrickState } from "./trick-state.ts";
import { InputError } from "../../base/errors.ts";
import type { Rules } from "../contract/rules.ts";

const SUIT_SIGNS: Readonly<Record<string, string>> = { C: "♣", D: "♦", H: "♥", S: "♠" };

/** The four hands and the trick as text, such as `S: KQ.A2.J.T  SA`, one line a seat. */
export function renderCards(state: TrickState): string {
  const { pack, hands, plays, seat: next } = state;
  return [0, 1, 2, 3]
    .map((seat) => {
      const hand = pack.handName((suit) => hands[4 * seat + suit]!);
      const played = trickCard(state, seat);
      const card = played < 0 ? "" : `, plays ${pack.cardName(played)}`;
      return `${SEATS[seat]!}: ${hand}${card}${next === seat && plays < pack.size ? ", to play" : ""}`;
    })
    .join("\n");
}

/** The card of a seat in the trick on the table, -1 for none. */
function trickCard({ plays, cards, seats }: TrickState, seat: number): number {
  for (let at = plays - (plays % 4); at < plays; at++) if (seats[at] === seat) return cards[at]!;
  return -1;
}

/** The cards of a hand, from the highest suit on, ascending. */
function cardsOf({ pack, hands }: TrickState, seat: number): number[] {
  return Array.from({ length: pack.suits }, (_, suit) =>
    bitsOf(hands[4 * seat + suit]!).map((rank) => suit * pack.ranks + rank),
  )
    .toReversed()
    .flat();
}

/** One row of cards for each seat, and its card in the trick behind them. A player sees the backs of the others' cards. */
export function cardPicture<S extends TrickState>(
  pack: Pack,
  {
    seats,
    dummy = -1,
    formatScore,
  }: {
    /** By player: the seat whose hand it holds. */
    readonly seats: readonly number[];
    /** The seat whose hand all see after the first card, which player 0 plays. [none] */
    readonly dummy?: number;
    readonly formatScore: (state: S) => string;
  },
): Picture<S> {
  const { hand } = pack;
  const width = hand + 3;
  const rowHeight = 1.5;
  const places: Place[] = [0, 1, 2, 3].flatMap((seat) =>
    Array.from({ length: hand + 1 }, (_, at) => ({
      name: at < hand ? `${SEATS[seat]}, card ${at + 1}` : `${SEATS[seat]}, played`,
      x: at < hand ? at + 1 : at + 2,
      y: rowHeight * seat,
      w: 1,
      h: 1.4,
    })),
  );
  const shown = (card: number | undefined) => {
    if (card === undefined || card < 0) return undefined;
    const [suit, rank] = pack.cardName(card);
    const text = rank!.replace("T", "10") + SUIT_SIGNS[suit!]!;
    return { fill: "white" as Paint, text, words: pack.cardName(card) };
  };
  return toPicture<S, S>(
    {
      width: Math.max(width, 8),
      height: 4 * rowHeight + 0.8,
      places,
      ground: [0, 1, 2, 3].flatMap((seat) => [
        rect(
          { x: 0.1, y: rowHeight * seat + 0.3, w: 0.8, h: 0.8 },
          { round: 0.2, fill: PLAYER_PAINTS[seat === dummy ? 0 : seats.indexOf(seat)]!, stroke: "edge" },
        ),
        label({ x: 0.5, y: rowHeight * seat + 0.7 }, SEATS[seat]!, { size: 0.5, fill: "black", bold: true }),
      ]),
      content(state, place) {
        const seat = Math.floor(place / (hand + 1));
        const at = place % (hand + 1);
        return shown(at < hand ? cardsOf(state, seat)[at] : trickCard(state, seat));
      },
      seen(state, place, player) {
        const seat = Math.floor(place / (hand + 1));
        const at = place % (hand + 1);
        if (at === hand) return shown(trickCard(state, seat));
        if (seat === seats[player] || (seat === dummy && state.plays > 0))
          return shown(cardsOf(state, seat)[at]);
        // How many cards the others have is known to all, once they are dealt.
        const left = state.dealt < pack.size ? 0 : cardsOf(state, seat).length;
        return at < left ? { fill: "frame" as Paint, words: "a card" } : undefined;
      },
      draw: (state) => [
        label({ x: Math.max(width, 8) / 2, y: 4 * rowHeight + 0.4 }, formatScore(state), { size: 0.45 }),
      ],
      touches(state, action) {
        if (state.dealt < pack.size) return [];
        const at = cardsOf(state, state.seat).indexOf(action);
        return at < 0 ? [] : [state.seat * (hand + 1) + at];
      },
    },
    (state) => state,
  );
}

/** The text of a position before the first card is dealt. */
const START = "start";

/** The notation of actions, and of positions: the four hands as dealt, from S clockwise, then the cards that were played. */
export function cardNotation<S extends TrickState>(
  pack: Pack,
  start: () => S,
): Pick<Rules<S>, "formatAction" | "formatState" | "parseState"> {
  const actions = new Int32Array(pack.size);
  return {
    formatAction: (action, { dealt }) => (dealt < pack.size ? SEATS[action]! : pack.cardName(action)),
    formatState(state) {
      if (state.dealt === 0) return START;
      const dealtTo = new Int32Array(4 * pack.suits);
      for (let card = 0; card < state.dealt; card++)
        dealtTo[state.receivers[card]! * pack.suits + Math.floor(card / pack.ranks)] |=
          1 << (card % pack.ranks);
      const hands = [0, 1, 2, 3].map((seat) => pack.handName((suit) => dealtTo[seat * pack.suits + suit]!));
      const played = Array.from(state.cards.subarray(0, state.plays), (card) => pack.cardName(card));
      return [...hands, ...played].join(" ");
    },
    parseState(text) {
      const fail = (what: string): never => {
        throw new InputError(`"${text}" is no position: ${what}`);
      };
      const state = start();
      const words = text.trim().split(/\s+/);
      if (words.join(" ") === START) return state;
      if (words.length < 4)
        fail(`four hands are needed, such as ${pack.handName((suit) => 1 << (suit % 2))}`);
      const receivers = new Int32Array(pack.size).fill(-1);
      let dealt = 0;
      for (const [seat, hand] of words.slice(0, 4).entries()) {
        const suits = hand.split(".");
        if (suits.length !== pack.suits)
          fail(`the hand ${hand} has ${suits.length} suits with dots between them, not ${pack.suits}`);
        let held = 0;
        for (const [at, ranks] of suits.toReversed().entries()) {
          for (const rank of ranks) {
            const name = pack.suitName(at) + rank;
            const card = pack.cardNamed(name);
            if (card < 0) fail(`${name} is no card of this pack`);
            if (receivers[card]! >= 0) fail(`${name} is there twice`);
            if (++held > pack.hand) fail(`the hand ${hand} has more than ${pack.hand} cards`);
            receivers[card] = seat;
            dealt++;
          }
        }
      }
      for (let card = 0; card < dealt; card++) {
        if (receivers[card]! < 0) fail(`${pack.cardName(card)} is missing; cards are dealt in their order`);
        state.apply(receivers[card]!);
      }
      for (const name of words.slice(4)) {
        const legal = [...actions.subarray(0, state.toMove < 0 ? 0 : state.legalActions(actions, 0))];
        const card = pack.cardNamed(name);
        const allowed = legal.map((one) => pack.cardName(one)).join(", ");
        if (!legal.includes(card)) fail(`${name} cannot be played; possible: ${allowed || "nothing"}`);
        state.apply(card);
      }
      return state;
    },
  };
}
