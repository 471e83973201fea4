import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { HeatMap } from "../../explain/weights/inspect.ts";
import { Chart, COLOURS, INK, Plot, shortened } from "./charts.tsx";
import type { CurvePointData, TrainingData } from "./data.ts";
import {
  DataTable,
  figures,
  heat,
  interval,
  Legend,
  Panel,
  percent,
  Select,
  signed,
  Wide,
  type Column,
} from "./parts.tsx";

/** The result of a training: its curve, and the weights that the evaluator has learnt. */
export function Training({
  training,
  others,
}: {
  training: TrainingData;
  others: readonly TrainingData[];
}): JSX.Element {
  return (
    <>
      <Curve training={training} others={others.filter((other) => other !== training)} />
      <Learnt training={training} />
    </>
  );
}

const SERIES = {
  elo: { title: "Elo", of: ({ elo, low, high }: CurvePointData) => [elo, low ?? elo, high ?? elo] as const },
  return: {
    title: "Mean return",
    of: ({ meanReturn, returnLow, returnHigh }: CurvePointData) =>
      [meanReturn, returnLow ?? meanReturn, returnHigh ?? meanReturn] as const,
  },
};

function Curve({
  training,
  others,
}: {
  training: TrainingData;
  others: readonly TrainingData[];
}): JSX.Element {
  const [series, setSeries] = useState<keyof typeof SERIES>(training.rankedBy);
  const comparable = others.filter(({ game }) => game.id === training.game.id);
  const plot = useMemo(() => {
    const shown = [training, ...comparable];
    const names = shown.map(({ folder }) => folder);
    const rows = shown.flatMap(({ folder, points }) =>
      points.map((point) => {
        const [value, low, high] = SERIES[series].of(point);
        return { run: folder, games: point.games, value, low, high };
      }),
    );
    const pool = series === "elo" ? training.pool : [];
    return (width: number): Plot.PlotOptions => ({
      height: 340,
      marginLeft: 56,
      marginRight: width < 480 ? 20 : 150,
      grid: true,
      x: { label: "games trained" },
      y: { label: SERIES[series].title, nice: true },
      color: { domain: names, range: COLOURS },
      marks: [
        Plot.ruleY(pool, { y: "elo", stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "4 3" }),
        ...(width < 480
          ? []
          : [
              Plot.text(pool, {
                y: "elo",
                text: ({ name }: { name: string }) => shortened(name, 22),
                frameAnchor: "right",
                textAnchor: "start",
                dx: 6,
                fill: "currentColor",
              }),
            ]),
        Plot.areaY(rows, { x: "games", y1: "low", y2: "high", fill: "run", fillOpacity: 0.18 }),
        Plot.lineY(rows, { x: "games", y: "value", stroke: "run", strokeWidth: 2, marker: "dot" }),
      ],
    });
  }, [training, series]);
  if (training.points.length === 0) return <p>No checkpoint is rated yet.</p>;
  const [first, last] = [training.points[0]!, training.points.at(-1)!];
  return (
    <Panel
      title="Learning curve"
      note="Rated checkpoints with their 95% bands; dashed, the agents of the pool."
    >
      <div class="filters">
        <Select
          name="shown"
          value={series}
          options={Object.entries(SERIES).map(([value, { title }]) => ({ value, text: title }))}
          onChange={(value) => setSeries(value as keyof typeof SERIES)}
        />
      </div>
      {comparable.length > 0 && (
        <Legend of={[training, ...comparable].map(({ folder }) => ({ name: folder }))} />
      )}
      <Chart
        plot={plot}
        label={`Learning curve: ${signed(first.elo)} Elo after ${first.games} games, ${signed(last.elo)} after ${last.games}.`}
      />
      <CurveTable training={training} />
    </Panel>
  );
}

function CurveTable({ training: { points } }: { training: TrainingData }): JSX.Element {
  const best = points.reduce((one, other) => (other.elo >= one.elo ? other : one));
  const columns: Column<CurvePointData>[] = [
    {
      ...figures("Games", (point) => `${point.games.toLocaleString("en")}${point === best ? " best" : ""}`),
      isHead: true,
    },
    figures("Elo", ({ elo }) => signed(elo)),
    { title: "95%", class: "number faint", cell: interval },
    figures("Score", ({ score }) => percent(score)),
    figures("Return", ({ meanReturn }) => Number(meanReturn.toPrecision(4))),
    figures("TD error", ({ tdError }) => (tdError === undefined ? "" : Number(tdError.toPrecision(3)))),
  ];
  return (
    <DataTable label="Table of checkpoints" columns={columns} rows={points} keyOf={({ games }) => games} />
  );
}

function Learnt({ training: { inspection } }: { training: TrainingData }): JSX.Element | null {
  if (inspection === undefined) return null;
  const { positive, negative, heatMaps, evaluator, features, weights } = inspection;
  const named = [...positive, ...negative.toReversed()];
  return (
    <Panel
      title="What it has learnt"
      note={`${evaluator.kind}: ${features}; ${weights.count.toLocaleString("en")} weights.`}
    >
      {named.length > 0 && <LargestWeights named={named} />}
      <div class="maps">
        {heatMaps.map((map, at) => (
          <Heat key={at} map={map} />
        ))}
      </div>
    </Panel>
  );
}

function LargestWeights({ named }: { named: readonly { name: string; weight: number }[] }): JSX.Element {
  const plot = useMemo(
    () =>
      (width: number): Plot.PlotOptions => ({
        height: 76 + 20 * named.length,
        marginLeft: width < 480 ? 130 : 280,
        x: { label: "weight", grid: true },
        y: {
          domain: named.map(({ name }) => name),
          label: null,
          tickFormat: (name: string) => shortened(name, width < 480 ? 18 : 42),
        },
        marks: [Plot.barX(named, { x: "weight", y: "name", fill: INK }), Plot.ruleX([0])],
      }),
    [named],
  );
  const label = named.map(({ name, weight }) => `${name} ${weight.toPrecision(3)}`).join("; ");
  return <Chart plot={plot} label={`The largest weights: ${label}.`} />;
}

/** Weights at their places on the board: blue above zero, orange below, each number in its cell. */
function Heat({ map: { name, measure, rows, rowNames, columnNames } }: { map: HeatMap }): JSX.Element {
  const values = rows.flat().filter((value): value is number => typeof value === "number");
  const most = Math.max(...values.map(Math.abs), Number.MIN_VALUE);
  // Two digits of the largest number; smaller ones are as precise, so that columns stay narrow.
  const decimals = Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(most))));
  return (
    <Wide label={name}>
      <table class="matrix heatmap">
        <caption>
          {name} <span class="faint">{measure}</span>
        </caption>
        <tbody>
          {rows.map((row, y) => (
            <tr key={y}>
              <th scope="row">{rowNames?.[y] ?? ""}</th>
              {row.map((value, x) => (
                <td
                  key={x}
                  class={typeof value === "number" ? "heat" : "empty"}
                  style={typeof value === "number" ? heat(value / most) : ""}
                >
                  {typeof value === "number" ? Number(value.toFixed(decimals)) + 0 : ""}
                </td>
              ))}
            </tr>
          ))}
          {columnNames !== undefined && (
            <tr>
              <td />
              {columnNames.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          )}
        </tbody>
      </table>
    </Wide>
  );
}
