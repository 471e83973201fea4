import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  type YAMLMap,
} from "yaml";
import { isPattern } from "../bots.ts";

/** The offset in the text of the part of a document that the path of a problem names, or of the nearest part around it. */
export function findOffset(document: Document, path: string): number {
  return findInside(document.contents, { document, path, around: offsetOf(document.contents) });
}

interface Sought {
  readonly document: Document;
  readonly path: string;
  /** The offset of the part inside which `path` is sought. */
  readonly around: number;
}

function findInside(part: unknown, { document, path, around }: Sought): number {
  if (path === "") return around;
  const node = isAlias(part) ? part.resolve(document) : part;
  if (isSeq(node)) {
    const [step = "", index] = /^\[(\d+)\]\.?/.exec(path) ?? [];
    const item = node.items[Number(index)];
    // A pattern enters several bots, so the items from there on have other indexes.
    if (item === undefined || node.items.slice(0, Number(index) + 1).some(namesBots)) return around;
    return findInside(item, { document, path: path.slice(step.length), around: offsetOf(item) });
  }
  if (isMap(node)) {
    // A key may have dots: of `a` and `a.b` the longer one is meant.
    const [found] = pairsOf(node, document)
      .filter(({ key }) => beginsWith(path, nameOf(key)))
      .toSorted((one, other) => nameOf(other.key).length - nameOf(one.key).length);
    if (found === undefined) return around;
    const rest = path.slice(nameOf(found.key).length).replace(/^\./, "");
    return findInside(found.value, { document, path: rest, around: offsetOfPair(found) });
  }
  return around;
}

function beginsWith(path: string, key: string): boolean {
  return path.startsWith(key) && [undefined, ".", "["].includes(path[key.length]);
}

function namesBots(item: unknown): boolean {
  return isPattern(isMap(item) ? item.get("agent") : isScalar(item) && item.value);
}

/** The pairs of a mapping, then those that it takes from others by `<<`. */
function pairsOf({ items }: YAMLMap, document: Document): Pair[] {
  const taken = items.filter(isMerge).flatMap(({ value }) => {
    const from = isAlias(value) ? value.resolve(document) : value;
    const sources = isSeq(from) ? from.items : [from];
    return sources.flatMap((one) => {
      const map = isAlias(one) ? one.resolve(document) : one;
      return isMap(map) ? pairsOf(map, document) : [];
    });
  });
  return [...items.filter((pair) => !isMerge(pair)), ...taken];
}

function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === "symbol";
}

function nameOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : "";
}

/** The begin of a value; of its key, if the value is empty or begins on a line below. */
function offsetOfPair({ key, value }: Pair): number {
  const [begin, end] = isNode(value) ? (value.range ?? []) : [];
  const isBelow = isCollection(value) && value.flow !== true;
  return begin === end || isBelow ? offsetOf(key) : begin!;
}

function offsetOf(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}
