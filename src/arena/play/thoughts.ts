import { MAX_LINE, type Thought } from "../../base/thought.ts";
import type { Decision } from "../../agents/agent.ts";
import type { Game } from "../../game/game.ts";

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

/** Collects the thoughts of one game after the other. It allocates nothing before the first thought of a game. */
export class ThoughtLog {
  private readonly game: Game;
  /** Milliseconds of the decisions before the first thought. */
  private times = new Float64Array(64);
  private silent = 0;
  private thoughts: Thought[] | undefined;

  constructor(game: Game) {
    this.game = game;
  }

  /** Forgets the game before. */
  begin(): void {
    this.silent = 0;
    this.thoughts = undefined;
  }

  /** Adds a decision without a thought. */
  addSilent(timeMs: number): void {
    if (this.thoughts !== undefined) {
      this.thoughts.push(silence(timeMs));
      return;
    }
    if (this.silent === this.times.length) {
      const longer = new Float64Array(2 * this.silent);
      longer.set(this.times);
      this.times = longer;
    }
    this.times[this.silent++] = timeMs;
  }

  /** Adds a decision, with its numbers rounded. */
  add({ value, ...thought }: OwnThought, { nodes, timeMs }: Pick<Thought, "nodes" | "timeMs">): void {
    this.thoughts ??= Array.from(this.times.subarray(0, this.silent), silence);
    this.thoughts.push({
      ...(value !== undefined && { value: roundValue(this.game, value) }),
      ...thought,
      nodes: nodes + 0,
      timeMs: roundTime(timeMs),
    });
  }

  /** The thoughts of the game, one for each decision; empty if no agent had any. */
  all(): readonly Thought[] {
    return this.thoughts ?? [];
  }
}

function silence(timeMs: number): Thought {
  return { nodes: 0, timeMs: roundTime(timeMs), line: NOTHING };
}

/** Rounds to six digits. Only a proven value may be the lowest or the highest return, so an estimate is not rounded to it. */
function roundValue({ minReturn, maxReturn }: Game, value: number): number {
  const rounded = Number(value.toPrecision(6));
  return rounded <= minReturn || rounded >= maxReturn ? value + 0 : rounded;
}

/** Three significant digits, but not less than a microsecond and no fractions of more than 100 ms. */
function roundTime(timeMs: number): number {
  const decimals = timeMs < 1 ? 3 : timeMs < 10 ? 2 : timeMs < 100 ? 1 : 0;
  return Number(timeMs.toFixed(decimals));
}
