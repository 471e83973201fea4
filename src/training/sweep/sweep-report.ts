import { meanInterval, type MeanInterval } from "../../ratings/mean-return.ts";
import type { CurvePoint } from "../curve/curve.ts";
import type { Sweep } from "./sweep.ts";
import type { TrainingEnd } from "./sweep-process.ts";

/** The trainings of a setting, in the order of the seeds. */
export type TrainedSetting = readonly ({ readonly seed: string } & TrainingEnd)[];

/** A sweep's settings, each with what its trainings reached. */
export interface SweepReport {
  readonly name: string;
  /**
   * The figure that trainings are compared by: Elo; the share of points in percent, where a checkpoint's score stands in
   * place of its Elo; or the mean return in games of one player.
   */
  readonly measure: "elo" | "score" | "return";
  readonly settings: readonly SettingReport[];
  /** Sentences on the measures by which settings differ, and on those that disagree about the best; empty with one measure. */
  readonly findings: readonly string[];
  /** A sentence for each training that failed. */
  readonly problems: readonly string[];
  /** True if a training failed for a reason that lies outside of its config. */
  readonly isBroken: boolean;
}

/** The worth of one setting. */
export interface SettingReport {
  readonly name: string;
  /** Its values, by the keys of the training. */
  readonly values: Readonly<Record<string, unknown>>;
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
  /** The other measures of its panel, the same ones for all settings. */
  readonly panel: readonly PanelMeasure[];
  /** The mean curve, at the checkpoints that all its trainings have. */
  readonly curve: readonly ({ readonly games: number } & MeanInterval)[];
}

/** A further measure of a setting, beside the one that trainings are compared by. */
interface PanelMeasure extends Pick<SettingReport, "reached" | "difference"> {
  readonly name: string;
}

/** The heads of the columns of the measures. */
export const MEASURES = { elo: "Elo", score: "Score %", return: "Return" } as const;

/** The further measures, of those that all trainings have; percentages are 0 to 100. */
const PANEL: Readonly<Record<string, (point: CurvePoint) => number | undefined>> = {
  Worst: ({ worst }) => worst?.mean,
  "Right %": ({ right }) => right && 100 * right.share,
};

/** One training that came to its end. */
interface TrainingReport {
  readonly seed: string;
  /** The measure of its last weights. */
  readonly reached: number;
  /** The checkpoint of its last weights. */
  readonly last: CurvePoint;
  readonly points: readonly CurvePoint[];
}

/** The part of a sweep that its report needs. */
interface ReportedSweep extends Pick<Sweep, "name" | "players"> {
  readonly settings: readonly Pick<Sweep["settings"][number], "name" | "folder" | "values">[];
}

/** Calculates what each setting reached. All trainings of a sweep have the same rating, whose anchor fixes the scale. */
export function reportSweep(
  { name, settings, players }: ReportedSweep,
  trained: readonly TrainedSetting[],
): SweepReport {
  const all = trained.flat().flatMap(({ points = [] }) => points);
  const hasElo = all.every(({ saturated }) => saturated === undefined);
  const measure = players === 1 ? "return" : hasElo ? "elo" : "score";
  const valueOf = ({ elo, score, meanReturn }: CurvePoint) =>
    ({ elo, score: 100 * score, return: meanReturn.mean })[measure];
  const finished = trained.map((trainings) =>
    trainings.flatMap(({ seed, points, weightsGames }): TrainingReport[] => {
      const last = points?.find(({ games }) => games === weightsGames);
      return last === undefined ? [] : [{ seed, reached: valueOf(last), last, points: points! }];
    }),
  );
  const failed = trained.flatMap((trainings, at) =>
    trainings.flatMap(({ seed, problem }) =>
      problem === undefined
        ? []
        : [{ ...problem, message: `${settings[at]!.name}, seed ${seed}: ${problem.message}` }],
    ),
  );
  const panel = Object.entries(PANEL).filter(([, of]) =>
    finished.flat().every(({ last }) => of(last) !== undefined),
  );
  const reports = settings.map(({ name: setting, values, folder }, at): SettingReport => ({
    name: setting,
    values,
    folder,
    trainings: finished[at]!,
    reached: over(finished[at]!.map(({ reached }) => reached)),
    difference: at === 0 ? undefined : over(differences(finished[at]!, finished[0]!)),
    panel: panel.map(([called, of]) => {
      const [own, first] = [finished[at]!, finished[0]!].map((trainings) =>
        trainings.map((training) => ({ ...training, reached: of(training.last)! })),
      );
      return {
        name: called,
        reached: over(own!.map(({ reached }) => reached)),
        difference: at === 0 ? undefined : over(differences(own!, first!)),
      };
    }),
    curve: meanCurve(finished[at]!, valueOf),
  }));
  return {
    name,
    measure,
    settings: reports,
    findings: findingsOf(reports, measure),
    problems: failed.map(({ message }) => message),
    isBroken: failed.some(({ isOwn }) => !isOwn),
  };
}

/** Says which measures tell settings from the first one, and which disagree about the best. */
function findingsOf(settings: readonly SettingReport[], measure: SweepReport["measure"]): string[] {
  const panel = settings[0]?.panel ?? [];
  if (settings.length < 2 || panel.length === 0) return [];
  const measures = [
    { name: MEASURES[measure], of: (setting: SettingReport): Reached => setting },
    ...panel.map(({ name }, at) => ({ name, of: (setting: SettingReport): Reached => setting.panel[at]! })),
  ];
  const isSure = ({ difference }: Reached) =>
    difference?.margin !== undefined && Math.abs(difference.mean) > difference.margin;
  const telling = measures.filter(({ of }) => settings.some((setting) => isSure(of(setting))));
  const named = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).join(", ");
  const best = measures.map(({ name, of }) => {
    const meanOf = (setting: SettingReport) => of(setting).reached?.mean ?? -Infinity;
    const leader = settings.reduce((first, one) => (meanOf(one) > meanOf(first) ? one : first));
    return { name, setting: leader.name };
  });
  const agree = best.every(({ setting }) => setting === best[0]!.setting);
  return [
    telling.length === 0
      ? "No setting differs surely from the first one, by any measure."
      : `Settings differ surely from the first one by: ${named(telling)}.`,
    agree
      ? `All measures have the same best setting: ${best[0]!.setting}.`
      : `Measures disagree about the best setting: ${best.map(({ name, setting }) => `${setting} by ${name}`).join("; ")}.`,
  ];
}

type Reached = Pick<SettingReport, "reached" | "difference">;

/** The mean over seeds. Equal values, such as scores of 100%, have no interval: they are not known to be without spread. */
function over(values: readonly number[]): MeanInterval | undefined {
  if (values.length === 0) return undefined;
  return values.every((value) => value === values[0])
    ? { mean: values[0]!, margin: undefined }
    : meanInterval(values);
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
