import type { Privacy } from "../contract/privacy.ts";
import { CHANCE } from "../contract/rules.ts";
import { othersDeal, viewOfHistory } from "../shared/history-state.ts";
import { formatAction } from "./notation.ts";
import { CARDS, LeducState, MAX_EVENTS } from "./state.ts";

/** The code of a card that another player gets. Cards are 0 to 5; fold, call and raise follow this code. */
const UNSEEN = CARDS;
const FIRST_ACTION = UNSEEN + 1;

/** Players see their own card, the public card and all actions. Every event gives each of them one code. */
export const privacy: Privacy<LeducState> = {
  maxEvents: MAX_EVENTS,
  maxCodes: MAX_EVENTS,
  seen({ events, toMove }, action, player, out, at) {
    out[at] = toMove !== CHANCE ? FIRST_ACTION + action : events < 2 && events !== player ? UNSEEN : action;
    return 1;
  },
  worlds(codes, count, player) {
    const own = codes[player]!;
    let shared = -1;
    for (let at = 2; at < count; at++) if (codes[at] < CARDS) shared = codes[at];
    const unseen = Array.from({ length: CARDS }, (_, card) => card).filter(
      (card) => card !== own && card !== shared,
    );
    return {
      draw(random, out) {
        out[player] = own;
        out[1 - player] = unseen[random.below(unseen.length)]!;
        for (let at = 2; at < count; at++) out[at] = codes[at] < CARDS ? codes[at] : codes[at] - FIRST_ACTION;
        return count;
      },
    };
  },
  formatView: viewOfHistory({ start: () => new LeducState(), formatAction }, othersDeal),
};
