import { escapeControls, InputError } from "../base/errors.ts";
import { formatThoughts } from "../base/thought.ts";
import type { Game } from "../games/contract/game.ts";
import { games as ownGames } from "../games/index.ts";
import { lengthOf, openingOf } from "../ratings/breakdown.ts";
import type { CountedGame, GameRecord } from "../ratings/record.ts";
import { gameOf, timesOf, type TournamentPlan } from "../arena/plan/plan.ts";
import { readClocks, startMs } from "../arena/results/clocks.ts";
import { Store } from "../arena/store/store.ts";
import type { GameData } from "./page/data.ts";
import {
  asksForAll,
  boundsOfPage,
  chooseGames,
  type GameQuery,
  type GamesPage,
  type ListedGame,
} from "./page/game-list.ts";
import { DrawnGames } from "./drawn-games.ts";
import { readDetail } from "../ratings/warnings/forfeits.ts";
import { reasonOf, withoutFolders } from "./reason.ts";

/** The time for which a server waits for a store that another process has locked. */
export const LIVE_PATIENCE_MS = 1000;
/** The most bytes of drawn games in a page, as JSON; gzip makes them a tenth or less. */
export const MOST_DRAWN_BYTES = 20_000_000;
/** The most forfeits that are shown beside the sample. */
const MOST_FORFEITS = 100;

/** A game of the user's, whose moves the page cannot format, and the games drawn so far. */
interface OwnGame {
  readonly game: Game;
  readonly drawn: DrawnGames | undefined;
  readonly withCode: boolean;
}

interface GameOptions {
  /** True if the page has the user's code [false]. */
  readonly withCode?: boolean;
}

/** The page's data of one stored game; undefined if the run has no game of that id. */
export async function collectGame(
  dir: string,
  id: string,
  { withCode = false }: GameOptions = {},
): Promise<GameData | undefined> {
  return Store.reading({ dir, patienceMs: LIVE_PATIENCE_MS }, async (store) => {
    const plan = store.loadPlan();
    const number = store.numberOf(id);
    const record = plan && number !== undefined ? store.numbered()(number) : undefined;
    if (record === undefined) return undefined;
    const game = await loadedGame(plan!, []);
    const drawn = new DrawnGames(MOST_DRAWN_BYTES);
    const own = ownGame(plan!, game, { drawn, withCode });
    return gameData(record, number!, { own, plan: plan!, clocks: clocksFor(plan!, game) });
  });
}

/** A page of a run's list of games; boards are left out. */
export async function collectGames(
  dir: string,
  query: GameQuery,
  { withCode = false }: GameOptions = {},
): Promise<GamesPage> {
  return Store.reading({ dir, patienceMs: LIVE_PATIENCE_MS }, async (store) => {
    const plan = withPrintableNames(store.requirePlan(dir));
    const game = await loadedGame(plan, []);
    const own = ownGame(plan, game, { drawn: undefined, withCode });
    const clocks = clocksFor(plan, game);
    const { found, numbers } = numbersOf(store, plan, query);
    const find = store.numbered();
    const games = numbers.flatMap((number) => {
      const record = find(number);
      return record === undefined ? [] : [gameData(record, number, { own, plan, clocks })];
    });
    return { found, games };
  });
}

/** The numbers of the games on a page of the list, and how many games all pages have. */
function numbersOf(
  store: Store,
  { entrants }: TournamentPlan,
  query: GameQuery,
): { found: number; numbers: readonly number[] } {
  const [from, to] = boundsOfPage(query);
  if (asksForAll(query)) {
    const found = store.last;
    const count = Math.max(0, Math.min(to, found) - from);
    const numbers = Array.from({ length: count }, (_, at) =>
      query.isDescending ? found - from - at : from + at + 1,
    );
    return { found, numbers };
  }
  const names = entrants.map(({ name }) => name);
  const numbers = chooseGames(listed(store.counted()), names, query);
  return { found: numbers.length, numbers: numbers.slice(from, to) };
}

function* listed(games: Iterable<CountedGame>): Generator<ListedGame> {
  let number = 0;
  for (const { seats, returns, forfeitSeat, line, openingLength } of games) {
    number++;
    const [length, opening] = [lengthOf(line), openingOf(line, openingLength)];
    yield { number, seats, returns, forfeitSeat, length, opening };
  }
}

