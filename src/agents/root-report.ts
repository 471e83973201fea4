/**
 * The findings of a search at its root, as words: the value of the position for the player to move, in the game's returns, a
 * float32; then each legal action and its probability in the policy that the search arrived at, a float32.
 */
export type RootReport = Int32Array;

const word = new Int32Array(1);
const number = new Float32Array(word.buffer);

/** Writes a report; `policy` has the probability of the action at the same index. */
export function writeRoot(value: number, actions: ArrayLike<number>, policy: ArrayLike<number>): RootReport {
  const words = new Int32Array(1 + 2 * actions.length);
  const numbers = new Float32Array(words.buffer);
  numbers[0] = value;
  for (let at = 0; at < actions.length; at++) {
    words[1 + 2 * at] = actions[at]!;
    numbers[2 + 2 * at] = policy[at]!;
  }
  return words;
}

/** Shows `visit` each action with its probability; returns the value. */
export function readRoot(report: RootReport, visit: (action: number, probability: number) => void): number {
  for (let at = 1; at < report.length; at += 2) {
    word[0] = report[at + 1];
    visit(report[at], number[0]);
  }
  word[0] = report[0];
  return number[0];
}
