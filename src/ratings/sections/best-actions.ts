import { formatPercent } from "../../base/text.ts";
import { createSection, NUMBERS, type Section } from "./section.ts";

/** An action as an agent that was asked for its best ones sees it; see Analysis. */
export interface BestAction {
  readonly value: number;
  readonly visits?: number | undefined;
  readonly share?: number | undefined;
  readonly prior?: number | undefined;
  readonly improved?: number | undefined;
  readonly line: readonly string[];
}

/** The best actions in a position; the last column, the line, is as long as it needs to be. */
export function bestActionsSection(best: readonly BestAction[]): Section {
  const has = (key: "visits" | "prior" | "improved") => best.some((one) => one[key] !== undefined);
  return createSection({}, best, [
    NUMBERS,
    { head: "value", cell: ({ value }) => value.toFixed(4) },
    has("prior") && {
      head: "prior%",
      tooltip: "the probability in the policy, before the search",
      cell: ({ prior = 0 }) => formatPercent(prior),
    },
    has("visits") && { head: "visits", cell: ({ visits = 0 }) => visits },
    has("visits") && { head: "share%", cell: ({ share = 0 }) => formatPercent(share) },
    has("improved") && {
      head: "improved%",
      tooltip: "the probability in the policy, improved by the search",
      cell: ({ improved = 0 }) => formatPercent(improved),
    },
    { head: "line", kind: "line", cell: ({ line }) => line.join(" ") },
  ]);
}
