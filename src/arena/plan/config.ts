import { basename, resolve } from "node:path";
import type { z } from "zod";
import { checkParts, Problems, type Parts } from "../../base/check.ts";
import { DEFAULT_ROUND } from "../formats/format.ts";
import { formatOf } from "../formats/index.ts";
import { createLuckMeter } from "../results/luck.ts";
import type { Game, GameSpec } from "../../games/contract/game.ts";
import { aboutOf } from "../../base/about.ts";
import { planEntrants, withHashes, type Entrant } from "../../specs/agents.ts";
import { enterBots } from "../../specs/bots.ts";
import { patienceOf } from "../../players/chat/agent.ts";
import { isChat, tryGame } from "../../specs/hosts.ts";
import { locateName, referTo } from "../../specs/references.ts";
import { planDocument } from "../../specs/files/documents.ts";
import { gameIdOf, loadGame, locateGame, parseOpening } from "../../specs/games.ts";
import {
  hasObjects,
  type GivenObjects,
  ObjectTaker,
  takeAt,
  type WrittenAgent,
  type WrittenGame,
} from "../../specs/families.ts";
import { hashCode } from "../../specs/plugins/portable-code.ts";
import {
  MAX_PAIRINGS,
  OBJECTS,
  ORIGIN,
  planGame,
  type FormatSpec,
  type ListedOpenings,
  type Openings,
  type TournamentPlan,
} from "./plan.ts";
import { listsPositions, longestOpening, readOpenings, readSetups } from "./opening-file.ts";
import { setupOf } from "../../games/contract/setups.ts";
import { checkAdjudication } from "./adjudication.ts";
import { longestMove, planOwnTime, planTime, type TimeControl, type WrittenTime } from "./time-control.ts";
import { DEFAULT_TIMEOUT_MS, tournamentSchema, type CheckedTournament } from "./tournament-schema.ts";

/** The most games of a tournament: days of play, even if a game takes microseconds. */
const MAX_GAMES = 1e9;

/** Formats of which a format of type sample plays a part. */
const DRAWABLE: ReadonlySet<string> = new Set(["round-robin", "sample"]);

/** A tournament as a person writes it, or a program, which may write games and agents as objects. */
export type TournamentConfig = Omit<z.input<typeof tournamentSchema>, "game" | "entrants"> & {
  readonly game: WrittenGame;
  readonly entrants: readonly (
    | WrittenAgent
    | (WrittenAgent & { readonly name?: string; readonly time?: WrittenTime })
  )[];
};

/** Reads and checks a tournament file; throws InputError with all its problems. */
export async function loadTournament(path: string, options: { note?: Note } = {}): Promise<TournamentPlan> {
  return planDocument(path, (document, from) => planTournament(document, { ...from, ...options }));
}

/** Takes notes for the user on how files were read. */
export type Note = (text: string) => void;

/**
 * Checks a tournament. Relative paths in it are taken from the folder `baseDir` [the current one]. The object that
 * `defineGame` or `defineAgent` returned may stand in place of the id or path of a game or an agent. Throws InputError
 * with all problems.
 * @param options.format a format that configs cannot name [the config's]
 * @param options.note takes notes for the user on how files were read
 */
