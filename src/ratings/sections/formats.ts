import { counted, formatLikelihood, formatPercent } from "../../base/text.ts";
import type {
  AdaptiveResults,
  ComparisonResults,
  FormatResults,
  GauntletResults,
  KnockoutResults,
  SwissResults,
  TuneResults,
} from "../format-results.ts";
import {
  createSection,
  figures,
  formatDigits,
  formatEnd,
  formatPoints,
  formatSigned,
  NUMBERS,
  whole,
  type Cell,
  type ColumnOf,
  type Section,
} from "./section.ts";

/** The results of a format as tables: those of each challenger, the standings, the rounds of the bracket, or the tuned values. */
export function formatSections(results: FormatResults): Section[] {
  switch (results.type) {
    case "gauntlet":
      return gauntletSections(results);
    case "swiss":
      return [standings(results)];
    case "knockout":
      return results.rounds.map(knockoutSection);
    case "comparison":
      return [comparisonSection(results)];
    case "adaptive":
      return [adaptiveSection(results)];
    case "tune":
      return tuneSections(results);
  }
}

/** A column of opponents, which open the games. */
function opponents<Row>(head: string, pair: (row: Row) => readonly [string, string]): ColumnOf<Row> {
  return {
    head,
    kind: "name",
    cell: (row) => {
      const [entrant, opponent] = pair(row);
      return { text: opponent, order: opponent, games: { entrant, opponent } };
    },
  };
}

/** Columns of two entrants whose ratings differ. */
const DIFFERENCE: readonly ColumnOf<{ readonly eloDifference: number; readonly superiority: number }>[] = [
  figures("Difference", ({ eloDifference }) => eloDifference, formatSigned, { tooltip: "of Elo" }),
  figures("LOS%", ({ superiority }) => superiority, formatLikelihood, {
    tooltip: "likelihood of superiority",
  }),
];

/** Each two neighbours of the ranking. */
function adaptiveSection({ confidence, neighbours }: AdaptiveResults): Section {
  return createSection(
    {
      title: `Adaptive: neighbours in the ranking, wanted ${formatPercent(confidence)}%`,
      note:
        "The tournament ends when each two neighbours are told apart so surely, or when its games are used up. " +
        "The next one opens the games between the two.",
    },
    neighbours,
    [
      NUMBERS,
      { head: "Entrant", kind: "name", cell: ({ names: [high] }) => high },
      { ...opponents("Next", ({ names }) => names), kind: "text" },
      { head: "Games", cell: ({ games }) => games, importance: 1 },
      ...DIFFERENCE,
    ],
  );
}

function gauntletSections({ challengers }: GauntletResults): Section[] {
  const note =
    "Score, difference of Elo and likelihood of superiority are the challenger's. An opponent opens the games.";
  return challengers.map(({ name: challenger, opponents: field }) =>
    createSection({ title: `Gauntlet: ${challenger} against the field`, note }, field, [
      NUMBERS,
      opponents("Opponent", ({ name }) => [challenger, name]),
      figures("Elo", ({ elo }) => elo, whole, { importance: 1 }),
      { head: "Games", cell: ({ games }) => games, importance: 2 },
      figures("Score%", ({ score }) => score, formatPercent),
      ...DIFFERENCE,
    ]),
  );
}

/** The first entrant against each of the others. */
function comparisonSection({ name, comparisons }: ComparisonResults): Section {
  return createSection(
    {
      title: `Comparison: ${name} against the others (intervals hold whenever a pairing ends)`,
      note: `Score, difference of Elo and verdict are those of ${name}. An opponent opens the games.`,
    },
    comparisons,
    [
      NUMBERS,
      opponents("Opponent", (one) => [name, one.name]),
      { head: "Blocks", cell: ({ blocks }) => blocks, importance: 2 },
      figures("Score%", ({ score }) => score, formatPercent, { importance: 1 }),
      { head: "Difference", cell: ({ eloDifference }) => formatEnd(eloDifference), tooltip: "of Elo" },
      { head: "95% interval", cell: ({ low, high }) => `${formatEnd(low)} to ${formatEnd(high)}` },
      { head: "Verdict", kind: "text", cell: ({ verdict }) => verdict ?? "open" },
    ],
  );
}

type Place = SwissResults["standings"][number];

