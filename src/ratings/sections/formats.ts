import { counted, formatLikelihood, formatPercent } from "../../base/text.ts";
import type {
  AdaptiveResults,
  ClockUse,
  ComparisonResults,
  FormatResults,
  GauntletResults,
  KnockoutResults,
  SwissResults,
  TuneResults,
} from "../format-results.ts";
import { formatEnd, formatSigned, type Section } from "./ratings.ts";

/** The results of a format as tables: those of each challenger, the standings, the rounds of the bracket, or the tuned values. */
export function formatSections(results: FormatResults): Section[] {
  switch (results.type) {
    case "gauntlet":
      return gauntletSections(results);
    case "swiss":
      return [standings(results)];
    case "knockout":
      return knockoutSections(results);
    case "comparison":
      return [comparisonSection(results)];
    case "adaptive":
      return [adaptiveSection(results)];
    case "tune":
      return tuneSections(results);
  }
}

/** Each two neighbours of the ranking. */
function adaptiveSection({ confidence, neighbours }: AdaptiveResults): Section {
  return {
    title: `Adaptive: neighbours in the ranking, wanted ${formatPercent(confidence)}%`,
    header: ["#", "Entrant", "Next", "Games", "Difference", "LOS%"],
    rows: neighbours.map(({ names: [high, low], games, eloDifference, superiority }, at) => [
      String(at + 1),
      high,
      low,
      String(games),
      formatSigned(eloDifference),
      formatLikelihood(superiority),
    ]),
    left: [1, 2],
    lessImportant: [3],
  };
}

function gauntletSections({ challengers }: GauntletResults): Section[] {
  return challengers.map(({ name, opponents }) => ({
    title: `Gauntlet: ${name} against the field`,
    header: ["#", "Opponent", "Elo", "Games", "Score%", "Difference", "LOS%"],
    rows: opponents.map(({ name: opponent, elo, games, score, eloDifference, superiority }, at) => [
      String(at + 1),
      opponent,
      String(Math.round(elo) + 0),
      String(games),
      formatPercent(score),
      formatSigned(eloDifference),
      formatLikelihood(superiority),
    ]),
    left: [1],
    lessImportant: ["Elo", "Games"].map((head) => ["#", "Opponent", "Elo", "Games"].indexOf(head)),
  }));
}

/** The first entrant against each of the others. */
function comparisonSection({ name, comparisons }: ComparisonResults): Section {
  return {
    title: `Comparison: ${name} against the others (intervals hold whenever a pairing ends)`,
    header: ["#", "Opponent", "Blocks", "Score%", "Difference", "95% interval", "Verdict"],
    rows: comparisons.map(({ name: opponent, blocks, score, eloDifference, low, high, verdict }, at) => [
      String(at + 1),
      opponent,
      String(blocks),
      formatPercent(score),
      formatEnd(eloDifference),
      `${formatEnd(low)} to ${formatEnd(high)}`,
      verdict ?? "open",
    ]),
    left: [1, 6],
    lessImportant: [3, 2],
  };
}

/** The rounds have a column each, in which opponents are named by their rank. */
function standings({ standings: places }: SwissResults): Section {
  const rounds = places[0]?.rounds.length ?? 0;
  const rankOf = new Map(places.map(({ rank, name }) => [name, rank]));
  const isOfTwo = places.every(({ rounds: own }) =>
    own.every((result) => (result?.opponents.length ?? 0) < 2),
  );
  const cell = (result: SwissResults["standings"][number]["rounds"][number]) => {
    if (result === null) return "...";
    if (result.opponents.length === 0) return "bye";
    const ranks = result.opponents.map((name) => rankOf.get(name)!);
    if (!isOfTwo) return `${short(result.points)} (${ranks.join(" ")})`;
    return `${ranks[0]}${result.points === 1 ? "+" : result.points === 0 ? "-" : "="}`;
  };
  return {
    title: `Swiss: standings after ${rounds} round${rounds === 1 ? "" : "s"}`,
    header: [
      "#",
      "Entrant",
      "Points",
      "Buchholz",
      "Score%",
      ...Array.from({ length: rounds }, (_, at) => `R${at + 1}`),
    ],
    rows: places.map(({ rank, name, points, buchholz, score, rounds: own }) => [
      String(rank),
      name,
      short(points),
      short(buchholz),
      formatPercent(score),
      ...own.map(cell),
    ]),
    left: [1],
    lessImportant: [],
  };
}

function knockoutSections({ rounds }: KnockoutResults): Section[] {
  return rounds.map(({ name, byes, matches }) => {
    const outcome = { final: "wins", "third place": "is third" }[name] ?? "goes on";
    const played = matches.flatMap(({ entrants, seeds, blocks, scores, winner }, at) =>
      entrants.map((entrant, side) => {
        const isBySeed = scores[0] === scores[1] ? " as the higher seed" : "";
        const result = winner === null ? "..." : winner === entrant ? outcome + isBySeed : "";
        const match = side === 0 ? String(at + 1) : "";
        return [
          match,
          entrant,
          String(seeds[side]),
          short(scores[side]!),
          side === 0 ? String(blocks) : "",
          result,
        ];
      }),
    );
    return {
      title: `Knockout: ${name}`,
      header: ["#", "Entrant", "Seed", "Score", "Blocks", "Result"],
      rows: [...played, ...byes.map((entrant) => ["", entrant, "", "", "", "bye"])],
      left: [1, 5],
      lessImportant: [2],
    };
  });
}

/** The most rows of a tuning's path. */
const PATH_ROWS = 10;

function tuneSections({ rounds, parameters, path }: TuneResults): Section[] {
  const done = path.length - 1;
  const figure = (value: number) => String(Number(value.toPrecision(4)));
  const every = Math.max(1, Math.ceil(done / PATH_ROWS));
  const shown = [...path.keys()].filter((round) => round % every === 0 || round === done);
  return [
    {
      title: `Tuned values after ${done === rounds ? "" : `${done} of `}${counted(rounds, "round")}`,
      header: ["#", "Parameter", "Start", "Tuned", "Change", "Noise", "Last", "Min", "Max"],
      rows: parameters.map(({ name, start, value, noise, last, min, max }, at) => [
        String(at + 1),
        name,
        ...[start, value].map(figure),
        `${value > start ? "+" : ""}${figure(value - start)}`,
        ...[noise, last, min, max].map(figure),
      ]),
      left: [1],
      lessImportant: [6, 7, 8],
    },
    {
      title: "Values after rounds",
      header: ["Round", ...parameters.map(({ name }) => name)],
      rows: shown.map((round) => [String(round), ...path[round]!.map(figure)]),
      left: [],
      lessImportant: [],
    },
  ];
}

/** The use that entrants made of their clocks. */
export function clockSection(clocks: readonly ClockUse[]): Section {
  return {
    title: "Clocks: time used of what there was, least time left",
    header: ["#", "Entrant", "Used%", "Lowest", "Flags"],
    rows: clocks.map(({ name, share, lowestMs, flags }, at) => [
      String(at + 1),
      name,
      formatPercent(share),
      lowestMs === null ? "?" : `${(Math.floor(lowestMs / 10) / 100).toFixed(2)} s`,
      String(flags),
    ]),
    left: [1],
    lessImportant: [],
  };
}

/** At most two decimals. */
function short(value: number): string {
  return String(Number(value.toFixed(2)));
}
