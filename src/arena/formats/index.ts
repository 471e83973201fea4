import { InputError } from "../../base/errors.ts";
import { unknownName } from "../../base/text.ts";
import { adaptive } from "./adaptive.ts";
import { comparison } from "./comparison.ts";
import { gamesOf, type Format, type FormatPlan } from "./format.ts";
import { gauntlet, pool, roundRobin, sample } from "./round-robin.ts";
import { ladder } from "./ladder.ts";
import { knockout } from "./knockout.ts";
import { sprt } from "./sprt.ts";
import { swiss } from "./swiss.ts";
import { tune } from "./tune.ts";

/** The formats by the `type` in a plan. @internal tests add theirs */
export const formats = {
  "round-robin": roundRobin,
  sample,
  gauntlet,
  swiss,
  knockout,
  pool,
  sprt,
  comparison,
  adaptive,
  tune,
  ladder,
} as const satisfies Readonly<Record<string, Format>>;

/** The format of a plan; throws InputError if there is none of its name. */
export function formatOf({ format: { type } }: Pick<FormatPlan, "format">): Format {
  const known: Readonly<Record<string, Format>> = formats;
  if (!Object.hasOwn(known, type)) throw new InputError(unknownName("format", type, Object.keys(known)));
  return known[type]!;
}

/** The number of games of a run, at least and at most. `total` is the number that the store keeps when the run is over. */
export function plannedGames(
  plan: FormatPlan,
  { total }: { readonly total: number | undefined },
): { readonly least: number; readonly most: number } {
  return total === undefined ? formatOf(plan).size(plan) : { least: total, most: total };
}

/** True if one round has all games of the tournament, so that more blocks add games and change none. */
export function hasOneRound(plan: FormatPlan): boolean {
  const format = formatOf(plan);
  const first = format.round(plan, 0, { matches: [], scores: [] }) ?? [];
  return gamesOf(first) >= format.size(plan).most;
}
