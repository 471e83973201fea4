import { countBits } from "../../base/bits.ts";
import type { FeatureSet } from "../game.ts";
import { BAR, HOME, OFF, PLACES, type Position } from "./position.ts";
import { countShots, pipsOf, rollsOf } from "./shots.ts";
import type { BackgammonState } from "./state.ts";
import { tesauroFeatures } from "./tesauro.ts";

const POINTS = (2 << 24) - 2;
/** A player's home as the other counts: points 19 to 24. */
const THEIR_HOME = POINTS & ~((2 << 18) - 1);
const LONGEST_PRIME = 6;
const SHORTEST_PRIME = 2;
/** How far ahead of a man points can block it: two sixes. */
const AHEAD = 12;

/** Inputs of one player, by place behind the first one. */
const HITS = 0;
const HIT_PIPS = 1;
const ESCAPES = 2;
const GAMMON = 3;
const PRIME = 4;
const DANCE = PRIME + LONGEST_PRIME - SHORTEST_PRIME + 1;
const PLAYER_INPUTS = DANCE + HOME;
/** The most that are active of one player's. */
const PLAYER_ACTIVE = 6;

const FIRST = tesauroFeatures.size;
const RACE = FIRST + 2 * PLAYER_INPUTS;
const RACE_LEAD = RACE + 1;
const RACE_LENGTH = RACE + 2;
const SIZE = RACE + 3;

/**
 * TD-Gammon's inputs, and what people look at beyond them, in numbers that a network would find hard to
 * make of these. For either player, with contact: of the 36 rolls those that hit the other, were the
 * player to roll; the pips that would cost, over all rolls; the rolls by which the rearmost man can be
 * moved as a whole; the other's longest prime before that man; with men on the bar, the points that the
 * other holds at home. While no man is off, the pips that are needed to save the gammon. Without
 * contact: the lead, and the length of the race.
 *
 * Values are multiples of 1/64 where they can be, so that sums of them are exact.
 */
export const tacticsFeatures: FeatureSet<BackgammonState> = {
  summary: "TD-Gammon's 198 inputs; shots, escapes, primes, men on the bar, gammon, race",
  version: 1,
  size: SIZE,
  maxActive: tesauroFeatures.maxActive + 2 * PLAYER_ACTIVE,
  symmetry: "mirrored",
  viewer: (state) => state.onRoll,
  extract(state, player, index, value) {
    let end = tesauroFeatures.extract(state, player, index, value);
    if (state.isRace()) {
      const own = state.pips(player);
      const their = state.pips(1 - player);
      index[end] = RACE;
      value[end++] = 1;
      index[end] = RACE_LEAD;
      value[end++] = (their - own) / 16;
      index[end] = RACE_LENGTH;
      value[end++] = (own + their) / 128;
    } else {
      end = extractContact(state, player, FIRST, index, value, end);
      end = extractContact(state, 1 - player, FIRST + PLAYER_INPUTS, index, value, end);
    }
    for (let side = 0; side < 2; side++) {
      const pips = pipsToSaveGammon(state, side === 0 ? player : 1 - player);
      if (pips === 0) continue;
      index[end] = FIRST + side * PLAYER_INPUTS + GAMMON;
      value[end++] = pips / 64;
    }
    return end;
  },
  describe(feature) {
    if (feature < FIRST) return tesauroFeatures.describe(feature);
    if (feature === RACE) return "race";
    if (feature === RACE_LEAD) return "own lead in the race / 16";
    if (feature === RACE_LENGTH) return "pips of both in the race / 128";
    const owner = feature < FIRST + PLAYER_INPUTS ? "own" : "their";
    const input = (feature - FIRST) % PLAYER_INPUTS;
    if (input === HITS) return `${owner} rolls that hit / 32`;
    if (input === HIT_PIPS) return `${owner} pips won by hits, over 36 rolls / 512`;
    if (input === ESCAPES) return `${owner} rolls that free the rearmost man / 32`;
    if (input === GAMMON) return `${owner} pips to save the gammon / 64`;
    if (input < DANCE) return `${owner} rearmost man before a prime of ${input - PRIME + SHORTEST_PRIME}`;
    return `${owner} men on the bar against ${input - DANCE + 1} points`;
  },
};

function extractContact(
  state: BackgammonState,
  player: number,
  first: number,
  index: Int32Array,
  value: Float32Array,
  at: number,
): number {
  let end = at;
  const shots = countShots(state, player);
  if (shots !== 0) {
    index[end] = first + HITS;
    value[end++] = rollsOf(shots) / 32;
    index[end] = first + HIT_PIPS;
    value[end++] = pipsOf(shots) / 512;
  }
  const rear = state.rearmost(player);
  const blocked = state.made[1 - player] & POINTS;
  const before = rear >= AHEAD ? blocked >>> (rear - AHEAD) : blocked << (AHEAD - rear);
  index[end] = first + ESCAPES;
  value[end++] = ESCAPE_ROLLS[before & ((1 << AHEAD) - 1)] / 32;
  const prime = longestRun(blocked & ((1 << rear) - 1));
  if (prime >= SHORTEST_PRIME) {
    index[end] = first + PRIME + Math.min(prime, LONGEST_PRIME) - SHORTEST_PRIME;
    value[end++] = 1;
  }
  if (rear === BAR) {
    const points = countBits(blocked & THEIR_HOME);
    if (points > 0) {
      index[end] = first + DANCE + points - 1;
      value[end++] = 1;
    }
  }
  return end;
}

/** Pips to bring all men home, 0 once a man is off. */
function pipsToSaveGammon({ men, occupied }: Position, player: number): number {
  const base = player * PLACES;
  if (men[base + OFF] > 0) return 0;
  let pips = 0;
  for (let rest = occupied[player] >>> (HOME + 1), place = HOME + 1; rest !== 0;) {
    const skip = 31 - Math.clz32(rest & (0 - rest));
    place += skip;
    pips += men[base + place] * (place - HOME);
    rest = (rest >>> skip) >>> 1;
    place++;
  }
  return pips;
}

/** Length of the longest run of set bits. */
function longestRun(bits: number): number {
  let length = 0;
  for (let rest = bits; rest !== 0; rest &= rest >>> 1) length++;
  return length;
}

/** By the points blocked ahead of a man (bit 11 the next one): the rolls of 36 that it can move by the sum of both dice. */
const ESCAPE_ROLLS = Uint8Array.from({ length: 1 << AHEAD }, (_, blocked) => {
  const isOpen = (pips: number) => ((blocked >> (AHEAD - pips)) & 1) === 0;
  let rolls = 0;
  for (let first = 1; first <= 6; first++)
    for (let second = 1; second <= 6; second++)
      if (isOpen(first + second) && (isOpen(first) || isOpen(second))) rolls++;
  return rolls;
});
