import type { FoundAtRoot } from "./agent.ts";

/**
 * The findings of a search at its root, as words: the value of the position for the player to move, in the game's returns, a
 * float32; 1 if the value is proven, else 0; then actions, each with its probability in the policy that the search arrived at,
 * a float32.
 */
export type RootReport = Int32Array;

const word = new Int32Array(1);
const number = new Float32Array(word.buffer);

/** Words before the first action. */
const HEADER = 2;

/** Writes a report. */
export function writeRoot({ value, isProven, actions, policy }: FoundAtRoot): RootReport {
  const words = new Int32Array(HEADER + 2 * actions.length);
  const numbers = new Float32Array(words.buffer);
  numbers[0] = value;
  words[1] = isProven ? 1 : 0;
  for (let at = 0; at < actions.length; at++) {
    words[HEADER + 2 * at] = actions[at]!;
    numbers[HEADER + 2 * at + 1] = policy[at]!;
  }
  return words;
}

/** Shows `visit` each action with its probability; returns the value, and whether it is proven. */
export function readRoot(
  report: RootReport,
  visit: (action: number, probability: number) => void,
): Pick<FoundAtRoot, "value" | "isProven"> {
  for (let at = HEADER; at < report.length; at += 2) {
    word[0] = report[at + 1];
    visit(report[at], number[0]);
  }
  word[0] = report[0];
  return { value: number[0], isProven: report[1] === 1 };
}
