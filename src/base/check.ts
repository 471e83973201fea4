import { z } from "zod";
import { InputError, type Problem } from "./errors.ts";
import { didYouMean } from "./text.ts";

/** Checks a value against a schema. Throws InputError with all problems and the allowed values. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source = "",
): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new InputError(describeIssues(parsed.error.issues, schema), source);
}

/** The schema of a function. */
export const method = z.custom<(...args: never[]) => unknown>(
  (given) => typeof given === "function",
  "must be a function",
);

/** Far more issues than a message names. Those after them keep zod's words: a document may have many thousands. */
const MAX_DESCRIBED = 200;

function describeIssues(issues: readonly z.core.$ZodIssue[], schema: z.ZodType): Problem[] {
  return issues.flatMap((issue, at) =>
    at < MAX_DESCRIBED
      ? describeIssue(issue, schema)
      : [{ path: formatPath(issue.path), message: issue.message }],
  );
}

/** The message of a union without an `error` of its own. */
const ZODS_OWN = "Invalid input";

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): Problem[] {
  const path = formatPath(issue.path);
  if (issue.code === "unrecognized_keys") {
    const allowed = keysAt(schema, issue.path, issue.input);
    return issue.keys.map((key) => ({
      path: formatPath([...issue.path, key]),
      message: `unknown key "${key}"${didYouMean(key, allowed)}; allowed: ${allowed.join(", ") || "none"}`,
    }));
  }
  if (issue.code === "invalid_union") {
    const named = wrongName(issue);
    if (named !== undefined) return describeIssue(named, schema);
    if (issue.message !== ZODS_OWN) return [{ path, message: issue.message }];
    const nearest = nearestAlternative(issue);
    if (nearest !== undefined) {
      const whole = (inner: z.core.$ZodIssue) =>
        ({ ...inner, path: [...issue.path, ...inner.path] }) as z.core.$ZodIssue;
      return describeIssues(nearest.map(whole), schema);
    }
  }
  if (issue.input === undefined && (issue.code !== "custom" || issue.message === "must be a function")) {
    // A key that is required only in some cases has no type to tell.
    const hasType = issue.code !== "invalid_type" || issue.expected !== "nonoptional";
    return [{ path, message: hasType ? `missing; ${demand(issue, schema)}` : "missing" }];
  }
  const near =
    issue.code === "invalid_value" && typeof issue.input === "string"
      ? didYouMean(issue.input, issue.values.map(String))
      : "";
  return [{ path, message: `${demand(issue, schema)}, got ${formatGiven(issue.input)}${near}` }];
}

/** The problem that a key names no alternative, in a union whose alternatives differ by this key. */
function wrongName(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssueInvalidValue | undefined {
  if (issue.errors.length > 0 || !("options" in issue) || issue.discriminator === undefined) return undefined;
  const { discriminator, options = [], path, message } = issue;
  const input = (issue.input as Readonly<Record<string, unknown>> | undefined)?.[discriminator];
  const values = options.filter((option) => option !== undefined && option !== null);
  return { code: "invalid_value", values, input, path, message };
}

/** The demand that a value fails: `must be at least 1`. */
function demand(issue: z.core.$ZodIssue, schema: z.ZodType): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${typeName(issue.expected, schema, issue.path)}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_small":
      return bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_union": {
      const demands = issue.errors
        .flat()
        .map((inner) =>
          demand({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, schema),
        );
      const [first = issue.message, ...others] = new Set(demands);
      return [first, ...others.map((other) => other.replace(/^must be /, ""))].join(" or ");
    }
    default:
      return issue.message;
  }
}

/**
 * The problems of the alternative of a union that the author most likely meant. Its problems lie deepest in the value;
 * among several such alternatives it has the fewest problems, and the fewest unknown keys. If several are equal, only the keys that none of them
 * knows count. Undefined if no alternative fits even the outermost value.
 */
