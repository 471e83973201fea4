// Tables of keys in Markdown, out of JSON Schemas.

/**
 * `page` with its tables written anew: between `<!-- keys: NAME -->` and `<!-- end -->` the keys of `schemas[NAME]`, and
 * between `<!-- options: NAME -->` and `<!-- end -->` the options that `options[NAME]` has, a schema for each owner. The
 * table of `<!-- keys: NAME beside OTHER -->` has one row for all keys that are the same in `schemas[OTHER]`.
 */
export function fillTables(page, schemas, options) {
  return page.replaceAll(
    /(<!-- (keys|options): (\w+)(?: beside (\w+))? -->\n)[^]*?(<!-- end -->)/g,
    (_, begin, kind, name, other, end) => {
      const source = { keys: schemas, options }[kind][name];
      if (source === undefined) throw new Error(`nothing is called ${name}`);
      const table = kind === "keys" ? keyTable(source, other, schemas[other]) : optionTable(name, source);
      return `${begin}${table}${end}`;
    },
  );
}

function keyTable(schema, other, otherSchema = {}) {
  const known = new Set(rowsOf(otherSchema, ""));
  const rows = [...new Set(rowsOf(schema, ""))];
  const same = rows.filter((row) => known.has(row)).flatMap((row) => /^\| (`\w+`) /.exec(row)?.[1] ?? []);
  const link = `| ${same.join(", ")} | | | as in a [${other}](#${other}-config) |`;
  const own = rows.filter((row) => !known.has(row)).concat(same.length > 0 ? [link] : []);
  return ["| key | values | default | what |", "| --- | --- | --- | --- |", ...own, ""].join("\n");
}

/** One row an option. Owners that have the same option share its row, where the first of them has it. */
function optionTable(title, schemas) {
  const owners = {};
  for (const [owner, schema] of Object.entries(schemas))
    for (const row of rowsOf(schema, "")) (owners[row] ??= []).push(code(owner));
  const rows = Object.entries(owners).map(([row, of]) => `| ${of.join(", ")} ${row}`);
  const head = [`| ${title} | option | values | default | what |`, "| --- | --- | --- | --- | --- |"];
  return [...head, ...rows, ""].join("\n");
}

/** One row for each key with a description or with variants. The keys of inner objects are written `outer.inner`. */
function rowsOf(schema, prefix) {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    if (value.description === undefined && variantsOf(value).length === 0) return [];
    const path = prefix + key;
    const fallback =
      "default" in value ? code(JSON.stringify(value.default)) : required.includes(key) ? "required" : "";
    const cells = [code(path), valuesOf(value), fallback, value.description ?? ""];
    return [
      `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`,
      ...variantsOf(value).flatMap((variant) => rowsOf(variant, `${path}.`)),
    ];
  });
}

/** The objects that a value may be, if it must be one of them, and if their keys have descriptions. */
function variantsOf(schema) {
  const choices = schema.anyOf ?? schema.oneOf ?? [schema];
  return choices.every(isDescribed) ? choices : [];
}

function isDescribed({ properties = {} }) {
  return Object.values(properties).some(({ description }) => description !== undefined);
}

function valuesOf(schema) {
  const { type, minimum, maximum = Infinity, exclusiveMinimum } = schema;
  if ("const" in schema) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(", ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (variantsOf(schema).length > 0) return "mapping";
  if (schema.properties !== undefined) return choiceOf(schema);
  if (choices !== undefined) return [...new Set(choices.map(choiceOf))].join(" or ");
  if (Array.isArray(type)) return type.map((one) => valuesOf({ type: one })).join(" or ");
  if (type === "array") return "list";
  if (type === "object" || type === undefined) return "mapping";
  if (type === "string") return "text";
  if (type === "boolean") return "`true`, `false`";
  const whole = type === "integer" ? "whole number" : "number";
  if (exclusiveMinimum !== undefined) return `${whole} above ${exclusiveMinimum}`;
  if (minimum === undefined || minimum < -Number.MAX_SAFE_INTEGER / 2) return whole;
  return maximum >= Number.MAX_SAFE_INTEGER ? `${whole}, ${minimum} or more` : `${minimum} to ${maximum}`;
}

const choiceOf = (schema) =>
  schema.properties === undefined
    ? valuesOf(schema)
    : code(`{ ${Object.keys(schema.properties).join(", ")} }`);

const code = (value) => `\`${value}\``;
