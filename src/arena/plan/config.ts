import { dirname, resolve } from "node:path";
import { z } from "zod";
import { checkParts, Problems, type Parts } from "../../base/problems.ts";
import { formatOf } from "../formats/index.ts";
import { budgetSchema } from "../../agents/agent.ts";
import type { Game, GameSpec } from "../../game/game.ts";
import { entrantSchema, planEntrants, type Entrant } from "../../specs/agents.ts";
import { tryGame } from "../../specs/hosts.ts";
import { referTo, ResolvedAgent } from "../../specs/references.ts";
import { readDocument } from "../../files/documents.ts";
import { gameIdOf, gameSchema, loadGame, locateGame, parseOpening } from "../../specs/games.ts";
import {
  hasObjects,
  type GivenObjects,
  ObjectTaker,
  takeAt,
  type WrittenAgent,
  type WrittenGame,
} from "../../specs/families.ts";
import { MOST_ANCHOR_ELO } from "../../ratings/elo/rate.ts";
import { hashCode } from "../../plugins/code.ts";
import { DEFAULT_HOSTS } from "../../players/hosted-agent.ts";
import { DEFAULT_MEMORY_MB } from "../play/worker-fork.ts";
import {
  MAX_BLOCKS,
  MAX_RANDOM_PLIES,
  OBJECTS,
  planGame,
  type FormatSpec,
  type Openings,
  type TournamentPlan,
} from "./plan.ts";
import { longestMove, planTime, timeSchema, type TimeControl } from "./time-control.ts";
import {
  entrantJsonSchema,
  gameJsonSchema,
  hoistDefinitions,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";

/** Each pairing takes memory while its games are played and rated. */
const MAX_PAIRINGS = 250_000;
/** The most games of a tournament: days of play, even if a game takes microseconds. */
const MAX_GAMES = 1e9;

/** The longest decision without a time control, in ms. */
const DEFAULT_TIMEOUT_MS = 60_000;

/** The shape of a tournament file. Games, agents and their options are checked after it. */
export const tournamentSchema = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]+$/, "must consist of letters, digits, - _ and .")
    .describe("names the run's folder"),
  game: gameSchema,
  seed: z.union([z.string(), z.number()]).default("agon").describe("every random choice descends from it"),
  blocks: z
    .int()
    .min(1)
    .max(MAX_BLOCKS)
    .describe("blocks for each pairing; a block is one opening played under every seat rotation"),
  format: z
    .union([
      z.literal("round-robin"),
      z.discriminatedUnion("type", [
        z.strictObject({ type: z.literal("round-robin") }),
        z.strictObject({
          type: z.literal("sample"),
          pairings: z
            .int()
            .min(1)
            .max(MAX_PAIRINGS)
            .describe(
              "draw this many of the sets of entrants that could meet; every entrant is in as many as any other, or one more",
            ),
        }),
      ]),
    ])
    .optional()
    .describe("the pairings [round-robin: every set of as many entrants as the game has players]"),
  lineUps: z
    .int()
    .min(1)
    .max(MAX_PAIRINGS)
    .optional()
    .describe("an earlier name: `lineUps: N` is `format: { type: sample, pairings: N }`"),
  openings: z
    .union([
      z.strictObject({
        randomPlies: z
          .int()
          .min(0)
          .max(MAX_RANDOM_PLIES)
          .describe("random plies before the agents take over"),
      }),
      z.strictObject({
        lines: z.array(z.string()).min(1).describe("actions, separated by blanks, in the game's notation"),
      }),
    ])
    .default({ randomPlies: 0 })
    .describe("the plies before the agents take over"),
  budget: budgetSchema.default({}).describe("limits of entrants that name none"),
  time: timeSchema
    .optional()
    .describe(
      "the clocks of the players, in seconds: { main, increment } and so on, or short as 10+0.1, 40/60, 60+5x10, 0.5/move",
    ),
  moveTimeoutMs: z
    .number()
    .min(100)
    .optional()
    .describe(
      `an agent that takes longer for one decision forfeits the game [${DEFAULT_TIMEOUT_MS}; with \`time\` that and ten times the main time]`,
    ),
  memoryMb: z
    .int()
    .min(256)
    .optional()
    .describe(
      `megabytes that the process of a worker may take; an agent that takes more forfeits the game [${DEFAULT_MEMORY_MB}]`,
    ),
  hosts: z
    .int()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      `processes of players that a worker keeps, besides those of the game at hand; the one used longest ago ends first [${DEFAULT_HOSTS}]`,
    ),
  thoughts: z
    .boolean()
    .default(true)
    .describe("true if stored games keep the agents' thoughts: values, depths, nodes, times, lines"),
  anchor: z
    .strictObject({ entrant: z.string(), elo: z.number().min(-MOST_ANCHOR_ELO).max(MOST_ANCHOR_ELO) })
    .optional()
    .describe("the entrant whose rating is fixed; without it the mean is 0"),
  rankBy: z
    .enum(["elo", "return"])
    .optional()
    .describe(
      "the figure that orders the table [elo; the mean return in games whose returns do not sum to zero]",
    ),
  entrants: z.array(entrantSchema).min(1).describe("the agents, each in short form or as a mapping"),
});
/** A tournament as a person writes it, or a program, which may write games and agents as objects. */
export type TournamentConfig = Omit<z.input<typeof tournamentSchema>, "game" | "entrants"> & {
  readonly game: WrittenGame;
  readonly entrants: readonly (WrittenAgent | (WrittenAgent & { readonly name?: string }))[];
};
type Checked = z.output<typeof tournamentSchema>;

