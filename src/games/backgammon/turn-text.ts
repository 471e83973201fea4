import { InputError } from "../../base/errors.ts";
import { BAR, LARGE, OFF, PLACES, SMALL } from "./position.ts";
import type { BackgammonState } from "./state.ts";
import { MAX_LEGAL_TURNS, PASS } from "./turns.ts";

/** The way of one man within a turn: its places from start to end, and whether it hits on each. */
interface Way {
  readonly places: number[];
  readonly hits: boolean[];
}

/** The ways of the men in a turn, from the rear forwards. */
export function waysOf(action: number, state: BackgammonState): Way[] {
  const large = LARGE[state.roll];
  const small = SMALL[state.roll];
  const dice = large === small ? [large, large, large, large] : [large, small];
  const steps = dice
    .map((die, index) => ({ from: (action >>> (5 * (dice.length - 1 - index))) & 31, die }))
    .filter(({ from }) => from !== 0)
    .map(({ from, die }) => ({ from, to: Math.max(from - die, OFF) }))
    .toSorted((a, b) => b.from - a.from || b.to - a.to);
  const blots = state.blots[1 - state.onRoll];
  const ways: Way[] = [];
  let hit = 0;
  while (steps.length > 0) {
    const { from } = steps[0]!;
    const way: Way = { places: [from], hits: [false] };
    for (let at = 0, here = from; at >= 0; at = steps.findIndex((step) => step.from === here)) {
      here = steps.splice(at, 1)[0]!.to;
      const bit = here === OFF ? 0 : 1 << here;
      way.places.push(here);
      way.hits.push((blots & bit & ~hit) !== 0);
      hit |= bit;
    }
    ways.push(way);
  }
  return ways;
}

function placeName(place: number): string {
  return place === BAR ? "bar" : place === OFF ? "off" : String(place);
}

/** `8/5 6/5`, `bar/22*`, `13/7*\/5` (a hit on the way), `8/4(2) 6/2(2)`, `6/off`, `pass`. */
export function formatTurn(action: number, state: BackgammonState): string {
  if (action === PASS) return "pass";
  const counts = new Map<string, number>();
  for (const { places, hits } of waysOf(action, state)) {
    const text = places
      .map((place, index) => ({ name: `${placeName(place)}${hits[index] ? "*" : ""}`, index }))
      .filter(({ index }) => index === 0 || index === places.length - 1 || hits[index])
      .map(({ name }) => name)
      .join("/");
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return Array.from(counts, ([text, count]) => (count > 1 ? `${text}(${count})` : text)).join(" ");
}

/** The effect of a turn, the same for all ways to write it. */
interface Effect {
  /** Change of the mover's men on each place. */
  readonly change: string;
  /** The points where a blot is hit, as bits; for a text, the points that it names. */
  readonly hits: number;
}

/**
 * The legal turn that `text` writes, or -1. The parts may come in any order, joined or not. `25` and `0`
 * stand for `bar` and `off`. The star of a hit may be left out, and so may a hit on the way that cannot
 * be avoided.
 */
export function readTurn(text: string, state: BackgammonState): number {
  const actions = new Int32Array(MAX_LEGAL_TURNS);
  const legal = Array.from(actions.subarray(0, state.legalActions(actions, 0)));
  if (/^(pass|-|(can(no|')t|cannot) move)?$/i.test(text)) return legal[0] === PASS ? PASS : -1;
  const wanted = readEffect(text, state);
  if (wanted === undefined) return -1;
  const same = legal
    .map((action) => ({ action, effect: effectOf(action, state) }))
    .filter(({ effect }) => effect.change === wanted.change);
  const exact = same.find(({ effect }) => effect.hits === wanted.hits);
  if (exact !== undefined) return exact.action;
  const [only, another] = same;
  if (only === undefined || (wanted.hits & ~only.effect.hits) !== 0) return -1;
  if (another !== undefined) throw new InputError(`"${text}" may or may not hit on the way; name the point`);
  return only.action;
}

function effectOf(action: number, state: BackgammonState): Effect {
  const change = new Int8Array(PLACES);
  let hits = 0;
  for (const way of waysOf(action, state)) {
    change[way.places[0]!]!--;
    change[way.places.at(-1)!]!++;
    way.places.forEach((place, index) => (hits |= way.hits[index] ? 1 << place : 0));
  }
  return { change: change.join(), hits };
}

function readEffect(text: string, state: BackgammonState): Effect | undefined {
  const change = new Int8Array(PLACES);
  const blots = state.blots[1 - state.onRoll] & ((1 << BAR) - 2);
  let hits = 0;
  for (const part of text.toLowerCase().split(/[\s,]+/)) {
    const match = /^(bar|\d+)((?:\/(?:off|\d+)\*?)+)(?:\(([2-4])\))?$/.exec(part);
    if (match === null) return undefined;
    const landings = match[2]!.slice(1).split("/");
    const places = [match[1]!, ...landings].map(placeOf);
    if (places.some((place) => place > BAR)) return undefined;
    const times = Number(match[3] ?? 1);
    change[places[0]!]! -= times;
    change[places.at(-1)!]! += times;
    for (const landing of landings) {
      const point = 1 << placeOf(landing);
      if (landing.endsWith("*") && (blots & point) === 0) return undefined;
      hits |= blots & point;
    }
  }
  return { change: change.join(), hits };
}

function placeOf(name: string): number {
  return name === "bar" ? BAR : name === "off" ? OFF : Number(name.replace("*", ""));
}
