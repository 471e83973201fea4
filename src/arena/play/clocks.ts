import type { SeatClock } from "../../agents/agent.ts";
import { formatTime, type TimeControl } from "../plan/time-control.ts";

/** The clock of a seat when a game begins. */
export function startClock({ mainMs, incrementMs, moves, periods, periodMs }: TimeControl): SeatClock {
  return {
    leftMs: mainMs,
    incrementMs,
    ...(moves === undefined ? {} : { movesToGo: moves }),
    ...(periods === 0 ? {} : { periods, periodMs }),
  };
}

/** The clock after a decision that took `usedMs`; undefined if its flag fell. */
export function press(control: TimeControl, clock: SeatClock, usedMs: number): SeatClock | undefined {
  const { leftMs, incrementMs, movesToGo, periods, periodMs = 0 } = clock;
  const overMs = usedMs - leftMs;
  if (overMs > (periods ?? 0) * periodMs + control.marginMs) return undefined;
  const added = movesToGo === 1 ? control.mainMs : 0;
  // A period that is used up is lost, the last one only with the game.
  const lost = overMs > 0 && periodMs > 0 ? Math.floor(overMs / periodMs) : 0;
  return {
    leftMs: Math.max(0, leftMs - usedMs) + incrementMs + added,
    incrementMs,
    ...(movesToGo === undefined ? {} : { movesToGo: movesToGo === 1 ? control.moves! : movesToGo - 1 }),
    ...(periods === undefined ? {} : { periods: Math.max(1, periods - lost), periodMs }),
  };
}

/** Why a flag fell, for people. */
export function describeFlag(control: TimeControl, clock: SeatClock, usedMs: number): string {
  const { leftMs, periods = 0, periodMs = 0 } = clock;
  const shown = (ms: number) => `${Number((ms / 1000).toFixed(3))} s`;
  const left = shown(leftMs + periods * periodMs);
  return `the flag fell: the decision took ${shown(usedMs)} with ${left} left, time control ${formatTime(control)}`;
}
