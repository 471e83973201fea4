import { basename } from "node:path";
import { performance } from "node:perf_hooks";
import type { InferredOptionTypes } from "yargs";
import { askAgent } from "../arena/positions/ask.ts";
import { judged, solverOf, valueByTables } from "../arena/positions/exact-values.ts";
import {
  formatPositions,
  gameOfPositions,
  readPositions,
  type TestPosition,
} from "../arena/positions/position-file.ts";
import { samplePositions } from "../arena/positions/sample.ts";
import { InputError } from "../base/errors.ts";
import { counted } from "../base/text.ts";
import type { Game } from "../games/contract/game.ts";
import { type PositionAnswer, scorePositions } from "../ratings/positions.ts";
import { markdownSection, roundFigures, textSection } from "../ratings/sections/draw.ts";
import { failedSection, positionSection } from "../ratings/sections/positions.ts";
import { tablesFor } from "../specs/agents.ts";
import { checkWritable, writeWhole } from "../specs/files/write-file.ts";
import { agentArgument, gameArgument, parseCount } from "./shared/arguments.ts";
import { defineCommand, note, outputWidth, print, quiet, show } from "./shared/command.ts";
import { ProgressDisplay } from "./shared/progress.ts";

/** Test positions under a name. */
interface PositionSet {
  readonly name: string;
  readonly positions: readonly TestPosition[];
}

const options = {
  agent: {
    type: "string",
    array: true,
    nargs: 1,
    default: [] as string[],
    describe: "agent:key=value,...; may be given several times",
  },
  game: { type: "string", describe: "id, or id:option=value,... [the one that the files name]" },
  against: {
    type: "string",
    describe:
      "what is right: `solver`, or a file of endgame tables (.agon); positions in which all actions are equal are left out",
  },
  sample: { type: "number", describe: "draw this many positions; needs --game and --plies" },
  plies: { type: "string", describe: "decisions before a drawn position, such as 9-13" },
  by: { type: "string", describe: "agent that plays to the drawn positions [random play]" },
  out: { type: "string", describe: "file for the positions, with what is right" },
  failed: { type: "boolean", default: false, describe: "list the positions with a wrong choice" },
  seed: { type: "string", default: "agon", describe: "every random choice descends from it" },
  format: {
    choices: ["table", "markdown", "json"],
    default: "table",
    describe: "the format of the table",
  },
  json: { type: "boolean", default: false, describe: "print JSON: the same as --format json" },
  quiet,
} as const;

export const positions = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("files", {
        type: "string",
        array: true,
        default: [] as string[],
        describe: "files of test positions: .epd, or text (docs/formats.md)",
      })
      .options(options)
      .epilogue(
        "No games are played. The interval is Wilson's 95%. Loss is the mean of what the choice lacks to the best action: points, " +
          "or the game's units with --against. Error is the mean distance of its value from the exact one. Nodes and times to solution end where the choice stays right.",
      ),
  examples: [
    ["agon positions wac.epd --agent alpha-beta:timeMs=1000", "tactics of chess"],
    ["agon positions mine.txt --against solver --agent mcts:timeMs=100", "what keeps the exact value"],
    ["agon positions --game nim --sample 9 --plies 1-4 --out n.txt", "a file of positions"],
  ],
  async handler(args) {
    const { out, seed } = args;
    if (args.files.length === 0 && args.sample === undefined)
      throw new InputError("name files of positions, or draw some: --game GAME --sample N --plies A-B");
    if (args.agent.length === 0 && out === undefined)
      throw new InputError("name an agent that is asked, --agent AGENT, or a file for the positions, --out");
    if (out !== undefined) checkWritable(out);
    const { name: gameName, game } = await gameOf(args);
    const agents = await Promise.all(
      args.agent.map(async (text) => ({ name: text, prepared: await agentArgument(game, text) })),
    );
    const display = new ProgressDisplay(args.quiet);
    const clock = () => performance.now();
    const count = (unit: string, total: number) => {
      let done = 0;
      return () => display.show({ done: ++done, total, unit, notes: [] });
    };
    const sets: PositionSet[] = [];
    try {
      for (const path of args.files) sets.push(await readSet(game, path, args, count));
      if (args.sample !== undefined) sets.push(await drawSet(game, args, count));
    } finally {
      display.end();
    }
    const all = sets.flatMap((set) => set.positions);
    if (out !== undefined) {
      const made = counted(all.length, "position");
      writeWhole(out, formatPositions(game, gameName, all, `${made}: ${describeSource(args)}`));
      if (!args.quiet) note(`Written to ${out}: ${made}`);
    }
    const asked: { agent: string; file: string; answers: PositionAnswer[] }[] = [];
    const tick = count("positions", all.length * agents.length);
    try {
      for (const { name: agent, prepared } of agents)
        for (const { name: file, positions: given } of sets) {
          const answers: PositionAnswer[] = [];
          for await (const answer of askAgent(game, prepared, given, { seed, clock })) {
            answers.push(answer);
            tick();
          }
          asked.push({ agent, file, answers });
        }
    } finally {
      display.end();
    }
    if (agents.length === 0) return;
    const named = sets.map(({ name }) => name);
    const scores = [...named, ...(named.length > 1 ? ["all"] : [])].flatMap((file) =>
      agents.map(({ name: agent }) => {
        const own = asked.filter((one) => one.agent === agent && (file === "all" || one.file === file));
        return scorePositions(
          file,
          agent,
          own.flatMap(({ answers }) => answers),
        );
      }),
    );
    const format = args.json ? "json" : args.format;
    if (format === "json") {
      print(roundFigures({ game: gameName, scores, asked }));
      return;
    }
    const sections = [
      positionSection(scores),
      ...(args.failed
        ? asked.map(({ agent, file, answers }) => failedSection(`Wrong: ${agent}, ${file}`, answers))
        : []),
    ];
    if (format === "markdown") print(sections.map(markdownSection).join("\n\n"));
    else show(sections.map((section) => textSection(section, outputWidth())).join("\n\n"));
  },
});

