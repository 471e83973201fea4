import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SeatClock } from "../../agents/agent.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";

/*
 * The games that are being played, in the folder of their run: at-play/GAME.json. Only those who watch need them, so a file
 * that cannot be written or read is left out.
 */

/** A game that is being played, up to its last action. */
export interface GameAtPlay extends Pick<ScheduledGame, "id" | "seats"> {
  readonly actions: readonly number[];
  /** The clocks, by player; absent without a time control. */
  readonly clocks?: readonly SeatClock[];
}

const FOLDER = "at-play";
/** A shorter game is not written: nobody could follow it. */
const FIRST_MS = 1000;
/** The least time between two writes, so that they cost next to nothing. */
const AGAIN_MS = 20;

/** Shows the games that this process plays for one run. */
export class GameSign {
  private readonly folder: string;
  private readonly clock: () => number;
  private game: ScheduledGame | undefined;
  private due = 0;
  private isUp = false;

  /**
   * @param dir the folder of the run
   * @param clock in ms
   */
  constructor(dir: string, clock: () => number) {
    this.folder = join(dir, FOLDER);
    this.clock = clock;
  }

  begin(game: ScheduledGame): void {
    this.game = game;
    this.due = this.clock() + FIRST_MS;
  }

  /** Shows the game after these actions if it has lasted for a while. */
  show(actions: readonly number[], clocks: readonly SeatClock[] | undefined): void {
    const now = this.clock();
    if (now < this.due || this.game === undefined) return;
    this.due = now + AGAIN_MS;
    const { id, seats } = this.game;
    const shown: GameAtPlay = { id, seats, actions, ...(clocks && { clocks }) };
    const path = this.pathOf(id);
    attempt(() => {
      if (!this.isUp) mkdirSync(this.folder, { recursive: true });
      this.isUp = true;
      // A reader finds the whole file, before the change or after it.
      writeFileSync(`${path}.part`, JSON.stringify(shown));
      renameSync(`${path}.part`, path);
    });
  }

  /** The game is over. */
  end(): void {
    const { game } = this;
    if (this.isUp && game !== undefined) attempt(() => rmSync(this.pathOf(game.id), { force: true }));
    this.game = undefined;
    this.isUp = false;
  }

  private pathOf(id: string): string {
    return join(this.folder, `${id}.json`);
  }
}

/** The games that are being played in the folder of a run. A process that was killed leaves its game, which may be stored. */
export function readGamesAtPlay(dir: string): GameAtPlay[] {
  const folder = join(dir, FOLDER);
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.flatMap((name) => {
    if (!name.endsWith(".json")) return [];
    const game = attempt(() => JSON.parse(readFileSync(join(folder, name), "utf8")) as unknown);
    return isGame(game) ? [game] : [];
  });
}

/** Removes what a run has shown: nobody plays there now. */
export function clearGamesAtPlay(dir: string): void {
  attempt(() => rmSync(join(dir, FOLDER), { recursive: true, force: true }));
}

function isGame(found: unknown): found is GameAtPlay {
  const { id, seats, actions, clocks = [] } = (found ?? {}) as Partial<GameAtPlay>;
  return (
    typeof id === "string" &&
    [seats, actions].every((list) => Array.isArray(list) && list.every(Number.isSafeInteger)) &&
    Array.isArray(clocks)
  );
}

function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
