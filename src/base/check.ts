import { z } from "zod";
import { didYouMean, InputError, type Problem } from "./errors.ts";

/** The checked value; throws InputError with all problems, in words that say what is allowed. */
export function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source = "",
): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  throw new InputError(
    parsed.error.issues.flatMap((issue) => describeIssue(issue, schema)),
    source,
  );
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType): Problem[] {
  const path = formatPath(issue.path);
  const got = issue.input === undefined ? "" : `, got ${JSON.stringify(issue.input)}`;
  switch (issue.code) {
    case "unrecognized_keys": {
      const allowed = keysAt(schema, issue.path);
      return issue.keys.map((key) => ({
        path: formatPath([...issue.path, key]),
        message: `unknown key "${key}"${didYouMean(key, allowed)}${allowed.length > 0 ? `; allowed: ${allowed.join(", ")}` : ""}`,
      }));
    }
    case "invalid_type":
      return [
        {
          path,
          message:
            issue.input === undefined
              ? `missing; must be ${typeName(issue.expected)}`
              : `must be ${typeName(issue.expected)}${got}`,
        },
      ];
    case "invalid_value": {
      const allowed = issue.values.map(String);
      const near = typeof issue.input === "string" ? didYouMean(issue.input, allowed) : "";
      return [{ path, message: `must be one of ${allowed.join(", ")}${got}${near}` }];
    }
    case "too_small":
      return [
        {
          path,
          message: `must ${bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}${got}`,
        },
      ];
    case "too_big":
      return [
        {
          path,
          message: `must ${bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}${got}`,
        },
      ];
    case "invalid_union": {
      // The alternative that came furthest says most about what was meant.
      const deepest = issue.errors.toSorted((a, b) => depth(b) - depth(a))[0];
      if (deepest !== undefined && depth(deepest) > 0) {
        return deepest.flatMap((inner) =>
          describeIssue({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue, schema),
        );
      }
      const kinds = issue.errors
        .flat()
        .map((inner) => ("expected" in inner ? typeName(String(inner.expected)) : inner.message));
      return [{ path, message: `must be ${[...new Set(kinds)].join(" or ")}${got}` }];
    }
    default:
      return [{ path, message: `${issue.message}${got}` }];
  }
}

function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(
    0,
    ...issues.map((issue) => issue.path.length + (issue.code === "unrecognized_keys" ? 1 : 0)),
  );
}

function bound(origin: string, relation: string, limit: number | bigint): string {
  if (origin === "string") return `have ${relation} ${limit} characters`;
  if (origin === "array" || origin === "set") return `have ${relation} ${limit} entries`;
  return `be ${relation} ${limit}`;
}

function typeName(expected: string): string {
  const names: Record<string, string> = {
    int: "a whole number",
    number: "a number",
    string: "a text",
    boolean: "true or false",
    array: "a list",
    object: "a mapping of keys to values",
    record: "a mapping of keys to values",
  };
  return names[expected] ?? expected;
}

/** `entrants[2].depth`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** The keys of the object schema that stands at `path`; empty where there is none. */
function keysAt(schema: z.ZodType | undefined, path: readonly PropertyKey[]): string[] {
  let here: unknown = schema;
  for (const part of path) {
    here = unwrap(here);
    if (here instanceof z.ZodObject && typeof part === "string") here = here.shape[part];
    else if (here instanceof z.ZodArray) here = here.element;
    else if (here instanceof z.ZodRecord) here = here.valueType;
    else return [];
  }
  here = unwrap(here);
  return here instanceof z.ZodObject ? Object.keys(here.shape) : [];
}

function unwrap(schema: unknown): unknown {
  let here = schema;
  while (here instanceof z.ZodOptional || here instanceof z.ZodDefault) here = here.unwrap();
  return here;
}
