import type {
  AdaptiveResults,
  ComparisonResults,
  FormatResults,
  GauntletResults,
  KnockoutResults,
  SwissResults,
  TuneResults,
} from "../../ratings/format-results.ts";
import type { Report } from "../../ratings/report.ts";
import { finiteElo } from "../../ratings/elo/scale.ts";
import { compare } from "../formats/comparison.ts";
import { gauntletSides } from "../formats/round-robin.ts";
import type { FormatPlan, Past } from "../formats/format.ts";
import { knockoutRounds } from "../formats/knockout.ts";
import { swissTable } from "../formats/swiss.ts";
import { tunedSoFar, type TuneSpec } from "../formats/tune.ts";

/** Formats whose results are told by their rounds. */
const OF_ROUNDS = {
  swiss: swissResults,
  knockout: knockoutResults,
  comparison: comparisonResults,
  tune: tuneResults,
} as const;

/** True if the results of the plan's format are told by its rounds. */
export function needsRounds({ format: { type } }: Pick<FormatPlan, "format">): boolean {
  return Object.hasOwn(OF_ROUNDS, type);
}

/**
 * The results of a run as people know its format; undefined where ratings say all.
 * @param past the run's rounds, for formats that need them
 */
export function formatResults(
  plan: FormatPlan,
  { report, past }: { readonly report: Report; readonly past: Past | undefined },
): FormatResults | undefined {
  const { type } = plan.format;
  if (type === "gauntlet") return gauntletResults(plan, report);
  if (type === "adaptive") return adaptiveResults(plan, report);
  return past !== undefined && needsRounds(plan)
    ? OF_ROUNDS[type as keyof typeof OF_ROUNDS](plan, past)
    : undefined;
}

function gauntletResults(plan: FormatPlan, report: Report): GauntletResults {
  const { entrants, crossTable, superiority } = report;
  const places = new Map(entrants.map(({ name }, place) => [name, place]));
  const { challengers, field } = gauntletSides(plan);
  const placesOf = (side: readonly number[]) =>
    side.map((entrant) => places.get(plan.entrants[entrant]!.name)!);
  return {
    type: "gauntlet",
    challengers: placesOf(challengers).map((own) => ({
      name: entrants[own].name,
      opponents: placesOf(field)
        .toSorted((a, b) => a - b)
        .flatMap((other) => {
          const met = crossTable[own][other];
          if (met === null) return [];
          const { name, elo } = entrants[other];
          const eloDifference = entrants[own].elo - elo;
          return [{ name, elo, ...met, eloDifference, superiority: superiority[own][other] }];
        }),
    })),
  };
}

function adaptiveResults(
  { format }: FormatPlan,
  { entrants, crossTable, superiority }: Report,
): AdaptiveResults {
  return {
    type: "adaptive",
    confidence: Number(format["confidence"]),
    // The matrices of very many entrants are empty.
    neighbours: entrants.slice(1, superiority.length).map((low, place) => {
      const high = entrants[place];
      return {
        names: [high.name, low.name],
        games: crossTable[place][place + 1]?.games ?? 0,
        eloDifference: high.elo - low.elo,
        superiority: superiority[place][place + 1],
      };
    }),
  };
}

function swissResults(plan: FormatPlan, past: Past): SwissResults {
  const nameOf = (entrant: number) => plan.entrants[entrant]!.name;
  return {
    type: "swiss",
    standings: swissTable(plan, past).map(({ entrant, points, buchholz, score, results }, place) => ({
      rank: place + 1,
      name: nameOf(entrant),
      points,
      buchholz,
      score,
      rounds: results.map((result) => {
        if (result === undefined) return null;
        const { opponents, points, blocks, score: sum } = result;
        return { opponents: opponents.map(nameOf), points, blocks, score: blocks === 0 ? 0 : sum / blocks };
      }),
    })),
  };
}

function comparisonResults(plan: FormatPlan, past: Past): ComparisonResults {
  const names = plan.entrants.map(({ name }) => name);
  return {
    type: "comparison",
    name: names[0]!,
    comparisons: compare(plan, past).map(({ entrant, blocks, score, interval, verdict }) => ({
      name: names[entrant]!,
      blocks,
      score,
      eloDifference: finiteElo(score),
      low: finiteElo(interval.low),
      high: finiteElo(interval.high),
      verdict: verdict ?? null,
    })),
  };
}

const ROUND_NAMES: Readonly<Record<number, string>> = { 2: "final", 4: "semi-finals", 8: "quarter-finals" };

function knockoutResults(plan: FormatPlan, past: Past): KnockoutResults {
  const nameOf = (entrant: number) => plan.entrants[entrant]!.name;
  type Match = ReturnType<typeof knockoutRounds>[number]["matches"][number];
  const named = ({ place, entrants, blocks, scores, winner }: Match) => ({
    place,
    entrants: [nameOf(entrants[0]), nameOf(entrants[1])] as const,
    seeds: [entrants[0] + 1, entrants[1] + 1] as const,
    blocks,
    scores,
    winner: winner === undefined ? null : nameOf(winner),
  });
  return {
    type: "knockout",
    rounds: knockoutRounds(plan, past).flatMap(({ byes, matches, third }) => {
      const places = 2 * (byes.length + matches.length);
      const round = {
        name: ROUND_NAMES[places] ?? `last ${places}`,
        byes: byes.map(nameOf),
        matches: matches.map(named),
      };
      return third === undefined
        ? [round]
        : [{ name: "third place", byes: [], matches: [named(third)] }, round];
    }),
  };
}

function tuneResults(plan: FormatPlan, past: Past): TuneResults {
  const { rounds, parameters } = plan.format as TuneSpec;
  const { answer, path } = tunedSoFar(plan, past);
  return {
    type: "tune",
    rounds,
    parameters: parameters.map(({ option, key, start, min, max }, at) => {
      const name = key === undefined ? option : `${option}.${key}`;
      return { name, start, ...answer[at]!, min, max };
    }),
    path,
  };
}