function nearestAlternative({ errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  const ranked = errors
    .map((issues) => ({ issues, depth: depth(issues), unknown: issues.filter(isUnknownKey).length }))
    .toSorted((a, b) => b.depth - a.depth || a.issues.length - b.issues.length || a.unknown - b.unknown);
  const [best, second] = ranked;
  if (best === undefined || best.depth === 0) return undefined;
  const equal = second?.depth === best.depth && second.issues.length === best.issues.length;
  const unknown = best.issues.filter(isUnknownKey);
  return equal && unknown.length > 0 ? unknown : best.issues;
}

function isUnknownKey({ code }: z.core.$ZodIssue): boolean {
  return code === "unrecognized_keys";
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length + (isUnknownKey(issue) ? 1 : 0)));
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  const one = Number(limit) === 1;
  if (origin === "string") return `must have ${relation} ${limit} ${one ? "character" : "characters"}`;
  if (origin === "array" || origin === "set")
    return `must have ${relation} ${limit} ${one ? "entry" : "entries"}`;
  return `must be ${relation} ${limit}`;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a number",
  string: "a text",
  boolean: "true or false",
  array: "a list",
  tuple: "a list",
  object: "a mapping of keys to values",
  record: "a mapping of keys to values",
};

/** The expected type in words. Zod reports "number" for whole numbers too, so this asks the schema. */
function typeName(expected: string, schema: z.ZodType, path: readonly PropertyKey[]): string {
  const whole =
    expected === "number" &&
    schemasAt(schema, path).some((here) => here instanceof z.ZodNumber && here.isInt);
  return TYPE_NAMES[whole ? "int" : expected] ?? expected;
}

const LONGEST_GIVEN = 80;

function formatGiven(value: unknown): string {
  if (typeof value === "number") return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > LONGEST_GIVEN ? `${text.slice(0, LONGEST_GIVEN)}...` : text;
}

/** A path as text: `entrants[2].depth`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** The keys that are allowed at `path`; if a key names an alternative, only those of this alternative. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[], given: unknown): string[] {
  const objects = schemasAt(schema, path).filter((here) => here instanceof z.ZodObject);
  const meant = objects.filter((object) => isMeant(object, given));
  const keys = (meant.length > 0 ? meant : objects).flatMap(({ shape }) => Object.keys(shape));
  return [...new Set(keys)];
}

/** True if `given` has the right value at each key for which this alternative allows only one value. */
function isMeant({ shape }: z.ZodObject, given: unknown): boolean {
  const values = (given ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(shape).every(
    ([key, part]) =>
      !alternatives(part).every((one) => one instanceof z.ZodLiteral) ||
      (part as z.ZodType).safeParse(values[key]).success,
  );
}

/** The schemas of the value at `path`; a union has several. */
function schemasAt(schema: z.ZodType, path: readonly PropertyKey[]): unknown[] {
  let here = alternatives(schema);
  for (const part of path) {
    here = here.flatMap((container) => {
      if (container instanceof z.ZodObject) return alternatives(container.shape[String(part)]);
      if (container instanceof z.ZodArray) return alternatives(container.element);
      if (container instanceof z.ZodRecord) return alternatives(container.valueType);
      return [];
    });
  }
  return here;
}

/** The schema without wrappers such as optional and default; the members of a union. */
function alternatives(schema: unknown): unknown[] {
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(alternatives);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  )
    return alternatives(schema.unwrap());
  return [schema];
}

/** One option of a game or an agent. */
export interface OptionDescription {
  readonly name: string;
  readonly description: string;
  readonly default: unknown;
  /** The JSON Schema of the value, without description and default. */
  readonly schema: unknown;
}

/** Describes the options in a schema. */
export function describeOptions(schema: z.ZodObject): OptionDescription[] {
  const json = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(json.properties ?? {}).map(([name, value]) => {
    const {
      description = "",
      default: fallback,
      ...rest
    } = value as Record<string, unknown> & { description?: string };
    return { name, description, default: fallback, schema: rest };
  });
}

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
      for (const { path: inner, message } of error.named) {
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
