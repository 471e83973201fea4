import { basename, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Problems } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { Game } from "../../games/contract/game.ts";
import type { Played } from "../../ratings/format-results.ts";
import { type Entrant, planEntrants, withHashes } from "../../specs/agents.ts";
import { lockFolder } from "../../specs/files/lock.ts";
import { makeFolder } from "../../specs/files/write-file.ts";
import {
  describeWaiting,
  ENDLESS_ROUNDS,
  entrantsNow,
  type LadderSpec,
  type LadderStage,
} from "../formats/ladder.ts";
import { planTournament } from "../plan/config.ts";
import { entrantKey, gameKey, gameOf, MAX_BLOCKS, type TournamentPlan } from "../plan/plan.ts";
import type { RunProgress } from "../play/standings.ts";
import { reportRun } from "../results/runs.ts";
import { storedRounds } from "../schedule/rounds.ts";
import { freezeFiles } from "../store/run-folder.ts";
import { Store } from "../store/store.ts";
import { playTournament, type TournamentRequest } from "../tournament.ts";
import { BotFolder, type BotVersion, type LadderBot, saveBots } from "./bot-folder.ts";
import { botSpec, wasSent } from "./bot-spec.ts";
import { Forfeits } from "./forfeits.ts";

/** The interval of looks at the folder of bots. */
const LOOK_MS = 1000;
/** The intervals of the ratings are computed again after so many more games, as a share of those before. */
const MARGIN_GROWTH = 1.1;
/** An entrant that has won or lost so many games and no other has no interval to wait for. */
const SATURATED_GAMES = 30;
/** The fewest games of one player that tell an interval of a mean return. */
const LEAST_GAMES = 3;

/** Games of a round, unless a config says otherwise: those that have left still play the rounds that have begun. */
const ROUND_GAMES = 32;

/** Options of `Ladder.play`. */
export interface LadderOptions {
  /** See RunOptions. */
  readonly workers?: number | undefined;
  /** See TournamentRequest. */
  readonly players?: TournamentRequest["players"];
  readonly signal: AbortSignal;
  /** A bot is set aside after so many forfeits in a row. */
  readonly forfeits: number;
  /** True if bots that were sent are run without a sandbox [false]. */
  readonly trust?: boolean | undefined;
  /** The ladder ends after so many games, in whole rounds [none]. */
  readonly games?: number | undefined;
  /**
   * The ladder ends when all 95% intervals are within this many Elo of their ratings; in games of one player, within so much
   * of their mean returns [none].
   */
  readonly margin?: number | undefined;
  /** Takes a sentence about bots that come, go or are set aside, and about a ladder that waits for more. */
  readonly onNews: (text: string) => void;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
}

/**
 * A ladder: a run whose entrants come and go. Its folder is that of an ordinary run in the format `ladder`, with a folder of
 * bots beside the games. Each change of the entrants begins a stage of the plan, behind the last round that has games.
 */
export class Ladder {
  readonly dir: string;
  private readonly store: Store;
  private readonly bots: BotFolder;
  private plan: TournamentPlan;
  private readonly forfeits: Forfeits;
  /** The bots at the last look. */
  private known = new Map<string, LadderBot>();

  private constructor(dir: string, store: Store, plan: TournamentPlan) {
    this.dir = dir;
    this.store = store;
    this.plan = plan;
    this.bots = new BotFolder(dir);
    this.forfeits = new Forfeits(store);
  }

  /**
   * Opens the ladder in a folder, or makes it. No other process can open it until it is closed. Throws InputError.
   * @param given the plan of a new ladder, or more agents of agon's for one that is there
   */
  static open(dir: string, given: TournamentPlan | undefined, sitting?: Played): Ladder {
    if (given === undefined && !Store.exists(dir))
      throw new InputError("holds no ladder yet; say what it plays with --game or --config", dir);
    makeFolder(dir);
    const lock = lockFolder(dir);
    let store: Store | undefined;
    try {
      store = Store.open(dir, lock);
      const before = store.loadPlan();
      const plan = before === undefined ? begun(given!, dir) : joined(before, given, dir);
      if (sitting !== undefined) store.addSitting(sitting);
      return new Ladder(dir, store, plan);
    } catch (error) {
      store?.close();
      lock.release();
      throw error;
    }
  }

