import { expect, test } from "vitest";
import { createRandom, type Random } from "../../../src/base/random.ts";
import { maximalLottery } from "../../../src/ratings/beyond/lottery.ts";
import { NormalDraws } from "../../../src/ratings/beyond/unexplained.ts";
import { blocksOf, type GameRecord } from "../../../src/ratings/record.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { coinBlocks } from "./circle.ts";
import { unexplainedOf } from "./unexplained-of.ts";
import { slowTest } from "../../support/thorough.ts";

/**
 * Three entrants, 60 blocks of each pair; `cycle` is what each wins against the next beyond `order`, the differences in
 * strength. Sample size: 200 tournaments; 180 of 200 are 3 standard errors below 95%.
 */
const TOURNAMENTS = 200;
const BLOCKS = 60;

const CASES = [
  { order: 0, cycle: 0.1 },
  { order: 0.1, cycle: 0.15 },
  { order: 0.1, cycle: 0.05 },
  { order: 0.2, cycle: 0.1 },
];

const chances = ({ order, cycle }: (typeof CASES)[number]) =>
  [
    [0, 1, 0.5 + order + cycle],
    [1, 2, 0.5 + order + cycle],
    [2, 0, 0.5 - 2 * order + cycle],
  ] as const;

function tournament(truth: (typeof CASES)[number], of: { count: number; random: Random }): GameRecord[] {
  return chances(truth).flatMap(([one, other, chance]) => coinBlocks(one, other, { ...of, chance }));
}

slowTest.each(CASES)("order $order, cycle $cycle: intervals hold the true share", (truth) => {
  // A very long tournament has the share without noise; noise makes it smaller.
  const games = 2 * BLOCKS;
  const scatter = chances(truth).reduce((sum, [, , chance]) => sum + games * (chance - 0.5) ** 2, 0);
  const noise = chances(truth).reduce((sum, [, , chance]) => sum + chance * (1 - chance), 0);
  const long = unexplainedOf(tournament(truth, { count: 10_000, random: createRandom("long") }), 3);
  const share = (long.share * scatter) / (scatter + noise);
  let covered = 0;
  for (let number = 0; number < TOURNAMENTS; number++) {
    const random = createRandom("share", truth.order, truth.cycle, number);
    const { low, high } = unexplainedOf(tournament(truth, { count: BLOCKS, random }), 3);
    if (low <= share && share <= high) covered++;
  }
  expect(covered).toBeGreaterThanOrEqual(180);
});

/**
 * The intervals of the maximal lottery: 200 tournaments, of which 180 are 3 standard errors below 95%. They may hold the truth
 * more often, as shares end at 0 and 1. `npm run bench -- lottery` has more tournaments and more kinds.
 */
const LOTTERIES = [
  { name: "a cycle", wins: [0.1, 0.15, 0.2] },
  { name: "equals", wins: [0, 0, 0] },
  { name: "an order", wins: [0.1, 0.1, -0.2] },
];
slowTest.each(LOTTERIES)("$name: the intervals of the lottery hold the true shares", ({ name, wins }) => {
  const [first, second, third] = wins as [number, number, number];
  const truth = maximalLottery(
    Float64Array.from([0, first, -third, -first, 0, second, third, -second, 0]),
    3,
  );
  const held = [0, 0, 0];
  for (let number = 0; number < TOURNAMENTS; number++) {
    const random = createRandom("lottery", name, number);
    const blocks = (one: number, other: number, won: number) =>
      coinBlocks(one, other, { count: BLOCKS, chance: 0.5 + won, random });
    const records = [...blocks(0, 1, first), ...blocks(1, 2, second), ...blocks(2, 0, third)];
    const { beyondElo, entrants } = createReport({ game: "g", entrants: ["0", "1", "2"], records });
    for (const [place, { low, high }] of beyondElo!.lottery!.entries()) {
      const share = truth[Number(entrants[place]!.name)]!;
      if (low! <= share + 1e-4 && share - 1e-4 <= high!) held[Number(entrants[place]!.name)]!++;
    }
  }
  for (const count of held) expect(count).toBeGreaterThanOrEqual(180);
});

test("a lottery's interval is that of the middle 95% of lotteries of noisy scores, by the shares of a cycle", () => {
  const records = [
    ...coinBlocks(0, 1, { count: 300, chance: 0.6, random: createRandom("slow", 0) }),
    ...coinBlocks(1, 2, { count: 300, chance: 0.65, random: createRandom("slow", 1) }),
    ...coinBlocks(2, 0, { count: 300, chance: 0.7, random: createRandom("slow", 2) }),
  ];
  const { beyondElo, entrants } = createReport({ game: "g", entrants: ["0", "1", "2"], records });
  const wins = [0, 1, 2].map((one) => {
    const leads = blocksOf(
      records.filter(({ seats }) => seats.includes(one) && seats.includes((one + 1) % 3)),
    ).map((block) => block.reduce((sum, { seats, returns }) => sum + returns[seats.indexOf(one)]!, 0));
    const mean = leads.reduce((sum, lead) => sum + lead, 0) / leads.length;
    const variance = leads.reduce((sum, lead) => sum + (lead - mean) ** 2, 0) / (leads.length - 1);
    // Of two games, with returns of 1 and -1: a block's lead is four times its mean score less a half.
    return { win: mean / 4, error: Math.sqrt(variance / leads.length) / 4 };
  });
  const normals = new NormalDraws("slow lottery");
  const drawn = Array.from({ length: 4000 }, () => {
    const [a, b, c] = wins.map(({ win, error }) => win + error * normals.next()) as [number, number, number];
    // In a cycle the share of each is as large as the win between the other two.
    return [b, c, a].map((win) => win / (a + b + c));
  });
  for (const [place, { share, low, high }] of beyondElo!.lottery!.entries()) {
    const entrant = Number(entrants[place]!.name);
    const { win: a } = wins[0]!;
    const { win: b } = wins[1]!;
    const { win: c } = wins[2]!;
    expect(share).toBeCloseTo([b, c, a][entrant]! / (a + b + c), 5);
    const sorted = drawn.map((shares) => shares[entrant]!).toSorted((x, y) => x - y);
    // The ends of 200 draws have a standard error of about a fifth of their distance from the middle.
    expect(Math.abs(low! - sorted[100]!)).toBeLessThan(0.6 * (share - sorted[100]!));
    expect(Math.abs(high! - sorted[3899]!)).toBeLessThan(0.6 * (sorted[3899]! - share));
  }
});
