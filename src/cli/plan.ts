import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { forecast, type Forecast } from "../arena/forecast.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import { isTuning, loadTuning } from "../arena/plan/tuning.ts";
import { isAblation, loadAblation } from "../arena/suite/ablation.ts";
import { loadSuite, type Suite } from "../arena/suite/config.ts";
import { InputError } from "../base/errors.ts";
import { formatPace } from "../base/pace.ts";
import { counted, formatSeconds } from "../base/text.ts";
import { planDocument, readDocument } from "../specs/files/documents.ts";
import type { CheckedConfig } from "../training/plan/config.ts";
import { planTraining } from "../training/plan/plan.ts";
import { isSweep, planSweep } from "../training/sweep/sweep.ts";
import { parseWorkers } from "./shared/arguments.ts";
import { defineCommand, note, print, show } from "./shared/command.ts";

export const plan = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("config", { type: "string", demandOption: true, describe: "YAML or JSON file" })
      .option("seconds", {
        type: "number",
        default: 5,
        describe: "time for a measurement; 0 checks the config and plays nothing",
      })
      .option("workers", { type: "number", describe: "workers, which are processes [one a core]" })
      .option("json", { type: "boolean", default: false, describe: "print JSON" }),
  examples: [
    ["agon plan configs/tournaments/quick.yaml", "games, time and intervals of a tournament"],
    ["agon plan my.yaml --seconds 0", "is the config right?"],
    ["agon plan my.yaml --seconds 60", "closer figures where games are long"],
    ["agon plan configs/training/nim-linear.yaml", "a training is checked, and its games are counted"],
  ],
  async handler(args) {
    if (!(args.seconds >= 0 && args.seconds <= 3600))
      throw new InputError(`--seconds must be a number from 0 to 3600, got ${args.seconds}`);
    const workers = parseWorkers(args.workers ?? availableParallelism());
    const document = readDocument(args.config);
    if (isTraining(document)) {
      const checked = await checkTraining(args.config);
      if (args.json) print(JSON.stringify(checked, null, 2));
      else show(describeTraining(checked));
      return;
    }
    const { tournaments } = isTuning(document)
      ? await tuningAlone(args.config)
      : await (isAblation(document) ? loadAblation : loadSuite)(args.config, { note });
    const found = [];
    for (const { label, plan } of tournaments) {
      const one = await forecast(plan, { seconds: args.seconds, workers, baseDir: dirname(args.config) });
      found.push({ label, ...one });
      if (args.json) continue;
      show((found.length > 1 ? "\n" : "") + describeForecast(one, plan, { seconds: args.seconds, workers }));
    }
    if (!args.json) return;
    const [{ label: _, ...alone }] = found as [(typeof found)[0]];
    print(JSON.stringify(found.length === 1 ? alone : { games: found }, null, 2));
  },
});

/** A tuning as a suite of one. */
async function tuningAlone(path: string): Promise<Pick<Suite, "tournaments">> {
  const { plan } = await loadTuning(path, { note });
  return { tournaments: [{ label: plan.name, plan }] };
}

/** True if a document is meant as a training: it alone has a tournament that rates checkpoints. */
function isTraining(document: unknown): boolean {
  return typeof document === "object" && document !== null && Object.hasOwn(document, "rating");
}

/** A training, or a sweep, that was checked. */
interface CheckedTraining {
  readonly name: string;
  readonly settings: number;
  readonly seeds: number;
  /** Games of self-play in all, or epochs. */
  readonly games: number;
  readonly unit: "game" | "epoch";
}

/** Checks a training or a sweep. Throws InputError. */
async function checkTraining(path: string): Promise<CheckedTraining> {
  return planDocument(path, async (document, from) => {
    if (isSweep(document)) {
      const { name, settings, seeds } = await planSweep(document, { ...from, note });
      const games = settings.reduce((sum, { config }) => sum + config.games, 0) * seeds.length;
      const unit = unitOf(settings[0]!.config);
      return { name, settings: settings.length, seeds: seeds.length, games, unit };
    }
    const { config } = await planTraining(document, { ...from, note });
    return { name: config.name, settings: 1, seeds: 1, games: config.games, unit: unitOf(config) };
  });
}

function unitOf({ learner }: CheckedConfig): CheckedTraining["unit"] {
  return learner.rule === "fit" ? "epoch" : "game";
}

function describeTraining({ name, settings, seeds, games, unit }: CheckedTraining): string {
  const size = unit === "game" ? `${counted(games, unit)} of self-play` : counted(games, unit);
  if (settings * seeds === 1) return `${name}: ${size}`;
  return `${name}: ${counted(settings, "setting")} with ${counted(seeds, "seed")}, ${size} in all`;
}

/** A forecast in lines, the measured pace and the intervals only if games were played. */
function describeForecast(
  { games, measured, gamesPerSecond, seconds, entrants }: Forecast,
  plan: TournamentPlan,
  of: { readonly seconds: number; readonly workers: number },
): string {
  const range = (least: string, most: string) => (least === most ? most : `${least} to ${most}`);
  const size = range(games.least.toLocaleString("en"), games.most.toLocaleString("en"));
  const about = games.expected === undefined ? "" : `, about ${games.expected.toLocaleString("en")}`;
  const head = `${plan.name}: ${counted(entrants.length, "entrant")}, ${plan.format.type}, ${size} games${about}`;
  if (of.seconds === 0) return head;
  if (gamesPerSecond === undefined || seconds === undefined)
    return `${head}\n${counted(measured, "game")} ended within ${of.seconds} s: too few to measure.`;
  const length =
    seconds.expected === undefined
      ? range(formatSeconds(seconds.least), formatSeconds(seconds.most))
      : `about ${formatSeconds(seconds.expected)}, at most ${formatSeconds(seconds.most)}`;
  const widths = entrants.map(
    ({ name, halfWidth }) =>
      `  ${name}: ${halfWidth === undefined ? "not known yet" : `+/- ${Math.round(halfWidth)}`}`,
  );
  return [
    head,
    `${formatPace(gamesPerSecond)} games/s with ${counted(of.workers, "worker")}: ${length} (measured on ${counted(measured, "game")})`,
    ...(entrants.every(({ halfWidth }) => halfWidth === undefined)
      ? ["The intervals are not known yet."]
      : ["\n95% intervals at the end, in Elo:", ...widths]),
  ].join("\n");
}
