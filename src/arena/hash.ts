import { hash } from "node:crypto";

/** 24 hexadecimal digits of the SHA-256 of the parts, told apart however they are written. */
export function hashOf(...parts: readonly (string | number)[]): string {
  return hash("sha256", parts.join("\u001f"), "hex").slice(0, 24);
}

/** JSON with sorted keys: equal data gives equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