/** The plan with control characters in names as escapes. */
export function withPrintableNames(plan: TournamentPlan): TournamentPlan {
  const { name, entrants, anchor } = plan;
  return {
    ...plan,
    name: escapeControls(name),
    entrants: entrants.map((entrant) => ({ ...entrant, name: escapeControls(entrant.name) })),
    ...(anchor && { anchor: { ...anchor, entrant: escapeControls(anchor.entrant) } }),
  };
}

/** The run's game; undefined, with a notice, if it cannot be loaded. */
export async function loadedGame(plan: TournamentPlan, notices: string[]): Promise<Game | undefined> {
  try {
    const game = await gameOf(plan);
    if (game.version === plan.gameVersion) return game;
    notices.push(
      `The run was played with version ${plan.gameVersion} of ${game.id}, this is version ${game.version}: its games cannot be shown.`,
    );
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    notices.push(`Games cannot be shown: ${reasonOf(error)}`);
  }
  return undefined;
}

/** The game, if the page does not have its rules. */
export function ownGame(
  plan: TournamentPlan,
  game: Game | undefined,
  options: Omit<OwnGame, "game">,
): OwnGame | undefined {
  return game === undefined || Object.hasOwn(ownGames, plan.game.id) ? undefined : { game, ...options };
}

/**
 * A sample of the games, taken by the smallest ids. Ids are hashes, so no game is more likely than another. The first
 * forfeits are always in the sample.
 */
export class Sample {
  private readonly most: number;
  private seen = 0;
  private kept: { readonly id: string; readonly number: number }[] = [];
  private readonly forfeits: number[] = [];
  /** No id beyond it is in the sample. */
  private last = "\uffff";

  constructor(most: number) {
    this.most = most;
  }

  /** Games come in the order of storing. */
  add({ id, forfeitSeat }: CountedGame): void {
    const number = ++this.seen;
    if (forfeitSeat >= 0 && this.forfeits.length < MOST_FORFEITS) this.forfeits.push(number);
    if (id > this.last) return;
    this.kept.push({ id, number });
    if (this.kept.length > 2 * this.most + 1000) this.cut();
  }

  /** The numbers of the games, the newest first. */
  numbers(): number[] {
    this.cut();
    const numbers = new Set([...this.kept.map(({ number }) => number), ...this.forfeits]);
    return [...numbers].toSorted((a, b) => b - a);
  }

  private cut(): void {
    this.kept = this.kept.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, this.most);
    if (this.kept.length === this.most) this.last = this.kept.at(-1)?.id ?? "";
  }
}

type Clocks = (record: GameRecord) => GameData["clocks"];

/** Tells the clocks of a run's games; undefined without a time control. */
export function clocksFor(plan: TournamentPlan, game: Game | undefined): Clocks | undefined {
  const all = timesOf(plan);
  if (all === undefined || game === undefined) return undefined;
  return (record) => {
    const times = record.seats.map((entrant) => all[entrant]!);
    const readings = readClocks(times, game, record);
    if (readings.length === 0) return undefined;
    return { startMs: times.map(startMs), leftMs: readings.map(({ leftMs }) => Math.round(leftMs)) };
  };
}

/** @param own undefined for games that the page has */
export function gameData(
  record: GameRecord,
  number: number,
  {
    own,
    plan: { format },
    clocks: clocksOf,
  }: { own: OwnGame | undefined; plan: Pick<TournamentPlan, "format">; clocks: Clocks | undefined },
): GameData {
  const { id, seats, openingLength, actions, thoughts, returns, ending, forfeitSeat, detail } = record;
  const moves = own && movesOf(own.game, actions);
  const drawn = own?.drawn?.add(own.game, actions);
  const clocks = clocksOf?.(record);
  return {
    id,
    number,
    seats,
    openingLength,
    actions: own === undefined || own.withCode ? actions : [],
    ...(moves && { moves }),
    ...(drawn && { drawn }),
    ...(clocks && { clocks }),
    thoughts: formatThoughts(thoughts),
    returns,
    ending,
    forfeitSeat,
    // The lines that a bot of a ladder wrote are its author's.
    detail: withoutFolders(format.type === "ladder" ? readDetail(detail).reason : detail),
  };
}

function movesOf(game: Game, actions: readonly number[]): string[] {
  const state = game.start();
  try {
    return actions.map((action) => {
      const text = game.formatAction(action, state);
      state.apply(action);
      return text;
    });
  } catch {
    // The user's code has changed since the game was played, or the row is damaged.
    return actions.map(String);
  }
}
