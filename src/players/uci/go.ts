import type { SeatClock, Turn } from "../../agents/agent.ts";

/** A part of the time for one move, and so many ms, are kept for the way to the clock. */
const KEPT = 0.01;
const KEPT_MS = 20;

/** The command `go` with the limits of a turn of the player `mover`, in whole ms. */
export function formatGo(
  { budget: { nodes, depth, timeMs }, clocks = [] }: Pick<Turn, "budget" | "clocks">,
  mover: number,
): string {
  const limits = {
    ...limitsOfClocks(clocks, mover),
    nodes,
    depth,
    ...(timeMs !== undefined && { movetime: timeMs }),
  };
  const given = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return ["go", ...given.map(([name, limit]) => `${name} ${Math.max(1, Math.floor(limit!))}`)].join(" ");
}

/**
 * The clocks as the protocol knows them. Of byo-yomi it knows nothing: one period counts as time that is left, and when
 * nothing else is left, it is the time for the move.
 */
function limitsOfClocks(
  clocks: readonly SeatClock[],
  mover: number,
): Readonly<Record<string, number | undefined>> {
  const [white, black] = clocks;
  if (white === undefined || black === undefined) return {};
  const { leftMs, periodMs = 0, movesToGo } = clocks[mover]!;
  if (leftMs === 0 && periodMs > 0)
    return { movetime: Math.max(periodMs / 2, periodMs * (1 - KEPT) - KEPT_MS) };
  const hasIncrement = white.incrementMs > 0 || black.incrementMs > 0;
  return {
    wtime: white.leftMs + (white.periodMs ?? 0),
    btime: black.leftMs + (black.periodMs ?? 0),
    ...(hasIncrement && { winc: white.incrementMs, binc: black.incrementMs }),
    movestogo: movesToGo,
  };
}
