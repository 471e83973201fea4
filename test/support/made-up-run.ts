import { createRandom } from "../../src/base/random.ts";
import { planTournament, type TournamentConfig } from "../../src/arena/plan/config.ts";
import { schedule } from "../../src/arena/schedule/rounds.ts";
import type { ScheduledGame } from "../../src/arena/schedule/schedule.ts";
import { openRun } from "../../src/arena/store/run-folder.ts";
import type { Random } from "../../src/base/random.ts";
import type { GameRecord } from "../../src/ratings/record.ts";
import { loadGame } from "../../src/specs/games.ts";

const BATCH = 5000;

/**
 * Fills a new run folder with a finished tournament, quickly: results and actions are made up, later entrants being the
 * stronger ones. The games can be rated, but neither verified nor exported.
 */
export async function fillRun(dir: string, config: TournamentConfig): Promise<number> {
  const { plan, store } = openRun(dir, await planTournament(config), { resume: false });
  const random = createRandom("made up");
  let batch: GameRecord[] = [];
  let games = 0;
  for (const game of schedule(plan, await loadGame(plan.game))) {
    batch.push(madeUp(game, plan.entrants.length, random));
    games++;
    if (batch.length < BATCH) continue;
    store.add(batch);
    batch = [];
  }
  store.add(batch);
  store.close();
  return games;
}

function madeUp({ id, block, seats, opening }: ScheduledGame, entrants: number, random: Random): GameRecord {
  const strengths = seats.map((entrant) => (2 * entrant) / entrants + random.float());
  const drawn = random.float() < 0.1;
  const returns = strengths.map((own) => {
    const ahead = strengths.filter((other) => other > own).length;
    return drawn ? 0 : seats.length - 1 - 2 * ahead;
  });
  const forfeitSeat = random.float() < 0.001 ? returns.indexOf(Math.min(...returns)) : -1;
  return {
    id,
    block,
    seats,
    actions: [...opening, ...Array.from({ length: 20 + random.below(10) }, () => random.below(7))],
    openingLength: opening.length,
    returns,
    ending: forfeitSeat < 0 ? "finished" : "time-out",
    forfeitSeat,
    detail: forfeitSeat < 0 ? "" : "no action",
    decisions: seats.map(() => 14),
    nodes: seats.map(() => random.below(100_000)),
    timeMs: seats.map(() => random.float() * 100),
    thoughts: [],
  };
}
