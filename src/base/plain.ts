import { finish, step } from "./hashing.ts";

/*
 * Plain values: finite numbers, texts, true, false, null, and arrays and objects of plain values. A property that is
 * undefined counts as absent, as it does in JSON.
 */

/** The reason why a value is not plain, as `name.pits[3] is NaN`; undefined if it is plain. */
export function whyNotPlain(value: unknown, name: string, depth = 0): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${name} is ${value}`;
  if (typeof value !== "object")
    return `${name} is ${value === undefined ? "undefined" : `a ${typeof value}`}`;
  if (depth > MOST_NESTED) return `${name} is nested more than ${MOST_NESTED} deep, or holds itself`;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const why = whyNotPlain(value[at], `${name}[${at}]`, depth + 1);
      if (why !== undefined) return why;
    }
    return undefined;
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return `${name} is a ${(value as { constructor?: { name?: string } }).constructor?.name ?? "class instance"}`;
  for (const [key, one] of Object.entries(value)) {
    const why = one === undefined ? undefined : whyNotPlain(one, `${name}.${key}`, depth + 1);
    if (why !== undefined) return why;
  }
  return undefined;
}

const MOST_NESTED = 50;

/** A value as JSON on one line, keys in order: equal data give equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** The first place where two plain values differ, as `name.pits[3] was 4 and is 0`; undefined where they are equal. */
export function plainDifference(before: unknown, after: unknown, name: string): string | undefined {
  if (canonicalJson(before) === canonicalJson(after)) return undefined;
  if (isNested(before) && isNested(after) && Array.isArray(before) === Array.isArray(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const path = Array.isArray(before) ? `${name}[${key}]` : `${name}.${key}`;
      const found = plainDifference(before[key] ?? null, after[key] ?? null, path);
      if (found !== undefined) return found;
    }
  }
  return `${name} was ${canonicalJson(before)} and is ${canonicalJson(after)}`;
}

function isNested(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** Freezes a plain value and all that it holds; returns it. */
export function deepFreeze<Value>(value: Value): Value {
  if (isNested(value)) {
    for (const one of Object.values(value)) deepFreeze(one);
    Object.freeze(value);
  }
  return value;
}

/** 64 bits of a plain value, in two int32: equal values give equal hashes, whatever the order of their keys. */
export class PlainHash {
  low = 0;
  high = 0;

  /** Sets `low` and `high` to the hash of `value`. */
  hash(value: unknown): void {
    this.low = 0x2545f491;
    this.high = 0x6c62272e;
    this.add(value);
    this.low = finish(this.low);
    this.high = finish(this.high);
  }

  private add(value: unknown): void {
    if (typeof value === "number") this.addNumber(value);
    else if (Array.isArray(value)) {
      this.mix(ARRAY + value.length);
      for (let at = 0; at < value.length; at++) this.add(value[at]);
    } else if (typeof value === "object" && value !== null) this.addObject(value as Record<string, unknown>);
    else if (typeof value === "string") {
      this.mix(TEXT + value.length);
      for (let at = 0; at < value.length; at++) this.mix(value.charCodeAt(at));
    } else this.mix(value === true ? TRUE : value === false ? FALSE : NULL);
  }

  private addNumber(value: number): void {
    const whole = value | 0;
    if (whole === value) return this.mix(whole);
    FLOAT[0] = value;
    this.mix(WORDS[0]);
    this.mix(WORDS[1]);
  }

  /** Adds the sum of the hashes of all properties, which is the same in any order of keys. */
  private addObject(value: Record<string, unknown>): void {
    const { low, high } = this;
    let sumLow = OBJECT;
    let sumHigh = OBJECT;
    for (const key in value) {
      const one = value[key];
      if (one === undefined) continue;
      this.low = this.high = hashOfKey(key);
      this.add(one);
      sumLow = (sumLow + finish(this.low)) | 0;
      sumHigh = (sumHigh + finish(this.high)) | 0;
    }
    this.low = step(low, sumLow);
    this.high = otherStep(high, sumHigh);
  }

  private mix(word: number): void {
    this.low = step(this.low, word);
    this.high = otherStep(this.high, word);
  }
}

const ARRAY = 0x61000000;
const TEXT = 0x62000000;
const OBJECT = 0x63000000;
const [TRUE, FALSE, NULL] = [0x64000001, 0x64000002, 0x64000003];
const FLOAT = new Float64Array(1);
const WORDS = new Int32Array(FLOAT.buffer);

/** Does what `step` does with another word, so that the two halves of a hash are independent. */
function otherStep(hash: number, word: number): number {
  return step(hash, Math.imul(word ^ 0x5bd1e995, 0x9e3779b1));
}

const keyHashes = new Map<string, number>();

function hashOfKey(key: string): number {
  const known = keyHashes.get(key);
  if (known !== undefined) return known;
  let hash = 0x1b873593;
  for (let at = 0; at < key.length; at++) hash = step(hash, key.charCodeAt(at));
  keyHashes.set(key, finish(hash));
  return finish(hash);
}

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
