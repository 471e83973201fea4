import { InputError, type Problem } from "../../base/errors.ts";
import { counted } from "../../base/text.ts";

/** Reading stops after this many problems. */
const MAX_PROBLEMS = 100;
/** The most places that a note names. */
const MOST_NAMED = 3;

/** The faults of a file: those for which it is refused, and those that are passed over and told, each with its place. */
export class FileProblems {
  private readonly path: string;
  /** True if the file is refused for every fault. */
  private readonly strict: boolean;
  private readonly list: Problem[] = [];
  private readonly passed: Problem[] = [];
  private count = 0;

  constructor(path: string, { strict = false }: { strict?: boolean | undefined } = {}) {
    this.path = path;
    this.strict = strict;
  }

  /** Throws InputError if there are a hundred problems. */
  add(problem: Problem): void {
    this.list.push(problem);
    if (this.list.length === MAX_PROBLEMS) this.throwIfAny();
  }

  /** Leaves out what is wrong, unless the file is refused for it. */
  passOver(problem: Problem): void {
    if (this.strict) this.add(problem);
    else if (this.count++ < MAX_PROBLEMS) this.passed.push(problem);
  }

  throwIfAny(): void {
    if (this.list.length > 0) throw new InputError(this.list, this.path);
  }

  /** Throws InputError with what was passed over: it was all that the file has. */
  throwIfPassedOver(): void {
    if (this.passed.length > 0) throw new InputError(this.passed, this.path);
  }

  /** Notes for the user on how the file was read. */
  notes(): string[] {
    if (this.count === 0) return [];
    const named = this.passed.slice(0, MOST_NAMED).map(({ path, message }) => `${path}: ${message}`);
    const more = this.count > MOST_NAMED ? "; and others" : "";
    return [`${this.path}: ${counted(this.count, "fault")} passed over: ${named.join("; ")}${more}`];
  }
}
