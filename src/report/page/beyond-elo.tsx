import type { JSX } from "preact";
import { formatPercent } from "../../base/text.ts";
import type { BeyondElo as BeyondEloData } from "../../ratings/beyond/beyond-elo.ts";
import type { Report } from "../../ratings/report.ts";
import { lotterySection } from "../../ratings/sections/ratings.ts";
import { chanceText, cycleText } from "../../ratings/sections/sentences.ts";
import { Panel } from "./parts.tsx";
import { SectionTable } from "./section-table.tsx";

/** The part of the results that ratings do not explain: the strongest cycle, and the maximal lottery; nothing where it is not known. */
export function BeyondElo({ report }: { report: Report }): JSX.Element | null {
  const { beyondElo } = report;
  if (beyondElo === null) return null;
  const { share, low, high, noise, pValue, cycle, lottery } = beyondElo;
  return (
    <Panel title="Beyond Elo" note={verdict(beyondElo)}>
      <p>
        {formatPercent(share)}% of the variance of the scores is left (95% interval {formatPercent(low)} to{" "}
        {formatPercent(high)}%, {chanceText(pValue)}). Chance alone takes {formatPercent(noise)}%.
      </p>
      {cycle !== null && (
        <p>
          The strongest cycle of three: {cycleText(cycle, report)}.{" "}
          {cycle.isSure ? "It is no chance" : "It may be chance"} (z = {cycle.z.toFixed(1)}).
        </p>
      )}
      {lottery === null ? (
        <p>Not every pair met, so there is no maximal lottery.</p>
      ) : (
        <SectionTable section={lotterySection(report)} folder="" />
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
