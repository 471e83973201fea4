import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatLikelihood } from "../../base/text.ts";
import type { Report } from "../../ratings/report.ts";
import { addressOf } from "./address.ts";
import { Chart, INK, namedRows, Plot } from "./charts.tsx";
import { Clocks } from "./clocks.tsx";
import type { TournamentData } from "./data.ts";
import { Luck } from "./luck.tsx";
import { FormatPanels } from "./formats/format-panels.tsx";
import {
  boundsOf,
  DataTable,
  figures,
  heat,
  interval,
  Matrix,
  Notices,
  Panel,
  percent,
  signed,
  type Column,
} from "./parts.tsx";

type Ranked = Report["entrants"][number];

/** The ratings of a run, and how certain they are. */
export function Standings({ run }: { run: TournamentData }): JSX.Element {
  const { report } = run;
  if (report.games === 0) return <p>No game has been played yet.</p>;
  return (
    <>
      <FormatPanels run={run} />
      <Panel title={TITLES[report.rankedBy]} note={subtitle(run)}>
        <Ratings report={report} />
        <RatingTable run={run} />
        <FirstSeat report={report} />
        <Notices of={report.warnings} label="Warnings" />
      </Panel>
      <Luck report={report} />
      <Clocks report={report} />
      {report.entrants.length > 1 && report.crossTable.length > 0 && (
        <>
          <Panel
            title="Who beat whom"
            note="Share of the points that the row won against the column, a tie counting half. A cell opens its games."
          >
            <CrossTable run={run} />
          </Panel>
          <Panel
            title="Likelihood of superiority"
            note="How likely it is, in percent, that the row is the stronger of the two."
          >
            <Superiority report={report} />
          </Panel>
        </>
      )}
    </>
  );
}

const TITLES = { elo: "Elo", return: "Mean return", "adjusted-return": "Mean return without luck" } as const;

function byReturn({ rankedBy }: Report): boolean {
  return rankedBy !== "elo";
}

function subtitle({ gameName, seed, report, planned }: TournamentData): string {
  const played = report.games === planned ? `${report.games}` : `${report.games} of ${planned}`;
  const adjudicated = report.adjudicated > 0 ? ` (${report.adjudicated} adjudicated)` : "";
  return `${gameName}, ${played} games${adjudicated}, seed "${seed}". Intervals are of 95%.`;
}

/** The figure that ranks an entrant, with the known ends of its interval. */
function ranked(report: Report, entrant: Ranked): { value: number; low: number | null; high: number | null } {
  const { elo, meanReturn, returnLow, returnHigh, adjustedReturn, adjustedLow, adjustedHigh } = entrant;
  if (report.rankedBy === "adjusted-return")
    return { value: adjustedReturn!, low: adjustedLow!, high: adjustedHigh! };
  if (byReturn(report)) return { value: meanReturn, low: returnLow, high: returnHigh };
  const [low, high] = boundsOf(entrant);
  return { value: elo, low, high };
}

function Ratings({ report }: { report: Report }): JSX.Element {
  const plot = useMemo(() => {
    const rows = report.entrants.map((entrant) => ({ name: entrant.name, ...ranked(report, entrant) }));
    const known = rows.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
    const [least, most] = [Math.min(...known), Math.max(...known)];
    const room = (most - least) / 12 || 10;
    const [left, right] = [least - room, most + room];
    const bars = rows.map(({ low, high, ...row }) => ({ ...row, low: low ?? left, high: high ?? right }));
    /** A bar to the edge of the picture, with the head of an arrow: that end is not known. */
    const arrow = (x: "low" | "high") =>
      Plot.arrow(
        bars.filter((_, at) => rows[at]![x] === null),
        {
          className: `open-${x}`,
          x1: "value",
          x2: x,
          y1: "name",
          y2: "name",
          stroke: INK,
          strokeWidth: 2,
          headLength: 6,
        },
      );
    const end = (x: "low" | "high") =>
      Plot.tickX(
        rows.filter((row) => row[x] !== null),
        { y: "name", x, stroke: INK, inset: 8 },
      );
    return (width: number): Plot.PlotOptions => ({
      ...namedRows(
        rows.map(({ name }) => name),
        width,
      ),
      x: {
        grid: true,
        label: byReturn(report) ? TITLES[report.rankedBy].toLowerCase() : "Elo",
        domain: [left, right],
      },
      marks: [
        Plot.ruleY(bars, { y: "name", x1: "low", x2: "high", stroke: INK, strokeWidth: 2 }),
        ...(["low", "high"] as const).flatMap((x) => [arrow(x), end(x)]),
        Plot.dot(rows, { y: "name", x: "value", fill: INK, r: 5, title: "name" }),
      ],
    });
  }, [report]);
  const best = report.entrants[0]!;
  const texts = report.entrants.map((entrant) => {
    const text = byReturn(report) ? "" : ` (${interval(entrant)})`;
    return `${entrant.name} ${signed(ranked(report, entrant).value)}${text}`;
  });
  return (
    <Chart
      plot={plot}
      label={`Ratings with their intervals, best first: ${best.name}. ${texts.join(", ")}.`}
    />
  );
}

