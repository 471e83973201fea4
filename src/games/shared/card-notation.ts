import { InputError } from "../../base/errors.ts";
import type { Rules } from "../contract/rules.ts";
import { type Pack, SEATS } from "./cards.ts";
import type { TrickState } from "./trick-state.ts";

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
