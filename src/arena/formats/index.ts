import { InputError } from "../../base/errors.ts";
import { unknownName } from "../../base/text.ts";
import { adaptive } from "./adaptive.ts";
import { comparison } from "./comparison.ts";
import { gamesOf, type Format, type FormatPlan } from "./format.ts";
import { gauntlet, pool, roundRobin, sample } from "./round-robin.ts";
import { knockout } from "./knockout.ts";
import { sprt } from "./sprt.ts";
import { swiss } from "./swiss.ts";
import { tune } from "./tune.ts";

/** Formats by the `type` in a plan. */
export type Formats = Readonly<Record<string, Format>>;

/** The formats that ship. */
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
} as const satisfies Formats;

/** The format of a plan; throws InputError if `known` has none of its name. */
export function formatOf({ format: { type } }: Pick<FormatPlan, "format">, known: Formats = formats): Format {
  if (!Object.hasOwn(known, type)) throw new InputError(unknownName("format", type, Object.keys(known)));
  return known[type]!;
}

/** The number of games of a run, at least and at most. `total` is the number that the store keeps when the run is over. */
export function plannedGames(
  plan: FormatPlan,
  { total }: { readonly total: number | undefined },
  known?: Formats,
): { readonly least: number; readonly most: number } {
  return total === undefined ? formatOf(plan, known).size(plan) : { least: total, most: total };
}

/** True if one round has all games of the tournament, so that more blocks add games and change none. */
export function hasOneRound(plan: FormatPlan, known?: Formats): boolean {
  const format = formatOf(plan, known);
  const first = format.round(plan, 0, { matches: [], scores: [] }) ?? [];
  return gamesOf(first) >= format.size(plan).most;
}
