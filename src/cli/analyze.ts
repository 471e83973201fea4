import { writeFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import type { InferredOptionTypes } from "yargs";
import { analysePosition, type Analysis } from "../agents/analysis.ts";
import { loadTournament } from "../arena/plan/config.ts";
import { loadPlannedGame } from "../arena/plan/plan.ts";
import { InputError } from "../base/errors.ts";
import type { Game, State } from "../games/contract/game.ts";
import { formatPicture } from "../games/contract/picture.ts";
import { textSection } from "../ratings/sections/draw.ts";
import { bestActionsSection } from "../ratings/sections/best-actions.ts";
import { createSection } from "../ratings/sections/section.ts";
import { loadAgent, locateAgent } from "../specs/agents.ts";
import { configFolder, readLines } from "../specs/files/documents.ts";
import { checkWritable } from "../specs/files/write-file.ts";
import {
  agentArgument,
  describeDrawn,
  gameOrConfigArgument,
  parseCount,
  positionArgument,
} from "./shared/arguments.ts";
import { boardDrawer } from "./shared/board.ts";
import { defineCommand, formatCount, note, print, show } from "./shared/command.ts";

const options = {
  agent: { type: "string", describe: "agent:key=value,... [all entrants of the config]" },
  state: { type: "string", describe: "position in the game's notation [the start]" },
  states: { type: "string", describe: "file with a position a line; prints a JSON line for each" },
  seed: {
    type: "string",
    default: "agon",
    describe: "the agent's randomness, and the first dice, descend from it",
  },
  multipv: {
    type: "number",
    describe: "list this many of the best actions, with their values, if the agent can tell",
  },
  json: { type: "boolean", default: false, describe: "print JSON" },
  verbose: {
    type: "boolean",
    default: false,
    describe: "show each iteration of iterative deepening as it finishes; with --json a line for each",
  },
  unicode: { type: "boolean", default: false, describe: "draw pieces with Unicode symbols" },
  svg: { type: "string", describe: "file for a picture of the position, with the best action marked" },
} as const;

export const analyze = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", {
        type: "string",
        demandOption: true,
        describe: "id, id:option=value,..., or a config file",
      })
      .options(options)
      .conflicts("state", "states")
      .conflicts("svg", "states"),
  examples: [
    ["agon analyze connect-four --agent alpha-beta:depth=10,evaluator=threats", "the start"],
    ["agon analyze connect-four --agent alpha-beta:depth=12 --state 4444 --json", "after 4 4 4 4"],
    ["agon analyze tic-tac-toe --agent minimax:depth=9 --svg start.svg", "a picture, for a browser"],
    ["agon analyze chess --agent alpha-beta:timeMs=5000 --verbose", "its analysis, depth by depth"],
    ["agon analyze backgammon --agent greedy:evaluator=pubeval --multipv 5", "an opening roll"],
    ["agon analyze tic-tac-toe --agent minimax:depth=9 --states positions.txt", "many positions"],
    ["agon analyze configs/tournaments/steps.yaml", "what each entrant of a config says"],
  ],
  async handler(args) {
    if (args.agent === undefined) {
      await analyseByAll(args.game, args);
      return;
    }
    const game = await gameOrConfigArgument(args.game);
    const { privacy } = game;
    if (args.svg !== undefined) {
      if (game.picture === undefined) throw new InputError(`--svg: ${game.id} has no picture`);
      checkWritable(args.svg);
    }
    const prepared = await agentArgument(game, args.agent);
    const ranked = args.multipv === undefined ? undefined : parseCount("multipv", args.multipv);
    const clock = () => performance.now();
    const board = boardDrawer(game, args.unicode);
    const draw = (state: State) =>
      privacy === undefined ? board(state) : privacy.formatView(state, state.toMove);
    const analyse = (state: State, onIteration: (analysis: Analysis) => void) =>
      analysePosition({
        game,
        prepared,
        state,
        seed: args.seed,
        clock,
        onIteration: args.verbose ? onIteration : undefined,
        ranked,
      });
    if (args.states !== undefined) {
      // All positions are parsed before the first is analysed. Only their texts are kept, since a state may be far
      // larger.
      const states = readLines(args.states, (text) => {
        game.parseState(text);
        return text;
      });
      for (const text of states) {
        const tell = (analysis: Analysis) => print(JSON.stringify({ state: text, ...analysis }));
        tell(await analyse(game.parseState(text), tell));
      }
      return;
    }
    const { state, chance } = positionArgument(game, args.state, args.seed);
    if (args.json) {
      const drawn = chance.length === 0 ? {} : { state: game.formatState(state), chance };
      const tell = (analysis: Analysis) => print(JSON.stringify({ ...drawn, ...analysis }));
      const analysis = await analyse(state, tell);
      tell(analysis);
      if (args.svg !== undefined) await savePicture(args.svg, game, { state, analysis });
      return;
    }
    const showPosition = () => {
      print(`${draw(state)}\n`);
      // In games of hidden information the view has what the player to move knows of it.
      if (chance.length === 0 || privacy !== undefined) return;
      show(`${describeDrawn(chance, args.seed)}\n`);
    };
    let rows = 0;
    const analysis = await analyse(state, (iteration) => {
      if (rows++ === 0) showPosition();
      if (rows === 1) show(ITERATION_HEAD);
      show(formatIteration(iteration));
    });
    if (rows === 0) showPosition();
    else print("");
    show(formatAnalysis(analysis));
    if (analysis.best !== undefined) show(`\n${textSection(bestActionsSection(analysis.best))}`);
    else if (args.multipv !== undefined)
      note(`${args.agent} tells of its choice alone: no values of other actions`);
    if (args.svg !== undefined) await savePicture(args.svg, game, { state, analysis });
  },
});

