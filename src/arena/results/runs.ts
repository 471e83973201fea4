import { basename, extname, join } from "node:path";
import { InputError } from "../../base/errors.ts";
import { createGame, games } from "../../games/index.ts";
import { chosenTournament } from "../formats/adaptive.ts";
import { formatOf } from "../formats/index.ts";
import { describeSprt } from "../formats/sprt.ts";
import { refuseTuning } from "../formats/tune.ts";
import { canonicalJson } from "../../base/plain.ts";
import { gameOf, differences, gamesOfBlock, type TournamentPlan } from "../plan/plan.ts";
import { describeShortage } from "../plan/plan-warnings.ts";
import { formatTime } from "../plan/time-control.ts";
import { writeWhole } from "../../specs/files/write-file.ts";
import { referTo } from "../../specs/references.ts";
import type { Past } from "../formats/format.ts";
import { storedRounds, type Rounds } from "../schedule/rounds.ts";
import { loadChatUse } from "./chat-use.ts";
import { loadClockUse } from "./clocks.ts";
import { loadDeeds } from "./deeds.ts";
import { luckOfRun } from "./luck.ts";
import { exploitabilitiesOf, withExploitabilities, type Exploitabilities } from "./exploitability.ts";
import { formatReport, type ReportFormat } from "../../ratings/sections/format-report.ts";
import { formatResults, needsRounds } from "./format-results.ts";
import type { ChatUse, ClockUse, DeedCounts, RunReport } from "../../ratings/format-results.ts";
import { createReport, type Report, type ReportInput } from "../../ratings/report.ts";
import type { Anchor } from "../../ratings/elo/scale.ts";
import type { LuckSource } from "../../ratings/luck.ts";
import type { GameRecord, GameSource } from "../../ratings/record.ts";
import type { SprtCounts, SprtReport } from "../../ratings/sprt/sequential-test.ts";
import { rulesOf, makeOf } from "../store/run-folder.ts";
import { RunGames, type StoredRun } from "../store/run-games.ts";
import { Store } from "../store/store.ts";

/** One or several stored runs, their entrants in one list. */
export interface LoadedRuns extends ReportInput {
  /** The plan of the first run. */
  readonly plan: TournamentPlan;
  /** Each iteration reads them from the stores. */
  readonly records: GameSource;
  /** Warnings about the plans, and notes about names. */
  readonly warnings: readonly string[];
}

/** The parts of a report of one run beside the ratings of its games. */
export interface Details {
  /** Tells the luck of games [none]. */
  readonly luck?: LuckSource | undefined;
  /** The result of `loadRounds`; without it, the results of formats of several rounds are left out. */
  readonly past?: Past | undefined;
  /** The result of `loadClockUse` [none]. */
  readonly clocks?: readonly ClockUse[] | undefined;
  /** The result of `loadChatUse` [none]. */
  readonly chat?: readonly ChatUse[] | undefined;
  /** The result of `loadDeeds` [none]. */
  readonly deeds?: readonly DeedCounts[] | undefined;
  readonly exploitabilities?: Exploitabilities | undefined;
}

/** Loads the details of the run in `dir`, but for its luck. Throws InputError. */
export async function loadDetails(
  plan: TournamentPlan,
  dir: string,
  store: Store,
): Promise<Omit<Details, "luck">> {
  return {
    past: await loadRounds(plan, store),
    clocks: await loadClockUse(plan, store),
    chat: loadChatUse(plan, dir, store),
    deeds: await loadDeeds(plan, dir, store),
    exploitabilities: await exploitabilitiesOf(plan, dir),
  };
}

/** The report of one run, from its store or from games in memory. */
export function reportRun(
  plan: TournamentPlan,
  records: readonly GameRecord[] | GameSource,
  details: Details = {},
): RunReport {
  const entrants = plan.entrants.map(({ name }) => name);
  const report = createReport({
    game: formatGame(plan),
    entrants,
    records,
    anchor: planAnchor(plan),
    rankBy: plan.rankBy,
    luck: details.luck,
    sprt: Array.isArray(records) ? undefined : sprtOf(plan, records as GameSource),
    chosen: chosenTournament(plan),
  });
  const warnings = [...planWarnings(plan, report.games), ...report.warnings];
  return withDetails({ ...report, warnings }, plan, details);
}

/** The report of the run in `dir`, from its store. Throws InputError. */
export async function loadReport(dir: string): Promise<RunReport> {
  return Store.reading({ dir }, async (store) => {
    const plan = store.requirePlan(dir);
    return reportRun(plan, store, {
      luck: await luckOfRun(plan, dir),
      ...(await loadDetails(plan, dir, store)),
    });
  });
}