  /** Plays until the signal aborts or the ladder has the games or the intervals that were asked for. */
  async play(options: LadderOptions): Promise<"stopped" | "done"> {
    const { signal, margin, workers, players, onProgress } = options;
    let checked = 0;
    while (!signal.aborted) {
      await this.refresh(options);
      const changed = new AbortController();
      let isNarrow = false;
      const look = setInterval(() => {
        if (this.bots.hasSettled()) changed.abort();
      }, LOOK_MS);
      try {
        const { complete, ended } = await playTournament(this.plan, {
          workers,
          players,
          into: { store: this.store, dir: this.dir },
          signal: AbortSignal.any([signal, changed.signal]),
          onProgress: (progress) => {
            onProgress?.(progress);
            if (this.forfeits.update(options.forfeits)) changed.abort();
            if (margin === undefined || progress.done < checked * MARGIN_GROWTH) return;
            checked = progress.done;
            isNarrow = this.margin() <= margin;
            if (isNarrow) changed.abort();
          },
        });
        if (isNarrow || (complete && this.store.size >= this.most)) return "done";
        if (ended !== undefined) {
          options.onNews(ended);
          return "stopped";
        }
        // Nobody can play: only a change of the bots goes on.
        const waiting = describeWaiting(this.plan, this.spec);
        if (waiting !== undefined && !signal.aborted && !changed.signal.aborted) options.onNews(waiting);
        while (complete && !signal.aborted && !changed.signal.aborted)
          await setTimeout(LOOK_MS / 10, undefined, { signal }).catch(() => {});
      } finally {
        clearInterval(look);
      }
    }
    return "stopped";
  }

  /** The game, and the time that a decision may take, in ms. */
  async rules(): Promise<{ readonly game: Game; readonly limitMs: number }> {
    return { game: await gameOf(this.plan), limitMs: this.plan.moveTimeoutMs };
  }

  /** A bot as it was at the last look; undefined if there is none of that name. */
  bot(name: string): LadderBot | undefined {
    return this.known.get(name);
  }

  /** The last games that the versions of a bot forfeited, the newest first, with all that is known of the reason. */
  forfeitsOf(bot: string): { readonly entrant: string; readonly ending: string; readonly detail: string }[] {
    return this.plan.entrants
      .flatMap(({ name }, at) =>
        name === bot || name.startsWith(`${bot}@`)
          ? this.forfeits.lastOf(at).map(({ ending, detail }) => ({ entrant: name, ending, detail }))
          : [],
      )
      .toReversed();
  }

  /** The report of the games so far. */
  report(): ReturnType<typeof reportRun> {
    return { ...reportRun(this.plan, this.store), played: this.store.sittings };
  }

  close(): void {
    this.store.close();
  }

  private get spec(): LadderSpec {
    return this.plan.format as LadderSpec;
  }

  /** The number of games at which the ladder is over. */
  private get most(): number {
    return this.spec.rounds * this.plan.round! * this.plan.players;
  }

  /**
   * The widest half of a 95% interval of those that play, in Elo or, in games of one player, of the mean return. One end of
   * the Elo's is open while all games are won or lost.
   */
  private margin(): number {
    const names = entrantsNow(this.spec).map((entrant) => this.plan.entrants[entrant]!.name);
    const rated = reportRun(this.plan, this.store).entrants.filter(({ name }) => names.includes(name));
    const isAlone = this.plan.players === 1;
    return Math.max(
      ...rated.map(({ games, score, low, high, meanReturn, returnHigh }) => {
        if (isAlone) return games < LEAST_GAMES ? Infinity : returnHigh - meanReturn;
        return games >= SATURATED_GAMES && [0, 1].includes(score) ? 0 : (high - low) / 2;
      }),
    );
  }

  /** Takes the bots in that are there now, and begins a stage if others play than before. */
  private async refresh({ forfeits, games, trust = false, onNews }: LadderOptions): Promise<void> {
    this.forfeits.update(forfeits);
    const entrants = [...this.plan.entrants];
    const found = new Map<string, LadderBot>();
    const before = new Set(this.bots.versions);
    const others = new Set(entrants.map(({ name }) => name).filter((name) => !before.has(name)));
    for (const [bot, version] of this.bots.take(others)) {
      const reason =
        version instanceof InputError ? version.message : await this.enter(version, entrants, { bot, trust });
      const entrant = version instanceof InputError ? undefined : version.name;
      const aside = this.forfeits.reason(entrants.findIndex(({ name }) => name === entrant));
      const state = reason !== undefined ? "refused" : aside !== undefined ? "set aside" : "plays";
      found.set(bot, {
        bot,
        ...(state !== "refused" && { entrant: entrant! }),
        state,
        reason: reason ?? aside ?? "",
      });
    }
    for (const text of news(this.known, found)) onNews(text);
    this.known = found;
    const versions = new Set(this.bots.versions);
    const playing = new Set(
      [...found.values()].flatMap(({ state, entrant }) => (state === "plays" ? entrant! : [])),
    );
    const active = [...entrants.keys()].filter((at) => {
      const { name } = entrants[at]!;
      return versions.has(name) ? playing.has(name) : this.forfeits.reason(at) === undefined;
    });
    await this.stage(entrants, active, games);
    saveBots(this.dir, [...found.values()]);
  }

