import { appendFileSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NewGame } from "../agents/agent.ts";
import type { LineSource } from "./player-process.ts";

/*
 * The dialogues of games with programs, in the folder of their run: dialogues/GAME.log. They are written when a game is over.
 */

/** The beginning of a dialogue is kept, and its end, each up to so many characters. */
const HALF = 32_000;
/** Longer lines are cut. */
const MAX_LINE = 4000;
/** The dialogues of a run take about so many bytes at most. */
const MAX_RUN = 100_000_000;
/** Files written between two looks at how much there is: other workers write, too. */
const FILES_PER_LOOK = 50;

const MARKS: Readonly<Record<LineSource, string>> = { said: "> ", heard: "< ", error: "! " };

/** Keeps what is said to one program and by it, a game at a time. */
export class DialogueLog {
  private readonly program: string;
  private game: NewGame | undefined;
  private head: string[] = [];
  private tail: string[] = [];
  private headSize = 0;
  private tailSize = 0;
  private leftOut = 0;

  constructor(command: readonly string[]) {
    this.program = command.join(" ");
  }

  /** A game begins. Without a folder nothing of it is kept. */
  begin(game: NewGame | undefined): void {
    this.end();
    this.game = game?.folder === undefined ? undefined : game;
  }

  add(line: string, from: LineSource): void {
    if (this.game === undefined) return;
    const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}... (${line.length} characters)` : line;
    const text = `${MARKS[from]}${cut}\n`;
    if (this.headSize < HALF) {
      this.head.push(text);
      this.headSize += text.length;
      return;
    }
    this.tail.push(text);
    this.tailSize += text.length;
    while (this.tailSize > HALF) {
      this.tailSize -= this.tail.shift()!.length;
      this.leftOut++;
    }
  }

  /** The game is over: its dialogue is written. */
  end(): void {
    const { game } = this;
    if (game === undefined) return;
    const gap =
      this.leftOut === 0
        ? []
        : [`... ${this.leftOut} lines are left out here: a dialogue has ${2 * HALF} characters\n`];
    const lines = [...this.head, ...gap, ...this.tail];
    keep(join(game.folder!, "dialogues"), game.id, `seat ${game.seat}: ${this.program}\n${lines.join("")}\n`);
    this.game = undefined;
    this.head = [];
    this.tail = [];
    this.headSize = this.tailSize = this.leftOut = 0;
  }
}

/** The bytes in each folder of dialogues, as they were counted last, and the files written here since then. */
const counted = new Map<string, { bytes: number; files: number }>();

function keep(folder: string, id: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  let known = counted.get(folder);
  if (known === undefined || known.files >= FILES_PER_LOOK) {
    known = { bytes: sizeOf(folder), files: 0 };
    counted.set(folder, known);
  }
  if (known.bytes > MAX_RUN) {
    const sentence = `The dialogues of other games are not kept: those here take ${MAX_RUN / 1e6} MB.\n`;
    writeFileSync(join(folder, "not-kept.txt"), sentence);
    return;
  }
  appendFileSync(join(folder, `${id}.log`), text);
  known.bytes += text.length;
  known.files++;
}

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
