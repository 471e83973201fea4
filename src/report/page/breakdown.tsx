import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatPercent } from "../../base/text.ts";
import { createGame } from "../../games/index.ts";
import { createSection, type Cell, type ColumnOf } from "../../ratings/sections/section.ts";
import { Chart, COLOURS, INK, namedRows, Plot } from "./charts.tsx";
import type { TournamentData } from "./data.ts";
import { movesFrom } from "./game-text.ts";
import { Legend, Panel } from "./parts.tsx";
import { SectionPanel, SectionTable } from "./section-table.tsx";
import type { BeyondElo as BeyondEloData } from "../../ratings/beyond/beyond-elo.ts";
import type { Report } from "../../ratings/report.ts";
import { lotterySection } from "../../ratings/sections/ratings.ts";
import { chanceText, cycleText } from "../../ratings/sections/sentences.ts";

/** The results by seat, opening and length of the game; what ratings do not explain; effort. */
export function Breakdown({ run }: { run: TournamentData }): JSX.Element {
  if (run.report.games === 0) return <p>No game has been played yet.</p>;
  return (
    <>
      {run.report.players > 1 && <Seats run={run} />}
      <BeyondElo report={run.report} />
      <Effort run={run} />
      <Lengths run={run} />
      <Openings run={run} />
    </>
  );
}

function Seats({ run }: { run: TournamentData }): JSX.Element {
  const { entrants, breakdown, report, folder } = run;
  const rows = report.entrants.map(({ name }) => {
    return { name, seats: breakdown.seats[entrants.findIndex((entrant) => entrant.name === name)]! };
  });
  const section = createSection(
    { title: "By seat", note: "Share of the points that an entrant won in each seat." },
    rows,
    [
      { head: "Entrant", kind: "name", cell: ({ name }) => name },
      ...seatColumns<(typeof rows)[number]>(report.players, ({ seats }, seat) => {
        const { score, games } = seats[seat]!;
        return games === 0 ? "of 0" : { text: `${formatPercent(score)}% of ${games}`, order: score };
      }),
    ],
  );
  return <SectionPanel section={section} folder={folder} />;
}

function seatColumns<Row>(players: number, cell: (row: Row, seat: number) => string | Cell): ColumnOf<Row>[] {
  return Array.from({ length: players }, (_, seat) => ({
    head: `Player ${seat + 1}`,
    cell: (row) => cell(row, seat),
  }));
}

function Effort({ run }: { run: TournamentData }): JSX.Element | null {
  const hasEffort = ({ nodesPerMove, msPerMove }: Report["entrants"][number]) =>
    nodesPerMove > 0 && msPerMove > 0;
  const rows = run.report.entrants.filter(hasEffort);
  const others = run.report.entrants.filter((entrant) => !hasEffort(entrant));
  const plot = useMemo(() => {
    const nodes = ({ nodesPerMove }: { nodesPerMove: number }) =>
      `${Math.round(nodesPerMove).toLocaleString("en")} nodes`;
    return (width: number): Plot.PlotOptions => ({
      ...namedRows(
        rows.map(({ name }) => name),
        width,
      ),
      marginRight: 90,
      x: { type: "log", label: "milliseconds a move", grid: true, nice: true, tickFormat: String, ticks: 5 },
      marks: [
        Plot.dot(rows, { x: "msPerMove", y: "name", fill: INK, r: 5 }),
        Plot.text(rows, {
          x: "msPerMove",
          y: "name",
          text: nodes,
          dx: 10,
          textAnchor: "start",
          fill: "currentColor",
        }),
      ],
    });
  }, [run]);
  if (rows.length === 0) return null;
  const label = rows
    .map(
      ({ name, nodesPerMove, msPerMove }) =>
        `${name}: ${Math.round(nodesPerMove)} nodes, ${msPerMove.toPrecision(2)} ms`,
    )
    .join("; ");
  return (
    <Panel title="Effort" note="What each entrant spends on a move; the axis is logarithmic.">
      <Chart plot={plot} label={`Nodes and time a move. ${label}.`} />
      {others.length > 0 && (
        <p class="faint">Without nodes to show: {others.map(({ name }) => name).join(", ")}.</p>
      )}
    </Panel>
  );
}

const RESULTS = [
  ["won", "first seat won", COLOURS[0]!],
  ["drawn", "shared", COLOURS[6]!],
  ["lost", "first seat lost", COLOURS[1]!],
] as const;

