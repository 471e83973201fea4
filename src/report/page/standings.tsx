import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { chatSection, deedSection, matrixSections, ratingSection } from "../../ratings/sections/ratings.ts";
import {
  boundsOf,
  createSection,
  formatInterval,
  formatSigned,
  formatMean,
} from "../../ratings/sections/section.ts";
import type { Report } from "../../ratings/report.ts";
import { Chart, INK, namedRows, Plot, COLOURS } from "./charts.tsx";
import { Clocks } from "./clocks.tsx";
import type { GameData, TournamentData } from "./data.ts";
import { FormatPanels } from "./formats/format-panels.tsx";
import { Notices, Panel, Legend } from "./parts.tsx";
import { SectionPanel, SectionTable } from "./section-table.tsx";
import { forfeitText, readDetail } from "../../ratings/warnings/forfeits.ts";
import { luckLines } from "../../ratings/sections/sentences.ts";

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
        <SectionTable section={ratingSection(report)} folder={run.folder} label="Table of ratings" />
        <FirstSeat report={report} />
        <Notices of={report.warnings} label="Warnings" />
        <Forfeits run={run} />
      </Panel>
      <Luck report={report} />
      <Clocks run={run} />
      {report.chat && <SectionPanel section={chatSection(report.chat)} folder={run.folder} />}
      {report.deeds && <SectionPanel section={deedSection(report.deeds)} folder={run.folder} />}
      {matrixSections(report).map((section) => (
        <SectionPanel key={section.title} section={section} folder={run.folder} />
      ))}
    </>
  );
}

/** An example of each entrant's faults, folded, with the last lines of the dialogue; nothing without forfeits. */
function Forfeits({ run }: { run: TournamentData }): JSX.Element | null {
  const first = new Map<string, GameData>();
  for (const game of run.games)
    if (game.forfeitSeat >= 0) first.set(`${game.seats[game.forfeitSeat]} ${game.ending}`, game);
  if (first.size === 0) return null;
  const section = createSection(
    { title: "Forfeits" },
    [...first.values()].map((game) => ({ game, name: run.entrants[game.seats[game.forfeitSeat]!]!.name })),
    [
      {
        head: "Who",
        kind: "name",
        cell: ({ name }) => ({ text: name, order: name, games: { entrant: name, result: "forfeit" } }),
      },
      {
        head: "Game",
        kind: "text",
        cell: ({ game, name }) => ({ text: forfeitText(game.ending, name), games: { game: game.id } }),
      },
      {
        head: "What happened",
        kind: "line",
        cell: ({ game: { detail } }) => ({
          text: readDetail(detail).reason,
          lines: readDetail(detail).lines,
        }),
      },
    ],
  );
  return (
    <details>
      <summary>What happened at forfeits</summary>
      <SectionTable section={section} folder={run.folder} />
    </details>
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
    const text = byReturn(report) ? "" : ` (${formatInterval(entrant)})`;
    return `${entrant.name} ${formatSigned(ranked(report, entrant).value)}${text}`;
  });
  return (
    <Chart
      plot={plot}
      label={`Ratings with their intervals, best first: ${best.name}. ${texts.join(", ")}.`}
    />
  );
}

function FirstSeat({ report }: { report: Report }): JSX.Element | null {
  const { players, firstSeatElo, firstSeatLow, firstSeatHigh } = report;
  if (players < 2) return null;
  return (
    <p>
      Having the first seat is worth <b>{formatSigned(firstSeatElo)} Elo</b>, {formatSigned(firstSeatLow)} to{" "}
      {formatSigned(firstSeatHigh)}.
    </p>
  );
}

/** Mean returns with and without the luck of dice and tiles; nothing where luck was not taken out. */
function Luck({ report }: { report: Report }): JSX.Element | null {
  const { luck, entrants } = report;
  if (luck === undefined) return null;
  return (
    <Panel title="Without luck" note={`${luckLines(report).join(" ")}. Intervals are of 95%.`}>
      <Legend
        of={[
          { name: "mean return without luck", colour: INK },
          { name: "plain mean return", colour: PLAIN },
        ]}
      />
      <Means entrants={entrants} />
    </Panel>
  );
}

const PLAIN = COLOURS[4]!;

function Means({ entrants }: { entrants: readonly Ranked[] }): JSX.Element {
  const plot = useMemo(() => {
    const bar = (ends: { x: string; x1: string; x2: string }, colour: string, dy: number) => [
      Plot.ruleY(entrants, { ...ends, y: "name", stroke: colour, strokeWidth: 2, dy }),
      ...[ends.x1, ends.x2].map((x) => Plot.tickX(entrants, { x, y: "name", stroke: colour, inset: 9, dy })),
      Plot.dot(entrants, { x: ends.x, y: "name", fill: colour, r: 4.5, dy }),
    ];
    return (width: number): Plot.PlotOptions => ({
      ...namedRows(
        entrants.map(({ name }) => name),
        width,
      ),
      height: 76 + 34 * entrants.length,
      x: { grid: true, label: "mean return", nice: true },
      marks: [
        ...bar({ x: "adjustedReturn", x1: "adjustedLow", x2: "adjustedHigh" }, INK, -6),
        ...bar({ x: "meanReturn", x1: "returnLow", x2: "returnHigh" }, PLAIN, 6),
      ],
    });
  }, [entrants]);
  const texts = entrants.map(
    ({ name, adjustedReturn, meanReturn }) =>
      `${name} ${formatMean(adjustedReturn!)} (plain ${formatMean(meanReturn)})`,
  );
  return <Chart plot={plot} label={`Mean returns without luck, and plain. ${texts.join(", ")}.`} />;
}
