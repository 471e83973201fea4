import { shortened } from "../../base/errors.ts";
import { LAST_LINES } from "../../base/text.ts";
import { ENDINGS, type ForfeitEnding, type GameRecord, type RatedGame } from "../record.ts";

/** The most characters of a detail in a warning. */
const LONGEST_DETAIL = 160;

/** The kinds of forfeits in words: one, and many. */
const WORDS: Readonly<Record<ForfeitEnding, readonly [one: string, many: string]>> = {
  "illegal action": ["illegal action", "illegal actions"],
  exception: ["exception", "exceptions"],
  "time-out": ["time-out", "time-outs"],
  "out of memory": ["time out of memory", "times out of memory"],
  "worker died": ["crash", "crashes"],
};

/** The forfeits of each entrant, by reason. */
export class Forfeits {
  private readonly reasons = new Map<string, Reason>();

  add({ id, seats, forfeitSeat, ending, detail }: RatedGame): void {
    // A damaged row may name a seat beside an ending that is no forfeit.
    if (forfeitSeat < 0 || !Object.hasOwn(WORDS, ending)) return;
    const key = `${seats[forfeitSeat]} ${ending}`;
    const reason = this.reasons.get(key);
    if (reason === undefined) this.reasons.set(key, { games: 1, id, detail });
    else {
      reason.games++;
      if (id < reason.id) Object.assign(reason, { id, detail });
    }
  }

  /** A sentence for each entrant that forfeited games: `bot: 16 illegal actions ("z9 is not legal"), 1 crash`. */
  warnings(names: readonly string[]): string[] {
    return names.flatMap((name, entrant) => {
      const own = ENDINGS.flatMap((ending) => {
        const reason = this.reasons.get(`${entrant} ${ending}`);
        return reason === undefined ? [] : [describeReason(ending as ForfeitEnding, reason)];
      });
      return own.length === 0 ? [] : [`${name}: ${own.join(", ")}`];
    });
  }
}

interface Reason {
  games: number;
  /** The game with the smallest id, whatever the order of the games, and its detail. */
  id: string;
  detail: string;
}

function describeReason(ending: ForfeitEnding, { games, detail }: Reason): string {
  const [one, many] = WORDS[ending];
  const { reason } = readDetail(detail);
  return `${games} ${games === 1 ? one : many}${reason === "" ? "" : ` ("${shortened(reason, LONGEST_DETAIL)}")`}`;
}

/** The forfeit of one game in words: `time-out by b`, `b crashed`. */
export function forfeitText(ending: GameRecord["ending"], name: string): string {
  return ending === "worker died" ? `${name} crashed` : `${ending} by ${name}`;
}

/**
 * A stored detail in its parts: the reason, and the last lines of the player's dialogue. The reason of a crash ends with
 * the last line of standard error, which names the error.
 */
export function readDetail(detail: string): { reason: string; lines: readonly string[] } {
  const at = detail.indexOf(LAST_LINES);
  if (at < 0) return { reason: detail, lines: [] };
  const lines = detail.slice(at + LAST_LINES.length).split(LINE_BREAK);
  const error = lines.at(-1)!.startsWith("! ") ? `; ${lines.at(-1)!.slice(2)}` : "";
  return { reason: detail.slice(0, at).replace(/; $/, "") + error, lines };
}

const LINE_BREAK = " | ";

/** The warnings about forfeits in games that are in memory. */
export function forfeitWarnings(names: readonly string[], records: readonly RatedGame[]): string[] {
  const forfeits = new Forfeits();
  for (const record of records) forfeits.add(record);
  return forfeits.warnings(names);
}
