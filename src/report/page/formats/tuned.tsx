import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { TuneResults } from "../../../ratings/format-results.ts";
import { Chart, INK, Plot } from "../charts.tsx";
import { DataTable, figures, Panel, type Column } from "../parts.tsx";

type Parameter = TuneResults["parameters"][number];

/** The numbers that a tuning found, and their way there: a chart for each. */
export function Tuned({ results: { rounds, parameters, path } }: { results: TuneResults }): JSX.Element {
  const done = path.length - 1;
  return (
    <Panel
      title="Tuned values"
      note={
        `After ${done === rounds ? "" : `${done} of `}${rounds} rounds. The answer is the mean over the later half; ` +
        "noise is its standard deviation if the number did not matter."
      }
    >
      <DataTable label="Tuned values" columns={COLUMNS} rows={parameters} keyOf={({ name }) => name} />
      {parameters.map((parameter, at) => (
        <Path key={parameter.name} parameter={parameter} values={path.map((round) => round[at]!)} />
      ))}
    </Panel>
  );
}

const COLUMNS: readonly Column<Parameter>[] = [
  { title: "Parameter", isHead: true, cell: ({ name }) => name },
  column("Start", ({ start }) => start),
  { title: "Tuned", class: "number", cell: ({ value }) => <b>{figure(value)}</b> },
  column("Noise", ({ noise }) => noise),
  column("Last", ({ last }) => last),
  column("Least", ({ min }) => min),
  column("Most", ({ max }) => max),
];

function column(title: string, value: (parameter: Parameter) => number): Column<Parameter> {
  return figures(title, (parameter) => figure(value(parameter)));
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
      label={`${name} after each round, from ${figure(values[0]!)}; tuned ${figure(value)}.`}
    />
  );
}

/** Four significant digits. */
function figure(value: number): string {
  return String(Number(value.toPrecision(4)));
}
