import process from "node:process";
import { agents as allAgents } from "../agents/index.ts";
import type { OptionDescription } from "../base/check.ts";
import { counted, padEnd } from "../base/text.ts";
import { games as allGames } from "../games/index.ts";
import {
  type AgentDescription,
  describeAgents,
  describeGames,
  type GameDescription,
} from "../specs/catalogue.ts";
import { locateName } from "../specs/references.ts";
import { defineCommand, print, show } from "./shared/command.ts";

interface Named {
  readonly id: string;
  readonly summary: string;
}

/** The line about the games that have a board for n-tuples: asking the games would take longer than all the rest. */
const TUPLE_GAMES_LINE =
  "Evaluators of the kind n-tuple learn othello, checkers, breakthrough, connect-four, hex, sliding-puzzle.";

export const games = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("id", { type: "string", describe: "one game, in full; a file of your own too" })
      .option("json", { type: "boolean", default: false, describe: "print JSON" }),
  examples: [
    ["agon games", "all of them"],
    ["agon games connect-four", "one in full"],
    ["agon games ./my-game.ts", "one of your own"],
  ],
  async handler(args) {
    if (args.id === undefined && !args.json) {
      show(`${listOf(allGames)}\n\n${TUPLE_GAMES_LINE}`);
      return;
    }
    const list = await describeGames(args.id && locateName("game", args.id, process.cwd()));
    if (args.json) print(JSON.stringify(list, null, 2));
    else show(list.map(formatGame).join("\n"));
  },
});

export const agents = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("id", { type: "string", describe: "one agent, in full; a file of your own too" })
      .option("json", { type: "boolean", default: false, describe: "print JSON" }),
  examples: [
    ["agon agents", "all of them"],
    ["agon agents mcts", "one in full"],
    ["agon agents ./my-agent.ts", "one of your own"],
  ],
  async handler(args) {
    if (args.id === undefined && !args.json) {
      show(listOf(allAgents));
      return;
    }
    const list = await describeAgents(args.id && locateName("agent", args.id, process.cwd()));
    if (args.json) print(JSON.stringify(list, null, 2));
    else show(list.map(formatAgent).join("\n"));
  },
});

/** A line for each of them. */
function listOf(families: Readonly<Record<string, Named>>): string {
  return Object.values(families).map(headOf).join("\n");
}

function headOf({ id, summary }: Named): string {
  return `${padEnd(id, 21)}${summary}`;
}

function formatGame(game: GameDescription): string {
  const traits = Object.entries(game.traits ?? {}).map(([name, value]) => `${name}: ${String(value)}`);
  return [
    headOf(game),
    ...formatOptions(game.options),
    ...section("traits", traits),
    ...section("heuristics", named(game.heuristics)),
    ...section("policies", named(game.policies)),
    ...section(
      "features",
      (game.features ?? []).map(
        ({ name, summary, size }) => `${padEnd(name, 16)} ${size} features: ${summary}`,
      ),
    ),
    ...section("n-tuples", game.tupleBoard === undefined ? [] : describeBoard(game.tupleBoard)),
    ...section("agents", game.agents === undefined ? [] : [game.agents.join(", ")]),
  ].join("\n");
}

/** The board that networks of the kind n-tuple read, and its sets of tuples. */
function describeBoard({
  cells,
  digits,
  symmetries,
  sets,
}: NonNullable<GameDescription["tupleBoard"]>): string[] {
  return [
    `${cells} cells of ${digits} digits, ${symmetries === 1 ? "no symmetry" : `${symmetries} symmetries`}`,
    ...sets.map(
      ({ name, summary, tuples, entries }) =>
        `${padEnd(name, 16)} ${counted(tuples, "tuple")}, ${entries} weights: ${summary}`,
    ),
  ];
}

function formatAgent(agent: AgentDescription): string {
  return [
    headOf(agent),
    ...section("budget", [agent.budgets.join(", ") || "none needed"]),
    ...formatOptions(agent.options),
    ...section("presets: preset=NAME stands for several options", formatPresets(agent.presets)),
    ...section("games", [agent.games.join(", ") || "none of those that ship"]),
  ].join("\n");
}

function formatPresets(presets: AgentDescription["presets"] = {}): string[] {
  return Object.entries(presets).map(([name, { summary, options }]) => {
    const all = Object.entries(options).map(([key, value]) => `${key}=${String(value)}`);
    return `${padEnd(name, 16)} ${summary}: ${all.join(",")}`;
  });
}

function named(list: readonly { readonly name: string; readonly summary: string }[] = []): string[] {
  return list.map(({ name, summary }) => `${padEnd(name, 16)} ${summary}`);
}

function formatOptions(options: readonly OptionDescription[]): string[] {
  return section(
    "options",
    options.map(({ name, description, default: fallback }) => {
      const shown = fallback === undefined ? "" : ` [${JSON.stringify(fallback)}]`;
      return `${padEnd(name, 16)} ${description}${shown}`;
    }),
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`  ${title}`, ...lines.map((line) => `    ${line}`)];
}
