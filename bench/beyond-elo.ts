import { createRandom } from "../src/base/random.ts";
import { unexplainedOf } from "../test/ratings/beyond/unexplained-of.ts";
import { simulate, type Shared, type Truth } from "../test/ratings/simulate.ts";

/**
 * Tournaments whose results ratings explain: how often the p-value of what they leave is small. It should be uniform.
 * `npm run bench -- beyond-elo [TOURNAMENTS]`, 2,000 without a number
 */
const tournaments = Number(process.argv[2] ?? 2000);

const spread = (count: number, width: number): number[] =>
  Array.from({ length: count }, (_, at) => width * (at / (count - 1) - 0.5));

const CASES: readonly { name: string; truth: Truth; blocks: number; shared: Shared }[] = [
  {
    name: "3 equal",
    truth: { strengths: [0, 0, 0], seats: [0, 0], draws: 0.5 },
    blocks: 10,
    shared: "nothing",
  },
  {
    name: "3, shared dice",
    truth: { strengths: spread(3, 2), seats: [0.1, -0.1], draws: 0 },
    blocks: 20,
    shared: "entrants",
  },
  {
    name: "5, shared dice",
    truth: { strengths: spread(5, 2), seats: [0.1, -0.1], draws: 0 },
    blocks: 15,
    shared: "entrants",
  },
  {
    name: "5, strong first seat",
    truth: { strengths: spread(5, 2), seats: [0.75, -0.75], draws: 0 },
    blocks: 20,
    shared: "nothing",
  },
  {
    name: "8, one-sided openings",
    truth: { strengths: spread(8, 3), seats: [0.5, -0.5], draws: 0.5 },
    blocks: 10,
    shared: "seats",
  },
  {
    name: "8, few blocks",
    truth: { strengths: spread(8, 2), seats: [0.2, -0.2], draws: 0.3 },
    blocks: 4,
    shared: "nothing",
  },
  {
    name: "8, two blocks",
    truth: { strengths: spread(8, 2), seats: [0.2, -0.2], draws: 0.3 },
    blocks: 2,
    shared: "nothing",
  },
  {
    name: "8, far apart",
    truth: { strengths: spread(8, 8), seats: [0.2, -0.2], draws: 0.3 },
    blocks: 10,
    shared: "nothing",
  },
  {
    name: "4, games of three",
    truth: { strengths: spread(4, 2), seats: [0.2, 0, -0.2], draws: 0 },
    blocks: 15,
    shared: "nothing",
  },
];

for (const { name, truth, blocks, shared } of CASES) {
  const values = Array.from({ length: tournaments }, (_, number) => {
    const games = simulate(truth, { blocks, shared, random: createRandom("beyond", name, number) });
    return unexplainedOf(games, truth.strengths.length).pValue;
  });
  const below = (level: number) =>
    `${((100 * values.filter((value) => value <= level).length) / tournaments).toFixed(1)}%`;
  console.log(
    `${name}, ${blocks} blocks: p <= 0.01 in ${below(0.01)}, <= 0.05 in ${below(0.05)}, <= 0.5 in ${below(0.5)}`,
  );
}
