import { formatPath } from "./check.ts";
import { InputError, type Problem } from "./errors.ts";

/** Gathers what is wrong with a document, so that a person hears of all of it at once. */
export class Problems {
  private readonly list: Problem[] = [];

  add(path: readonly PropertyKey[], message: string): void {
    this.list.push({ path: formatPath(path), message });
  }

  /** What `run` returns; undefined when it throws InputError, whose problems are gathered under `path`. */
  at<T>(path: readonly PropertyKey[], run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const outer = formatPath(path);
      for (const { path: inner, message } of error.problems) {
        const separator = inner === "" || inner.startsWith("[") || outer === "" ? "" : ".";
        this.list.push({ path: `${outer}${separator}${inner}`, message });
      }
      return undefined;
    }
  }

  /** The same for what takes time. */
  async atAsync<T>(path: readonly PropertyKey[], run: () => Promise<T>): Promise<T | undefined> {
    const settled = await run().then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    return this.at(path, settled);
  }

  throwIfAny(source = ""): void {
    if (this.list.length > 0) throw new InputError(this.list, source);
  }
}
