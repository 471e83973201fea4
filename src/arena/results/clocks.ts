import { TERMINAL, type Game } from "../../games/contract/game.ts";
import type { ClockUse } from "../../ratings/format-results.ts";
import type { GameRecord } from "../../ratings/record.ts";
import type { SeatClock } from "../../agents/agent.ts";
import { formatTime, press, startClock, type TimeControl } from "../plan/time-control.ts";
import { gameOf, timesOf, type TournamentPlan } from "../plan/plan.ts";
import type { Store } from "../store/store.ts";

/** A seat's clock at one of its decisions, in ms until the flag falls, periods of byo-yomi included. */
interface ClockReading {
  readonly seat: number;
  /** At the end of the decision. */
  readonly lowMs: number;
  /** After what the time control adds for the move. */
  readonly leftMs: number;
}

/** The time on the clocks when a game begins, in ms. */
export function startMs(time: TimeControl): number {
  return leftOn(startClock(time));
}

function leftOn({ leftMs, periods = 0, periodMs = 0 }: SeatClock): number {
  return leftMs + periods * periodMs;
}

/** The clocks of a game by the time control of each seat, decision by decision; empty if its store has no times of decisions, or if the rules do not fit. */
export function readClocks(
  times: readonly TimeControl[],
  game: Game,
  { seats, actions, openingLength, thoughts }: GameRecord,
): ClockReading[] {
  const movers = thoughts.length === 0 ? [] : moversOf(game, actions, openingLength);
  if (movers.length !== thoughts.length) return [];
  const clocks: (SeatClock | undefined)[] = seats.map((_, seat) => startClock(times[seat]!));
  return movers.flatMap((seat, at) => {
    const clock = clocks[seat];
    if (clock === undefined) return [];
    const { timeMs } = thoughts[at]!;
    const after = (clocks[seat] = press(times[seat]!, clock, timeMs));
    // Times are stored with three digits: a flag that just held may seem to have fallen.
    const leftMs = after === undefined ? 0 : leftOn(after);
    return [{ seat, lowMs: Math.max(0, leftOn(clock) - timeMs), leftMs }];
  });
}

/** The players who decided after the opening; empty if the rules do not allow the actions. */
function moversOf(game: Game, actions: readonly number[], openingLength: number): number[] {
  try {
    const state = game.start();
    return actions.flatMap((action, at) => {
      const mover = state.toMove;
      if (mover === TERMINAL) throw new Error("the game is over");
      state.apply(action);
      return at >= openingLength && mover >= 0 ? [mover] : [];
    });
  } catch {
    // A user's game may have changed since.
    return [];
  }
}

/** The use that each entrant of a run made of its clock, in the plan's order; undefined without a time control. */
export async function loadClockUse(
  plan: TournamentPlan,
  store: Store,
): Promise<readonly ClockUse[] | undefined> {
  const { entrants } = plan;
  const times = timesOf(plan);
  if (times === undefined) return undefined;
  const isUneven = entrants.some(({ time }) => time !== undefined);
  const game = await gameOf(plan);
  const sums = entrants.map(({ name }) => ({ name, usedMs: 0, givenMs: 0, lowestMs: Infinity, flags: 0 }));
  for (const record of store.games()) {
    for (const [seat, entrant] of record.seats.entries()) {
      const sum = sums[entrant]!;
      sum.usedMs += record.timeMs[seat]!;
      sum.givenMs += givenMs(times[entrant]!, record.decisions[seat]!);
      if (record.forfeitSeat !== seat || record.ending !== "time-out") continue;
      sum.flags++;
      sum.lowestMs = 0;
    }
    const own = record.seats.map((entrant) => times[entrant]!);
    for (const { seat, lowMs } of readClocks(own, game, record)) {
      const sum = sums[record.seats[seat]!]!;
      sum.lowestMs = Math.min(sum.lowestMs, lowMs);
    }
  }
  return sums.map(({ name, usedMs, givenMs: given, lowestMs, flags }, entrant) => ({
    name,
    ...(isUneven && { time: formatTime(times[entrant]!) }),
    share: given === 0 ? 0 : usedMs / given,
    lowestMs: Number.isFinite(lowestMs) ? lowestMs : null,
    flags,
  }));
}

/** The time that a player has for its decisions of a game: main times, increments, and a period of byo-yomi for each. */
function givenMs({ mainMs, incrementMs, moves, periods, periodMs }: TimeControl, decisions: number): number {
  const mains = moves === undefined ? 1 : 1 + Math.floor(decisions / moves);
  return mains * mainMs + decisions * (incrementMs + (periods > 0 ? periodMs : 0));
}