/** Reads and checks a tournament file; throws InputError with all its problems. */
export async function loadTournament(path: string): Promise<TournamentPlan> {
  return planTournament(readDocument(path), { baseDir: dirname(resolve(path)), source: path });
}

/**
 * Checks a tournament. Relative paths in it are taken from the folder `baseDir` [the current one]. The object that
 * `defineGame` or `defineAgent` returned may stand in place of the id or path of a game or an agent. Throws InputError
 * with all problems.
 */
export async function planTournament(
  config: unknown,
  { baseDir = ".", source = "" }: { baseDir?: string; source?: string } = {},
): Promise<TournamentPlan> {
  const problems = new Problems();
  const taker = new ObjectTaker();
  const data = problems.at([], () =>
    takeAt(
      takeAt(config, "game", (given) => taker.game(given)),
      "entrants",
      (given) => taker.agent(given),
    ),
  );
  // A check of the rest would only confuse.
  problems.throwIfAny(source);
  const { objects } = taker;
  const parts = checkParts(tournamentSchema, data, problems);
  const located = parts.game === undefined ? undefined : locateGame(parts.game, baseDir);
  const game =
    located === undefined
      ? undefined
      : await problems.atAsync(["game"], async () => loadTriedGame(located, objects));
  const entrants = await planEntrants(parts.entrants ?? [], {
    game,
    baseDir,
    limits: { budget: parts.budget ?? {}, hasClocks: parts.time !== undefined },
    agents: objects.agents,
    path: ["entrants"],
    problems,
  });
  if (game !== undefined && checkCount(entrants.length, game, problems)) checkSize(parts, game, problems);
  const names = entrants.map(({ name }) => name);
  if (parts.anchor !== undefined && !names.includes(parts.anchor.entrant)) {
    problems.add(
      ["anchor", "entrant"],
      `"${parts.anchor.entrant}" is no entrant; allowed: ${names.join(", ")}`,
    );
  }
  const openings = game && parts.openings && planOpenings(parts.openings, game, problems);
  const given = parts.time;
  const time = given === undefined ? undefined : problems.at(["time"], () => planTime(given));
  problems.throwIfAny(source);
  const { name, seed, blocks, memoryMb, hosts, thoughts, anchor, rankBy } = parts as Checked;
  return {
    ...planGame(game!, gameIdOf(located!)),
    name,
    ...withCode("gameCode", referTo("game", gameIdOf(located!)).code),
    seed: String(seed),
    format: planFormat(parts),
    blocks,
    openings: openings!,
    ...(time === undefined ? {} : { time }),
    moveTimeoutMs: parts.moveTimeoutMs ?? timeoutOf(time),
    ...(memoryMb === undefined ? {} : { memoryMb }),
    ...(hosts === undefined ? {} : { hosts }),
    entrants: entrants.map(withCodeOf),
    rankBy: rankBy ?? (game!.zeroSum ? "elo" : "return"),
    ...(thoughts ? {} : { thoughts }),
    ...(anchor === undefined ? {} : { anchor }),
    ...(hasObjects(objects) && { [OBJECTS]: objects }),
  };
}

