import type { Privacy } from "../contract/privacy.ts";
import { othersDeal, viewOfHistory } from "../shared/history-state.ts";
import { formatAction } from "./notation.ts";
import { CARDS, MAX_EVENTS, KuhnState } from "./state.ts";

/** The code of a card that another player gets. Cards are 0 to 2; pass and bet follow this code. */
const UNSEEN = CARDS;
const FIRST_ACTION = UNSEEN + 1;

/** Players see their own card and all actions. Every event gives each of them one code. */
export const privacy: Privacy<KuhnState> = {
  maxEvents: MAX_EVENTS,
  maxCodes: MAX_EVENTS,
  seen({ events }, action, player, out, at) {
    out[at] = events >= 2 ? FIRST_ACTION + action : events === player ? action : UNSEEN;
    return 1;
  },
  worlds(codes, count, player) {
    const own = codes[player]!;
    return {
      draw(random, out) {
        out[player] = own;
        out[1 - player] = (own + 1 + random.below(CARDS - 1)) % CARDS;
        for (let at = 2; at < count; at++) out[at] = codes[at] - FIRST_ACTION;
        return count;
      },
    };
  },
  formatView: viewOfHistory({ start: () => new KuhnState(), formatAction }, othersDeal),
};
