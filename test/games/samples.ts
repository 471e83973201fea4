import type { GameSpec } from "../../src/games/index.ts";
import { games } from "../../src/games/index.ts";

/** Forms of a game beyond its default one that the contract suite plays; `tree` has no default. */
const VARIANTS: Readonly<Record<string, readonly GameSpec[]>> = {
  "connect-four": [
    { id: "connect-four", width: 4, height: 4 },
    { id: "connect-four", width: 9, height: 8 },
  ],
};

/** Games whose options have no defaults, so that only their variants can be played. */
const WITHOUT_DEFAULT = new Set(["tree"]);

/** What every contract suite runs over: each listed game in its default form, then its variants. */
export const sampleGames: readonly GameSpec[] = Object.keys(games).flatMap((id) => [
  ...(WITHOUT_DEFAULT.has(id) ? [] : [id]),
  ...(VARIANTS[id] ?? []),
]);

export function sampleName(spec: GameSpec): string {
  return typeof spec === "string" ? spec : JSON.stringify(spec).slice(0, 80);
}