  /** Makes a version an entrant if it is none yet; the reason if it cannot be one. */
  private async enter(
    version: BotVersion,
    entrants: Entrant[],
    { bot, trust }: { bot: string; trust: boolean },
  ): Promise<string | undefined> {
    const { name, path } = version;
    const sandbox = !trust && wasSent(bot, this.dir);
    const known = entrants.find((one) => one.name === name);
    if (known !== undefined)
      return sandbox && known.spec["sandbox"] !== true
        ? "it was sent under --trust, and plays only then"
        : undefined;
    try {
      entrants.push(await this.entrantOf(version, sandbox));
      return undefined;
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.bots.drop(version);
      return error.problems
        .map(({ message }) => message.replaceAll(resolve(this.dir, path), bot).replaceAll(path, bot))
        .join("; ");
    }
  }

  private async entrantOf({ name, path }: BotVersion, sandbox: boolean): Promise<Entrant> {
    const problems = new Problems();
    const [entrant] = await planEntrants([{ ...botSpec(path, this.dir, { sandbox }), name }], {
      game: await gameOf(this.plan),
      baseDir: this.dir,
      limits: { budget: {}, hasClocks: this.plan.time !== undefined },
      path: [],
      problems,
    });
    problems.throwIfAny();
    return freezeFiles(withHashes(entrant!), this.dir);
  }

  /** Saves the plan in which these entrants play from now on. */
  private async stage(
    entrants: readonly Entrant[],
    active: readonly number[],
    games?: number,
  ): Promise<void> {
    const { plan, store } = this;
    const { begun: from } = storedRounds(plan, await gameOf(plan), store.scorer());
    const wanted = games === undefined ? ENDLESS_ROUNDS : Math.ceil(games / plan.round! / plan.players);
    const last = this.spec.stages.at(-1);
    const isSame = last !== undefined && last.entrants.join() === active.join();
    const earlier = this.spec.stages.filter((stage) => stage.from < from);
    const stages: readonly LadderStage[] = isSame
      ? this.spec.stages
      : [...earlier, { from, entrants: active }];
    this.plan = {
      ...plan,
      entrants,
      format: { type: "ladder", rounds: Math.max(wanted, from), stages } satisfies LadderSpec,
    };
    store.savePlan(this.plan);
  }
}

/**
 * The plan of a ladder, from a config of a tournament whose entrants stand beside the bots. Its format and its blocks do not
 * count. A ladder of more players is ranked by Elo unless the config says otherwise: mean returns depend on whom one meets.
 * Throws InputError.
 */
export async function planLadder(
  config: object,
  from: { readonly baseDir: string; readonly source: string },
): Promise<TournamentPlan> {
  const { format: _, ...rest } = { ...config, blocks: MAX_BLOCKS } as Partial<Record<string, unknown>>;
  const format = { type: "ladder", rounds: 1, stages: [] } satisfies LadderSpec;
  const plan = await planTournament(rest, { ...from, format });
  return {
    ...plan,
    ...(rest["round"] === undefined && { round: Math.ceil(ROUND_GAMES / plan.players) }),
    ...(rest["rankBy"] === undefined && plan.players > 1 && { rankBy: "elo" as const }),
  };
}

/** The plan of a new ladder. */
function begun(plan: TournamentPlan, dir: string): TournamentPlan {
  return { ...plan, entrants: plan.entrants.map((entrant) => freezeFiles(entrant, dir)) };
}

/** The plan of a ladder with the agents of another plan, whose game must be the same. Throws InputError. */
function joined(before: TournamentPlan, given: TournamentPlan | undefined, dir: string): TournamentPlan {
  if (before.format.type !== "ladder") throw new InputError("is the folder of a run that is no ladder", dir);
  if (given === undefined) return before;
  if (gameKey(given) !== gameKey(before))
    throw new InputError(
      `is a ladder of ${basename(before.game.id)} with other rules; leave out --game and --config`,
      dir,
    );
  const keys = new Set(before.entrants.map(entrantKey));
  const added = begun(given, dir).entrants.filter((entrant) => !keys.has(entrantKey(entrant)));
  const taken = added.find(({ name }) => before.entrants.some((one) => one.name === name));
  if (taken !== undefined) throw new InputError(`has another entrant that is called "${taken.name}"`, dir);
  return { ...before, entrants: [...before.entrants, ...added] };
}

/** Sentences about bots that are others now. */
function news(before: ReadonlyMap<string, LadderBot>, now: ReadonlyMap<string, LadderBot>): string[] {
  const gone = [...before.keys()].filter((bot) => !now.has(bot)).map((bot) => `${bot} has left.`);
  const changed = [...now.values()].filter(
    (one) => JSON.stringify(one) !== JSON.stringify(before.get(one.bot)),
  );
  return [
    ...gone,
    ...changed.map(({ bot, entrant = bot, state, reason }) =>
      state === "plays" ? `${entrant} plays.` : `${entrant} is ${state}: ${reason}`,
    ),
  ];
}
