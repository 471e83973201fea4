import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { TuneResults } from "../../../ratings/format-results.ts";
import { formatSections } from "../../../ratings/sections/formats.ts";
import { formatDigits } from "../../../ratings/sections/section.ts";
import { Chart, INK, Plot } from "../charts.tsx";
import type { TournamentData } from "../data.ts";
import { SectionPanel } from "../section-table.tsx";

type Parameter = TuneResults["parameters"][number];

/** The numbers that a tuning found, and their way there: a chart for each. */
export function Tuned({ run, results }: { run: TournamentData; results: TuneResults }): JSX.Element {
  const { parameters, path } = results;
  return (
    <SectionPanel section={formatSections(results)[0]!} folder={run.folder}>
      {parameters.map((parameter, at) => (
        <Path key={parameter.name} parameter={parameter} values={path.map((round) => round[at]!)} />
      ))}
    </SectionPanel>
  );
}

function Path({ parameter, values }: { parameter: Parameter; values: readonly number[] }): JSX.Element {
  const { name, value } = parameter;
  const plot = useMemo(() => {
    const rows = values.map((own, round) => ({ round, value: own }));
    return (): Plot.PlotOptions => ({
      height: 190,
      x: { label: "round" },
      y: { label: name, grid: true, nice: true },
      marks: [
        Plot.ruleY([value], { className: "tuned", stroke: INK, strokeDasharray: "5 4" }),
        Plot.lineY(rows, { x: "round", y: "value", stroke: INK, strokeWidth: 2 }),
        Plot.dot(rows.slice(-1), { x: "round", y: "value", fill: INK, r: 4 }),
      ],
    });
  }, [parameter, values.length]);
  return (
    <Chart
      plot={plot}
      label={`${name} after each round, from ${formatDigits(values[0]!, 4)}; tuned ${formatDigits(value, 4)}.`}
    />
  );
}
