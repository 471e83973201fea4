import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { Report } from "../../ratings/report.ts";
import { luckLines } from "../../ratings/sections/sentences.ts";
import { formatMean } from "../../ratings/sections/section.ts";
import { Chart, COLOURS, INK, namedRows, Plot } from "./charts.tsx";
import { Legend, Panel } from "./parts.tsx";

type Ranked = Report["entrants"][number];

/** Mean returns with and without the luck of dice and tiles; nothing where luck was not taken out. */
export function Luck({ report }: { report: Report }): JSX.Element | null {
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
