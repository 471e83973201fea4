import { describe, expect, test } from "vitest";
import type { FormatPlan, Past } from "../../../src/arena/formats/format.ts";
import { formatOf, hasOneRound } from "../../../src/arena/formats/index.ts";
import { bracket, knockoutRounds, MAX_SINGLE_BLOCKS } from "../../../src/arena/formats/knockout.ts";
import { createRandom } from "../../../src/base/random.ts";
import { planFor, playOut } from "./play-out.ts";

const knockout = (entrants: number, change: Partial<FormatPlan> = {}, thirdPlace = false) =>
  planFor({ type: "knockout", thirdPlace }, entrants, change);

/** The rounds as text, seeds counted from 1: byes, and matches with their score and who goes on. */
function story(plan: FormatPlan, past: Past): string[] {
  return knockoutRounds(plan, past).map(({ byes, matches, third }) => {
    const texts = [...matches, ...(third === undefined ? [] : [third])].map(
      ({ entrants: [one, other], scores, blocks, winner }) =>
        `${one + 1}-${other + 1} ${scores.join(":")} of ${blocks}, ${winner === undefined ? "level" : winner + 1}`,
    );
    return [...byes.map((bye) => `${bye + 1} bye`), ...texts].join("; ");
  });
}

test("the best two seeds can meet in the final only, the best four from the semi-finals on, and so on", () => {
  expect(bracket(2)).toEqual([0, 1]);
  expect(bracket(8).map((seed) => seed + 1)).toEqual([1, 8, 4, 5, 2, 7, 3, 6]);
  expect(bracket(13).map((seed) => seed + 1)).toEqual([
    1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11,
  ]);
  for (let size = 2; size <= 256; size *= 2) {
    const places = bracket(size);
    expect(places.toSorted((a, b) => a - b)).toEqual(Array.from({ length: size }, (_, seed) => seed));
    for (let best = 2; best <= size; best *= 2) {
      const part = (seed: number) => Math.floor((places.indexOf(seed) * best) / size);
      expect(new Set(Array.from({ length: best }, (_, seed) => part(seed))).size).toBe(best);
    }
  }
});

describe("a knockout in which the higher seed wins", () => {
  test.each([
    [2, ["1-2 2:0 of 2, 1"]],
    [3, ["1 bye; 2-3 2:0 of 2, 2", "1-2 2:0 of 2, 1"]],
    [5, ["1 bye; 2 bye; 3 bye; 4-5 2:0 of 2, 4", "1-4 2:0 of 2, 1; 2-3 2:0 of 2, 2", "1-2 2:0 of 2, 1"]],
    [
      8,
      [
        "1-8 2:0 of 2, 1; 4-5 2:0 of 2, 4; 2-7 2:0 of 2, 2; 3-6 2:0 of 2, 3",
        "1-4 2:0 of 2, 1; 2-3 2:0 of 2, 2",
        "1-2 2:0 of 2, 1",
      ],
    ],
    [
      13,
      [
        "1 bye; 2 bye; 3 bye; 8-9 2:0 of 2, 8; 4-13 2:0 of 2, 4; 5-12 2:0 of 2, 5; 7-10 2:0 of 2, 7; 6-11 2:0 of 2, 6",
        "1-8 2:0 of 2, 1; 4-5 2:0 of 2, 4; 2-7 2:0 of 2, 2; 3-6 2:0 of 2, 3",
        "1-4 2:0 of 2, 1; 2-3 2:0 of 2, 2",
        "1-2 2:0 of 2, 1",
      ],
    ],
  ])("of %i entrants", (entrants, rounds) => {
    const plan = knockout(entrants);
    const past = playOut(plan, () => [1, 0]);
    expect(story(plan, past)).toEqual(rounds);
    expect(past.matches).toHaveLength(rounds.length);
    expect(past.matches.flat()).toHaveLength(entrants - 1);
  });
});

test("a knockout in which the lower seed wins", () => {
  const plan = knockout(5, {}, true);
  expect(
    story(
      plan,
      playOut(plan, () => [0.25, 0.75]),
    ),
  ).toEqual([
    "1 bye; 2 bye; 3 bye; 4-5 0.5:1.5 of 2, 5",
    "1-5 0.5:1.5 of 2, 5; 2-3 0.5:1.5 of 2, 3",
    "3-5 0.5:1.5 of 2, 5; 1-2 0.5:1.5 of 2, 2",
  ]);
});

