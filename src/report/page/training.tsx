import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { HeatMap } from "../../explain/weights/inspect.ts";
import {
  curveSection,
  formatStrength,
  LOSSES,
  lossesOf,
  unitOf,
  type Checkpoint,
} from "../../ratings/sections/curve.ts";
import { boundsOf, formatMean } from "../../ratings/sections/section.ts";
import { shortenNames } from "../../ratings/sections/short-names.ts";
import { Chart, COLOURS, INK, namedRows, NARROW, Plot, SIGNS, widestOf } from "./charts.tsx";
import type { SweepData, TrainingData } from "./data.ts";
import { Legend, Panel, Select, Wide } from "./parts.tsx";
import { heat, SectionTable } from "./section-table.tsx";

/**
 * The result of a training: its curve, and the weights that the evaluator has learnt.
 * @param all the trainings of the page
 */
export function Training({
  training,
  all,
}: {
  training: TrainingData;
  all: readonly TrainingData[];
}): JSX.Element {
  return (
    <>
      <Curve training={training} all={all} />
      <Learnt training={training} />
    </>
  );
}

/** Figures of checkpoints: the value and the known ends of its interval; undefined for a checkpoint without one. */
interface Series {
  readonly title: string;
  readonly of: (point: Checkpoint) => readonly [number, number | null, number | null] | undefined;
}

const SERIES = {
  elo: {
    title: "Elo",
    of: (point: Checkpoint) => (point.saturated ? undefined : [point.elo, ...boundsOf(point)]),
  },
  score: {
    title: "Score %",
    of: ({ score, saturated }: Checkpoint) => {
      const { low, high } = saturated ?? { low: score, high: score };
      return [100 * score, 100 * low, 100 * high];
    },
  },
  return: {
    title: "Mean return",
    of: ({ meanReturn: { mean, low, high } }: Checkpoint) => [mean, low ?? mean, high ?? mean],
  },
} satisfies Record<string, Series>;

/** The losses that some point has, as series. */
function lossSeries(points: readonly Checkpoint[]): Record<string, Series> {
  const series = lossesOf(points).map((name): [string, Series] => {
    const of = ({ losses }: Checkpoint) => {
      const loss = losses?.[name];
      return loss === undefined ? undefined : ([loss, loss, loss] as const);
    };
    return [name, { title: LOSSES[name].head, of }];
  });
  return Object.fromEntries(series);
}

/** The curves of all trainings of one game in one picture; each has its colour and its sign on every page. */
function Curve({ training, all }: { training: TrainingData; all: readonly TrainingData[] }): JSX.Element {
  const [chosen, setChosen] = useState<string>(training.rankedBy);
  const game = JSON.stringify(training.game);
  const shown = all.filter((one) => JSON.stringify(one.game) === game);
  const every: Record<string, Series> = { ...SERIES, ...lossSeries(training.points) };
  // Another training may not have the losses of the one before.
  const series = chosen in every ? chosen : training.rankedBy;
  const plot = useMemo(() => {
    const names = shown.map(({ folder }) => folder);
    const pool = series === "elo" ? training.pool : [];
    const rows = shown.flatMap(({ folder, points }) =>
      points.flatMap((point) => {
        const found = every[series]!.of(point);
        if (found === undefined) return [];
        const [value, low, high] = found;
        return [{ run: folder, games: point.games, value, low, high }];
      }),
    );
    const unit = unitOf(shown.flatMap(({ points }) => points)) === "epochs" ? "epochs" : "games trained";
    return curvePlot({ names, rows, unit, title: every[series]!.title, levels: pool });
  }, [training, all, series]);
  if (training.points.length === 0) return <p>No checkpoint is rated yet.</p>;
  const isOne = shown.length === 1;
  const texts = shown
    .filter(({ points }) => points.length > 0)
    .map(({ folder, points }) => {
      const [first, last] = [points[0]!, points.at(-1)!];
      const ends = `${formatStrength(first)} after ${first.games} games, ${formatStrength(last)} after ${last.games}`;
      return isOne ? ends : `${folder} ${ends}`;
    });
  return (
    <Panel
      title={isOne ? "Learning curve" : `Learning curves of ${shown.length} trainings`}
      note="Rated checkpoints with their 95% bands; dashed, the agents of the pool."
    >
      <div class="filters">
        <Select
          name="shown"
          value={series}
          options={Object.entries(every).map(([value, { title }]) => ({ value, text: title }))}
          onChange={setChosen}
        />
      </div>
      {!isOne && <Legend of={shown.map(({ folder }) => ({ name: folder }))} hasSigns />}
      <Chart plot={plot} label={`Learning curve${isOne ? "" : "s"}: ${texts.join("; ")}.`} />
      <SectionTable
        section={curveSection(training.points)}
        folder={training.folder}
        label="Table of checkpoints"
      />
    </Panel>
  );
}

