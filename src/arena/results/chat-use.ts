import { Ledger } from "../../players/chat/exchanges.ts";
import type { ChatUse } from "../../ratings/format-results.ts";
import { isChat } from "../../specs/hosts.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import type { Store } from "../store/store.ts";

/** The tokens, time and cost of a run's chat models, in the plan's order, by the ledger in its folder; undefined without such entrants. */
export function loadChatUse(plan: TournamentPlan, dir: string, store: Store): ChatUse[] | undefined {
  if (!plan.entrants.some(({ spec }) => isChat(spec))) return undefined;
  const sums = plan.entrants.map(({ name }) => ({
    name,
    games: 0,
    answers: 0,
    illegal: 0,
    tokensIn: 0,
    tokensOut: 0,
    seconds: 0,
    cost: 0,
  }));
  const seatsOf = new Map<string, readonly number[]>();
  for (const { id, seats } of store.counted()) {
    seatsOf.set(id, seats);
    for (const entrant of new Set(seats)) sums[entrant]!.games++;
  }
  for (const { game, seat, tokensIn, tokensOut, timeMs, cost, legal } of new Ledger(dir).news()) {
    const sum = sums[seatsOf.get(game)?.[seat] ?? -1];
    // The games that are not finished count when they are.
    if (sum === undefined) continue;
    sum.answers++;
    if (!legal) sum.illegal++;
    sum.tokensIn += tokensIn;
    sum.tokensOut += tokensOut;
    sum.seconds += timeMs / 1000;
    sum.cost += cost;
  }
  return sums.filter((_, entrant) => isChat(plan.entrants[entrant]!.spec));
}