/** The rounds of a run, if its format is told by them; throws InputError if the game cannot be loaded. */
export async function loadRounds(plan: TournamentPlan, store: Store): Promise<Past | undefined> {
  return needsRounds(plan) ? (await readRounds(plan, store)).played : undefined;
}

/** The blocks of the sequential test that a run is, also while it goes on; undefined in other runs. Throws as `loadRounds`. */
export async function loadSprt(plan: TournamentPlan, store: Store): Promise<SprtCounts | undefined> {
  if (formatOf(plan).sprt === undefined) return undefined;
  const stored = store.sprt;
  const isWhole = store.total !== undefined && stored !== undefined && stored.looks.length > 0;
  return isWhole ? stored : (await readRounds(plan, store)).sprt;
}

async function readRounds(plan: TournamentPlan, store: Store): Promise<Rounds> {
  return storedRounds(plan, await gameOf(plan), store.scorer());
}

/** The report of the run in `dir` with the results of its format, its clocks and its exploitabilities. A warning says so if they cannot be made. */
export async function addDetails(report: Report, dir: string): Promise<RunReport> {
  return Store.reading({ dir }, async (store) => {
    const plan = store.requirePlan(dir);
    return withDetails(report, plan, await loadDetails(plan, dir, store));
  }).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    const warning = `the results of the format are left out: ${error.message}`;
    return { ...report, warnings: [...report.warnings, warning] };
  });
}

function withDetails(report: Report, plan: TournamentPlan, details: Details): RunReport {
  const { past, clocks, chat, deeds, exploitabilities } = details;
  const format = formatResults(plan, { report, past });
  const inOrder = <Use extends { readonly name: string }>(uses: readonly Use[]) =>
    report.entrants.flatMap((entrant) => uses.find(({ name }) => name === entrant.name) ?? []);
  return {
    ...(exploitabilities ? withExploitabilities(report, exploitabilities) : report),
    ...(format && { format }),
    ...(clocks && { clocks: inOrder(clocks) }),
    ...(chat && { chat: inOrder(chat) }),
    ...(deeds && { deeds: inOrder(deeds) }),
  };
}

/** The name of the report as JSON in the folder of a run. */
export const REPORT_JSON = "report.json";

const FILES: Readonly<Record<ReportFormat, string>> = {
  table: "report.txt",
  markdown: "report.md",
  csv: "report.csv",
  json: REPORT_JSON,
};

/** Width of the table in report.txt, in characters. */
const FILE_WIDTH = 120;

/** Writes the report to the run's folder in every format. */
export function saveReports(dir: string, report: RunReport): void {
  saveTexts(dir, (format, width) => formatReport(report, format, { width }));
}

/** Writes the files of a report: `text` in every format, the table for a width in characters. */
export function saveTexts(dir: string, text: (format: ReportFormat, width: number) => string): void {
  for (const [format, name] of Object.entries(FILES))
    writeWhole(join(dir, name), `${text(format as ReportFormat, FILE_WIDTH)}\n`);
}

/**
 * Loads runs to rate them together; throws InputError unless game and rules are the same. An entrant is known by what
 * determines its play, and has the name of the first run that has it.
 */
export function loadRuns(dirs: readonly string[]): LoadedRuns {
  const entrants = new EntrantList();
  const runs: StoredRun[] = [];
  const warnings: string[] = [];
  let first: TournamentPlan | undefined;
  let sprt: SprtReport | undefined;
  for (const dir of dirs) {
    Store.reading({ dir }, (store) => {
      const plan = store.requirePlan(dir);
      first ??= plan;
      if (dirs.length > 1) refuseTuning(plan, dir);
      checkRules(first, plan, { firstDir: dirs[0]!, dir });
      warnings.push(...planWarnings(plan, store.last));
      sprt = sprtOf(plan, store);
      runs.push({ dir, seed: plan.seed, entrants: entrants.add(plan, dir) });
    });
  }
  return {
    plan: first!,
    game: formatGame(first!),
    entrants: entrants.names,
    records: new RunGames(runs, gamesOfBlock(first!.players, entrants.names.length)),
    anchor: dirs.length === 1 ? planAnchor(first!) : undefined,
    rankBy: first!.rankBy,
    warnings: [...entrants.notes, ...warnings],
    sprt: dirs.length === 1 ? sprt : undefined,
    chosen: dirs.length === 1 ? chosenTournament(first!) : undefined,
  };
}

/** Throws InputError, which says what differs, if two runs are not of the same game by the same rules. */
function checkRules(
  first: TournamentPlan,
  plan: TournamentPlan,
  { firstDir, dir }: { readonly firstDir: string; readonly dir: string },
): void {
  if (rulesOf(plan) === rulesOf(first)) return;
  const rules = ({ game, gameVersion, gameCode, time, adjudicate }: TournamentPlan) => ({
    game,
    gameVersion,
    gameCode,
    time,
    adjudicate,
  });
  throw new InputError(
    differences(rules(first), rules(plan)).map(({ path, one, other }) => ({
      path,
      message: `${one} in ${firstDir}, ${other} here; only runs of one game by the same rules are rated together`,
    })),
    dir,
  );
}

