import { basename, extname, join } from "node:path";
import { InputError } from "../../base/errors.ts";
import { unknownName } from "../../base/did-you-mean.ts";
import { createGame, games } from "../../games/index.ts";
import { canonicalJson, entrantKey, gameKey, gamesOfBlock, type TournamentPlan } from "../plan/plan.ts";
import { formatTime } from "../plan/time-control.ts";
import { writeWhole } from "../../files/documents.ts";
import { referTo } from "../../specs/references.ts";
import { formatReport, type ReportFormat } from "./format-report.ts";
import { createReport, type RankedBy, type Report } from "../../ratings/report.ts";
import { MOST_ANCHOR_ELO, type Anchor } from "../../ratings/elo/rate.ts";
import type { GameRecord, GameSource } from "../../ratings/record.ts";
import { RunGames, type StoredRun } from "../store/run-games.ts";
import { Store } from "../store/store.ts";

/** One or several stored runs, their entrants in one list. */
export interface LoadedRuns {
  readonly game: string;
  readonly entrants: readonly string[];
  /** Each iteration reads them from the stores. */
  readonly records: GameSource;
  readonly anchor: Anchor | undefined;
  readonly rankBy: RankedBy | undefined;
}

/** The report of one run, from its store or from games in memory. */
export function reportRun(plan: TournamentPlan, records: readonly GameRecord[] | GameSource): Report {
  const entrants = plan.entrants.map(({ name }) => name);
  return createReport({
    game: formatGame(plan),
    entrants,
    records,
    anchor: planAnchor(plan),
    rankBy: plan.rankBy,
  });
}

const FILES: Readonly<Record<ReportFormat, string>> = {
  table: "report.txt",
  markdown: "report.md",
  csv: "report.csv",
  json: "report.json",
};

/** Width of the table in report.txt, in characters. */
const FILE_WIDTH = 120;

/** Writes the report to the run's folder in every format. */
export function saveReports(dir: string, report: Report): void {
  for (const [format, name] of Object.entries(FILES))
    writeWhole(join(dir, name), `${formatReport(report, format as ReportFormat, { width: FILE_WIDTH })}\n`);
}

/** Loads runs of one game to rate them together. Entrants of the same name, spec and code are one entrant. */
export function loadRuns(dirs: readonly string[]): LoadedRuns {
  const entrants = new Map<string, string>();
  const runs: StoredRun[] = [];
  let first: TournamentPlan | undefined;
  for (const dir of dirs) {
    const store = Store.openExisting(dir);
    try {
      const plan = store.requirePlan(dir);
      first ??= plan;
      if (gameKey(plan) !== gameKey(first)) {
        throw new InputError(
          `is of ${formatGame(plan)}, ${dirs[0]} is of ${formatGame(first)}; only runs of one game can be rated together`,
          dir,
        );
      }
      const numbers = plan.entrants.map((entrant) => addEntrant(entrants, entrantKey(entrant), entrant.name));
      runs.push({ dir, seed: plan.seed, entrants: numbers });
    } finally {
      store.close();
    }
  }
  return {
    game: formatGame(first!),
    entrants: [...entrants.values()],
    records: new RunGames(runs, gamesOfBlock(first!.players, entrants.size)),
    anchor: dirs.length === 1 ? planAnchor(first!) : undefined,
    rankBy: first!.rankBy,
  };
}

/** Adds an entrant and returns its index. A name that is taken gets a number. */
function addEntrant(entrants: Map<string, string>, key: string, name: string): number {
  if (!entrants.has(key)) {
    const taken = new Set(entrants.values());
    let unique = name;
    for (let number = 2; taken.has(unique); number++) unique = `${name} (${number})`;
    entrants.set(key, unique);
  }
  return [...entrants.keys()].indexOf(key);
}

/** Reads `NAME=ELO`; throws InputError. */
export function parseAnchor(text: string, entrants: readonly string[]): Anchor {
  const equals = text.lastIndexOf("=");
  const name = text.slice(0, equals);
  const elo = Number(text.slice(equals + 1));
  if (equals < 1 || text.slice(equals + 1).trim() === "" || !Number.isFinite(elo)) {
    throw new InputError(`"${text}" is no anchor; write NAME=ELO, such as random=0`);
  }
  if (Math.abs(elo) > MOST_ANCHOR_ELO)
    throw new InputError(
      `"${text}": the Elo of an anchor must be from -${MOST_ANCHOR_ELO} to ${MOST_ANCHOR_ELO}`,
    );
  const entrant = entrants.indexOf(name);
  if (entrant < 0) throw new InputError(unknownName("entrant", name, entrants));
  return { entrant, elo };
}

function planAnchor(plan: TournamentPlan): Anchor | undefined {
  if (plan.anchor === undefined) return undefined;
  const entrant = plan.entrants.findIndex(({ name }) => name === plan.anchor!.entrant);
  return { entrant, elo: plan.anchor.elo };
}

/** The longest text of options that is written out; longer ones show their keys alone. */
const LONGEST_OPTIONS = 40;

/** The game of a run, with its time control if it has one: `connect-four at 10+0.1`. */
export function formatGame({ game, time }: TournamentPlan): string {
  return time === undefined ? nameOf(game) : `${nameOf(game)} at ${formatTime(time)}`;
}

/** The id of a game with the options that the others do not imply: `nim {"players":3}`, or `tree {root}` if they are long. */
function nameOf({ id, ...options }: TournamentPlan["game"]): string {
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
