/** JSON for people: as `JSON.stringify(value, null, 2)` writes it, but a list of numbers stands on one line. */
export function formatJson(value: unknown): string {
  // Values such as dates become plain data first.
  return format(JSON.parse(JSON.stringify(value)), "\n");
}

/** @param line a line break and the indentation at this depth */
function format(value: unknown, line: string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  if (isList && value.every((entry) => typeof entry === "number")) return `[${value.join(", ")}]`;
  const inner = `${line}  `;
  const entries = isList
    ? value.map((entry) => format(entry, inner))
    : Object.entries(value).map(([key, entry]) => `${JSON.stringify(key)}: ${format(entry, inner)}`);
  if (entries.length === 0) return "{}";
  const [open, close] = isList ? "[]" : "{}";
  return `${open}${inner}${entries.join(`,${inner}`)}${line}${close}`;
}
