import type { Privacy } from "../../game/privacy.ts";
import { cardName, formatAction } from "./notation.ts";
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
  formatView({ history, events }, player) {
    const seen = new KuhnState();
    const words = Array.from(history.subarray(0, events), (action, at) => {
      const word = at >= 2 ? formatAction(action, seen) : at === player ? cardName(action) : "?";
      seen.apply(action);
      return word;
    });
    return words.join(" ");
  },
};
