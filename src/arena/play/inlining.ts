import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 inline whole game states into searches: its default budget leaves half of a state's `apply` and `undo` as
 * calls (measured on connect four: 23 against 27 M nodes/s). Call it once, before any code is hot; it holds for the
 * whole process, workers included.
 */
export function raiseInliningBudget(): void {
  setFlagsFromString("--max-inlined-bytecode-size=1000");
  setFlagsFromString("--max-inlined-bytecode-size-cumulative=4000");
}