/** Prints what each entrant of a config says of one position. Throws InputError for options that are for one agent. */
async function analyseByAll(config: string, given: InferredOptionTypes<typeof options>): Promise<void> {
  if (!/\.(ya?ml|json)$/i.test(config))
    throw new InputError("--agent is missing; only a config has agents of its own");
  const { json, seed, states, svg, multipv, verbose } = given;
  const alone = Object.entries({ states, svg, multipv, verbose: verbose || undefined });
  for (const [name, value] of alone)
    if (value !== undefined) throw new InputError(`--${name} is for one agent: name it with --agent`);
  const folder = configFolder(config);
  const plan = await loadTournament(config);
  const game = await loadPlannedGame(plan, folder);
  const { state } = positionArgument(game, given.state, seed);
  const clock = () => performance.now();
  const rows = [];
  for (const { name, spec } of plan.entrants) {
    const prepared = await loadAgent(game, locateAgent(spec, folder));
    rows.push({ name, ...(await analysePosition({ game, prepared, state, seed, clock })) });
  }
  if (json) {
    for (const row of rows) print(JSON.stringify(row));
    return;
  }
  const table = createSection({}, rows, [
    { head: "entrant", kind: "name", cell: ({ name }) => name },
    { head: "action", kind: "text", cell: ({ action }) => action },
    { head: "value", cell: ({ value }) => (value === null ? "-" : value.toFixed(4)) },
    { head: "depth", cell: ({ depth }) => depth ?? "-" },
    { head: "nodes", cell: ({ nodes }) => nodes },
    { head: "time ms", cell: ({ timeMs }) => timeMs.toFixed(1) },
  ]);
  show(textSection(table));
}

/** Writes the picture of an analysed position, of a game that has one, as an SVG file. */
async function savePicture(
  path: string,
  game: Game,
  { state, analysis }: { readonly state: State; readonly analysis: Analysis },
): Promise<void> {
  const action = game.parseAction(analysis.action, state);
  const svg = formatPicture(game.picture!, state, {
    marked: game.picture!.touches(state, action),
    title: `${game.id}: ${game.formatState(state)}, best ${analysis.action}`,
  });
  writeFileSync(path, svg);
  note(`Written to ${path}`);
}

function formatAnalysis(analysis: Analysis): string {
  const perSecond =
    analysis.nodes > 0 && analysis.timeMs > 0
      ? ` (${formatCount((analysis.nodes / analysis.timeMs) * 1000)}/s)`
      : "";
  return [
    `action  ${analysis.action}`,
    `value   ${analysis.value === null ? "no view" : analysis.value.toFixed(4)} for the player to move`,
    `depth   ${analysis.depth ?? "-"}`,
    `nodes   ${analysis.nodes}${perSecond}`,
    `time    ${analysis.timeMs.toFixed(1)} ms`,
    `line    ${analysis.line.join(" ")}`,
  ].join("\n");
}

/** The head of the table whose rows `formatIteration` makes. */
const ITERATION_HEAD =
  "depth     value        nodes     time ms  line\n-----  --------  -----------  ----------  ----";

/** One finished iteration as a row of a table. */
function formatIteration({ depth, value, nodes, timeMs, line }: Analysis): string {
  return [
    String(depth ?? "-").padStart(5),
    (value === null ? "-" : value.toFixed(4)).padStart(9),
    String(nodes).padStart(12),
    timeMs.toFixed(1).padStart(11),
    ` ${line.join(" ")}`,
  ].join(" ");
}