function Lengths({ run }: { run: TournamentData }): JSX.Element {
  const { lengths } = run.breakdown;
  const plot = useMemo(() => {
    const bars = lengths.flatMap((bin) =>
      RESULTS.map(([key, result]) => ({ from: bin.from - 0.5, to: bin.to + 0.5, result, games: bin[key] })),
    );
    return (): Plot.PlotOptions => ({
      height: 220,
      // Lengths are whole numbers.
      x: {
        label: "actions in a game",
        tickFormat: (length: number) => (length % 1 === 0 ? String(length) : ""),
      },
      y: { label: "games", grid: true },
      color: {
        domain: RESULTS.map(([, name]) => name),
        range: RESULTS.map(([, , colour]) => colour),
        legend: false,
      },
      marks: [
        Plot.rectY(bars, Plot.stackY({ x1: "from", x2: "to", y: "games", fill: "result", inset: 0.5 })),
        Plot.ruleY([0]),
      ],
    });
  }, [run]);
  const [first, last] = [lengths[0]!, lengths.at(-1)!];
  return (
    <Panel title="By length" note="Moves, with dice and other chance events.">
      <Legend
        of={RESULTS.map(([key, name, colour]) => ({
          name: run.report.players === 1 && key === "won" ? "games" : name,
          colour,
        }))}
      />
      <Chart plot={plot} label={`Games by length, from ${first.from} to ${last.to} actions.`} />
    </Panel>
  );
}

function Openings({ run }: { run: TournamentData }): JSX.Element | null {
  const { openings, openingCount } = run.breakdown;
  const game = useMemo(() => (run.hasRules ? createGame(run.game) : undefined), [run]);
  if (openingCount <= 1) return null;
  const shown =
    openings.length === openingCount
      ? `each of the ${openingCount} openings`
      : `the ${openings.length} openings that were played most, of ${openingCount.toLocaleString("en")}`;
  type Opening = (typeof openings)[number];
  const cell = ({ actions }: Opening): string | Cell => {
    const opening = actions.join();
    if (actions.length === 0 || game === undefined) return actions.join(" ") || "the start";
    const moves = movesFrom(game, game.start(), actions);
    return { text: moves.map(({ text }) => text).join(" "), games: { opening } };
  };
  const section = createSection({}, openings, [
    { head: "Opening", kind: "name", cell },
    { head: "Games", cell: ({ games }) => games },
    ...seatColumns<Opening>(openings[0]!.scores.length, ({ scores }, seat) => {
      return { text: formatPercent(scores[seat]!), order: scores[seat]! };
    }),
  ]);
  return (
    <Panel title="By opening" note={`How the seats fared, in percent of the points, after ${shown}.`}>
      <details>
        <summary>Show the openings</summary>
        <SectionTable section={section} folder={run.folder} label="Scores by opening" />
      </details>
    </Panel>
  );
}

/** The part of the results that ratings do not explain: the strongest cycle, and the maximal lottery; nothing where it is not known. */
function BeyondElo({ report }: { report: Report }): JSX.Element | null {
  const { beyondElo } = report;
  if (beyondElo === null) return null;
  const { share, low, high, noise, pValue, cycle, lottery } = beyondElo;
  return (
    <Panel title="Beyond Elo" note={verdict(beyondElo)}>
      <p>
        {formatPercent(share)}% of the variance of the scores is left (95% interval {formatPercent(low)} to{" "}
        {formatPercent(high)}%, {chanceText(pValue)}). Chance alone takes {formatPercent(noise)}%.
      </p>
      {cycle !== null && (
        <p>
          The strongest cycle of three: {cycleText(cycle, report)}.{" "}
          {cycle.isSure ? "It is no chance" : "It may be chance"} (z = {cycle.z.toFixed(1)}).
        </p>
      )}
      {lottery === null ? (
        <p>Not every pair met, so there is no maximal lottery.</p>
      ) : (
        <SectionTable section={lotterySection(report)} folder="" />
      )}
    </Panel>
  );
}

function verdict({ isExplained }: BeyondEloData): string {
  return (
    `${isExplained ? "Ratings explain the results." : "Ratings do not explain everything."} ` +
    "The maximal lottery is the mix of entrants that no entrant beats on average."
  );
}
