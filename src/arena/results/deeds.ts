import { InputError } from "../../base/errors.ts";
import type { DeedCounts } from "../../ratings/format-results.ts";
import { loadPlannedGame, type TournamentPlan } from "../plan/plan.ts";
import type { Store } from "../store/store.ts";

/**
 * Counts, for each entrant of the run in `dir` in the plan's order, the actions of the kinds that the game names; openings are
 * left out. Undefined where the game names none, or cannot be loaded any more.
 */
export async function loadDeeds(
  plan: TournamentPlan,
  dir: string,
  store: Pick<Store, "games">,
): Promise<readonly DeedCounts[] | undefined> {
  const game = await loadPlannedGame(plan, dir).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    return undefined;
  });
  if (game?.deeds === undefined) return undefined;
  const { kinds } = game.deeds;
  const sums = plan.entrants.map(() => ({ games: 0, counts: kinds.map(() => 0) }));
  const state = game.start();
  const start = game.start();
  for (const { seats, actions, openingLength } of store.games()) {
    for (const entrant of seats) sums[entrant]!.games++;
    state.copyFrom(start);
    for (const [at, action] of actions.entries()) {
      const entrant = seats[state.toMove];
      const kind = entrant === undefined || at < openingLength ? -1 : game.deeds.kindOf(action, state);
      if (kind >= 0) sums[entrant!]!.counts[kind]!++;
      state.apply(action);
    }
  }
  return sums.map(({ games, counts }, entrant) => ({
    name: plan.entrants[entrant]!.name,
    games,
    counts: Object.fromEntries(kinds.map((kind, at) => [kind, counts[at]!])),
  }));
}
