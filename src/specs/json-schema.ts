import { z } from "zod";
import { budgetSchema, type AgentFamily } from "../agents/agent.ts";
import { changedWeights } from "../agents/changed-weights.ts";
import { tablesAndBookOptions } from "../agents/tables-and-book.ts";
import { agents } from "./families.ts";
import { games } from "../games/index.ts";
import { FILE_KINDS } from "./references.ts";

/** A JSON Schema, or a part of one. */
export type JsonSchema = Record<string, unknown>;

/** Converts a zod type; recursive parts go to `$defs` under names that begin with `name`. */
export function toJsonSchema(schema: z.ZodType, name = ""): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return JSON.parse(JSON.stringify(rest).replaceAll("__schema", `${name}-`)) as JsonSchema;
}

/** Moves the `$defs` of all inner schemas to the outermost one, where references look for them. */
function hoistDefinitions(schema: JsonSchema): JsonSchema {
  const definitions: JsonSchema = {};
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (typeof value !== "object" || value === null) return value;
    const { $defs, ...rest } = value as JsonSchema;
    Object.assign(definitions, strip($defs));
    return Object.fromEntries(Object.entries(rest).map(([key, inner]) => [key, strip(inner)]));
  };
  const stripped = strip(schema) as JsonSchema;
  return Object.keys(definitions).length === 0 ? stripped : { ...stripped, $defs: definitions };
}

/** The converted schema of an object. */
interface ObjectSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
}

/** The schema of a kind of config, for editors: that of its checks, in which `properties` and `others` replace their namesakes. */
export function configJsonSchema(
  kind: string,
  schema: ObjectSchema,
  properties: JsonSchema,
  others: JsonSchema = {},
): JsonSchema {
  return hoistDefinitions({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `agon ${kind}`,
    ...schema,
    ...others,
    properties: { ...schema.properties, ...properties },
  });
}

/** The schema of a game: an id, the path of a file, or an object with id and options. */
export function gameJsonSchema(): JsonSchema {
  return {
    description: "a game's id, or { id, options... }",
    anyOf: [
      { enum: Object.keys(games).flatMap(spellings) },
      pluginPath("game"),
      ...Object.values(games).flatMap((family) => spellings(family.id).map((id) => gameObject(family, id))),
      pluginObject("id"),
    ],
  };
}

/** The schema of an entrant: a short form such as `alpha-beta:depth=6`, or an object. */
export function entrantJsonSchema(keys: JsonSchema = {}): JsonSchema {
  return {
    anyOf: [
      { type: "string", description: "short form, such as random or alpha-beta:depth=6" },
      ...Object.values(agents).map((family) => agentObject(family, keys)),
      pluginObject("agent"),
    ],
  };
}

function gameObject({ id, summary, options }: (typeof games)[string], spelling: string | number): JsonSchema {
  return withKey(toJsonSchema(options, id), "id", { const: spelling, description: summary });
}

/** The values that configs may write for an id: `2048` without quotes is a number. */
function spellings(id: string): (string | number)[] {
  return String(Number(id)) === id ? [id, Number(id)] : [id];
}

function agentObject(family: AgentFamily, keys: JsonSchema): JsonSchema {
  const budgets = toJsonSchema(budgetSchema) as { properties: JsonSchema };
  const heeded = Object.entries(budgets.properties).filter(([key]) =>
    family.budgets.some((name) => name === key),
  );
  const schema = withKey(toJsonSchema(family.options, family.id), "agent", {
    const: family.id,
    description: family.summary,
  });
  return {
    ...schema,
    properties: {
      name: { type: "string", description: "the name in tables [the agent and its options]" },
      ...keys,
      ...(schema["properties"] as JsonSchema),
      ...(family.presets && { preset: presetJsonSchema(family.presets) }),
      ...Object.fromEntries(heeded),
      ...(toJsonSchema(tablesAndBookOptions)["properties"] as JsonSchema),
      ...("evaluator" in family.options.shape && (toJsonSchema(changedWeights)["properties"] as JsonSchema)),
    },
  };
}

function presetJsonSchema(presets: NonNullable<AgentFamily["presets"]>): JsonSchema {
  const described = Object.entries(presets).map(([name, { summary }]) => `${name}, ${summary}`);
  return {
    enum: Object.keys(presets),
    description: `several options under one name: ${described.join("; ")}`,
  };
}

function withKey(schema: JsonSchema, key: string, value: JsonSchema): JsonSchema {
  return {
    ...schema,
    required: [key, ...((schema["required"] as string[] | undefined) ?? [])],
    properties: { [key]: value, ...(schema["properties"] as JsonSchema) },
  };
}

function pluginPath(what: string): JsonSchema {
  return {
    type: "string",
    pattern: FILE_KINDS.code.pattern.source,
    description: `path of a file that exports \`${what}\``,
  };
}

function pluginObject(key: string): JsonSchema {
  return {
    type: "object",
    required: [key],
    properties: { [key]: pluginPath(key === "id" ? "game" : "agent") },
  };
}
