import { MAX_LINE, type Thought } from "../../base/thought.ts";
import type { Decision } from "../../agents/agent.ts";
import type { Game } from "../../game/game.ts";

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

/** Collects the thoughts of one game after the other. As long as no agent says anything, it allocates nothing. */
export class ThoughtLog {
  private readonly game: Game;
  /** Of the decisions so far, as long as nobody has said anything: their times in milliseconds. */
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

  /** Adds a decision of an agent that said nothing. */
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

  /** Adds a decision; its numbers become short. */
  add({ value, ...opinion }: Opinion, { nodes, timeMs }: Pick<Thought, "nodes" | "timeMs">): void {
    this.thoughts ??= Array.from(this.times.subarray(0, this.silent), silence);
    this.thoughts.push({
      ...(value !== undefined && { value: roundValue(this.game, value) }),
      ...opinion,
      nodes: nodes + 0,
      timeMs: roundTime(timeMs),
    });
  }

  /** The thoughts of the game; none if no agent said anything. */
  all(): readonly Thought[] {
    return this.thoughts ?? [];
  }
}

function silence(timeMs: number): Thought {
  return { nodes: 0, timeMs: roundTime(timeMs), line: NOTHING };
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
