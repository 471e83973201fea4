import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { SprtReport } from "../../../ratings/sprt/sequential-test.ts";
import { SPRT_DETAILS, sprtLines } from "../../../ratings/sections/sentences.ts";
import { Chart, INK, Plot } from "../charts.tsx";
import type { TournamentData } from "../data.ts";
import { Panel } from "../parts.tsx";
import type { TuneResults } from "../../../ratings/format-results.ts";
import { formatSections } from "../../../ratings/sections/formats.ts";
import { formatDigits } from "../../../ratings/sections/section.ts";
import { SectionPanel } from "../section-table.tsx";
import { Bracket } from "./bracket.tsx";

/** The results of a run as people know its format; nothing where ratings say all. */
export function FormatPanels({ run }: { run: TournamentData }): JSX.Element | null {
  const { format, sprt } = run.report;
  if (sprt !== undefined) return <SprtWalk run={run} sprt={sprt} />;
  if (format === undefined) return null;
  if (format.type === "knockout") return <Bracket run={run} results={format} />;
  if (format.type === "tune") return <Tuned run={run} results={format} />;
  return (
    <>
      {formatSections(format).map((section) => (
        <SectionPanel key={section.title} section={section} folder={run.folder} />
      ))}
    </>
  );
}

/** The sequential test of a run: the walk of its ratio between the bounds, and its blocks by score. */
function SprtWalk({ run: { report }, sprt }: { run: TournamentData; sprt: SprtReport }): JSX.Element {
  const [decision, ...lines] = sprtLines(report);
  return (
    <Panel title="Sequential test" note={decision!}>
      <Walk sprt={sprt} />
      <details>
        <summary>{SPRT_DETAILS}</summary>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </details>
    </Panel>
  );
}

function Walk({ sprt }: { sprt: SprtReport }): JSX.Element {
  const { looks, llr, lower, upper, decision, blocks } = sprt;
  const plot = useMemo(() => {
    const walk = [{ blocks: 0, llr: 0 }, ...looks];
    const values = walk.map((look) => look.llr);
    const room = (upper - lower) / 6;
    const [least, most] = [Math.min(lower, ...values) - room, Math.max(upper, ...values) + room];
    const last = Math.max(1, blocks);
    const zone = (name: string, y1: number, y2: number) => [
      Plot.rect([name], { x1: 0, x2: last, y1, y2, fill: INK, fillOpacity: 0.09 }),
      Plot.ruleY([y1], { className: "bound", stroke: INK, strokeDasharray: "5 4" }),
      Plot.text([name], { x: 0, y: y1, text: () => name, textAnchor: "start", dx: 6, dy: y2 > y1 ? -9 : 10 }),
    ];
    return (width: number): Plot.PlotOptions => ({
      height: 280,
      marginRight: 24,
      x: { label: "blocks", domain: [0, last], ticks: width < 480 ? 4 : 8 },
      y: { label: "LLR", domain: [least, most], ticks: 7 },
      marks: [
        ...zone(`H1 is accepted above ${upper.toFixed(2)}`, upper, most),
        ...zone(`H0 is accepted below ${lower.toFixed(2)}`, lower, least),
        Plot.ruleY([0], { strokeOpacity: 0.4 }),
        Plot.lineY(walk, { x: "blocks", y: "llr", stroke: INK, strokeWidth: 2 }),
        ...(looks.length > 100
          ? []
          : [Plot.dot(looks, { className: "looks", x: "blocks", y: "llr", fill: INK, r: 3 })]),
        Plot.dot(looks.slice(-1), { x: "blocks", y: "llr", fill: INK, stroke: "var(--raised)", r: 6 }),
        Plot.text(looks.slice(-1), {
          x: "blocks",
          y: "llr",
          text: () => `${llr.toFixed(2)}${decision === null ? "" : `, ${decision}`}`,
          textAnchor: "end",
          dx: 6,
          dy: decision === "H0" ? 17 : -15,
          fontWeight: 600,
          fill: "currentColor",
          stroke: "var(--raised)",
          strokeWidth: 4,
        }),
      ],
    });
  }, [sprt]);
  const bounds = `${lower.toFixed(2)} to ${upper.toFixed(2)}`;
  return (
    <Chart
      plot={plot}
      label={`The LLR after each of ${looks.length} rounds, between its bounds ${bounds}: now ${llr.toFixed(2)}.`}
    />
  );
}

type Parameter = TuneResults["parameters"][number];

/** The numbers that a tuning found, and their way there: a chart for each. */
function Tuned({ run, results }: { run: TournamentData; results: TuneResults }): JSX.Element {
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
