import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import type { ClockUse, RunReport } from "../../ratings/format-results.ts";
import { Chart, INK, namedRows, Plot } from "./charts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import type { Contest } from "./game-text.ts";
import { DataTable, figures, Panel, percent, type Column } from "./parts.tsx";

/** The use that entrants made of their clocks; nothing without a time control. */
export function Clocks({ report }: { report: RunReport }): JSX.Element | null {
  const { clocks, entrants } = report;
  if (clocks === undefined) return null;
  const rows = clocks.map((use, at) => ({ ...use, msPerMove: entrants[at]!.msPerMove }));
  return (
    <Panel
      title="Clocks"
      note="The time that entrants took, as a share of what they had, and the least that was left until a flag fell."
    >
      <Shares clocks={clocks} />
      <DataTable label="Clocks" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
    </Panel>
  );
}

function Shares({ clocks }: { clocks: readonly ClockUse[] }): JSX.Element {
  const plot = useMemo(
    () =>
      (width: number): Plot.PlotOptions => ({
        ...namedRows(
          clocks.map(({ name }) => name),
          width,
        ),
        x: { percent: true, domain: [0, 100], label: "time used, %", grid: true, ticks: 5, clamp: true },
        marks: [Plot.barX(clocks, { x: "share", y: "name", fill: INK, inset: 4 }), Plot.ruleX([0])],
      }),
    [clocks],
  );
  const texts = clocks.map(({ name, share }) => `${name} ${percent(share)}`);
  return <Chart plot={plot} label={`Shares of the time used: ${texts.join(", ")}.`} />;
}

const COLUMNS: readonly Column<ClockUse & { readonly msPerMove: number }>[] = [
  { title: "Entrant", isHead: true, cell: ({ name }) => name },
  figures(
    "Used",
    ({ share }) => percent(share),
    ({ share }) => share,
  ),
  figures(
    "ms a move",
    ({ msPerMove }) => Number(msPerMove.toPrecision(3)),
    ({ msPerMove }) => msPerMove,
  ),
  figures("Lowest", ({ lowestMs }) => (lowestMs === null ? "?" : clockText(lowestMs))),
  figures(
    "Flags",
    ({ flags }) => flags,
    ({ flags }) => flags,
  ),
];

/** The clocks of the players in a position of a game; nothing where they are not known. */
export function GameClocks({
  run,
  played,
  contest: { movers, names },
  at,
}: {
  run: TournamentData;
  played: GameData;
  contest: Contest;
  /** The number of actions before the position. */
  at: number;
}): JSX.Element | null {
  const { clocks, seats, openingLength } = played;
  if (clocks === undefined) return null;
  const left = seats.map(() => clocks.startMs);
  let decisions = 0;
  for (const [action, mover] of movers.slice(0, at).entries())
    if (action >= openingLength && mover >= 0) left[mover] = clocks.leftMs[decisions++] ?? left[mover]!;
  return (
    <ul class="clocks" aria-label="Clocks">
      {seats.map((entrant, seat) => (
        <li key={seat} class={movers[at] === seat ? "to-move" : ""}>
          {names[seat]}: {run.entrants[entrant]!.name} <time>{clockText(left[seat]!)}</time>
        </li>
      ))}
    </ul>
  );
}

/** `1:02.3`; below ten seconds with two decimals, `0:09.87`. */
function clockText(ms: number): string {
  const decimals = ms < 10_000 ? 2 : 1;
  const scale = 10 ** decimals;
  const units = Math.floor((ms * scale) / 1000);
  const minutes = Math.floor(units / (60 * scale));
  const seconds = ((units - 60 * minutes * scale) / scale).toFixed(decimals);
  return `${minutes}:${seconds.padStart(3 + decimals, "0")}`;
}
