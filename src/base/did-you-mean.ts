import leven from "leven";

/** The text ` (did you mean "x"?)` with the nearest of `allowed`; empty if none is near. */
export function didYouMean(given: string, allowed: readonly string[]): string {
  const near = allowed
    .map((name) => ({ name, distance: leven(given.toLowerCase(), name.toLowerCase()) }))
    .filter(
      ({ name, distance }) =>
        distance < name.length &&
        distance <= (name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3))),
    )
    .toSorted((a, b) => a.distance - b.distance)[0];
  return near === undefined ? "" : ` (did you mean "${near.name}"?)`;
}

/** The message `unknown game "conect-four" (did you mean "connect-four"?); allowed: ...`. */
export function unknownName(kind: string, given: string, allowed: readonly string[]): string {
  const list = allowed.length === 0 ? "none here" : allowed.join(", ");
  return `unknown ${kind} "${given}"${didYouMean(given, allowed)}; allowed: ${list}`;
}