/** Reasons in the plan of a run to doubt its table. */
function planWarnings(plan: TournamentPlan, games: number): string[] {
  return [describeShortage(plan, games) ?? []].flat();
}

function sprtOf(plan: TournamentPlan, { sprt }: Pick<GameSource, "sprt">): SprtReport | undefined {
  return sprt && describeSprt(plan, sprt);
}

function planAnchor(plan: TournamentPlan): Anchor | undefined {
  if (plan.anchor === undefined) return undefined;
  const entrant = plan.entrants.findIndex(({ name }) => name === plan.anchor!.entrant);
  return { entrant, elo: plan.anchor.elo };
}

/** The longest text of options that is written out; longer ones show their keys alone. */
const LONGEST_OPTIONS = 40;

/** The game of a run, with its time control and whether it was adjudicated: `connect-four at 10+0.1, adjudicated`. */
export function formatGame({ game, time, adjudicate }: TournamentPlan): string {
  const timed = time === undefined ? nameOf(game) : `${nameOf(game)} at ${formatTime(time)}`;
  return adjudicate === undefined ? timed : `${timed}, adjudicated`;
}

/** The id of a game with the options that the others do not imply: `nim {"players":3}`, or `tree {root}` if they are long. */
function nameOf({ id, ...given }: TournamentPlan["game"]): string {
  const { setups: _, ...options } = given;
  const name = referTo("game", id).kind === "code" ? basename(id, extname(id)) : id;
  const isImplied = (key: string): boolean => {
    const { [key]: _, ...others } = options;
    try {
      return (
        Object.hasOwn(games, id) &&
        canonicalJson(createGame({ ...others, id }).options) === canonicalJson(options)
      );
    } catch {
      return false;
    }
  };
  const unusual = Object.entries(options).filter(([key]) => !isImplied(key));
  if (unusual.length === 0) return name;
  const written = JSON.stringify(Object.fromEntries(unusual));
  const short = written.length <= LONGEST_OPTIONS ? written : `{${unusual.map(([key]) => key).join(", ")}}`;
  return `${name} ${short}`;
}

/** An entrant of one or several runs. */
interface Known {
  readonly make: string;
  /** Its name in the first run that has it, behind it a number where another entrant has that name. */
  readonly name: string;
  /** Its names in later runs that call it otherwise. */
  readonly others: Set<string>;
}

/**
 * The entrants of several runs in one list. An entrant is known by what determines its play: spec, code and the content of
 * its weights. Entrants of one run stay apart even if they play the same way.
 */
class EntrantList {
  private readonly known: Known[] = [];
  private readonly renamed: string[] = [];

  get names(): string[] {
    return this.known.map(({ name }) => name);
  }

  /** Sentences about entrants that are shown under another name than some of their runs give them. */
  get notes(): string[] {
    const shared = this.known
      .filter(({ others }) => others.size > 0)
      .map(
        ({ name, others }) => `${name} is also called ${[...others].join(" and ")}: they play the same way`,
      );
    return [...shared, ...this.renamed];
  }

  /** Adds the entrants of the run in `dir`; returns the index of each in the list. */
  add({ entrants }: TournamentPlan, dir: string): number[] {
    // The names of files tell who plays, also if a file is missing.
    const makes = entrants.map((entrant) => makeOf(entrant, dir, JSON.stringify(entrant.spec)).make);
    const taken = new Set<number>();
    const take = (isFitting: (one: Known) => boolean): number => {
      const found = this.known.findIndex((one, at) => !taken.has(at) && isFitting(one));
      if (found >= 0) taken.add(found);
      return found;
    };
    const indexes = entrants.map(({ name }, at) =>
      take((one) => one.make === makes[at] && (one.name === name || one.others.has(name))),
    );
    for (const [at, { name }] of entrants.entries()) {
      if (indexes[at]! >= 0) continue;
      indexes[at] = take(({ make }) => make === makes[at]);
      if (indexes[at] >= 0) this.known[indexes[at]]!.others.add(name);
      else {
        indexes[at] = this.create(name, makes[at]!, dir);
        taken.add(indexes[at]);
      }
    }
    return indexes;
  }

  private create(name: string, make: string, dir: string): number {
    const names = new Set(this.names);
    let unique = name;
    for (let number = 2; names.has(unique); number++) unique = `${name} (${number})`;
    if (unique !== name)
      this.renamed.push(`${unique} is ${name} of ${dir}, which plays otherwise than the other ${name}`);
    return this.known.push({ make, name: unique, others: new Set() }) - 1;
  }
}
