import { type Problem, shortened } from "../../base/errors.ts";
import {
  parseResult,
  type PortableEvents,
  PortableReader,
  RESULTS,
} from "../../games/shared/portable-reader.ts";
import { NO_ROUND, roundOf, type GameList } from "./game-list.ts";
import type { FileProblems } from "./file-problems.ts";

/** The tags that are read. */
const PLAYERS = ["White", "Black"] as const;

/** Takes the lines of a file in Portable Game Notation: of each game the tags White, Black, Result and Round. */
export class PgnResults implements PortableEvents {
  private readonly list: GameList;
  private readonly problems: FileProblems;
  private readonly reader = new PortableReader(this);
  private readonly names = new Map<string, string>();
  private result: readonly number[] | undefined;
  /** The Result that cannot be read, which matters if the moves tell none. */
  private wrongResult: Problem | undefined;
  private round = NO_ROUND;
  /** True for a game of which a tag is wrong. */
  private isWrong = false;

  constructor(list: GameList, problems: FileProblems) {
    this.list = list;
    this.problems = problems;
  }

  read(line: string): void {
    this.reader.read(line);
  }

  /** Reads the end of the file. */
  finish(): void {
    this.reader.end();
  }

  tag(name: string, value: string, line: number): void {
    if (name === "White" || name === "Black") this.readPlayer(name, value, line);
    else if (name === "Round") this.round = roundOf(value.trim());
    else if (name === "Result") {
      this.result = parseResult(value.trim());
      const allowed = Object.keys(RESULTS).join(", ");
      const message = `Result is "${shortened(value, 80)}"; allowed: ${allowed}`;
      this.wrongResult = this.result === undefined ? { path: `line ${line}`, message } : undefined;
    }
  }

  private readPlayer(tag: "White" | "Black", name: string, line: number): void {
    if (this.names.has(tag)) this.fail(`${tag} is given twice in one game`, line);
    if (name.trim() === "") this.fail(`${tag} is "${name}"; it must be the name of a player`, line);
    this.names.set(tag, name);
  }

  wrongTag(text: string, line: number): void {
    const tag = [...PLAYERS, "Result"].find((name) => new RegExp(`^\\[\\s*${name}\\b`, "i").test(text));
    const message = `${shortened(text, 80)} is no tag; write [${tag} "..."]`;
    if (tag === "Result") this.wrongResult = { path: `line ${line}`, message };
    // Other tags may be written in any way.
    else if (tag !== undefined) this.fail(message, line);
  }

  end(played: readonly number[] | undefined, line: number): void {
    const { list, names, wrongResult } = this;
    if (wrongResult !== undefined && played !== undefined) this.problems.passOver(wrongResult);
    else if (wrongResult !== undefined) {
      this.problems.add(wrongResult);
      this.isWrong = true;
    }
    const result = this.result ?? played;
    const missing = [
      ...PLAYERS.filter((tag) => !names.has(tag)),
      ...(result === undefined ? ["Result"] : []),
    ];
    // Positions, and moves that belong to no head, have no players at all.
    const isGame = names.size > 0 || this.result !== undefined;
    if (!this.isWrong && missing.length > 0) {
      if (isGame)
        this.problems.add({ path: `line ${line}`, message: `the game has no ${missing.join(" and no ")}` });
      else this.problems.passOver({ path: `line ${line}`, message: "the game has no players" });
    } else if (!this.isWrong) {
      const seats = PLAYERS.map((tag) => list.numberOf(names.get(tag)!));
      if (result!.length === 0) list.unfinished++;
      else list.add(seats, result!, this.round);
    }
    names.clear();
    this.result = undefined;
    this.wrongResult = undefined;
    this.round = NO_ROUND;
    this.isWrong = false;
  }

  leftOut(message: string, line: number): void {
    this.problems.passOver({ path: `line ${line}`, message });
  }

  private fail(message: string, line: number): void {
    this.problems.add({ path: `line ${line}`, message });
    this.isWrong = true;
  }
}
