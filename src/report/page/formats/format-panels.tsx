import type { JSX } from "preact";
import { formatLikelihood } from "../../../base/text.ts";
import type { AdaptiveResults, ComparisonResults, GauntletResults } from "../../../ratings/format-results.ts";
import { addressOf } from "../address.ts";
import type { TournamentData } from "../data.ts";
import { DataTable, figures, Panel, percent, signed, type Column } from "../parts.tsx";
import { Bracket } from "./bracket.tsx";
import { SprtWalk } from "./sprt-walk.tsx";
import { SwissTable } from "./swiss-table.tsx";
import { Tuned } from "./tuned.tsx";

/** The results of a run as people know its format; nothing where ratings say all. */
export function FormatPanels({ run }: { run: TournamentData }): JSX.Element | null {
  const { format, sprt } = run.report;
  if (sprt !== undefined) return <SprtWalk run={run} sprt={sprt} />;
  switch (format?.type) {
    case "knockout":
      return <Bracket run={run} results={format} />;
    case "swiss":
      return <SwissTable run={run} results={format} />;
    case "gauntlet":
      return <Gauntlet run={run} results={format} />;
    case "comparison":
      return <Comparison run={run} results={format} />;
    case "adaptive":
      return <Adaptive run={run} results={format} />;
    case "tune":
      return <Tuned results={format} />;
    default:
      return null;
  }
}

/** A column of figures, which sorts. */
function column<Row>(
  title: string,
  value: (row: Row) => number,
  text: (value: number) => string = String,
): Column<Row> {
  return figures<Row>(title, (row) => text(value(row)), value);
}

/** A column of entrants, which open their games against another one. */
function opponents<Row>(
  title: string,
  { folder }: TournamentData,
  pair: (row: Row) => readonly [string, string],
): Column<Row> {
  return {
    title,
    isHead: true,
    cell: (row) => {
      const [entrant, opponent] = pair(row);
      return <a href={addressOf(folder, "games", { entrant, opponent })}>{opponent}</a>;
    },
  };
}

type Opponent = GauntletResults["challengers"][number]["opponents"][number];

/** A table for each challenger, its opponents by Elo. */
function Gauntlet({
  run,
  results: { challengers },
}: {
  run: TournamentData;
  results: GauntletResults;
}): JSX.Element {
  return (
    <>
      {challengers.map(({ name, opponents }) => (
        <Panel
          key={name}
          title={`${name} against the field`}
          note="Score, difference of Elo and likelihood of superiority are the challenger's. An opponent opens the games."
        >
          <DataTable
            label={`${name} against the field`}
            columns={gauntletColumns(run, name)}
            rows={opponents}
            keyOf={(opponent) => opponent.name}
          />
        </Panel>
      ))}
    </>
  );
}

function gauntletColumns(run: TournamentData, challenger: string): Column<Opponent>[] {
  return [
    opponents("Opponent", run, ({ name }) => [challenger, name]),
    column("Elo", ({ elo }) => elo, signed),
    column("Games", ({ games }) => games),
    column("Score", ({ score }) => score, percent),
    column("Difference", ({ eloDifference }) => eloDifference, signed),
    column("LOS %", ({ superiority }) => superiority, formatLikelihood),
  ];
}

/** The first entrant against each of the others, with the verdicts. */
function Comparison({
  run,
  results: { name, comparisons },
}: {
  run: TournamentData;
  results: ComparisonResults;
}): JSX.Element {
  const end = (elo: number | null) => (elo === null ? "?" : signed(elo));
  const columns: Column<ComparisonResults["comparisons"][number]>[] = [
    opponents("Opponent", run, (one) => [name, one.name]),
    column("Blocks", ({ blocks }) => blocks),
    column("Score", ({ score }) => score, percent),
    figures("Difference", ({ eloDifference }) => end(eloDifference)),
    { title: "95%", class: "number faint", cell: ({ low, high }) => `${end(low)} to ${end(high)}` },
    { title: "Verdict", cell: ({ verdict }) => <b>{verdict ?? "open"}</b> },
  ];
  return (
    <Panel
      title={`${name} against the others`}
      note={`Score, difference of Elo and verdict are those of ${name}. The intervals hold whenever a pairing ends.`}
    >
      <DataTable label="Comparison" columns={columns} rows={comparisons} keyOf={(one) => one.name} />
    </Panel>
  );
}

/** Each two neighbours in the ranking, and the games of each pair. */
function Adaptive({
  run,
  results: { confidence, neighbours },
}: {
  run: TournamentData;
  results: AdaptiveResults;
}): JSX.Element {
  const columns: Column<AdaptiveResults["neighbours"][number]>[] = [
    { title: "Entrant", isHead: true, cell: ({ names }) => names[0] },
    opponents("Next", run, ({ names }) => names),
    column("Games", ({ games }) => games),
    column("Difference", ({ eloDifference }) => eloDifference, signed),
    column("LOS %", ({ superiority }) => superiority, formatLikelihood),
  ];
  return (
    <Panel
      title="Neighbours in the ranking"
      note={
        `The tournament ends when each two neighbours are told apart at ${percent(confidence)}, ` +
        "or when its games are used up. The next one opens the games between the two."
      }
    >
      <DataTable label="Neighbours" columns={columns} rows={neighbours} keyOf={({ names }) => names[0]} />
    </Panel>
  );
}