/** Loads the game of a config: if it is a user's file, in a process of its own first, as it may hang. */
async function loadTriedGame(spec: GameSpec, objects: GivenObjects): Promise<Game> {
  if (referTo("game", gameIdOf(spec)).kind === "code") await tryGame(spec);
  return loadGame(spec, objects);
}

/** The longest decision, in ms: its flag should fall before, on a busy machine too. */
function timeoutOf(time: TimeControl | undefined): number {
  return DEFAULT_TIMEOUT_MS + (time === undefined ? 0 : 10 * longestMove(time));
}

function withCodeOf(entrant: Entrant): Entrant {
  return { ...entrant, ...withCode("code", new ResolvedAgent(entrant.spec).code) };
}

/** The hash of the files' code under `key`; empty without files. */
function withCode<Key extends string>(key: Key, files: readonly string[]): { readonly [K in Key]?: string } {
  const hash = hashCode(files);
  return (hash === undefined ? {} : { [key]: hash }) as { readonly [K in Key]?: string };
}

function checkCount(entrants: number, game: Game, problems: Problems): boolean {
  const needed = Math.max(2, game.players);
  if (entrants < needed) problems.add(["entrants"], `${entrants} given; ${game.id} needs at least ${needed}`);
  return entrants >= needed;
}

/** The format in the form of plans. */
function planFormat({ format, lineUps }: Parts<Checked>): FormatSpec {
  if (lineUps !== undefined) return { type: "sample", pairings: lineUps };
  return typeof format === "object" ? format : { type: "round-robin" };
}

/** Checks that the format fits, and how large the tournament is. The games are counted, not made. */
function checkSize(parts: Parts<Checked>, { players }: Game, problems: Problems): void {
  const { entrants = [], blocks = 1, lineUps } = parts;
  if (lineUps !== undefined && parts.format !== undefined) {
    problems.add(["lineUps"], "is an earlier name of a format: leave it out beside `format`");
    return;
  }
  const format = planFormat(parts);
  const path = lineUps !== undefined ? ["lineUps"] : ["format", "pairings"];
  const plan = { format, entrants, players, blocks, seed: "" };
  const games = problems.at(path, () => formatOf(plan).size(plan).most);
  if (games === undefined) return;
  const pairings = Math.round(games / players / blocks);
  if (pairings > MAX_PAIRINGS) {
    problems.add(
      ["entrants"],
      `${entrants.length} entrants can meet in ${pairings} pairings of ${players}; at most ${MAX_PAIRINGS} are played: ` +
        "draw some of them with a format of type sample",
    );
    return;
  }
  if (games > MAX_GAMES) {
    problems.add(
      ["blocks"],
      `${pairings} pairings of ${players} with ${blocks} blocks are ${games} games; at most ${MAX_GAMES}: ` +
        "take fewer blocks, or fewer pairings with a format of type sample",
    );
  }
}

function planOpenings(openings: Checked["openings"], game: Game, problems: Problems): Openings {
  if ("randomPlies" in openings) return openings;
  const read = (line: string, index: number) =>
    problems.at(["openings", "lines", index], () => parseOpening(game, line)) ?? [];
  return { lines: openings.lines.map(read) };
}

/** JSON Schema of tournament files, for editors: every game and agent with its options. */
export function tournamentJsonSchema(): JsonSchema {
  const schema = toJsonSchema(tournamentSchema) as { properties: Record<string, JsonSchema> };
  return hoistDefinitions({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "agon tournament",
    ...schema,
    properties: {
      ...schema.properties,
      game: gameJsonSchema(),
      entrants: { ...schema.properties["entrants"], minItems: 2, items: entrantJsonSchema() },
    },
  });
}
