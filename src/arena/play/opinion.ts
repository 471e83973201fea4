import { MAX_LINE, type Thought } from "../../base/thought.ts";
import type { Decision } from "../../agents/agent.ts";
import type { Game } from "../../games/game.ts";

/*
 * What an agent says besides its action and its nodes. It is kept for people, so what it should not be is left out and
 * forfeits nothing; `checkAgent` tells of it.
 */

/** The part of a thought that only the agent knows. */
export type Opinion = Pick<Thought, "value" | "depth" | "line">;

/**
 * What a decision says; undefined if nothing: no value, no depth, and no line or one of the action alone. Left out are
 * a value that is no finite number, a depth that is no whole number of at least 0, and a line that is no array of whole
 * numbers. To be called while the agent is being watched: reading what it returned may run its code.
 */
export function readOpinion(decision: Partial<Decision> | undefined, action: unknown): Opinion | undefined {
  const value: unknown = decision?.value;
  const depth: unknown = decision?.depth;
  const given: unknown = decision?.line;
  const line = readLine(given, action);
  if (value === undefined && depth === undefined && line.length === 0) return undefined;
  const opinion = {
    ...(typeof value === "number" && Number.isFinite(value) && { value }),
    ...(Number.isSafeInteger(depth) && Number(depth) >= 0 && { depth: Number(depth) + 0 }),
    line,
  };
  return "value" in opinion || "depth" in opinion || line.length > 0 ? opinion : undefined;
}

const NOTHING: readonly number[] = [];

/** The first actions of a line. */
function readLine(given: unknown, action: unknown): readonly number[] {
  if (!Array.isArray(given)) return NOTHING;
  const said = given as readonly unknown[];
  const length = Math.min(said.length, MAX_LINE);
  const first = said[0];
  if (length === 0 || (length === 1 && first === action)) return NOTHING;
  const line: number[] = [];
  for (let at = 0; at < length; at++) {
    const one = at === 0 ? first : said[at];
    if (!Number.isSafeInteger(one)) return NOTHING;
    // Adding 0 turns a negative zero into a plain one.
    line.push(Number(one) + 0);
  }
  return line;
}

/** What is known of a decision: a thought, or its time in milliseconds alone, of an agent that said nothing. */
export type Kept = Thought | number;

/** The thoughts of a game; none if no agent said anything. */
export function thoughtsOf(kept: readonly Kept[]): Thought[] {
  if (kept.every((one) => typeof one === "number")) return [];
  return kept.map((one) =>
    typeof one === "number" ? { nodes: 0, timeMs: roundTime(one), line: NOTHING } : one,
  );
}

/** A thought as it is stored: its numbers short. */
export function createThought(
  game: Game,
  { value, ...opinion }: Opinion,
  { nodes, timeMs }: Pick<Thought, "nodes" | "timeMs">,
): Thought {
  return {
    ...(value !== undefined && { value: roundValue(game, value) }),
    ...opinion,
    nodes: nodes + 0,
    timeMs: roundTime(timeMs),
  };
}

/** Six significant digits, but no estimate becomes a proof, which is a value at the end of the range of returns. */
function roundValue({ minReturn, maxReturn }: Game, value: number): number {
  const rounded = Number(value.toPrecision(6));
  return rounded <= minReturn || rounded >= maxReturn ? value + 0 : rounded;
}

/** Three significant digits, but not less than a microsecond and no fractions of more than 100 ms. */
function roundTime(timeMs: number): number {
  const decimals = timeMs < 1 ? 3 : timeMs < 10 ? 2 : timeMs < 100 ? 1 : 0;
  return Number(timeMs.toFixed(decimals));
}
