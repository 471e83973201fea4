import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Report } from "../../ratings/report.ts";
import { Chart, COLOURS, INK, namedRows, Plot } from "./charts.tsx";
import { DataTable, figures, Legend, Panel, percent, type Column } from "./parts.tsx";

type Ranked = Report["entrants"][number];

/** Mean returns with and without the luck of dice and tiles; nothing where luck was not taken out. */
export function Luck({ report }: { report: Report }): JSX.Element | null {
  const { luck, entrants } = report;
  if (luck === undefined) return null;
  const { deviation, adjustedDeviation, evaluator } = luck;
  const share = deviation === 0 ? "" : `, ${percent(adjustedDeviation / deviation)}`;
  return (
    <Panel
      title="Without luck"
      note={
        `The luck of a game is told by ${evaluator}. The standard deviation of a game is ` +
        `${figure(adjustedDeviation)} instead of ${figure(deviation)}${share}. Intervals are of 95%.`
      }
    >
      <Legend
        of={[
          { name: "mean return without luck", colour: INK },
          { name: "plain mean return", colour: PLAIN },
        ]}
      />
      <Means entrants={entrants} />
      <DataTable label="Returns without luck" columns={COLUMNS} rows={entrants} keyOf={({ name }) => name} />
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
      `${name} ${figure(adjustedReturn!)} (plain ${figure(meanReturn)})`,
  );
  return <Chart plot={plot} label={`Mean returns without luck, and plain. ${texts.join(", ")}.`} />;
}

const COLUMNS: readonly Column<Ranked>[] = [
  { title: "Entrant", isHead: true, cell: ({ name }) => name },
  column("Adjusted", ({ adjustedReturn }) => adjustedReturn!),
  between("Its 95%", ({ adjustedLow, adjustedHigh }) => [adjustedLow!, adjustedHigh!]),
  column("Luck", ({ luck }) => luck!),
  column("Return", ({ meanReturn }) => meanReturn),
  between("Return's 95%", ({ returnLow, returnHigh }) => [returnLow, returnHigh]),
];

function column(title: string, value: (entrant: Ranked) => number): Column<Ranked> {
  return figures(title, (entrant) => figure(value(entrant)), value);
}

function between(title: string, ends: (entrant: Ranked) => readonly number[]): Column<Ranked> {
  return { title, class: "number faint", cell: (entrant) => ends(entrant).map(figure).join(" to ") };
}

/** Three significant digits. */
function figure(value: number): string {
  return String(Number(value.toPrecision(3)));
}