/** The rounds have a column each, in which opponents are named by their rank. */
function standings({ standings: places }: SwissResults): Section {
  const rounds = places[0]?.rounds.length ?? 0;
  const rankOf = new Map(places.map(({ rank, name }) => [name, rank]));
  const isOfTwo = places.every(({ rounds: own }) =>
    own.every((result) => (result?.opponents.length ?? 0) < 2),
  );
  const cell = ({ name, rounds: own }: Place, round: number): string | Cell => {
    const result = own[round] ?? null;
    if (result === null) return "...";
    const { opponents: met, points, score } = result;
    if (met.length === 0) return "bye";
    const ranks = met.map((opponent) => rankOf.get(opponent)!);
    const sign = points === 1 ? "+" : points === 0 ? "-" : "=";
    return {
      text: isOfTwo ? `${ranks[0]}${sign}` : `${formatPoints(points)} (${ranks.join(" ")})`,
      tooltip: `${name} against ${met.join(" and ")}`,
      detail: `${formatPercent(score)}% ${met.join(", ")}`,
      games: { entrant: name, opponent: met[0]! },
      heat: points - 0.5,
    };
  };
  return createSection(
    {
      title: `Swiss: standings after ${counted(rounds, "round")}`,
      note:
        "A win is a point, and so is a bye. Buchholz is the sum of the opponents' points. A round shows the opponent " +
        "by rank, the result and the share of the match, and opens the games.",
    },
    places,
    [
      { head: "#", cell: ({ rank }) => rank },
      { head: "Entrant", kind: "name", cell: ({ name }) => ({ text: name, order: name }) },
      figures("Points", ({ points }) => points, formatPoints),
      figures("Buchholz", ({ buchholz }) => buchholz, formatPoints),
      figures("Score%", ({ score }) => score, formatPercent),
      ...Array.from({ length: rounds }, (_, round): ColumnOf<Place> => ({
        head: `R${round + 1}`,
        cell: (place) => cell(place, round),
      })),
    ],
  );
}

function knockoutSection({ name, byes, matches }: KnockoutResults["rounds"][number]): Section {
  const outcome = { final: "wins", "third place": "is third" }[name] ?? "goes on";
  const played = matches.flatMap(({ entrants, seeds, blocks, scores, winner }, at) =>
    entrants.map((entrant, side) => {
      const isBySeed = scores[0] === scores[1] ? " as the higher seed" : "";
      return {
        match: side === 0 ? at + 1 : "",
        entrant,
        seed: String(seeds[side]),
        score: formatPoints(scores[side]!),
        blocks: side === 0 ? blocks : "",
        result: winner === null ? "..." : winner === entrant ? outcome + isBySeed : "",
      };
    }),
  );
  const unplayed = byes.map((entrant) => {
    return { match: "", entrant, seed: "", score: "", blocks: "", result: "bye" };
  });
  return createSection(
    { title: `Knockout: ${name}` },
    [...played, ...unplayed],
    [
      { head: "#", cell: ({ match }) => match },
      { head: "Entrant", kind: "name", cell: ({ entrant }) => entrant },
      { head: "Seed", cell: ({ seed }) => seed, importance: 1 },
      { head: "Score", cell: ({ score }) => score },
      { head: "Blocks", cell: ({ blocks }) => blocks },
      { head: "Result", kind: "text", cell: ({ result }) => result },
    ],
  );
}

/** The most rows of a tuning's path. */
const PATH_ROWS = 10;

function tuneSections({ rounds, parameters, path }: TuneResults): Section[] {
  const done = path.length - 1;
  const figure = (value: number) => formatDigits(value, 4);
  const every = Math.max(1, Math.ceil(done / PATH_ROWS));
  const shown = [...path.keys()].filter((round) => round % every === 0 || round === done);
  return [
    createSection(
      {
        title: `Tuned values after ${done === rounds ? "" : `${done} of `}${counted(rounds, "round")}`,
        note:
          "The answer is the mean over the later half of the rounds. Noise is its standard deviation if the number " +
          "did not matter.",
      },
      parameters,
      [
        NUMBERS,
        { head: "Parameter", kind: "name", cell: ({ name }) => name },
        figures("Start", ({ start }) => start, figure),
        figures("Tuned", ({ value }) => value, figure),
        figures(
          "Change",
          ({ start, value }) => value - start,
          (change) => (change > 0 ? "+" : "") + figure(change),
        ),
        figures("Noise", ({ noise }) => noise, figure),
        figures("Last", ({ last }) => last, figure, { importance: 1 }),
        figures("Min", ({ min }) => min, figure, { importance: 2 }),
        figures("Max", ({ max }) => max, figure, { importance: 3 }),
      ],
    ),
    createSection({ title: "Values after rounds" }, shown, [
      { head: "Round", cell: (round) => round },
      ...parameters.map(({ name }, at) => figures<number>(name, (round) => path[round]![at]!, figure)),
    ]),
  ];
}