export async function planTournament(
  config: unknown,
  {
    baseDir = ".",
    source = "",
    format: unwritten,
    note = () => {},
  }: { baseDir?: string; source?: string; format?: FormatSpec; note?: Note } = {},
): Promise<TournamentPlan> {
  const problems = new Problems();
  const taker = new ObjectTaker();
  const entered = problems.at(["entrants"], () => withBots(config, baseDir));
  const data = problems.at([], () =>
    takeAt(
      takeAt(entered, "game", (given) => taker.game(given)),
      "entrants",
      (given) => taker.agent(given),
    ),
  );
  // A check of the rest would only confuse.
  problems.throwIfAny(source);
  const { objects } = taker;
  const parts = checkParts(tournamentSchema, data, problems);
  const format = unwritten ?? planFormat(parts);
  const located = parts.game === undefined ? undefined : locateGame(parts.game, baseDir);
  if (typeof located === "object" && Object.hasOwn(located, "setups"))
    problems.add(
      ["game", "setups"],
      "is no option; positions to begin at stand in a file: openings: { file: list.fen }",
    );
  const plain =
    located === undefined
      ? undefined
      : await problems.atAsync(["game"], async () => loadTriedGame(located, objects));
  const { openings, setups } =
    plain === undefined || parts.openings === undefined
      ? {}
      : await planOpenings(parts.openings, { game: plain, baseDir, problems, note });
  const game =
    setups === undefined
      ? plain
      : await problems.atAsync(["openings", "file"], async () => {
          return loadGame({ ...(typeof located === "string" ? { id: located } : located!), setups }, objects);
        });
  const given = parts.time;
  const time = given === undefined ? undefined : problems.at(["time"], () => planTime(given));
  const written = (parts.entrants ?? []).map(withoutTime);
  const ownTimes = written.map(({ own }, at) =>
    own === undefined
      ? undefined
      : problems.at(["entrants", at, "time"], () =>
          planOwnTime(own, { of: time, isGiven: given !== undefined }),
        ),
  );
  const entrants = await planEntrants(
    written.map(({ entrant }) => entrant),
    {
      game,
      baseDir,
      limits: { budget: parts.budget ?? {}, hasClocks: parts.time !== undefined },
      agents: objects.agents,
      path: ["entrants"],
      problems,
    },
  );
  if (game !== undefined && checkCount(entrants.length, { format, game, problems }))
    checkSize({ ...parts, entrants }, { format, game, problems });
  const names = entrants.map(({ name }) => name);
  if (parts.anchor !== undefined && !names.includes(parts.anchor.entrant)) {
    problems.add(
      ["anchor", "entrant"],
      `"${parts.anchor.entrant}" is no entrant; allowed: ${names.join(", ")}`,
    );
  }
  if (
    parts.maxCost !== undefined &&
    entrants.every(({ spec }) => !isChat(spec) || spec["price"] === undefined)
  )
    problems.add(["maxCost"], "no entrant is a chat model with a price");
  const patiences = entrants.map(({ spec }) => (isChat(spec) ? patienceOf(spec) : 0));
  const luck = game && parts.luck && planLuck(parts.luck, { game, baseDir, problems });
  if (parts.rankBy === "adjusted-return" && parts.luck === undefined)
    problems.add(["rankBy"], "adjusted-return needs `luck`, the evaluator that takes luck out");
  const adjudicate = parts.adjudicate && {
    ...parts.adjudicate,
    ...(parts.adjudicate.tables && { tables: locateName("tables", parts.adjudicate.tables, baseDir) }),
  };
  if (game !== undefined && adjudicate !== undefined)
    checkAdjudication(adjudicate, {
      game,
      baseDir,
      openingPlies: openings === undefined ? 0 : longestOpening(game, openings),
      problems,
    });
  problems.throwIfAny(source);
  const {
    name,
    seed,
    blocks,
    round = DEFAULT_ROUND,
    memoryMb,
    maxCost,
    hosts,
    affinity,
    thoughts,
    anchor,
    rankBy,
  } = parts as CheckedTournament;
  const gameCode = hashCode(referTo("game", gameIdOf(located!)).code);
  return {
    ...planGame(game!, gameIdOf(located!)),
    name,
    ...aboutOf(parts),
    ...(gameCode && { gameCode }),
    seed: String(seed),
    format,
    blocks,
    ...(formatOf({ format }).takesRound === true ? { round } : {}),
    openings: openings!,
    ...(time === undefined ? {} : { time }),
    ...(adjudicate === undefined ? {} : { adjudicate }),
    moveTimeoutMs: parts.moveTimeoutMs ?? Math.max(...[time, ...ownTimes].map(timeoutOf), ...patiences),
    ...(memoryMb === undefined ? {} : { memoryMb }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(hosts === undefined ? {} : { hosts }),
    ...(affinity ? { affinity } : {}),
    entrants: entrants.map((entrant, at) => {
      const own = ownTimes[at];
      return { ...withHashes(entrant), ...(own && { time: own }) };
    }),
    rankBy: rankBy ?? (game!.zeroSum ? "elo" : "return"),
    ...(luck === undefined ? {} : { luck }),
    ...(thoughts ? {} : { thoughts }),
    ...(anchor === undefined ? {} : { anchor }),
    ...(hasObjects(objects) && { [OBJECTS]: objects }),
    [ORIGIN]: { folder: baseDir, ...(source !== "" && { path: source }) },
  };
}

type GivenEntrant = NonNullable<Parts<CheckedTournament>["entrants"]>[number];

/** An entrant of a config apart from its time control. */
function withoutTime(given: GivenEntrant): { entrant: GivenEntrant; own?: unknown } {
  if (typeof given !== "object" || !Object.hasOwn(given, "time")) return { entrant: given };
  const { time: own, ...entrant } = given;
  return { entrant, own };
}

/** The config with the bots that its entrants name by a pattern. */
function withBots(config: unknown, baseDir: string): unknown {
  if (typeof config !== "object" || config === null || !Object.hasOwn(config, "entrants")) return config;
  return { ...config, entrants: enterBots((config as { entrants: unknown }).entrants, baseDir) };
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

function checkCount(
  entrants: number,
  { format, game, problems }: { format: FormatSpec; game: Game; problems: Problems },
): boolean {
  const { copies, joins } = formatOf({ format });
  const needed = joins === true ? 1 : copies === true ? 2 : Math.max(2, game.players);
  if (entrants < needed) problems.add(["entrants"], `${entrants} given; ${game.id} needs at least ${needed}`);
  return entrants >= needed;
}

/** The format in the form of plans. */
function planFormat({ format }: Pick<Parts<CheckedTournament>, "format">): FormatSpec {
  return typeof format === "object" ? format : { type: format ?? "round-robin" };
}

/** Checks that the format fits, and how large the tournament is. The games are counted, not made. */
function checkSize(
  parts: Omit<Parts<CheckedTournament>, "entrants"> & { readonly entrants: readonly Entrant[] },
  { format, game, problems }: { format: FormatSpec; game: Game; problems: Problems },
): void {
  const { players } = game;
  const { entrants, blocks = 1, round } = parts;
  if (round !== undefined && formatOf({ format }).takesRound !== true)
    problems.add(
      ["round"],
      `is for formats that decide round by round, such as sprt: leave it out with ${format.type}`,
    );
  const path = format.type === "sample" ? ["format", "pairings"] : ["format"];
  const plan = { format, entrants, players, blocks, round, seed: "" };
  const games = problems.at(path, () => formatOf(plan).size(plan).most);
  if (games === undefined) return;
  const pairings = Math.round(games / players / blocks);
  const draw = DRAWABLE.has(format.type);
  if (pairings > MAX_PAIRINGS) {
    problems.add(
      ["entrants"],
      `${entrants.length} entrants can meet in ${pairings} pairings of ${players}; at most ${MAX_PAIRINGS} are played: ` +
        (draw ? "draw some of them with a format of type sample" : "take fewer entrants"),
    );
    return;
  }
  if (games > MAX_GAMES) {
    problems.add(
      ["blocks"],
      `${pairings} pairings of ${players} with ${blocks} blocks are ${games} games; at most ${MAX_GAMES}: ` +
        `take fewer blocks, or fewer ${draw ? "pairings with a format of type sample" : "entrants"}`,
    );
  }
}

async function planOpenings(
  openings: CheckedTournament["openings"],
  { game, baseDir, problems, note }: { game: Game; baseDir: string; problems: Problems; note: Note },
): Promise<{ readonly openings?: Openings | undefined; readonly setups?: readonly string[] }> {
  if ("randomPlies" in openings) return { openings };
  if ("lines" in openings) {
    const read = (line: string, index: number) =>
      problems.at(["openings", "lines", index], () => parseOpening(game, line)) ?? [];
    return { openings: { lines: openings.lines.map(read) } };
  }
  if ("starts" in openings) {
    const { starts } = game;
    if (starts === undefined)
      problems.add(
        ["openings", "starts"],
        `${game.id} has one start here; chess has 960 with chess960: true`,
      );
    return startsOf(game, starts ?? [], { order: "random" });
  }
  const { file, order, plies, strict } = openings;
  const path = resolve(baseDir, file);
  const of = { file: basename(file), order };
  if (listsPositions(file) && plies !== undefined)
    problems.add(["openings", "plies"], "is for files of moves; a position has none: leave it out");
  const found = await problems.atAsync(["openings", "file"], async () =>
    listsPositions(file) ? readSetups(game, path, { strict }) : readOpenings(game, path, { plies, strict }),
  );
  for (const line of found?.notes ?? []) note(line);
  const { setups, lines } = found ?? {};
  if (setups === undefined) return { openings: lines && { lines, ...of } };
  return startsOf(game, setups, of);
}

/** Positions as openings that choose them. */
function startsOf(
  game: Game,
  setups: readonly string[],
  of: Omit<ListedOpenings, "lines">,
): { readonly openings: Openings; readonly setups: readonly string[] } {
  return { openings: { lines: setups.map((_, at) => setupOf(game, setups.length, at)), ...of }, setups };
}

/** Checks that the evaluator can take luck out of the game's returns; returns its name, a file's as an absolute path. */
function planLuck(
  name: string,
  { game, baseDir, problems }: { game: Game; baseDir: string; problems: Problems },
): string {
  problems.at(["luck"], () => createLuckMeter(game, name, baseDir));
  return locateName("evaluator", name, baseDir);
}
