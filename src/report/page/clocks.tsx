import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { formatPercent } from "../../base/text.ts";
import type { ClockUse } from "../../ratings/format-results.ts";
import { clockSection } from "../../ratings/sections/ratings.ts";
import { formatClock } from "../../ratings/sections/section.ts";
import { Chart, INK, namedRows, Plot } from "./charts.tsx";
import type { GameData, TournamentData } from "./data.ts";
import type { Contest } from "./game-text.ts";
import { SectionPanel } from "./section-table.tsx";

/** The use that entrants made of their clocks; nothing without a time control. */
export function Clocks({ run: { report, folder } }: { run: TournamentData }): JSX.Element | null {
  if (report.clocks === undefined) return null;
  return (
    <SectionPanel section={clockSection(report.clocks)} folder={folder}>
      <Shares clocks={report.clocks} />
    </SectionPanel>
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
  const texts = clocks.map(({ name, share }) => `${name} ${formatPercent(share)}%`);
  return <Chart plot={plot} label={`Shares of the time used: ${texts.join(", ")}.`} />;
}

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
  const left = [...clocks.startMs];
  let decisions = 0;
  for (const [action, mover] of movers.slice(0, at).entries())
    if (action >= openingLength && mover >= 0) left[mover] = clocks.leftMs[decisions++] ?? left[mover]!;
  return (
    <ul class="clocks" aria-label="Clocks">
      {seats.map((entrant, seat) => (
        <li key={seat} class={movers[at] === seat ? "to-move" : ""}>
          {names[seat]}: {run.entrants[entrant]!.name} <time>{formatClock(left[seat]!)}</time>
        </li>
      ))}
    </ul>
  );
}
