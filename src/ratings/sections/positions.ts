import { formatPercent } from "../../base/text.ts";
import type { PositionAnswer, PositionScore } from "../positions.ts";
import { createSection, figures, formatMean, formatPoints, whole, type Section } from "./section.ts";

/** The results of agents in test positions. */
export function positionSection(scores: readonly PositionScore[]): Section {
  const hasLoss = scores.some(({ loss }) => loss !== undefined);
  const hasError = scores.some(({ error }) => error !== undefined);
  const hasPoints = scores.some(({ points }) => points !== undefined);
  return createSection({ note: "Nodes and times are means of a position." }, scores, [
    { head: "File", kind: "text", cell: ({ file }) => file },
    { head: "Agent", kind: "name", cell: ({ agent }) => agent },
    { head: "Right", cell: ({ right, positions }) => `${right} of ${positions}` },
    figures("Right%", ({ share }) => share, formatPercent),
    { head: "95% interval", cell: ({ low, high }) => `${formatPercent(low)} to ${formatPercent(high)}` },
    hasPoints && {
      head: "Points",
      cell: ({ points, most }) =>
        points === undefined ? "" : `${formatPoints(points)} of ${formatPoints(most!)}`,
    },
    hasLoss && {
      head: "Loss",
      tooltip: "what the choice lacks to the best action",
      cell: ({ loss }) => (loss === undefined ? "" : { text: formatMean(loss), order: loss }),
    },
    hasError && {
      head: "Error",
      tooltip: "the distance of the agent's value from the exact one",
      cell: ({ error }) => (error === undefined ? "" : { text: formatMean(error), order: error }),
    },
    figures("Nodes", ({ nodes }) => nodes, whole, { importance: 2 }),
    figures("ms", ({ timeMs }) => timeMs, formatMean, { importance: 3 }),
    {
      head: "Nodes to solution",
      cell: ({ nodesToSolution }) => (nodesToSolution === null ? "" : whole(nodesToSolution)),
      importance: 0,
      tooltip: "until the choice stays right, in the positions that are solved",
    },
    {
      head: "ms to solution",
      cell: ({ timeToSolution }) => (timeToSolution === null ? "" : formatMean(timeToSolution)),
      importance: 1,
    },
  ]);
}

/** The positions in which an agent's choice is not right. */
export function failedSection(title: string, answers: readonly PositionAnswer[]): Section {
  return createSection(
    { title },
    answers.filter(({ isRight }) => !isRight),
    [
      { head: "Name", kind: "text", cell: ({ name }) => name },
      { head: "Choice", kind: "text", cell: ({ choice }) => choice },
      { head: "Right", kind: "text", cell: ({ right }) => right.join(", ") },
      { head: "Position", kind: "line", cell: ({ position }) => position },
    ],
  );
}