function RatingTable({ run }: { run: TournamentData }): JSX.Element {
  const { report } = run;
  const columns: (Column<Ranked> | false)[] = [
    column("#", ({ rank }) => rank),
    {
      title: "Entrant",
      isHead: true,
      cell: ({ name }) => <a href={addressOf(run.folder, "games", { entrant: name })}>{name}</a>,
      order: ({ name }) => name,
    },
    (byReturn(report) || report.luck !== undefined) &&
      column("Return", ({ meanReturn }) => Number(meanReturn.toPrecision(4))),
    report.luck !== undefined &&
      column("Adjusted", ({ adjustedReturn }) => Number(adjustedReturn!.toPrecision(4))),
    column("Elo", ({ elo }) => elo, signed),
    { title: "95%", class: "number faint", cell: interval, order: ({ low, high }) => high - low },
    column("Games", ({ games }) => games),
    column("Score", ({ score }) => score, percent),
    column("Won", ({ wins }) => wins),
    column("Drawn", ({ draws }) => draws),
    column("Lost", ({ losses }) => losses),
    report.entrants.some(({ exploitability }) => exploitability !== undefined) &&
      column(
        "Exploitability",
        ({ exploitability }) => exploitability ?? Infinity,
        (gain) => (gain === Infinity ? "-" : String(Number(gain.toPrecision(3)))),
      ),
    column(
      "Nodes a move",
      ({ nodesPerMove }) => nodesPerMove,
      (nodes) => Math.round(nodes).toLocaleString("en"),
    ),
    column(
      "ms a move",
      ({ msPerMove }) => msPerMove,
      (ms) => String(Number(ms.toPrecision(2))),
    ),
    report.entrants.some(({ forfeits }) => forfeits > 0) && column("Forfeits", ({ forfeits }) => forfeits),
  ];
  return (
    <DataTable
      label="Table of ratings"
      columns={columns.filter((column) => column !== false)}
      rows={report.entrants}
      keyOf={({ name }) => name}
    />
  );
}

/** A column of figures, which sorts. */
function column(
  title: string,
  value: (entrant: Ranked) => number,
  text: (value: number) => string = String,
): Column<Ranked> {
  return figures(title, (entrant) => text(value(entrant)), value);
}

function FirstSeat({ report }: { report: Report }): JSX.Element | null {
  const { players, firstSeatElo, firstSeatLow, firstSeatHigh } = report;
  if (players < 2) return null;
  return (
    <p>
      Having the first seat is worth <b>{signed(firstSeatElo)} Elo</b>, {signed(firstSeatLow)} to{" "}
      {signed(firstSeatHigh)}.
    </p>
  );
}

function CrossTable({ run }: { run: TournamentData }): JSX.Element {
  const { entrants, crossTable } = run.report;
  return (
    <Matrix names={entrants.map(({ name }) => name)} label="Who beat whom">
      {(row, column) => {
        const met = crossTable[row]![column] ?? null;
        if (met === null) return <td class="empty" />;
        const [one, other] = [entrants[row]!.name, entrants[column]!.name];
        return (
          <td class="heat" style={heat(2 * met.score - 1)}>
            <a
              href={addressOf(run.folder, "games", { entrant: one, opponent: other })}
              title={`${one} against ${other}: ${percent(met.score)} of ${met.games} games`}
            >
              {Math.round(100 * met.score)}
            </a>
          </td>
        );
      }}
    </Matrix>
  );
}

function Superiority({ report }: { report: Report }): JSX.Element {
  return (
    <Matrix names={report.entrants.map(({ name }) => name)} label="Likelihood of superiority">
      {(row, column) =>
        row === column ? (
          <td class="empty" />
        ) : (
          <td class="heat" style={heat(2 * report.superiority[row]![column]! - 1)}>
            {formatLikelihood(report.superiority[row]![column]!)}
          </td>
        )
      }
    </Matrix>
  );
}
