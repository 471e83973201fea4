/*
 * Texts as PostgreSQL takes them: it has no NUL, and no half of a surrogate pair.
 */

/** Stands for a NUL: U+2400, the symbol for null. */
const NUL_SYMBOL = "\u2400";
const NUL = String.fromCharCode(0);

/** The text with ␀ (U+2400) for each NUL and U+FFFD for each half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll(NUL, NUL_SYMBOL).replaceAll(/\p{Surrogate}/gu, "\ufffd");
}

/** JSON in which all texts, keys among them, are storable. */
export function storableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === "string") return storable(inner);
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, held]) => [storable(key), held as unknown]));
  });
}
