import type { JSX } from "preact";
import { formatPercent } from "../../base/text.ts";
import type { BeyondElo as BeyondEloData, LotteryShare } from "../../ratings/beyond/beyond-elo.ts";
import type { Report } from "../../ratings/report.ts";
import { DataTable, figures, Panel, percent, type Column } from "./parts.tsx";

type Named = LotteryShare & { readonly name: string };

/** Shares below this are 0.0% when they are printed. */
const LEAST_SHARE = 0.0005;

/** The part of the results that ratings do not explain: the strongest cycle, and the maximal lottery; nothing where it is not known. */
export function BeyondElo({ report }: { report: Report }): JSX.Element | null {
  const { beyondElo, entrants } = report;
  if (beyondElo === null) return null;
  const { share, low, high, noise, pValue, cycle, lottery } = beyondElo;
  const shown = (lottery ?? [])
    .map((one, at) => ({ ...one, name: entrants[at]!.name }))
    .filter((one) => one.share >= LEAST_SHARE || (one.high ?? 0) >= LEAST_SHARE)
    .toSorted((a, b) => b.share - a.share);
  return (
    <Panel title="Beyond Elo" note={verdict(beyondElo)}>
      <p>
        {percent(share)} of the variance of the scores is left (95% interval {formatPercent(low)} to{" "}
        {percent(high)}, {pValue < 0.001 ? "p < 0.001" : `p = ${pValue.toPrecision(2)}`}). Chance alone takes{" "}
        {percent(noise)}.
      </p>
      {cycle !== null && (
        <p>
          The strongest cycle of three:{" "}
          {cycle.entrants
            .map((one, at) => {
              const other = cycle.entrants[(at + 1) % 3]!;
              return `${entrants[one]!.name} beats ${entrants[other]!.name} ${percent(cycle.scores[at]!)}`;
            })
            .join(", ")}
          . {cycle.isSure ? "It is no chance" : "It may be chance"} (z = {cycle.z.toFixed(1)}).
        </p>
      )}
      {lottery === null ? (
        <p>Not every pair met, so there is no maximal lottery.</p>
      ) : (
        <DataTable label="Maximal lottery" columns={COLUMNS} rows={shown} keyOf={({ name }) => name} />
      )}
    </Panel>
  );
}

function verdict({ isExplained }: BeyondEloData): string {
  return (
    `${isExplained ? "Ratings explain the results." : "Ratings do not explain everything."} ` +
    "The maximal lottery is the mix of entrants that no entrant beats on average."
  );
}

const COLUMNS: readonly Column<Named>[] = [
  { title: "Entrant", isHead: true, cell: ({ name }) => name },
  figures("Share", ({ share }) => percent(share)),
  figures("95%", ({ low, high }) =>
    low === null || high === null ? "" : `${formatPercent(low)} to ${percent(high)}`,
  ),
];
