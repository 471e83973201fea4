import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { escapeControls, InputError } from "../base/errors.ts";
import type { Game } from "../games/contract/game.ts";
import { games as ownGames } from "../games/index.ts";
import { agents as ownAgents } from "../agents/index.ts";
import { aboutOf } from "../base/about.ts";
import { equipGame } from "../specs/evaluators.ts";
import { ResolvedAgent, type FileReference } from "../specs/references.ts";
import { loadHeader, loadWeightsOf, readOnnxOf } from "../specs/files/weights-file.ts";
import type { RunReport } from "../ratings/format-results.ts";
import { BreakdownSums } from "../ratings/breakdown.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import { hashOf } from "../specs/files/hashes.ts";
import { isChat, isProgram } from "../specs/hosts.ts";
import { plannedGames } from "../arena/formats/index.ts";
import {
  describeWaiting,
  entrantsNow,
  isEndless,
  ladderOf,
  type LadderSpec,
} from "../arena/formats/ladder.ts";
import { readBots } from "../arena/ladder/bot-folder.ts";
import { loadClockUse } from "../arena/results/clocks.ts";
import { loadDeeds } from "../arena/results/deeds.ts";
import { formatGame, loadRounds, loadSprt, REPORT_JSON, reportRun } from "../arena/results/runs.ts";
import { loadChatUse } from "../arena/results/chat-use.ts";
import { Store } from "../arena/store/store.ts";
import type {
  LadderData,
  EntrantData,
  PageData,
  SweepData,
  TournamentData,
  TrainingData,
  WeightsData,
} from "./page/data.ts";
import { reasonOf, withoutFolders } from "./reason.ts";
import { DrawnGames } from "./drawn-games.ts";
import {
  clocksFor,
  gameData,
  LIVE_PATIENCE_MS,
  loadedGame,
  MOST_DRAWN_BYTES,
  ownGame,
  Sample,
  withPrintableNames,
} from "./collect-games.ts";
import { isSweepFolder } from "../training/sweep/sweep-folder.ts";
import { collectSweep } from "./collect-sweep.ts";
import { collectTraining, isTraining } from "./collect-training.ts";
import { checkCode, PortableCode } from "../specs/plugins/portable-code.ts";

/** The most bytes of gzipped weights in a page; further evaluators are left out. */
const MOST_WEIGHTS_BYTES = 6_000_000;

interface CollectOptions {
  /** The version of agon. */
  readonly version: string;
  /** The most games of a run that are shown one by one; the statistics are of all games. */
  readonly games: number;
  /** True for a page that follows a run: it asks for games when somebody looks at them [false]. */
  readonly isLive?: boolean;
  /** True if the page gets the user's code, so that games and agents of the user's are played there. */
  readonly withCode?: boolean;
}

/** Collects the page's data of the runs and trainings in these folders. Throws InputError if a folder is neither. */
export async function collect(
  dirs: readonly string[],
  { version, ...counts }: CollectOptions,
): Promise<PageData> {
  const page = {
    version,
    tournaments: [] as TournamentData[],
    trainings: [] as TrainingData[],
    sweeps: [] as SweepData[],
  };
  const weights = new WeightsOfPage();
  const drawn = counts.isLive === true ? undefined : new DrawnGames(MOST_DRAWN_BYTES);
  for (const dir of new Map(dirs.map((given) => [resolve(given), given])).values()) {
    if (isSweepFolder(dir)) {
      page.sweeps.push(collectSweep(dir));
      continue;
    }
    if (!isTraining(dir)) {
      page.tournaments.push(await collectTournament(dir, { weights, drawn, ...counts }));
      continue;
    }
    page.trainings.push(await collectTraining(dir));
    const rating = await collectRating(dir, { weights, drawn, ...counts });
    if (rating !== undefined) page.tournaments.push(rating);
  }
  return {
    ...page,
    tournaments: withFolders(page.tournaments),
    trainings: withFolders(page.trainings),
    sweeps: withFolders(page.sweeps),
    weights: weights.all,
  };
}

