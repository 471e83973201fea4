import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import type { Forecast } from "../arena/forecast.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import { InputError } from "../base/errors.ts";
import { counted, formatSeconds } from "../base/text.ts";
import { defineCommand, print, show } from "./shared/command.ts";

export const plan = defineCommand({
  command: "plan <config>",
  describe: "forecast games, time and intervals",
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
  ],
  async handler(args) {
    const { loadSuite } = await import("../arena/suite/config.ts");
    const { isAblation, loadAblation } = await import("../arena/suite/ablation.ts");
    const { readDocument } = await import("../specs/files/documents.ts");
    const { forecast } = await import("../arena/forecast.ts");
    const { parseWorkers } = await import("./shared/arguments.ts");
    if (!(args.seconds >= 0 && args.seconds <= 3600))
      throw new InputError(`--seconds must be a number from 0 to 3600, got ${args.seconds}`);
    const workers = parseWorkers(args.workers ?? availableParallelism());
    const load = isAblation(readDocument(args.config)) ? loadAblation : loadSuite;
    const { tournaments } = await load(args.config);
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
  const pace = Number(gamesPerSecond.toPrecision(2));
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
    `${pace} games/s with ${counted(of.workers, "worker")}: ${length} (measured on ${counted(measured, "game")})`,
    ...(entrants.every(({ halfWidth }) => halfWidth === undefined)
      ? ["The intervals are not known yet."]
      : ["\n95% intervals at the end, in Elo:", ...widths]),
  ].join("\n");
}
