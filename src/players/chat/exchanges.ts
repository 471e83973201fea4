import {
  appendFileSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { constants, gunzipSync, gzipSync } from "node:zlib";
import type { NewGame } from "../../agents/agent.ts";
import { describeError, describeRefusal } from "../../base/thrown.ts";
import { EndOfRun, PlayerFault } from "../player-process.ts";
import type { Message, Reply } from "./server.ts";

/*
 * The questions and answers of a run's games, in its folder `chat`. GAME-SEAT.jsonl.gz has each exchange of a game,
 * and ledger.jsonl has what each one took. Both only grow, a line at a time, so that nothing is lost when the program is
 * killed; a reply that is there is not asked for again.
 */

const FOLDER = "chat";
const LEDGER = "ledger.jsonl";

/** The place of an exchange in its game. */
interface Place {
  /** Names the decision: all that the player has noticed so far. */
  readonly decision: string;
  /** The answers that the player gave to the decision before. */
  readonly attempt: number;
}

/** A request and its reply, as a line of a game's file. The first message of all requests is on a line before. */
export interface Exchange extends Place {
  readonly messages: readonly Message[];
  readonly reply: Reply;
}

/** The tokens, time and cost of one exchange, as a line of the ledger. */
export interface Spent {
  readonly game: string;
  readonly seat: number;
  /** As the server counts them; 0 if it does not tell. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly timeMs: number;
  /** By the price of its entrant; 0 without one. */
  readonly cost: number;
  /** False if the answer had no legal action. */
  readonly legal: boolean;
}

/** The ledgers of runs that this process plays, by folder. */
const ledgers = new Map<string, Ledger>();

/** The exchanges of one seat of one game. Without a folder nothing is kept. */
export class Exchanges {
  private readonly game: NewGame | undefined;
  private readonly file: string | undefined;
  private readonly known = new Map<string, Exchange>();
  private opening = "";

  constructor(game: NewGame | undefined) {
    this.game = game;
    const folder = game?.folder ?? game?.replayed;
    if (folder === undefined) return;
    this.file = join(folder, FOLDER, `${game!.id}-${game!.seat}.jsonl.gz`);
    for (const line of this.read(this.file)) {
      if ("opening" in line) this.opening = line.opening;
      else this.known.set(nameOf(line), line);
    }
  }

  /** The reply that is kept at a place. Throws PlayerFault if a game is played again and has none there. */
  find(place: Place): Reply | undefined {
    const { reply } = this.known.get(nameOf(place)) ?? {};
    if (reply === undefined && this.game?.replayed !== undefined)
      throw new PlayerFault("exception", "no reply to this question is kept");
    return reply;
  }

  /** Throws EndOfRun if the exchanges of the run have cost as much as they may. */
  checkCost(): void {
    const { folder, maxCost } = this.game ?? {};
    if (folder === undefined || maxCost === undefined) return;
    const ledger = ledgers.get(folder) ?? new Ledger(folder);
    ledgers.set(folder, ledger);
    const cost = ledger.cost();
    if (cost < maxCost) return;
    throw new EndOfRun(
      `the answers of chat models have cost ${formatCost(cost)} so far, and maxCost is ${maxCost}; raise it to go on`,
    );
  }

  /** Keeps an exchange, whose first message is the opening. Throws EndOfRun if that cannot be done. */
  add({ messages: [first, ...messages], ...exchange }: Exchange, spent: Omit<Spent, "game" | "seat">): void {
    const { game, file } = this;
    if (file === undefined || game?.folder === undefined) return;
    const opening = first!.content;
    const lines = [...(opening === this.opening ? [] : [{ opening }]), { ...exchange, messages }];
    this.opening = opening;
    const written: Spent = { game: game.id, seat: game.seat, ...spent };
    try {
      mkdirSync(join(game.folder, FOLDER), { recursive: true });
      // The money is spent, also if the program ends before the next line.
      appendFileSync(join(game.folder, FOLDER, LEDGER), `${JSON.stringify(written)}\n`);
      appendFileSync(file, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
    } catch (error) {
      throw new EndOfRun(
        `a reply could not be kept in ${file}: ${describeRefusal(error) ?? describeError(error)}`,
      );
    }
  }

  /** The lines of a game's file. If its end is damaged, that is cut off. */
  private read(file: string): (Exchange | { readonly opening: string })[] {
    let packed: Buffer;
    try {
      packed = readFileSync(file);
    } catch {
      return [];
    }
    let text: string;
    try {
      text = gunzipSync(packed).toString();
    } catch {
      // The program was killed while it wrote the last line.
      text = beginningOf(packed, file);
      text = text.slice(0, text.lastIndexOf("\n") + 1);
      if (this.game?.folder !== undefined) {
        writeFileSync(`${file}.new`, gzipSync(text));
        renameSync(`${file}.new`, file);
      }
    }
    return linesOf(text) as (Exchange | { readonly opening: string })[];
  }
}

/** The text of a file without its end. Throws EndOfRun if more is damaged. */
function beginningOf(packed: Buffer, file: string): string {
  try {
    return gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH }).toString();
  } catch {
    throw new EndOfRun(`${file} is damaged; without it, the questions of its game are asked again`);
  }
}

function nameOf({ decision, attempt }: Place): string {
  return `${attempt} ${decision}`;
}

/** The lines that are JSON. */
function linesOf(text: string): unknown[] {
  return text.split("\n").flatMap((line): unknown[] => {
    try {
      return line === "" ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** The ledger of a run, which several processes write to. */
export class Ledger {
  private readonly path: string;
  private read = 0;
  private sum = 0;

  /** @param dir the folder of the run */
  constructor(dir: string) {
    this.path = join(dir, FOLDER, LEDGER);
  }

  /** The cost of all exchanges so far. */
  cost(): number {
    for (const { cost } of this.news()) this.sum += cost;
    return this.sum;
  }

  /** The lines that were added since the last call; at first all of them. */
  news(): Spent[] {
    let file: number;
    try {
      file = openSync(this.path, "r");
    } catch {
      return [];
    }
    try {
      const part = Buffer.alloc(fstatSync(file).size - this.read);
      const text = part.subarray(0, readSync(file, part, 0, part.length, this.read)).toString("latin1");
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      this.read += whole.length;
      return linesOf(whole) as Spent[];
    } finally {
      closeSync(file);
    }
  }
}

/** Money with at most four significant digits below a hundred, and cents above. */
function formatCost(cost: number): string {
  return String(Number(cost < 100 ? cost.toPrecision(4) : cost.toFixed(2)));
}
