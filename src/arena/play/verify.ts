import type { Game } from "../../games/contract/game.ts";
import { decisionsOf } from "../../games/contract/notation.ts";
import { loadPlannedGame, type TournamentPlan } from "../plan/plan.ts";
import { hashOfProgram } from "../../players/engines.ts";
import type { Entrant } from "../../specs/agents.ts";
import { describeChange } from "../../specs/plugins/portable-code.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { schedule } from "../schedule/rounds.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { playHere, WorkerPool, type Players } from "./worker-pool.ts";
import type { Store } from "../store/store.ts";

export interface Verification {
  /** The number of stored games. */
  readonly stored: number;
  /** The number of games in the sample. */
  readonly sampled: number;
  /** The number of games that went the same way again. */
  readonly verified: number;
  readonly differences: readonly { readonly id: string; readonly what: string }[];
  /** Games that cannot be played again, by reason. */
  readonly skipped: readonly { readonly reason: string; readonly games: number }[];
}

/** Options of `verifyRun`. */
export interface VerifyOptions {
  /** The number of games, spread over the run [100]. */
  readonly sample?: number;
  /** 1: a process plays, and an agent that hangs is ended; 0: this thread does [1]. */
  readonly workers?: 0 | 1;
}

/** The number of games of the sample that are in memory at a time. Each part needs a walk through the schedule. */
const PART = 50_000;

/** Plays a sample of a run's games again, from the plan and the seeds, and compares. Throws InputError. */
export async function verifyRun(
  store: Store,
  dir: string,
  { sample = 100, workers = 1 }: VerifyOptions = {},
): Promise<Verification> {
  const plan = store.requirePlan(dir);
  const game = await loadPlannedGame(plan, dir);
  const setup = { plan, dir, writes: false, replays: true };
  const players = workers === 0 ? await playHere(setup) : new WorkerPool(game, setup, workers);
  const find = store.finder();
  const findScore = store.scorer();
  const differences: { id: string; what: string }[] = [];
  const skipped = new Map<string, number>();
  const stored = store.size;
  const changed = plan.entrants.map(changedProgram);
  let sampled = 0;
  try {
    // Ids are hashes, so the lowest ones are a random sample, and always the same one.
    for (let ids = store.ids(Math.min(sample, PART)); ids.length > 0;) {
      const scheduled = findScheduled(schedule(plan, game, findScore), ids);
      for (const id of ids) {
        const record = find(id)!;
        const planned = scheduled.get(id);
        const reason =
          planned && (unrepeatable(plan, record) ?? record.seats.flatMap((seat) => changed[seat] ?? [])[0]);
        if (reason !== undefined) {
          skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
          continue;
        }
        const what =
          planned === undefined
            ? "is not in the plan"
            : await replay(players, planned, { game, plan, record });
        if (what !== undefined) differences.push({ id, what });
      }
      sampled += ids.length;
      ids = store.ids(Math.min(sample - sampled, PART), ids.at(-1));
    }
  } finally {
    await players.close();
  }
  const skippedGames = [...skipped.values()].reduce((sum, games) => sum + games, 0);
  return {
    stored,
    sampled,
    verified: sampled - skippedGames - differences.length,
    differences,
    skipped: [...skipped].map(([reason, games]) => ({ reason, games })),
  };
}

/** The scheduled games of these ids, by id. */
function findScheduled(games: Iterable<ScheduledGame>, ids: readonly string[]): Map<string, ScheduledGame> {
  const missing = new Set(ids);
  const found = new Map<string, ScheduledGame>();
  for (const game of games) {
    if (!missing.delete(game.id)) continue;
    found.set(game.id, game);
    if (missing.size === 0) break;
  }
  return found;
}

/** The reason why games of an entrant cannot be played again: its program is another one here, or missing. */
function changedProgram({ spec, program }: Entrant): string | undefined {
  const now = program === undefined ? undefined : hashOfProgram(spec);
  if (program === now) return undefined;
  const [name] = spec["command"] as readonly string[];
  return describeChange([name!], program, now);
}

function unrepeatable(plan: TournamentPlan, record: GameRecord): string | undefined {
  if (["time-out", "out of memory", "worker died"].includes(record.ending))
    return `${record.ending}, which depends on the machine`;
  if (plan.time !== undefined) return "a time control, which makes play depend on the machine";
  const specs = record.seats.map((entrant) => plan.entrants[entrant]?.spec ?? {});
  if (specs.some(({ timeMs }) => timeMs !== undefined)) return "a time budget, which depends on the machine";
  const threaded = specs.some(({ threads }) => Number(threads ?? 1) > 1);
  return threaded ? "threads, which depend on the machine" : undefined;
}

/** A sentence about the first of two lists of actions that differs. */
function firstDifference(stored: readonly number[], now: readonly number[]): string {
  let at = 0;
  while (at < stored.length && stored[at] === now[at]) at++;
  const [before, again] = [stored, now].map((actions) => actions[at] ?? "the end");
  return `actions differ from the ${at + 1}. on: stored ${before}, played again ${again}`;
}

async function replay(
  players: Players,
  planned: ScheduledGame,
  { game, plan, record }: { game: Game; plan: TournamentPlan; record: GameRecord },
): Promise<string | undefined> {
  const again = (await players.play([planned]))[0]!;
  for (const key of [
    "block",
    "seats",
    "openingLength",
    "actions",
    "ending",
    "forfeitSeat",
    "returns",
    "nodes",
  ] as const) {
    const stored = JSON.stringify(record[key]);
    const now = JSON.stringify(again[key]);
    if (stored === now) continue;
    return key === "actions"
      ? firstDifference(record.actions, again.actions)
      : `${key} differ: stored ${stored}, played again ${now}`;
  }
  const difference = differingThought(record, again);
  if (difference === undefined) return undefined;
  const { decision, what } = difference;
  let at = 0;
  for (const { index, state } of decisionsOf(game, record)) {
    if (at++ < decision) continue;
    const name = plan.entrants[record.seats[state.toMove]!]!.name;
    const action = game.formatAction(record.actions[index]!, state);
    return `thoughts differ at decision ${at}, ${action} by ${name}: ${what}`;
  }
  return `thoughts differ at decision ${decision + 1}: ${what}`;
}

/** The first decision, counted from 0, whose thoughts differ in more than time; undefined if a game has no thoughts. */
function differingThought(
  { thoughts: stored }: GameRecord,
  { thoughts: again }: GameRecord,
): { decision: number; what: string } | undefined {
  if (stored.length === 0 || again.length === 0) return undefined;
  for (let decision = 0; decision < Math.max(stored.length, again.length); decision++) {
    for (const key of ["value", "depth", "nodes", "line"] as const) {
      const [before, now] = [stored, again].map(
        (thoughts) => JSON.stringify(thoughts[decision]?.[key]) ?? "none",
      );
      if (before !== now) return { decision, what: `${key} stored ${before}, played again ${now}` };
    }
  }
  return undefined;
}
