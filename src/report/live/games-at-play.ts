import { readGamesAtPlay, type GameAtPlay } from "../../arena/play/at-play.ts";
import type { TournamentPlan } from "../../arena/plan/plan.ts";
import { Store } from "../../arena/store/store.ts";
import { CHANCE, type Game } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";
import { LIVE_PATIENCE_MS, loadedGame, withPrintableNames } from "../collect-games.ts";
import { boardOf } from "../page/board-data.ts";
import type { AtPlayData } from "../page/data.ts";
import { turnOf } from "../page/game-text.ts";

/** The most games that are shown at once. */
const MOST_GAMES = 24;

/** The games that are being played in the folder of a run, at their last positions; those stored already are left out. */
export async function collectGamesAtPlay(dir: string): Promise<AtPlayData[]> {
  const found = readGamesAtPlay(dir);
  if (found.length === 0 || !Store.exists(dir)) return [];
  const store = Store.openExisting(dir, { patienceMs: LIVE_PATIENCE_MS });
  try {
    const plan = withPrintableNames(store.requirePlan(dir));
    const game = await loadedGame(plan, []);
    if (game === undefined) return [];
    const going = found.filter(({ id }) => store.numberOf(id) === undefined);
    return going.slice(0, MOST_GAMES).flatMap((one) => shownOf(one, plan, game) ?? []);
  } finally {
    store.close();
  }
}

/** A game as the page shows it; undefined if the rules do not give it, or if the user's code fails. */
function shownOf(
  { id, seats, actions, clocks }: GameAtPlay,
  { entrants }: TournamentPlan,
  game: Game,
): AtPlayData | undefined {
  try {
    const state = game.start();
    let marked: readonly number[] = [];
    let last = "";
    for (const action of actions) {
      if (!possibleActions(game, state).includes(action)) return undefined;
      last = game.formatAction(action, state);
      // The last move of a player stays marked while chance decides.
      if (state.toMove !== CHANCE) marked = game.picture?.touches(state, action) ?? [];
      state.apply(action);
    }
    return {
      id,
      names: seats.map((entrant) => entrants[entrant]!.name),
      length: actions.length,
      last,
      turn: turnOf(game, state),
      board: boardOf(game, state, marked, undefined),
      ...(clocks && { leftMs: clocks.map(({ leftMs }) => leftMs) }),
    };
  } catch {
    return undefined;
  }
}
