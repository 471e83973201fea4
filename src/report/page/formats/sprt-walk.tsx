import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { SprtReport } from "../../../ratings/sprt/sequential-test.ts";
import { Chart, INK, Plot } from "../charts.tsx";
import type { TournamentData } from "../data.ts";
import { DataTable, figures, Panel, signed, type Column } from "../parts.tsx";

/** The sequential test of a run: the walk of its ratio between the bounds, and its blocks by score. */
export function SprtWalk({ run, sprt }: { run: TournamentData; sprt: SprtReport }): JSX.Element {
  const { eloLow, eloHigh, elo0, elo1, alpha, beta, model } = sprt;
  return (
    <Panel
      title="Sequential test"
      note={`${decisionOf(sprt)} Bounds in ${model} Elo: ${elo0} and ${elo1}; alpha ${alpha}, beta ${beta}.`}
    >
      <Walk sprt={sprt} />
      <Counts sprt={sprt} players={run.report.players} />
      <p>
        Elo of {sprt.entrants[0]} over {sprt.entrants[1]}: <b>{endOf(eloLow)}</b> to <b>{endOf(eloHigh)}</b>,
        a 95% interval that holds whenever a test ends.{" "}
        <span class="faint">
          A test ends when its results are extreme, so the Elo and the intervals below are biased.
        </span>
      </p>
    </Panel>
  );
}

/** The decision in a sentence. */
function decisionOf({ decision, entrants, elo0, elo1, alpha, beta, blocks }: SprtReport): string {
  if (decision === null) return `No decision after ${blocks.toLocaleString("en")} blocks.`;
  const [bound, rate] = decision === "H1" ? [`above ${elo0}`, alpha] : [`below ${elo1}`, beta];
  return (
    `${decision} is accepted after ${blocks.toLocaleString("en")} blocks: the Elo of ${entrants[0]} over ` +
    `${entrants[1]} is ${bound} (wrong in at most ${Number((100 * rate).toFixed(2))}% of tests).`
  );
}

function endOf(elo: number | null): string {
  return elo === null ? "?" : signed(elo);
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

interface CountRow {
  readonly name: string;
  /** By score, in the order of the columns. */
  readonly blocks: readonly number[];
}

/** The blocks of the test by score, and those of the round that was out when it was decided. */
function Counts({ sprt, players }: { sprt: SprtReport; players: number }): JSX.Element {
  const ofAll = (list: SprtReport["counts"], score: number) =>
    list.find((count) => count.score === score)?.blocks ?? 0;
  const all = [...new Set([...sprt.counts, ...sprt.after].map(({ score }) => score))].toSorted(
    (a, b) => a - b,
  );
  const scores = all.filter(
    (score) => players === 2 || ofAll(sprt.counts, score) + ofAll(sprt.after, score) > 0,
  );
  const row = (name: string, list: SprtReport["counts"]) => ({
    name,
    blocks: scores.map((score) => ofAll(list, score)),
  });
  const rows = [
    row("in the test", sprt.counts),
    ...(sprt.after.some(({ blocks }) => blocks > 0) ? [row("too late to decide", sprt.after)] : []),
  ];
  const columns: Column<CountRow>[] = [
    { title: players === 2 ? "Score of a pair" : "Score of a block", isHead: true, cell: ({ name }) => name },
    ...scores.map((score, at) => {
      return figures<CountRow>(String(Number(score.toFixed(3))), ({ blocks }) =>
        blocks[at]!.toLocaleString("en"),
      );
    }),
    figures("All", ({ blocks }) => blocks.reduce((sum, count) => sum + count, 0).toLocaleString("en")),
  ];
  return <DataTable label="Blocks by score" columns={columns} rows={rows} keyOf={({ name }) => name} />;
}
