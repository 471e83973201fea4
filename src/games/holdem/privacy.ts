import type { Rules } from "../contract/rules.ts";
import type { Privacy } from "../contract/privacy.ts";
import { CHANCE } from "../contract/rules.ts";
import { viewOfHistory } from "../shared/history-state.ts";
import type { Form } from "./form.ts";
import { DECK } from "./ranks.ts";
import type { HoldemState } from "./state.ts";

/** The code of a card that another player gets. Cards are 0 to 51; actions follow this code. */
const UNSEEN = DECK;
const FIRST_ACTION = UNSEEN + 1;

/** Players see their own cards, the board and all actions. Every event gives each of them one code. */
export function holdemPrivacy(
  form: Form,
  rules: Pick<Rules<HoldemState>, "start" | "formatAction">,
): Privacy<HoldemState> {
  const { players, hole, deck, maxEvents } = form;
  const dealt = players * hole;
  const isHidden = (event: number, player: number) => event < dealt && Math.floor(event / hole) !== player;
  return {
    maxEvents,
    maxCodes: maxEvents,
    seen({ events, toMove }, action, player, out, at) {
      out[at] = toMove !== CHANCE ? FIRST_ACTION + action : isHidden(events, player) ? UNSEEN : action;
      return 1;
    },
    worlds(codes, count) {
      const seen = new Set(codes.subarray(0, count));
      const unseen = deck.filter((card) => !seen.has(card));
      const left = Int32Array.from(unseen);
      return {
        draw(random, out) {
          left.set(unseen);
          let taken = 0;
          for (let event = 0; event < count; event++) {
            const code = codes[event];
            out[event] = code < UNSEEN ? code : code - FIRST_ACTION;
            if (code !== UNSEEN) continue;
            const at = taken + random.below(left.length - taken);
            const card = left[at]!;
            left[at] = left[taken]!;
            left[taken++] = card;
            // The cards of a hand ascend.
            const isSecond = event % hole === 1 && card < out[event - 1]!;
            out[event] = isSecond ? out[event - 1]! : card;
            if (isSecond) out[event - 1] = card;
          }
          return count;
        },
      };
    },
    formatView: viewOfHistory(rules, (_, event, player) => (isHidden(event, player) ? "?" : undefined)),
  };
}