type Source = InferredOptionTypes<typeof options> & { readonly files: readonly string[] };

/** Makes a counter of finished pieces of work, which shows progress. */
type Count = (unit: string, total: number) => () => void;

/** The game of the option, or the one that all files name. */
async function gameOf({ files, game }: Source): Promise<{ name: string; game: Game }> {
  if (game !== undefined) return { name: game, game: await gameArgument(game) };
  const named = await Promise.all(files.map((path) => gameOfPositions(path)));
  const [first] = named;
  const other = named.findIndex((one) => one !== first);
  if (first === undefined) {
    if (files.length === 0) throw new InputError("--sample needs the game: --game GAME");
    throw new InputError("names no game; write a line such as game: connect-four, or give --game", files[0]);
  }
  if (other < 0) return { name: first, game: await gameArgument(first) };
  throw new InputError(
    `has positions of ${named[other] ?? "no game"}, and ${files[0]} of ${first}`,
    files[other],
  );
}

/** Returns the judge that `--against` names; undefined without it. */
async function judgeOf(
  game: Game,
  against: string | undefined,
): Promise<((position: TestPosition) => Promise<TestPosition | undefined>) | undefined> {
  if (against === undefined) return undefined;
  if (against !== "solver" && !against.endsWith(".agon"))
    throw new InputError(
      `--against is "${against}"; allowed: solver, or a file of tables, which ends in .agon`,
    );
  const value = against === "solver" ? solverOf(game) : valueByTables(game, tablesFor(game, against));
  return async (position) => judged(game, position, value);
}

async function readSet(game: Game, path: string, { against }: Source, count: Count): Promise<PositionSet> {
  const judge = await judgeOf(game, against);
  const { positions: read, notes } = await readPositions(game, path, { mayLackRight: judge !== undefined });
  for (const text of notes) note(text);
  const name = basename(path);
  if (judge === undefined) return { name, positions: read };
  const kept: TestPosition[] = [];
  const tick = count("positions judged", read.length);
  for (const position of read) {
    const found = await judge(position);
    if (found !== undefined) kept.push(found);
    tick();
  }
  if (kept.length === 0)
    throw new InputError("has no position whose value is known and in which actions differ", path);
  return { name, positions: kept };
}

async function drawSet(game: Game, source: Source, count: Count): Promise<PositionSet> {
  const { against, by, plies = "", seed } = source;
  const wanted = parseCount("sample", source.sample!);
  const [, least, most = least] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(plies) ?? [];
  if (least === undefined || Number(most) < Number(least))
    throw new InputError(`--plies must be a number or a range such as 9-13, got "${plies}"`);
  const judge = await judgeOf(game, against);
  if (judge === undefined)
    throw new InputError("--sample needs what is right: --against solver, or --against FILE.agon");
  const tick = count("positions drawn", wanted);
  const drawn: TestPosition[] = [];
  const request = {
    count: wanted,
    plies: [Number(least), Number(most)] as const,
    seed,
    by: by === undefined ? undefined : await agentArgument(game, by),
    clock: () => performance.now(),
    judge,
  };
  for await (const position of samplePositions(game, request)) {
    drawn.push(position);
    tick();
  }
  return { name: "sample", positions: drawn };
}

/** Tells how positions were made. */
function describeSource({ files, against, plies, by = "random", seed, sample }: Source): string {
  return [
    ...files.map((path) => basename(path)),
    ...(sample === undefined ? [] : [`plies ${plies} by ${by}, seed ${seed}`]),
    ...(against === undefined ? [] : [`points are values by ${basename(against)}`]),
  ].join("; ");
}
