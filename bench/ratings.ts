import { createRandom } from "../src/base/random.ts";
import { rate } from "../src/ratings/elo/rate.ts";
import type { GameRecord } from "../src/ratings/record.ts";

/** The rating fit: 200 entrants, 100,000 games of two players in blocks of two; prints the best and median time. */
const ENTRANTS = 200;
const BLOCKS = 50_000;
const REPEATS = 9;

const random = createRandom("bench", "ratings");
const strength = Array.from({ length: ENTRANTS }, () => 4 * random.float());

function play(block: number, seats: readonly [number, number]): GameRecord {
  const first = 1 / (1 + Math.exp(strength[seats[1]] - strength[seats[0]]));
  const result = random.float() < 0.15 ? 0 : random.float() < first ? 1 : -1;
  return {
    id: `${block}/${seats[0]}`,
    block: `block ${block}`,
    seats,
    actions: [],
    openingLength: 0,
    returns: [result, 0 - result],
    ending: "finished",
    forfeitSeat: -1,
    detail: "",
    decisions: [1, 1],
    nodes: [1, 1],
    timeMs: [1, 1],
    thoughts: [],
  };
}

const records = Array.from({ length: BLOCKS }, (_, block) => {
  const one = random.below(ENTRANTS);
  const other = (one + 1 + random.below(ENTRANTS - 1)) % ENTRANTS;
  return [play(block, [one, other]), play(block, [other, one])];
}).flat();

const timesMs = Array.from({ length: REPEATS }, () => {
  const start = performance.now();
  rate(records, ENTRANTS);
  return performance.now() - start;
}).toSorted((a, b) => a - b);
console.log(
  `rating fit, ${ENTRANTS} entrants, ${records.length} games: best ${timesMs[0].toFixed(0)} ms, ` +
    `median ${timesMs[REPEATS >> 1].toFixed(0)} ms of ${REPEATS}`,
);