describe("a match that is level", () => {
  const blocksOf = (past: Past) =>
    past.matches.map((round) => round.map(({ from, blocks }) => [from, blocks]));

  test("is played on with as many blocks again", () => {
    const plan = knockout(2, { blocks: 3 });
    const past = playOut(plan, (_, block) => (block === 4 ? [0.25, 0.75] : [0.5, 0.5]));
    expect(blocksOf(past)).toEqual([[[0, 3]], [[3, 3]]]);
    expect(story(plan, past)).toEqual(["1-2 2.75:3.25 of 6, 2"]);
  });

  test("then with one block at a time, only where it is level", () => {
    const plan = knockout(4, { blocks: 3 });
    const past = playOut(plan, ([one], block) =>
      one === 1 && block === 7 ? [0, 1] : one === 1 ? [0.5, 0.5] : [1, 0],
    );
    expect(blocksOf(past)).toEqual([
      [
        [0, 3],
        [0, 3],
      ],
      [[3, 3]],
      [[6, 1]],
      [[7, 1]],
      [[0, 3]],
    ]);
    expect(story(plan, past)).toEqual(["1-4 3:0 of 3, 1; 2-3 3.5:4.5 of 8, 3", "1-3 3:0 of 3, 1"]);
  });

  test("to the end: the higher seed goes on after the last block", () => {
    for (const blocks of [1, 2, 7]) {
      const plan = knockout(4, { blocks }, true);
      const past = playOut(plan, () => [0.5, 0.5]);
      const all = 2 * blocks + MAX_SINGLE_BLOCKS;
      expect(story(plan, past)).toEqual([
        `1-4 ${all / 2}:${all / 2} of ${all}, 1; 2-3 ${all / 2}:${all / 2} of ${all}, 2`,
        `1-2 ${all / 2}:${all / 2} of ${all}, 1; 3-4 ${all / 2}:${all / 2} of ${all}, 3`,
      ]);
      const games = past.matches.flat().reduce((sum, match) => sum + 2 * match.blocks, 0);
      expect(formatOf(plan).size(plan).most).toBe(games);
    }
  });
});

test("knockouts of random results: whoever goes on has the higher score, or was level to the end and the higher seed", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = createRandom("knockout", seed);
    const entrants = 2 + (seed % 15);
    const plan = knockout(entrants, { blocks: 1 + (seed % 3) }, entrants > 3 && seed % 2 === 0);
    const past = playOut(plan, () => {
      const share = random.below(5) / 4;
      return [share, 1 - share];
    });
    const rounds = knockoutRounds(plan, past);
    let left = [...plan.entrants.keys()];
    for (const { byes, matches, third } of rounds) {
      expect([...byes, ...matches.flatMap((match) => match.entrants)].toSorted((a, b) => a - b)).toEqual(
        left,
      );
      const all = third === undefined ? matches : [...matches, third];
      for (const { entrants: both, scores, winner, blocks } of all) {
        const [one, other] = scores;
        expect(winner).toBe(one >= other ? both[0] : both[1]);
        if (one === other) expect(blocks).toBe(2 * plan.blocks + MAX_SINGLE_BLOCKS);
      }
      left = [...byes, ...matches.map(({ winner }) => winner!)].toSorted((a, b) => a - b);
    }
    expect(left).toHaveLength(1);
    expect(rounds.at(-1)!.third === undefined).toBe(plan.format["thirdPlace"] === false);
  }
});

test("the number of games is told as a range, and more blocks would change who meets whom", () => {
  const plan = knockout(8, { blocks: 5 });
  expect(formatOf(plan).size(plan)).toEqual({ least: 7 * 2 * 5, most: 7 * 2 * (2 * 5 + MAX_SINGLE_BLOCKS) });
  expect(hasOneRound(plan)).toBe(false);
  expect(hasOneRound(knockout(2))).toBe(false);
});

test.each([
  [
    knockout(6, { players: 3 }),
    "a knockout is for games of two players; this one has 3: take another format",
  ],
  [knockout(3, {}, true), "thirdPlace: needs at least 4 entrants, got 3"],
])("refused: %j", (plan, message) => {
  expect(() => formatOf(plan).size(plan)).toThrow(message);
});
