import { MAX_LINE, type Thought } from "../base/thought.ts";
import type { Decision } from "./agent.ts";

/*
 * Thoughts are the parts of decisions that are kept for people. A part of a wrong type is left out and forfeits nothing;
 * `checkAgent` reports it.
 */

/** The part of a thought that only the agent knows. */
export type OwnThought = Pick<Thought, "value" | "depth" | "line">;

/**
 * The thought in a decision; undefined without value and depth, and with no line or a line of the action alone. A value
 * must be a finite number, a depth a whole number of at least 0, a line an array of whole numbers; other values are left
 * out. Call it while the agent is watched: reading a decision may run the agent's code.
 */
export function readThought(
  decision: Partial<Decision> | undefined,
  action: unknown,
): OwnThought | undefined {
  const value: unknown = decision?.value;
  const depth: unknown = decision?.depth;
  const given: unknown = decision?.line;
  const line = readLine(given, action);
  if (value === undefined && depth === undefined && line.length === 0) return undefined;
  const thought = {
    ...(typeof value === "number" && Number.isFinite(value) && { value }),
    ...(Number.isSafeInteger(depth) && Number(depth) >= 0 && { depth: Number(depth) + 0 }),
    line,
  };
  return "value" in thought || "depth" in thought || line.length > 0 ? thought : undefined;
}

const NOTHING: readonly number[] = [];

/** The first actions of a line; empty if the line is the chosen action alone. */
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
