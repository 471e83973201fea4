import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Report } from "../../ratings/report.ts";
import { addressOf } from "./address.ts";
import { Chart, heat, INK, interval, namedRows, Panel, percent, Plot, signed, Wide } from "./charts.tsx";
import type { TournamentData } from "./data.ts";

type Ranked = Report["entrants"][number];

/** Who is stronger, and how sure that is. */
export function Standings({ run }: { run: TournamentData }): JSX.Element {
  const { report } = run;
  if (report.games === 0) return <p>No game has been played yet.</p>;
  return (
    <>
      <Panel title={byReturn(report) ? "Mean return" : "Elo"} note={subtitle(run)}>
        <Ratings report={report} />
        <RatingTable run={run} />
        <FirstSeat report={report} />
        {report.warnings.length > 0 && (
          <ul class="notices" aria-label="Warnings">
            {report.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        )}
      </Panel>
      {report.entrants.length > 1 && (
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

function byReturn({ rankedBy }: Report): boolean {
  return rankedBy === "return";
}

function subtitle({ gameName, seed, report, planned }: TournamentData): string {
  const played = report.games === planned ? `${report.games}` : `${report.games} of ${planned}`;
  return `${gameName}, ${played} games, seed "${seed}". Intervals are of 95%.`;
}

/** The figure that ranks an entrant, with its interval. An interval without end is as wide as the figure. */
function ranked(
  report: Report,
  { elo, low, high, meanReturn, returnLow, returnHigh }: Ranked,
): [number, number, number] {
  return byReturn(report) ? [meanReturn, returnLow, returnHigh] : [elo, low ?? elo, high ?? elo];
}

function Ratings({ report }: { report: Report }): JSX.Element {
  const plot = useMemo(() => {
    const rows = report.entrants.map((entrant) => {
      const [value, low, high] = ranked(report, entrant);
      return { name: entrant.name, value, low, high };
    });
    return (width: number): Plot.PlotOptions => ({
      ...namedRows(
        rows.map(({ name }) => name),
        width,
      ),
      x: { grid: true, label: byReturn(report) ? "mean return" : "Elo", nice: true },
      marks: [
        Plot.ruleY(rows, { y: "name", x1: "low", x2: "high", stroke: INK, strokeWidth: 2 }),
        Plot.tickX(rows, { y: "name", x: "low", stroke: INK, inset: 8 }),
        Plot.tickX(rows, { y: "name", x: "high", stroke: INK, inset: 8 }),
        Plot.dot(rows, { y: "name", x: "value", fill: INK, r: 5, title: "name" }),
      ],
    });
  }, [report]);
  const best = report.entrants[0]!;
  const figures = report.entrants.map((entrant) => `${entrant.name} ${signed(ranked(report, entrant)[0])}`);
  return (
    <Chart
      plot={plot}
      label={`Ratings with their intervals, best first: ${best.name}. ${figures.join(", ")}.`}
    />
  );
}

function RatingTable({ run }: { run: TournamentData }): JSX.Element {
  const { report } = run;
  const showsReturn = byReturn(report);
  const anyForfeit = report.entrants.some(({ forfeits }) => forfeits > 0);
  return (
    <Wide label="Table of ratings">
      <table>
        <thead>
          <tr>
            <th class="number">#</th>
            <th>Entrant</th>
            {showsReturn && <th class="number">Return</th>}
            <th class="number">Elo</th>
            <th class="number">95%</th>
            <th class="number">Games</th>
            <th class="number">Score</th>
            <th class="number">Won</th>
            <th class="number">Drawn</th>
            <th class="number">Lost</th>
            <th class="number">Nodes a move</th>
            <th class="number">ms a move</th>
            {anyForfeit && <th class="number">Forfeits</th>}
          </tr>
        </thead>
        <tbody>
          {report.entrants.map((entrant) => (
            <tr key={entrant.name}>
              <td class="number">{entrant.rank}</td>
              <th scope="row">
                <a href={addressOf(run.folder, "games", { entrant: entrant.name })}>{entrant.name}</a>
              </th>
              {showsReturn && <td class="number">{Number(entrant.meanReturn.toPrecision(4))}</td>}
              <td class="number">{signed(entrant.elo)}</td>
              <td class="number faint">{interval(entrant)}</td>
              <td class="number">{entrant.games}</td>
              <td class="number">{percent(entrant.score)}</td>
              <td class="number">{entrant.wins}</td>
              <td class="number">{entrant.draws}</td>
              <td class="number">{entrant.losses}</td>
              <td class="number">{Math.round(entrant.nodesPerMove).toLocaleString("en")}</td>
              <td class="number">{Number(entrant.msPerMove.toPrecision(2))}</td>
              {anyForfeit && <td class="number">{entrant.forfeits}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
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
            {Math.round(100 * report.superiority[row]![column]!)}
          </td>
        )
      }
    </Matrix>
  );
}

function Matrix({
  names,
  label,
  children,
}: {
  names: readonly string[];
  label: string;
  children: (row: number, column: number) => JSX.Element;
}): JSX.Element {
  return (
    <Wide label={label}>
      <table class="matrix">
        <thead>
          <tr>
            <td />
            {names.map((name, at) => (
              <th key={name} scope="col" title={name} class="number">
                {at + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, row) => (
            <tr key={name}>
              <th scope="row">
                <span class="faint">{row + 1}</span> {name}
              </th>
              {names.map((_, column) => children(row, column))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
