import type { Game } from "../../games/contract/game.ts";
import type { GameScore } from "../../ratings/record.ts";
import { shareBeaten } from "../../ratings/score.ts";
import type { SprtCounts } from "../../ratings/sprt/sequential-test.ts";
import { gamesOf, type BlockScore, type Format, type Match, type Past } from "../formats/format.ts";
import { formatOf } from "../formats/index.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import { Scheduler, type ScheduledGame } from "./schedule.ts";

/** Finds the result of a stored game by its id. */
type FindScore = (id: string) => GameScore | undefined;
const nothingStored: FindScore = () => undefined;

/** A round whose matches are known. */
export interface Round {
  readonly number: number;
  /** Makes each game once, in the order of the schedule. */
  readonly games: Generator<ScheduledGame>;
  /** Games of the round that are not known to be stored. */
  left: number;
}

/** The rounds of a tournament, one after the other. A round is opened when the results that its format needs are stored. */
export class Rounds {
  /** The number of games of the rounds so far. */
  games = 0;
  /** The number of rounds up to the last one that has a stored game; `storedRounds` counts them. */
  begun = 0;
  /** True when the format has said that no round follows. */
  private isOver = false;
  private readonly plan: TournamentPlan;
  private readonly format: Format;
  private readonly most: number;
  private readonly scheduler: Scheduler;
  private readonly past: StoredPast;
  /** Rounds that the next one may need, the last one first. */
  private recent: readonly Round[] = [];

  /** Throws InputError where the plan's format is unknown. */
  constructor(plan: TournamentPlan, game: Game, find = nothingStored) {
    this.plan = plan;
    this.format = formatOf(plan);
    this.most = this.format.size(plan).most;
    this.scheduler = new Scheduler(plan, game);
    this.past = new StoredPast(new Scheduler(plan, game), find);
  }

  /** True if the rounds so far have as many games as the tournament can have. */
  get hasAll(): boolean {
    return this.games >= this.most;
  }

  /** True if all games of the tournament are known and none is left. */
  get isFinished(): boolean {
    return (this.isOver || this.hasAll) && this.recent.every(({ left }) => left === 0);
  }

  /** The blocks of the sequential test that the format is: those that the next round may see, at the end all. */
  get sprt(): SprtCounts | undefined {
    const { format, past } = this;
    if (this.isFinished) past.show(past.matches.length);
    return format.sprt?.(this.plan, past);
  }

  /** The rounds so far, with the scores of their finished blocks. */
  get played(): Past {
    this.past.show(this.past.matches.length);
    return this.past;
  }

  /**
   * Opens the next round; "awaited" while games of an earlier round are missing that its format needs, undefined when
   * the tournament is over.
   */
  next(): Round | "awaited" | undefined {
    const { format, past, recent } = this;
    const number = past.matches.length;
    if (this.isOver || (number > 0 && this.hasAll)) return undefined;
    const needed = recent[format.lag - 1];
    if (needed !== undefined && needed.left > 0) return "awaited";
    past.show(number - format.lag + 1);
    const matches = format.round(this.plan, number, past);
    if (matches === undefined) {
      this.isOver = true;
      return undefined;
    }
    past.matches.push(matches);
    const round = { number, games: this.scheduler.games(matches), left: gamesOf(matches) };
    this.games += round.left;
    this.recent = [round, ...recent].slice(0, 2);
    return round;
  }
}

/** The past of a tournament, its scores read from the store when a format asks for them. */
class StoredPast implements Past {
  readonly matches: (readonly Match[])[] = [];
  private readonly scheduler: Scheduler;
  private readonly find: FindScore;
  private readonly known: BlockScore[] = [];
  /** Rounds whose scores are in `known`, and rounds whose scores may be seen. */
  private read = 0;
  private shown = 0;

  constructor(scheduler: Scheduler, find: FindScore) {
    this.scheduler = scheduler;
    this.find = find;
  }

  get scores(): readonly BlockScore[] {
    for (; this.read < this.shown; this.read++) this.readRound(this.read);
    return this.known;
  }

  /** Lets the scores of the first `rounds` rounds be seen. */
  show(rounds: number): void {
    this.shown = Math.max(0, rounds);
  }

  private readRound(round: number): void {
    const matches = this.matches[round]!;
    for (const { match, number, games } of this.scheduler.blocks(matches)) {
      const results = games.flatMap(({ id }) => this.find(id) ?? []);
      if (results.length < games.length) continue;
      this.known.push({ round, match, block: number, ...scoreBlock(matches[match]!.entrants, results) });
    }
  }
}

/** Means over the games of a block and, for an entrant that is in the match more than once, over its seats. */
export function scoreBlock(
  entrants: readonly number[],
  games: readonly GameScore[],
): Omit<BlockScore, "round" | "match" | "block"> {
  const mean = (entrant: number, value: (game: GameScore, seat: number) => number) => {
    const values = games.flatMap((game) =>
      game.seats.flatMap((one, seat) => (one === entrant ? [value(game, seat)] : [])),
    );
    return values.reduce((sum, one) => sum + one, 0) / values.length;
  };
  const duel = (one: number, other: number) =>
    mean(one, ({ seats, returns }, seat) =>
      shareBeaten([returns[seat]!, ...returns.filter((_, at) => seats[at] === other)], 0),
    );
  return {
    scores: entrants.map((entrant) => mean(entrant, (game, seat) => shareBeaten(game.returns, seat))),
    ...(entrants.length > 2 && {
      duels: entrants.map((one) => entrants.map((other) => (one === other ? 0 : duel(one, other)))),
    }),
    returns: entrants.map((entrant) => mean(entrant, (game, seat) => game.returns[seat]!)),
  };
}

/**
 * Every game of the rounds that the stored games determine, round by round. A finished tournament gives all its games.
 */
export function* schedule(plan: TournamentPlan, game: Game, find = nothingStored): Generator<ScheduledGame> {
  const rounds = new Rounds(plan, game, find);
  for (;;) {
    const round = rounds.next();
    if (round === undefined || round === "awaited") return;
    for (const scheduled of round.games) {
      if (!rounds.hasAll && find(scheduled.id) !== undefined) round.left--;
      yield scheduled;
    }
  }
}

/** The rounds that the stored games determine, with the scores of their finished blocks. */
export function storedRounds(plan: TournamentPlan, game: Game, find: FindScore): Rounds {
  const rounds = new Rounds(plan, game, find);
  for (;;) {
    const round = rounds.next();
    if (round === undefined || round === "awaited") return rounds;
    for (const { id } of round.games) {
      if (find(id) === undefined) continue;
      round.left--;
      rounds.begun = round.number + 1;
    }
  }
}
