import { expect, test } from "vitest";
import { ladder, type LadderSpec } from "../../../src/arena/formats/ladder.ts";
import { scoreBlock } from "../../../src/arena/schedule/rounds.ts";
import type { BlockScore, FormatPlan, Match } from "../../../src/arena/formats/format.ts";

const ROUND = 8;

/** Plays a ladder of so many entrants, of which the one of the higher number always wins, round by round. */
function play(
  entrants: number,
  stages: LadderSpec["stages"],
  rounds: number,
  players = 2,
): (readonly Match[])[] {
  const plan: FormatPlan = {
    format: { type: "ladder", rounds, stages } satisfies LadderSpec,
    entrants: Array.from({ length: entrants }, (_, at) => ({ name: `${at}` })),
    players,
    blocks: 1,
    round: ROUND,
    seed: "ladder",
  };
  const matches: (readonly Match[])[] = [];
  const scores: BlockScore[] = [];
  for (let number = 0; ; number++) {
    const seen = number - ladder.lag + 1;
    for (const [match, { entrants: met, from, blocks }] of (matches[seen - 1] ?? []).entries())
      for (let block = from; block < from + blocks; block++) {
        const seats = met.map((_, seat) => met[(seat + block) % players]!);
        const result = scoreBlock(met, [
          { seats, returns: seats.map((one) => (players === 1 ? one * (block % 2) : one)), forfeitSeat: -1 },
        ]);
        scores.push({ round: seen - 1, match, block, ...result });
      }
    const next = ladder.round(plan, number, { matches, scores });
    if (next === undefined) return matches;
    matches.push(next);
  }
}

const everybody = { from: 0, entrants: [0, 1, 2, 3, 4, 5] };
const metIn = (rounds: readonly (readonly Match[])[]) =>
  [...new Set(rounds.flat().flatMap(({ entrants }) => entrants))].toSorted((a, b) => a - b);

test.each([1, 2, 3, 4])(
  "every entrant soon plays, rounds are whole, and no block is played twice: %i players",
  (players) => {
    const rounds = play(6, [everybody], 30, players);
    expect(rounds).toHaveLength(30);
    for (const { entrants } of rounds.flat()) {
      expect(entrants).toHaveLength(players);
      expect(entrants).toEqual([...new Set(entrants)].toSorted((a, b) => a - b));
    }
    expect(metIn(rounds.slice(0, 2))).toEqual(everybody.entrants);
    for (const round of rounds) expect(round.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(ROUND);
    const blocks = rounds
      .flat()
      .flatMap(({ entrants, from, blocks: count }) =>
        Array.from({ length: count }, (_, at) => `${entrants.join()} ${from + at}`),
      );
    expect(new Set(blocks).size).toBe(blocks.length);
  },
);

test("a later stage changes no round before it; entrants join and leave at its round", () => {
  const before = play(6, [{ from: 0, entrants: [0, 1, 2, 3, 4] }], 10);
  const grown = play(
    7,
    [
      { from: 0, entrants: [0, 1, 2, 3, 4] },
      { from: 6, entrants: [0, 2, 4, 6] },
    ],
    20,
  );
  expect(grown.slice(0, 6)).toEqual(before.slice(0, 6));
  expect(metIn(grown.slice(6))).toEqual([0, 2, 4, 6]);
  // The new entrant is what is known least about.
  expect(metIn(grown.slice(6, 7))).toContain(6);
});

test("with three players, what two that stay showed beside one that left counts", () => {
  const stages = [
    { from: 0, entrants: [0, 1, 2] },
    { from: 4, entrants: [0, 1, 3, 4] },
  ];
  // So the newcomers have the first blocks of their stage, with one of those that stay.
  const [first] = play(5, stages, 12, 3).slice(4, 5).flat();
  expect(first).toMatchObject({ entrants: [0, 3, 4], from: 0 });
  expect(first!.blocks).toBeGreaterThanOrEqual(2);
});

test("alone, those whose returns vary most play most, all from the first block on", () => {
  const rounds = play(3, [{ from: 0, entrants: [0, 1, 2] }], 40, 1);
  const blocks = [0, 1, 2].map((entrant) => {
    const own = rounds.flat().filter(({ entrants }) => entrants[0] === entrant);
    expect(own[0]!.from).toBe(0);
    return own.reduce((sum, one) => sum + one.blocks, 0);
  });
  // Returns of 0, of 0 and 1, of 0 and 2: variances as 0 to 1 to 4, drawn together a little.
  expect(blocks[2]! / blocks[1]!).toBeGreaterThan(3);
  expect(blocks[2]! / blocks[1]!).toBeLessThan(4.5);
  expect(blocks[0]! / blocks[1]!).toBeLessThan(0.5);
});

test("nobody plays while fewer are there than a game has seats", () => {
  expect(play(4, [{ from: 0, entrants: [0, 1, 3] }], 5, 4)).toEqual([]);
  expect(play(2, [{ from: 0, entrants: [] }], 5, 1)).toEqual([]);

  expect(play(3, [{ from: 0, entrants: [1] }], 5)).toEqual([]);
  expect(
    play(
      3,
      [
        { from: 0, entrants: [0, 1] },
        { from: 2, entrants: [] },
      ],
      5,
    ),
  ).toHaveLength(2);
});
