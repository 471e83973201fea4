import { join } from "node:path";
import Database from "libsql";
import { planTournament, type TournamentConfig } from "../../../src/arena/plan/config.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import type { ScheduledGame } from "../../../src/arena/schedule/schedule.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { ENDINGS, type GameRecord } from "../../../src/ratings/record.ts";
import { loadGame } from "../../../src/specs/games.ts";

/** Texts that SQL, arrays, JSON or a terminal could stumble over. */
export const HOSTILE = [
  `'; drop table runs; --`,
  `"quoted" \\ back {braces}, null, NULL`,
  `NUL ${String.fromCharCode(0)} and \\u0000 and ${String.fromCharCode(27)}[31m and ${String.fromCharCode(31)}`,
  `half ${String.fromCharCode(0xd800)} a pair, whole 🂡, é ‮ \u2028`,
  Array.from({ length: 9000 }, (_, at) => String.fromCharCode(33 + ((at ** 3 % 7919) % 90))).join(""),
  " ",
];

/**
 * Stores games of a config, made up: each with all that a game may have. With `most` some are missing; called again, it
 * goes on.
 */
export async function storeGames(
  dir: string,
  config: TournamentConfig,
  { most = Infinity, seed = "made up" } = {},
): Promise<void> {
  const { plan, store } = openRun(dir, await planTournament(config), { resume: Store.exists(dir) });
  const random = createRandom(seed);
  const records = Array.from(schedule(plan, await loadGame(plan.game)), (game, at) =>
    madeUp(game, at, random),
  );
  store.add(records.slice(0, most));
  store.close();
}

function madeUp({ id, block, seats, opening }: ScheduledGame, at: number, random: Random): GameRecord {
  const decisions = random.below(12);
  const forfeitSeat = at % 5 === 4 ? random.below(seats.length) : -1;
  const thoughts = Array.from({ length: at % 3 === 0 ? decisions : 0 }, (_, decision) => ({
    ...(decision % 2 === 0 && { value: Number((random.float() - 0.5).toPrecision(6)), depth: decision }),
    nodes: random.below(1000),
    timeMs: 0.5,
    line: [random.below(7), -1, 2 ** 31 - 1].slice(0, random.below(4)),
  }));
  return {
    id,
    block,
    seats,
    actions: [...opening, ...Array.from({ length: decisions }, () => random.int32())],
    openingLength: opening.length,
    returns: seats.map(() => random.below(3) - 1 + (at % 7 === 0 ? 1 / 3 : 0)),
    ending: forfeitSeat < 0 ? "finished" : ENDINGS[2 + (at % (ENDINGS.length - 2))]!,
    forfeitSeat,
    detail: forfeitSeat < 0 ? "" : HOSTILE[at % HOSTILE.length]!,
    decisions: seats.map(() => decisions),
    nodes: seats.map((_, seat) => (seat === 0 ? 1e300 : random.below(1e9) + 0.1)),
    timeMs: seats.map(() => Number((random.float() * 100).toFixed(3))),
    thoughts,
  };
}

/** Makes the store one of before stores had ids. */
export function removeId(dir: string): void {
  const database = new Database(join(dir, "results.sqlite"));
  database.exec("delete from run where key = 'id'");
  database.close();
}

/** Plan, id and games of a store. */
export function readRun(dir: string): {
  plan: NonNullable<ReturnType<Store["loadPlan"]>>;
  id: string | undefined;
  games: GameRecord[];
} {
  const store = Store.openExisting(dir);
  try {
    return { plan: store.loadPlan()!, id: store.id, games: store.records() };
  } finally {
    store.close();
  }
}
