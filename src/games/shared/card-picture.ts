import { bitsOf } from "../../base/bits.ts";
import { type Paint, type Picture, type Place, PLAYER_PAINTS } from "../contract/picture.ts";
import { toPicture } from "../contract/simple-picture.ts";
import { type Pack, SEATS } from "./cards.ts";
import { label, rect } from "./shapes.ts";
import type { TrickState } from "./trick-state.ts";

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
