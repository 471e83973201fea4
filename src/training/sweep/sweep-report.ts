import { meanInterval, type MeanInterval } from "../../ratings/mean-return.ts";
import type { CurvePoint } from "../curve/curve.ts";
import type { Sweep } from "./sweep.ts";
import type { TrainingEnd } from "./sweep-process.ts";

/** The trainings of a setting, in the order of the seeds. */
export type TrainedSetting = readonly ({ readonly seed: string } & TrainingEnd)[];

/** A sweep's settings, each with what its trainings reached. */
export interface SweepReport {
  readonly name: string;
  /** The figure that trainings are compared by: Elo, or the mean return in games of one player. */
  readonly measure: "elo" | "return";
  readonly settings: readonly SettingReport[];
  /** A sentence for each training that failed. */
  readonly problems: readonly string[];
  /** True if a training failed for a reason that lies outside of its config. */
  readonly isBroken: boolean;
}

/** The worth of one setting. */
export interface SettingReport {
  readonly name: string;
  /** Name of its folder in the sweep's. */
  readonly folder: string;
  readonly trainings: readonly TrainingReport[];
  /** The measure of the weights that its trainings ended with, over the seeds; undefined if none came to its end. */
  readonly reached: MeanInterval | undefined;
  /**
   * How much more than the first setting it reached, over the seeds that both have; undefined for the first one, and
   * without a common seed.
   */
  readonly difference: MeanInterval | undefined;
  /** The mean curve, at the checkpoints that all its trainings have. */
  readonly curve: readonly ({ readonly games: number } & MeanInterval)[];
}

/** One training that came to its end. */
interface TrainingReport {
  readonly seed: string;
  /** The measure of its last weights. */
  readonly reached: number;
  readonly points: readonly CurvePoint[];
}

/** Calculates what each setting reached. All trainings of a sweep have the same rating, whose anchor fixes the scale. */
export function reportSweep(
  { name, settings, players }: Sweep,
  trained: readonly TrainedSetting[],
): SweepReport {
  const measure = players === 1 ? "return" : "elo";
  const valueOf = ({ elo, meanReturn }: CurvePoint) => (measure === "elo" ? elo : meanReturn.mean);
  const finished = trained.map((trainings) =>
    trainings.flatMap(({ seed, points, weightsGames }): TrainingReport[] => {
      const last = points?.find(({ games }) => games === weightsGames);
      return last === undefined ? [] : [{ seed, reached: valueOf(last), points: points! }];
    }),
  );
  const failed = trained.flatMap((trainings, at) =>
    trainings.flatMap(({ seed, problem }) =>
      problem === undefined
        ? []
        : [{ ...problem, message: `${settings[at]!.name}, seed ${seed}: ${problem.message}` }],
    ),
  );
  return {
    name,
    measure,
    settings: settings.map(({ name: setting, folder }, at) => ({
      name: setting,
      folder,
      trainings: finished[at]!,
      reached: over(finished[at]!.map(({ reached }) => reached)),
      difference: at === 0 ? undefined : over(differences(finished[at]!, finished[0]!)),
      curve: meanCurve(finished[at]!, valueOf),
    })),
    problems: failed.map(({ message }) => message),
    isBroken: failed.some(({ isOwn }) => !isOwn),
  };
}

function over(values: readonly number[]): MeanInterval | undefined {
  return values.length === 0 ? undefined : meanInterval(values);
}

/** The differences between trainings of the same seed. */
function differences(trainings: readonly TrainingReport[], first: readonly TrainingReport[]): number[] {
  return trainings.flatMap(({ seed, reached }) => {
    const other = first.find((training) => training.seed === seed);
    return other === undefined ? [] : [reached - other.reached];
  });
}

function meanCurve(
  trainings: readonly TrainingReport[],
  valueOf: (point: CurvePoint) => number,
): SettingReport["curve"] {
  const [first, ...others] = trainings;
  return (first?.points ?? []).flatMap((point) => {
    const same = others.flatMap(({ points }) => points.filter(({ games }) => games === point.games));
    if (same.length < others.length) return [];
    return [{ games: point.games, ...meanInterval([point, ...same].map(valueOf)) }];
  });
}
