import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { formatGrades, GRADE_FORMATS } from "../arena/grading/format-grades.ts";
import { grade as gradeBot, loadGrading } from "../arena/grading/grading.ts";
import { startSpare } from "../arena/play/worker-fork.ts";
import { InputError } from "../base/errors.ts";
import { sandboxHere } from "../players/sandbox.ts";
import { locateAgent, parseAgentSpec } from "../specs/agents.ts";
import { agents } from "../specs/families.ts";
import { botAt } from "../specs/bots.ts";
import { parseWorkers } from "./shared/arguments.ts";
import { defineCommand, EXIT, print, quiet } from "./shared/command.ts";
import { playWithProgress } from "./shared/progress.ts";
import { noteStopped } from "./shared/runs.ts";

export const grade = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("bot", {
        type: "string",
        demandOption: true,
        describe: "file of a bot, folder with bot.py, bot.mjs and the like, or an agent",
      })
      .option("config", { type: "string", demandOption: true, describe: "YAML or JSON file with the tests" })
      .option("format", { choices: GRADE_FORMATS, default: "text" as const, describe: "form of the marks" })
      .option("out", { type: "string", describe: "file for the marks [standard output]" })
      .option("runs", { type: "string", describe: "keep the games in this folder, a run for each test" })
      .option("resume", { type: "boolean", default: false, describe: "go on with the games in --runs" })
      .option("workers", { type: "number", describe: "workers, which are processes [one a core]" })
      .option("quiet", quiet),
  examples: [
    ["agon grade bot.py --config grading.yaml", "the marks; the exit code is 0 if all tests are passed"],
    ["agon grade bot.py --config grading.yaml --format junit --out marks.xml", "for CI"],
    ["agon grade ann --config g.yaml --format gradescope --out results.json", "for Gradescope"],
  ],
  async handler(args) {
    const { runs, resume, out } = args;
    if (resume && runs === undefined)
      throw new InputError("--resume goes on with the games in --runs DIR: name it");
    const workers = parseWorkers(args.workers ?? availableParallelism());
    const grading = await loadGrading(args.config);
    const here = grading.sandbox ? sandboxHere() : undefined;
    if (here?.works === false) throw new InputError([{ path: "sandbox", message: here.reason }], args.config);
    const bot = botArgument(args.bot, grading.sandbox);
    startSpare();
    const grades = await gradeBot(grading, bot, {
      dir: runs,
      resume,
      play: async (plan, request) => playWithProgress(plan, { ...request, workers }, args),
    });
    if (grades === undefined) {
      if (runs !== undefined)
        noteStopped(`agon grade ${args.bot} --config ${args.config} --runs ${runs} --resume`);
      process.exitCode = EXIT.interrupted;
      return;
    }
    const text = formatGrades(grades, args.format);
    if (out === undefined) print(text);
    else {
      mkdirSync(dirname(out), { recursive: true });
      writeFileSync(out, `${text}\n`);
    }
    if (!grades.passed) process.exitCode = EXIT.failed;
  },
});

/** The bot at a path, or the agent of a spec, with absolute paths. Throws InputError. */
function botArgument(text: string, sandbox: boolean): object {
  if (statSync(text, { throwIfNoEntry: false }) !== undefined)
    return locateAgent(botAt(text, process.cwd(), { sandbox }), process.cwd());
  const spec = parseAgentSpec(text);
  if (!Object.hasOwn(agents, spec.agent))
    throw new InputError("there is no such file, folder or agent", text);
  return locateAgent(spec, process.cwd());
}
