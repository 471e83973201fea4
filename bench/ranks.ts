import process from "node:process";
import { DECK, Hand, KINDS, KIND_SHIFT } from "../src/games/holdem/ranks.ts";

/* Ranks all 133,784,560 hands of seven cards, each from the one before it: npm run bench -- ranks. */
const begun = process.cpuUsage().user;
const hand = new Hand(7);
const built = process.cpuUsage().user;
const kinds = new Float64Array(KINDS.length);

function enumerate(from: number, left: number): void {
  if (left === 1) {
    for (let card = from; card < DECK; card++) kinds[hand.valueWith(card) >> KIND_SHIFT]++;
    return;
  }
  for (let card = from; card <= DECK - left; card++) {
    hand.add(card);
    enumerate(card + 1, left - 1);
    hand.remove(card);
  }
}

enumerate(0, 7);
const seconds = (process.cpuUsage().user - built) / 1e6;
const hands = kinds.reduce((sum, count) => sum + count, 0);
for (const [kind, name] of KINDS.entries()) console.log(`${name}: ${kinds[kind]!.toLocaleString("en")}`);
console.log(
  `${hands.toLocaleString("en")} hands in ${seconds.toFixed(2)} s of processor time: ` +
    `${(hands / seconds / 1e6).toFixed(1)} M hands/s; the tables took ${((built - begun) / 1000).toFixed(0)} ms`,
);
