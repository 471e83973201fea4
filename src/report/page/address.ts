import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The reader's place: a view of a run, and in it a game, a position or a filter. */
export interface Place {
  readonly folder: string;
  readonly view: string;
  readonly query: URLSearchParams;
}

/** Reads the place from `#/FOLDER/VIEW?KEY=VALUE`. */
export function readPlace(): Place {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [folder = "", view = ""] = path.split("/").map(decodeURIComponent);
  return { folder, view, query: new URLSearchParams(query) };
}

/** The address of a place in the page. */
export function addressOf(
  folder: string,
  view: string,
  query: Readonly<Record<string, string>> = {},
): string {
  const text = new URLSearchParams(query).toString();
  return `#/${encodeURIComponent(folder)}/${view}${text === "" ? "" : `?${text}`}`;
}

/*
 * Both effects run with the drawing: one that ran behind it could miss an address, or put the last one back over an
 * address that a reader went to in between.
 */

/** The reader's place; it follows the address. */
export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useLayoutEffect(() => {
    const follow = () => setPlace(readPlace());
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);
  return place;
}

/** Keeps what is shown in the address once something has changed, so that the address that a reader came with stays until then. */
export function useAddress(address: string): void {
  const first = useRef(true);
  useLayoutEffect(() => {
    if (!first.current) history.replaceState(null, "", address);
    first.current = false;
  }, [address]);
}
