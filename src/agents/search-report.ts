import type { State } from "../games/contract/game.ts";
import type { Found } from "./agent.ts";

/**
 * The findings of a search as words, in preorder. Each position has its depth below the root, the action that leads to it, TOLD
 * or PROVEN or 0 if nothing was found there, its value as a float32, and the number of actions that follow. Each of these has
 * its probability behind it, a float32.
 */
export type SearchReport = Int32Array;

const TOLD = 1;
const PROVEN = 2;
/** Words of a position before its actions. */
const HEADER = 5;

/** Writes a report. */
export function writeReport(positions: readonly Found[]): SearchReport {
  const length = positions.reduce((sum, { actions }) => sum + HEADER + 2 * actions.length, 0);
  const words = new Int32Array(length);
  const numbers = new Float32Array(words.buffer);
  let at = 0;
  for (const { depth, action, value, isProven, actions, policy } of positions) {
    words[at++] = depth;
    words[at++] = action;
    words[at++] = value === undefined ? 0 : isProven ? PROVEN : TOLD;
    numbers[at++] = value ?? 0;
    words[at++] = actions.length;
    for (let index = 0; index < actions.length; index++) {
      words[at++] = actions[index];
      numbers[at++] = policy[index];
    }
  }
  return words;
}

/** A position of a report. */
export interface Reported {
  readonly depth: number;
  readonly value: number;
  readonly isProven: boolean;
  /** The actions that have a probability, and these. */
  readonly actions: readonly number[];
  readonly policy: readonly number[];
}

/** Shows `visit` every position of a report; it advances `root` to each, and takes it back at the end. */
export function readReport(
  root: State,
  report: SearchReport,
  visit: (state: State, found: Reported) => void,
): void {
  const numbers = new Float32Array(report.buffer, report.byteOffset, report.length);
  let plies = 0;
  for (let at = 0; at < report.length;) {
    const from = at;
    const depth = report[from];
    const first = from + HEADER;
    at = first + 2 * report[from + 4];
    for (; plies > Math.max(0, depth - 1); plies--) root.undo();
    if (depth > 0) {
      root.apply(report[from + 1]);
      plies++;
    }
    if (report[from + 2] === 0) continue;
    const actions: number[] = [];
    const policy: number[] = [];
    for (let index = first; index < at; index += 2) {
      actions.push(report[index]);
      policy.push(numbers[index + 1]);
    }
    visit(root, { depth, value: numbers[from + 3], isProven: report[from + 2] === PROVEN, actions, policy });
  }
  for (; plies > 0; plies--) root.undo();
}