/** The options of a chart of curves over the games trained, with their bands and dashed levels. */
function curvePlot({
  names,
  rows,
  unit = "games trained",
  title,
  levels,
}: {
  names: readonly string[];
  /** The label of the horizontal axis. */
  unit?: string;
  /** An end of the band that is null is not known. */
  rows: readonly { run: string; games: number; value: number; low: number | null; high: number | null }[];
  title: string;
  levels: readonly { readonly name: string; readonly elo: number }[];
}): (width: number) => Plot.PlotOptions {
  const levelNames = shortenNames(
    levels.map(({ name }) => name),
    24,
  );
  const known = rows
    .flatMap(({ value, low, high }) => [value, low ?? value, high ?? value])
    .concat(levels.map(({ elo }) => elo));
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const room = (most - least) / 20 || 1;
  const [bottom, top] = [least - room, most + room];
  // A band without a known end goes on to the edge.
  const bands = rows.map(({ low, high, ...row }) => ({ ...row, low: low ?? bottom, high: high ?? top }));
  return (width) => ({
    height: 340,
    marginLeft: 56,
    marginRight: width < NARROW ? 20 : 14 + widestOf(levelNames),
    grid: true,
    x: { label: unit },
    y: { label: title, domain: [bottom, top] },
    color: { domain: names, range: COLOURS },
    symbol: { domain: names, range: SIGNS.map(({ symbol }) => symbol) },
    marks: [
      Plot.ruleY(levels, { y: "elo", stroke: "currentColor", strokeOpacity: 0.5, strokeDasharray: "4 3" }),
      // Beside the lines, or on them where there is no room.
      Plot.text(levels, {
        y: "elo",
        text: (_: unknown, at: number) => levelNames[at]!,
        frameAnchor: "right",
        fill: "currentColor",
        ...(width < NARROW ? { textAnchor: "end", dy: -7 } : { textAnchor: "start", dx: 6 }),
      }),
      Plot.areaY(bands, { x: "games", y1: "low", y2: "high", z: "run", fill: "run", fillOpacity: 0.15 }),
      Plot.lineY(rows, { x: "games", y: "value", z: "run", stroke: "run", strokeWidth: 2 }),
      Plot.dot(rows, { className: "points", x: "games", y: "value", fill: "run", symbol: "run", r: 4 }),
    ],
  });
}

/** The settings of a sweep: what each reached, and their mean curves under their names. */
export function Sweep({ sweep }: { sweep: SweepData }): JSX.Element {
  const { measure, table, findings, curves, folder } = sweep;
  const shown = useMemo(() => curves.filter(({ points }) => points.length > 0), [sweep]);
  const plot = useMemo(
    () =>
      curvePlot({
        names: shown.map(({ name }) => name),
        rows: shown.flatMap(({ name, points }) =>
          points.map(({ games, mean, margin = 0 }) => ({
            run: name,
            games,
            value: mean,
            low: mean - margin,
            high: mean + margin,
          })),
        ),
        title: SERIES[measure].title,
        levels: [],
      }),
    [shown],
  );
  return (
    <Panel
      title="Settings"
      note="What the trainings of each setting reached, as means over their seeds, with 95% intervals."
    >
      <SectionTable section={table} folder={folder} label="Settings" />
      {findings.map((finding) => (
        <p key={finding}>{finding}</p>
      ))}
      {shown.length > 0 && (
        <>
          <Legend of={shown.map(({ name }) => ({ name }))} hasSigns />
          <Chart
            plot={plot}
            label={`Mean curves: ${shown.map(({ name, points }) => `${name} ${formatMean(points.at(-1)!.mean)} after ${points.at(-1)!.games} games`).join("; ")}.`}
          />
        </>
      )}
    </Panel>
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
        ...namedRows(
          named.map(({ name }) => name),
          width,
          { wide: 42, narrow: 20 },
        ),
        height: 76 + 20 * named.length,
        x: { label: "weight", grid: true },
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
