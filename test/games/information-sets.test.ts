import { expect, test } from "vitest";
import { createGame, type GameSpec } from "../../src/games/index.ts";
import { measure } from "../support/information-sets.ts";
import { everyFew, thorough } from "../support/thorough.ts";

/**
 * Histories (chance, decisions, ends) and information sets of both players, as OpenSpiel counts them (Lanctot et al., "OpenSpiel:
 * A Framework for Reinforcement Learning in Games", 2019).
 */
const PUBLISHED: readonly (readonly [
  GameSpec,
  number,
  readonly [number, number, number] | undefined,
  number,
  number,
])[] = [
  ["kuhn", 58, [4, 24, 30], 6, 6],
  ["leduc", 9457, [157, 3780, 5520], 468, 468],
  [{ id: "liars-dice", sides: 2 }, 127, undefined, 16, 16],
  [{ id: "liars-dice", sides: 3 }, 1147, undefined, 96, 96],
  [{ id: "liars-dice", sides: 4 }, 8181, undefined, 512, 512],
  [{ id: "liars-dice", sides: 5 }, 51_181, undefined, 2560, 2560],
  ["liars-dice", 294_883, [7, 147_456, 147_420], 12_288, 12_288],
  [{ id: "goofspiel", cards: 3 }, 67, undefined, 8, 8],
  [{ id: "goofspiel", cards: 4 }, 1077, undefined, 81, 81],
];

/** Information sets of both players and ends of battleship (OpenSpiel, `games/battleship/battleship_test.cc`). */
const BATTLESHIP: readonly (readonly [Readonly<Record<string, unknown>>, number, number, number])[] = [
  [{ width: 2, height: 2, ships: [1], shots: 2 }, 53, 109, 1072],
  [{ width: 2, height: 2, ships: [1], shots: 3 }, 341, 397, 2224],
  [{ width: 2, height: 2, ships: [1, 2], shots: 3 }, 6541, 10_405, 32_256],
  [{ width: 3, height: 2, ships: [1], shots: 4 }, 46_987, 97_951, 969_516],
];

test.each(everyFew(PUBLISHED, 4))("%j has %i histories", (spec, histories, parts, first, second) => {
  const { chance, decisions, ends, sets } = measure(createGame(spec));
  expect(chance + decisions + ends).toBe(histories);
  if (parts !== undefined) expect([chance, decisions, ends]).toEqual(parts);
  expect(sets).toEqual([first, second]);
});

test.each(BATTLESHIP.slice(0, thorough(4, 3)))("battleship %j", (options, first, second, ends) => {
  const size = measure(createGame({ id: "battleship", ...options }));
  expect([...size.sets, size.ends]).toEqual([first, second, ends]);
});
