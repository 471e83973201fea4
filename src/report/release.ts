import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

type Collector = (options?: { type: "minor" }) => void;
let collector: Collector | undefined;

/**
 * Lets go of the files of stores that were closed. The client of SQLite does so only when the statements that were made
 * with a store have been collected as garbage; until then a run that ends could not put its store into one file. The files
 * are free at the next turn of the event loop.
 * @param wasLong whether the stores were open for long, so that a quick collection would miss their statements
 */
export function releaseStores({ wasLong }: { wasLong: boolean }): void {
  if (collector === undefined) {
    setFlagsFromString("--expose-gc");
    collector = runInNewContext("gc") as Collector;
  }
  if (wasLong) collector();
  else collector({ type: "minor" });
}
