import { runTournament, type RunOptions, type RunOutcome } from "../arena/play/run.ts";
import { interruptible } from "./interrupt.ts";
import { ProgressDisplay } from "./progress.ts";

/** Plays a tournament, showing how far it is; Ctrl-C lets the games at hand finish. */
export async function playWithProgress(
  options: Omit<RunOptions, "onProgress" | "signal">,
): Promise<RunOutcome> {
  const display = new ProgressDisplay();
  const onProgress: RunOptions["onProgress"] = ({ leader, forfeits, ...state }) =>
    display.show({ ...state, extra: `leader ${leader}${forfeits > 0 ? `, ${forfeits} forfeits` : ""}` });
  return interruptible(
    "Finishing the games at hand; once more to stop at once.",
    (signal) => runTournament({ ...options, signal, onProgress }),
    () => display.end(),
  );
}
