import { grown } from "../../base/hashing.ts";
import type { Thought } from "../../base/thought.ts";
import type { OwnThought } from "../../agents/own-thought.ts";
import type { Game } from "../../games/contract/game.ts";

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
    if (this.silent === this.times.length) this.times = grown(this.times);
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
  return { nodes: 0, timeMs: roundTime(timeMs), line: [] };
}

/** Rounds a value to six digits, as thoughts keep it. Only a proven value may be the lowest or the highest return, so an estimate is not rounded to it. */
export function roundValue({ minReturn, maxReturn }: Game, value: number): number {
  const rounded = Number(value.toPrecision(6));
  return rounded <= minReturn || rounded >= maxReturn ? value + 0 : rounded;
}

/** Three significant digits, but not less than a microsecond and no fractions of more than 100 ms. */
function roundTime(timeMs: number): number {
  const decimals = timeMs < 1 ? 3 : timeMs < 10 ? 2 : timeMs < 100 ? 1 : 0;
  return Number(timeMs.toFixed(decimals));
}
