import { formatPercent } from "../../base/text.ts";
import type { ScoreInterval } from "../elo/saturated.ts";
import type { EloInterval } from "../elo/scale.ts";
import type { MeanReturn } from "../mean-return.ts";
import type { RightShare } from "../positions.ts";
import { type Cell, createSection, formatInterval, type Section, whole } from "./section.ts";

/** One checkpoint of a training. */
export interface Checkpoint extends EloInterval {
  /** Games trained; of a fit, epochs. */
  readonly games: number;
  /** Share of the points won, 0 to 1: each opponent's seat gives 1 point if beaten and a half for a tie. */
  readonly score: number;
  /** The interval of a score that stands in place of an Elo; absent where the Elo says something. */
  readonly saturated?: ScoreInterval | undefined;
  /** Mean return a game, in the game's units. */
  readonly meanReturn: MeanReturn;
  /**
   * Root of the mean square of the temporal-difference errors since the checkpoint before, in the game's units; absent
   * if nothing was learned.
   */
  readonly tdError?: number | undefined;
  /** Absent for rules that learn from each position once. */
  readonly losses?: Losses | undefined;
  /** The agent of the pool that it got the lowest mean return against; absent where there are not several. */
  readonly worst?: (MeanReturn & { readonly name: string }) | undefined;
  /** The share of test positions in which its choice is right; absent if it was not asked. */
  readonly right?: RightShare | undefined;
}

/** Mean losses of the weights of a checkpoint, over positions; a rule that learns in batches has some of them. */
export type Losses = { readonly [Name in keyof typeof LOSSES]?: number | undefined };

/**
 * The losses by name: of a fit over the positions that it learned from, and over those of other games; of the rule expert over
 * positions of its window or the last ones, of the value and of the policy, which is the Kullback-Leibler divergence from the search's. The
 * entropy of the search's policy, in nats, is 0 where it saw a single action.
 */
export const LOSSES = {
  training: { head: "Training loss", column: "trainingLoss" },
  validation: { head: "Validation loss", column: "validationLoss" },
  value: { head: "Value loss", column: "valueLoss" },
  policy: { head: "Policy loss", column: "policyLoss" },
  entropy: { head: "Target entropy", column: "targetEntropy" },
} as const;

export const LOSS_NAMES = Object.keys(LOSSES) as (keyof Losses)[];

/** The losses that some point of a curve has. */
export function lossesOf(points: readonly Pick<Checkpoint, "losses">[]): (keyof Losses)[] {
  return LOSS_NAMES.filter((name) => points.some(({ losses }) => losses?.[name] !== undefined));
}

type Pooled = EloInterval & { readonly name: string };

/** The name of the numbers on a curve: a fit has epochs. */
export function unitOf(points: readonly Pick<Checkpoint, "losses">[]): "games" | "epochs" {
  return points.some(({ losses }) => losses?.training !== undefined) ? "epochs" : "games";
}

/** The strength of a checkpoint in words: `120 Elo`, or `100.0% of the points` where no Elo says how strong it is. */
export function formatStrength({
  elo,
  score,
  saturated,
}: Pick<Checkpoint, "elo" | "score" | "saturated">): string {
  return saturated === undefined ? `${whole(elo)} Elo` : `${formatPercent(score)}% of the points`;
}

/** The interval of a rating; of a score where no Elo says how strong it is. */
function intervalOf(row: Checkpoint | Pooled, format: (elo: EloInterval) => string): string {
  const { saturated } = row as Partial<Checkpoint>;
  if (saturated === undefined) return format(row);
  return `${formatPercent(saturated.low)} to ${formatPercent(saturated.high)}%`;
}

/** The checkpoints of a training, and the agents that they were rated against. */
export function curveSection(points: readonly Checkpoint[], pool: readonly Pooled[] = []): Section {
  const best = Math.max(...points.map(({ elo }) => elo));
  const ofPoint = (cell: (point: Checkpoint) => string) => (row: Checkpoint | Pooled) =>
    "games" in row ? cell(row) : "";
  return createSection<Checkpoint | Pooled>(
    {},
    [...points, ...pool],
    [
      {
        head: unitOf(points) === "games" ? "Games trained" : "Epochs",
        kind: "text",
        cell: (row) => {
          if (!("games" in row)) return row.name;
          return { text: String(row.games), order: row.games, detail: row.elo === best ? "best" : undefined };
        },
      },
      {
        head: "Elo",
        tooltip: "the score in % where all but less than a point was won, or lost",
        cell: (row) => ({
          text: "games" in row && row.saturated ? `${formatPercent(row.score)}%` : whole(row.elo),
          order: row.elo,
        }),
      },
      {
        head: "95% interval",
        cell: (row) => intervalOf(row, ({ low, high }) => `${whole(low)} to ${whole(high)}`),
        only: "text",
      },
      { head: "95%", cell: ofPoint((row) => intervalOf(row, () => formatInterval(row))), only: "page" },
      { head: "Score %", cell: ofPoint(({ score }) => formatPercent(score)), importance: 3 },
      { head: "Return", cell: ofPoint(({ meanReturn }) => formatReturn(meanReturn)), importance: 2 },
      points.some(({ worst }) => worst !== undefined) && {
        head: "Worst",
        tooltip: "the lowest mean return against an agent of the pool",
        cell: (row) => ("games" in row && row.worst ? worstOf(row.worst) : ""),
        importance: 1,
      },
      points.some(({ right }) => right !== undefined) && {
        head: "Right %",
        tooltip: "the share of test positions in which the choice is right, with its 95% interval",
        cell: (row) => ("games" in row && row.right ? rightOf(row.right) : ""),
        importance: 4,
      },
      unitOf(points) === "games" && errorColumn("TD error", ({ tdError }) => tdError),
      ...lossesOf(points).map((name) => errorColumn(LOSSES[name].head, ({ losses }) => losses?.[name])),
    ],
  );
}

/** A column of errors, empty where there is none. */
function errorColumn(head: string, of: (point: Checkpoint) => number | undefined) {
  const cell = (row: Checkpoint | Pooled) => {
    const error = "games" in row ? of(row) : undefined;
    return error === undefined ? "" : formatError(error);
  };
  return { head, cell, importance: 1 };
}

/** The mean returns of the checkpoints against each agent of the pool. */
export function againstSection(
  points: readonly { readonly games: number; readonly against: readonly MeanReturn[] }[],
  pool: readonly Pooled[],
): Section {
  return createSection({}, points, [
    { head: "Return against", kind: "text", cell: ({ games }) => String(games) },
    ...pool.map(({ name }, at) => ({
      head: name,
      cell: ({ against }: (typeof points)[number]) => formatReturn(against[at]!),
      importance: at < 2 ? undefined : pool.length - at,
    })),
  ]);
}

function worstOf({ name, ...returns }: NonNullable<Checkpoint["worst"]>): Cell {
  return { text: `${formatReturn(returns)} (${name})`, order: returns.mean };
}

function rightOf({ share, low, high }: RightShare): Cell {
  return { text: `${formatPercent(share)} (${formatPercent(low)} to ${formatPercent(high)})`, order: share };
}

/** With three decimals, or none if the return is 100 or more. */
function formatReturn({ mean, high }: MeanReturn): string {
  const digits = Math.abs(mean) < 100 ? 3 : 0;
  return `${(mean + 0).toFixed(digits)} +/- ${(high - mean).toFixed(digits)}`;
}

/** With three decimals, or as many as three digits need. */
function formatError(error: number): string {
  return error >= 100 ? error.toFixed(0) : error.toPrecision(3);
}
