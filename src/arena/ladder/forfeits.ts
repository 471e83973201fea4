import { counted } from "../../base/text.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { readDetail } from "../../ratings/warnings/forfeits.ts";
import type { Store } from "../store/store.ts";

/** Forfeited games of an entrant that are kept in mind. */
const KEPT = 10;

/**
 * Forfeits in a row, by entrant, as the games of a store tell them. A game that another one forfeited neither lengthens a row
 * nor ends it. An entrant that has had too many stays set aside.
 */
export class Forfeits {
  private readonly store: Store;
  private readonly streaks = new Map<number, number>();
  /** By entrant: the sentence that says why it was set aside. */
  private readonly reasons = new Map<number, string>();
  /** By entrant: the numbers of its last forfeited games. */
  private readonly forfeited = new Map<number, readonly number[]>();
  private last = 0;

  constructor(store: Store) {
    this.store = store;
  }

  /** Reads the new games; true if an entrant is set aside by them. @param most forfeits in a row that set aside */
  update(most: number): boolean {
    const { reasons, streaks, store } = this;
    const before = reasons.size;
    for (const { seats, forfeitSeat } of store.scoresAfter(this.last, Number.MAX_SAFE_INTEGER)) {
      this.last++;
      const loser = seats[forfeitSeat];
      if (loser === undefined) {
        for (const entrant of seats) streaks.set(entrant, 0);
        continue;
      }
      const streak = (streaks.get(loser) ?? 0) + 1;
      streaks.set(loser, streak);
      this.forfeited.set(loser, [...(this.forfeited.get(loser) ?? []), this.last].slice(-KEPT));
      if (streak >= most && !reasons.has(loser)) reasons.set(loser, this.describe(this.last, most));
    }
    return reasons.size > before;
  }

  /** The reason for which an entrant is set aside; undefined if it is not. */
  reason(entrant: number): string | undefined {
    return this.reasons.get(entrant);
  }

  /** The last games that an entrant forfeited, the oldest first. */
  lastOf(entrant: number): GameRecord[] {
    const game = this.store.numbered();
    return (this.forfeited.get(entrant) ?? []).flatMap((number) => game(number) ?? []);
  }

  private describe(number: number, most: number): string {
    const { ending, detail } = this.store.numbered()(number)!;
    // The bot's own lines, which the detail has too, are for its author alone.
    const { reason } = readDetail(detail);
    return `${counted(most, "forfeit")} in a row, the last one by ${ending}${reason === "" ? "" : `: ${reason}`}`;
  }
}