/** The tournament that rates a training's checkpoints; undefined if it cannot be shown (a notice of the training says why). */
async function collectRating(
  dir: string,
  options: Parameters<typeof collectTournament>[1],
): Promise<TournamentData | undefined> {
  if (!Store.exists(dir)) return undefined;
  try {
    return await collectTournament(dir, options);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Makes the folders' names different: equal names from several parents get a number. */
function withFolders<Run extends { readonly folder: string }>(runs: readonly Run[]): Run[] {
  const taken = new Set<string>();
  return runs.map((run) => {
    let { folder } = run;
    for (let number = 2; taken.has(folder); number++) folder = `${run.folder} (${number})`;
    taken.add(folder);
    return { ...run, folder };
  });
}

async function collectTournament(
  dir: string,
  {
    weights,
    drawn,
    games: most,
    isLive = false,
    withCode = false,
  }: { weights: WeightsOfPage; drawn: DrawnGames | undefined } & Omit<CollectOptions, "version">,
): Promise<TournamentData> {
  return Store.reading({ dir, ...(isLive ? { patienceMs: LIVE_PATIENCE_MS } : {}) }, async (store) => {
    const stored = store.requirePlan(dir);
    const plan = withPrintableNames(stored);
    const notices: string[] = [];
    const game = await loadedGame(plan, notices);
    const hasRules = game !== undefined && Object.hasOwn(ownGames, plan.game.id);
    const code = withCode ? new CarriedCode() : undefined;
    const carried = game === undefined || hasRules ? undefined : await code?.addGame(plan);
    const { key, misses } = { key: undefined, misses: undefined, ...carried };
    if (misses !== undefined) notices.push(`The game cannot be played here: ${misses}.`);
    const isPlayable = hasRules || key !== undefined;
    const rules = { game: isPlayable ? game : undefined, misses };
    const sums = new BreakdownSums(plan.entrants.length, plan.players);
    const shown = new Sample(most);
    const ladder = ladderOf(plan);
    const played = store.size;
    const size = plannedGames(plan, store);
    const { least, most: planned } = isEndless(ladder) ? { least: played, most: played } : size;
    if (played < planned && !isLive) {
      const all = least < planned ? `at most ${planned}` : planned;
      notices.push(`The run is not finished: ${played} of ${all} games are played.`);
    }
    const { sprt, ...details } =
      game === undefined ? NO_ROUNDS : await roundsOf(stored, { dir, store }, notices);
    const source = {
      sprt: sprt ?? store.sprt,
      blocks: () =>
        store.blocks((counted) => {
          sums.add(counted);
          shown.add(counted);
        }),
    };
    const chat = loadChatUse(plan, dir, store)?.map((use) => ({ ...use, name: escapeControls(use.name) }));
    const report = withSavedFigures(reportRun(plan, source, { ...details, chat }), {
      isSaved: plan.luck !== undefined || game?.hiddenInformation === true,
      dir,
    });
    const find = store.numbered();
    const own = ownGame(plan, game, { drawn, withCode });
    const before = drawn?.leftOut ?? 0;
    const games = shown.numbers().flatMap((number) => {
      const record = find(number);
      return record === undefined
        ? []
        : [gameData(record, number, { own, plan, clocks: clocksFor(plan, game) })];
    });
    if (drawn !== undefined && drawn.leftOut > before)
      notices.push(
        `${drawn.leftOut - before} games are shown as moves only: the page has no room for more boards.`,
      );
    const entrants: EntrantData[] = [];
    for (const entrant of plan.entrants)
      entrants.push(await entrantData(entrant, { dir, rules, weights, code }));
    const script = isPlayable ? code?.script : undefined;
    return {
      name: plan.name,
      about: aboutOf(plan),
      folder: escapeControls(basename(resolve(dir))),
      game: { ...plan.game, id: key ?? withoutFolders(plan.game.id) },
      gameName: formatGame(plan),
      hasRules,
      seed: plan.seed,
      planned,
      notices,
      entrants,
      ...(script !== undefined && { code: script }),
      report: { ...report, warnings: report.warnings.map((warning) => withoutFolders(warning)) },
      ...(ladder && { ladder: ladderData(plan, ladder, dir) }),
      breakdown: sums.result(),
      games,
    };
  });
}

/** The bots of a ladder; their folders are left out. */
function ladderData(plan: TournamentPlan, ladder: LadderSpec, dir: string): LadderData {
  return {
    waiting: describeWaiting(plan, ladder),
    playing: entrantsNow(ladder).map((entrant) => plan.entrants[entrant]!.name),
    bots: readBots(dir).map((bot) => ({ ...bot, reason: escapeControls(withoutFolders(bot.reason)) })),
  };
}

const NO_ROUNDS = { past: undefined, sprt: undefined, clocks: undefined, deeds: undefined };

/** The parts of reports that rounds, sequential tests, clocks and kinds of actions make; a notice says so if it cannot be made. */
async function roundsOf(
  plan: TournamentPlan,
  { dir, store }: { readonly dir: string; readonly store: Store },
  notices: string[],
) {
  const escaped = <Row extends { readonly name: string }>(rows: readonly Row[] | undefined) =>
    rows?.map((row) => ({ ...row, name: escapeControls(row.name) }));
  try {
    return {
      past: await loadRounds(plan, store),
      sprt: await loadSprt(plan, store),
      clocks: escaped(await loadClockUse(plan, store)),
      deeds: escaped(await loadDeeds(plan, dir, store)),
    };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notices.push(`The rounds cannot be shown: ${reasonOf(error)}`);
    return NO_ROUNDS;
  }
}

/**
 * The report that the run has saved, if it is of the same results; else the given one. Luck and exploitability take too long
 * for a page.
 * @param isSaved true if a saved report may have more
 */
function withSavedFigures(
  report: RunReport,
  { isSaved, dir }: { readonly isSaved: boolean; readonly dir: string },
): RunReport {
  if (!isSaved) return report;
  try {
    const text = readFileSync(join(dir, REPORT_JSON), "utf8");
    const saved = JSON.parse(text, (_key, value: unknown) =>
      typeof value === "string" ? escapeControls(value) : value,
    ) as RunReport;
    const of = ({ entrants }: RunReport) =>
      entrants
        .map(({ name, wins, draws, losses }) => [name, wins, draws, losses].join())
        .toSorted()
        .join();
    return of(saved) === of(report) ? { ...report, ...saved } : report;
  } catch {
    // No report was saved yet, or somebody has changed it.
    return report;
  }
}

/** @param rules the game if the page can play it, or the reason why its code is left out */
async function entrantData(
  { name, spec, code: hash }: TournamentPlan["entrants"][number],
  {
    dir,
    rules: { game, misses: fault },
    weights,
    code,
  }: {
    dir: string;
    rules: { readonly game: Game | undefined; readonly misses: string | undefined };
    weights: WeightsOfPage;
    code: CarriedCode | undefined;
  },
): Promise<EntrantData> {
  const agent = new ResolvedAgent(spec, dir);
  const missing = (misses: string) => ({
    name,
    spec: agent.renamed((file) => withoutFolders(file.name)),
    misses,
  });
  const inFile = (what: string, why: string | undefined) =>
    missing(`${what} in a file of yours${why === undefined ? "" : `: ${why}`}`);
  if (game === undefined) return inFile("the game's rules are", fault);
  const keys = new Map<string, string>();
  const evaluator = agent.files.find(({ key, kind }) => key === "evaluator" && kind === "weights");
  try {
    if (agent.files.some(({ kind }) => kind === "strategy"))
      return missing("its strategy is in a file, which pages do not carry");
    for (const { kind, key, code: files } of agent.files) {
      const what = kind === "code" ? `the ${key} is` : "the features of its weights are";
      for (const path of files) {
        const added = await code?.add(path, { files: agent.code, hash });
        if (added === undefined) return inFile(what, undefined);
        if ("misses" in added) return inFile(what, added.misses);
        keys.set(path, added.key);
      }
    }
    if (!Object.hasOwn(ownAgents, spec.agent) && agent.files.every(({ key }) => key !== "agent"))
      return missing(
        isProgram(spec)
          ? "the agent is a program of its own, which a page cannot start"
          : isChat(spec)
            ? "the agent asks a server, which a page may not"
            : "the agent is an object that a program made",
      );
    const carried = { name, spec: agent.renamed((file) => keys.get(file.path) ?? withoutFolders(file.name)) };
    if (evaluator === undefined) return carried;
    const key = weights.add(evaluator, await equipGame(game, [evaluator]), keys.get(evaluator.code[0] ?? ""));
    return { ...carried, weights: key };
  } catch (error) {
    if (!(error instanceof InputError) || evaluator === undefined) throw error;
    // The page may be passed on: it names no folder of this machine.
    const { path, name: file } = evaluator;
    return missing(withoutFolders(error.message.replaceAll(path, file), evaluator.code));
  }
}

/** The weights in the page, each once. */
class WeightsOfPage {
  readonly all: Record<string, WeightsData> = {};
  private bytes = 0;

  /**
   * Adds a weights file to the page; returns its key. Throws InputError if it cannot be read or is too large.
   * @param features the page's name for the feature set, if that is a file of the user's
   */
  add({ path }: FileReference, game: Game, features: string | undefined): string {
    const { model, bytes } = readWeights(path, game);
    if (bytes === undefined)
      throw new InputError("only onnxruntime computes its network, which a page cannot load");
    const data = gzipSync(bytes).toString("base64");
    const named = features === undefined ? model : ({ ...model, features } as typeof model);
    const key = hashOf(JSON.stringify(named), data);
    if (Object.hasOwn(this.all, key)) return key;
    if (this.bytes + data.length > MOST_WEIGHTS_BYTES)
      throw new InputError(
        `its weights are too large for the page, which takes ${MOST_WEIGHTS_BYTES / 1e6} MB of weights`,
      );
    this.bytes += data.length;
    this.all[key] = { model: named, data };
    return key;
  }
}

/** The model of a weights file, and its weights as `WeightsData` has them; undefined if a page cannot compute with them. */
function readWeights(
  path: string,
  game: Game,
): { model: WeightsData["model"]; bytes: Uint8Array | undefined } {
  try {
    const { evaluator: model } = loadHeader(path);
    if (model.kind === "onnx") return { model, bytes: readOnnxOf(path, game) };
    const { buffer, byteOffset, byteLength } = loadWeightsOf(path, game, model);
    return { model, bytes: new Uint8Array(buffer, byteOffset, byteLength) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError(`its weights cannot be read: ${error.message}`);
  }
}

/** The user's code of one run, which its page carries. */
class CarriedCode {
  private readonly code = new PortableCode();

  /** The code as a script; undefined without any. */
  get script(): string | undefined {
    return this.code.script;
  }

  /** Adds the run's game, a file of the user's. */
  addGame({ game: { id }, gameCode }: TournamentPlan): ReturnType<CarriedCode["add"]> {
    return this.add(id, { files: [id], hash: gameCode });
  }

  /**
   * Adds a file; returns its key in the script, or the reason why the page cannot carry it.
   * @param files the files whose hash the plan has
   */
  async add(
    path: string,
    { files, hash }: { files: readonly string[]; hash: string | undefined },
  ): Promise<{ key: string } | { misses: string }> {
    try {
      checkCode(files, hash);
      return { key: await this.code.add(path) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { misses: withoutFolders(error.message, files) };
    }
  }
}
