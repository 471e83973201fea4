import { statSync } from "node:fs";
import type { Game } from "../games/contract/game.ts";
import { inspectStored, type InspectOptions, type Inspection } from "../explain/weights/inspect.ts";
import { filesOfWeights, loadHeader, loadStored } from "../specs/files/weights-file.ts";

/** Inspects a weights file for `game`; throws InputError if the file does not fit the game, or the options the file. */
export function inspectWeights(path: string, game: Game, options: InspectOptions): Inspection {
  const header = loadHeader(path);
  const stored = loadStored(path, game);
  const bytes = filesOfWeights(path).reduce((sum, file) => sum + statSync(file).size, 0);
  return inspectStored(game, { header, stored, bytes }, options);
}
