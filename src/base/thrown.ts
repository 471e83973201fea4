/*
 * Where an exception comes from, read off its stack. V8 writes a stack as lines `at name (file:line:column)`; a file
 * is a path or a file: URL.
 */

/** An error on one line: `TypeError: x is not a function`. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n")[0]!;
}

/** What was thrown, on one line, with the place in code that is not agon's; safe whatever was thrown. */
export function describeThrown(thrown: unknown): string {
  try {
    const place = theirPlaceOf(thrown);
    return `${describeError(thrown)}${place === undefined ? "" : `, at ${place}`}`;
  } catch {
    return "something that cannot be described";
  }
}

/** The calls that led to an error, the innermost first, each as `file:line:column`; those inside Node are left out. */
export function placesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? "").split("\n").flatMap((line) => {
    const place = /^\s+at (?:async )?(?:.*\()?(.+:\d+:\d+)\)?$/.exec(line)?.[1];
    if (place === undefined || place.startsWith("node:")) return [];
    return [decodeURIComponent(place.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, "")).replaceAll("\\", "/")];
  });
}

/** The innermost call in code that is neither agon's nor a package's; undefined where there is none. */
export function theirPlaceOf(error: unknown): string | undefined {
  // The folder of agon's own code, as it stands in stacks.
  const own = decodeURIComponent(new URL("../", import.meta.url).pathname).replace(/^\/(?=[A-Za-z]:)/, "");
  return placesOf(error).find((place) => !place.startsWith(own) && !place.includes("/node_modules/"));
}

/** The file of a place: what stands before line and column. */
export function fileOfPlace(place: string): string {
  return place.replace(/:\d+:\d+$/, "");
}
