// Writes the JSON Schemas of the config files and the tables of keys in docs/, from the built package: npm run schema
// With --check it writes nothing, and ends with the names of files that are not as they should be.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { configSchemas } from "../build/cli/schema.js";
import { weightsFile } from "../build/evaluators/stored-weights.js";
import { toJsonSchema } from "../build/specs/json-schema.js";
import { fillTables } from "./tables.mjs";

const root = new URL("../", import.meta.url);
const read = (name) => readFileSync(new URL(name, root), "utf8");

const schemas = configSchemas();
const { tournament, training, tuning, ablation, grading } = schemas;

/** Games, entrants and budgets have tables of their own. */
const KNOWN = ["id", "agent", "name", "depth", "nodes", "simulations", "timeMs", "tables", "book"];

/** The options of each game, or of each agent, by its id. An option that is only read, from old configs, has no description. */
function optionsOf({ anyOf }, key) {
  return Object.fromEntries(
    anyOf
      .filter((one) => one.properties?.[key]?.const !== undefined)
      .map(({ properties, ...rest }) => [
        properties[key].const,
        {
          ...rest,
          properties: Object.fromEntries(
            Object.entries(properties).filter(
              ([name, { description }]) => !KNOWN.includes(name) && description !== undefined,
            ),
          ),
        },
      ]),
  );
}

/** A schema in which nothing is said of the values of some keys but what they are. */
function shallow(value, keys) {
  if (Array.isArray(value)) return value.map((one) => shallow(one, keys));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      keys.includes(key) ? { type: "object", description: inner.description } : shallow(inner, keys),
    ]),
  );
}

const tables = {
  tournament: shallow(tournament, ["game", "games"]),
  training: shallow(training, ["game", "player", "search"]),
  tuning: shallow(tuning, ["game", "agent"]),
  ablation: shallow(ablation, ["games", "agent", "vary"]),
  grading: shallow(grading, ["game", "against"]),
  weights: shallow(toJsonSchema(weightsFile), ["evaluator"]),
};
const options = {
  games: optionsOf(tournament.$defs.game, "id"),
  agents: optionsOf(tournament.properties.entrants.anyOf[0].items, "agent"),
};
const pages = readdirSync(new URL("docs/", root)).filter((name) => name.endsWith(".md"));
const files = {
  ...Object.fromEntries(
    Object.entries(schemas).map(([kind, schema]) => [
      `schema/${kind}.json`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  ),
  ...Object.fromEntries(
    pages.map((name) => [`docs/${name}`, fillTables(read(`docs/${name}`), tables, options)]),
  ),
};

const changed = Object.entries(files).filter(
  ([name, text]) => !existsSync(new URL(name, root)) || read(name) !== text,
);
if (process.argv.includes("--check")) {
  for (const [name] of changed) console.error(`${name}: npm run schema writes it anew`);
  process.exitCode = changed.length === 0 ? 0 : 1;
} else for (const [name, text] of changed) writeFileSync(new URL(name, root), text);
