import { z } from "zod";
import { check, formatPath } from "./check.ts";
import { InputError, type Problem } from "./errors.ts";

/** Collects the problems of a document, so that one error names all of them. */
export class Problems {
  private readonly list: Problem[] = [];

  add(path: readonly PropertyKey[], message: string): void {
    this.list.push({ path: formatPath(path), message });
  }

  /** Returns the result of `run`. If `run` throws InputError, collects its problems under `path` and returns undefined. */
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

  /** The same as `at` for a function that returns a promise. */
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

/** A document without its wrong parts: any key, and any entry of a list, may be undefined. */
export type Parts<T extends object> = {
  readonly [Key in keyof T]?: T[Key] extends readonly (infer Entry)[]
    ? readonly (Entry | undefined)[]
    : T[Key] | undefined;
};

/**
 * Checks a document against its schema. Mistakes go to `problems`. Returns the right parts, key by key and in lists entry
 * by entry, so that the caller can check what they refer to.
 */
export function checkParts<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
  problems: Problems,
): Parts<z.output<Schema>> {
  const whole = problems.at([], () => check(schema, given));
  return (whole ?? rightParts(schema, given) ?? {}) as Parts<z.output<Schema>>;
}

function rightParts(schema: z.ZodType, given: unknown): unknown {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  if (schema instanceof z.ZodArray && Array.isArray(given))
    return given.map((entry) => rightParts(schema.element as z.ZodType, entry));
  if (!(schema instanceof z.ZodObject) || typeof given !== "object" || given === null) return undefined;
  const values = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(schema.shape).map(([key, part]) => [key, rightParts(part as z.ZodType, values[key])]),
  );
}
