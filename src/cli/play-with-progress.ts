import process from "node:process";
import { runTournament, type RunOptions, type RunOutcome } from "../arena/run.ts";
import { note } from "./output.ts";
import { ProgressDisplay } from "./progress.ts";

const INTERRUPTED = 130;

/**
 * Plays a tournament, showing how far it is. The first Ctrl-C (or SIGTERM) lets the games at hand
 * finish; the second stops at once. What is stored is safe either way.
 */
export async function playWithProgress(
  options: Omit<RunOptions, "onProgress" | "signal">,
): Promise<RunOutcome> {
  const display = new ProgressDisplay();
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(INTERRUPTED);
    display.end();
    note("Finishing the games at hand; once more to stop at once.");
    controller.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  try {
    return await runTournament({
      ...options,
      signal: controller.signal,
      onProgress: ({ leader, forfeits, ...state }) =>
        display.show({ ...state, extra: `leader ${leader}${forfeits > 0 ? `, ${forfeits} forfeits` : ""}` }),
    });
  } finally {
    display.end();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}
