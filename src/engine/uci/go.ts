import type { Budget, BudgetKey } from "../../agents/agent.ts";
import { NO_LIMIT_MS } from "../search.ts";

/** The limits of a command `go`. Times are in ms; the clock is that of the player to move. */
export interface Go {
  readonly depth?: number;
  readonly nodes?: number;
  readonly movetime?: number;
  /** Moves in which a mate is looked for. */
  readonly mate?: number;
  readonly time?: number;
  readonly increment?: number;
  readonly movestogo?: number;
  /** The answer waits for `stop`. */
  readonly infinite: boolean;
  /** The time does not run until `ponderhit`. */
  readonly ponder: boolean;
}

/** Reads the words after `go`. Unknown words, and limits that are no numbers, are skipped. */
export function parseGo(words: readonly string[], player: number): Go {
  const number = (word: string) => {
    const text = words[words.indexOf(word) + 1] ?? "";
    return words.includes(word) && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
  };
  const side = player === 0 ? "w" : "b";
  const limits = {
    depth: number("depth"),
    nodes: number("nodes"),
    movetime: number("movetime"),
    mate: number("mate"),
    time: number(`${side}time`),
    increment: number(`${side}inc`),
    movestogo: number("movestogo"),
  };
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Partial<typeof limits & Go>),
    infinite: words.includes("infinite"),
    ponder: words.includes("ponder"),
  };
}

/**
 * The budget of a search: the limits of `go` and of the agent's spec together, as far as the agent keeps them.
 * @param overheadMs the time that is lost between the engine and the clock
 */
export function budgetOf(
  go: Go,
  spec: Budget,
  { heeds, overheadMs }: { readonly heeds: readonly BudgetKey[]; readonly overheadMs: number },
): Budget {
  const least = (...limits: readonly (number | undefined)[]) =>
    Math.min(...limits.map((limit) => limit ?? Infinity));
  const mate = go.mate === undefined ? undefined : 2 * go.mate - 1;
  const timeMs = go.ponder ? undefined : timeOf(go, overheadMs);
  const budget = {
    ...spec,
    depth: Math.max(1, least(spec.depth, go.depth, mate)),
    nodes: Math.max(1, least(spec.nodes, go.nodes)),
    timeMs: least(spec.timeMs, timeMs, NO_LIMIT_MS),
  };
  const kept = Object.entries(budget).filter(
    ([key, limit]) => limit !== Infinity && heeds.some((heeded) => heeded === key),
  );
  return Object.fromEntries(kept);
}

/** A game is planned for so many more moves. */
const HORIZON = 30;

/** The time for one move, in ms, at least 1; undefined without a limit. */
export function timeOf(
  { movetime, time, increment = 0, movestogo }: Go,
  overheadMs: number,
): number | undefined {
  if (movetime !== undefined) return Math.max(1, movetime / 2, movetime - overheadMs);
  if (time === undefined) return undefined;
  const usable = Math.max(0, time - overheadMs);
  const share = usable / Math.min(HORIZON, Math.max(1, movestogo ?? HORIZON)) + increment * 0.8;
  return Math.max(1, Math.min(share, usable * 0.8));
}
