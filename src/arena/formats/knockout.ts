import { InputError } from "../../base/errors.ts";
import { matchTotals, type Format, type FormatPlan, type Match, type Past } from "./format.ts";

/**
 * The most blocks that a match gets one at a time, after it was level twice. Then the higher seed goes on.
 * @internal tests count the blocks of level matches.
 */
export const MAX_SINGLE_BLOCKS = 10;

/** A match of a knockout. */
interface KnockoutMatch {
  /** Its place in the bracket of the round, from 0. */
  readonly place: number;
  /** The higher seed first. */
  readonly entrants: readonly [number, number];
  /** The blocks played so far, and the sums of the scores in them. */
  readonly blocks: number;
  readonly scores: readonly [number, number];
  /** The entrant that goes on; undefined while the match is not over. */
  readonly winner: number | undefined;
}

/** A round of a knockout: half of its entrants go on. */
interface KnockoutRound {
  /** Entrants that go on without a match. */
  readonly byes: readonly number[];
  /** In the order of the bracket. */
  readonly matches: readonly KnockoutMatch[];
  /** The match for the third place, beside the final. */
  readonly third: KnockoutMatch | undefined;
}

/**
 * A knockout for games of two players. Entrants are seeded in the order of the config and placed such that the best two
 * can meet in the final only, the best four from the semi-finals on, and so on; the best have byes if the bracket is not
 * full. A match that is level after `blocks` blocks goes on for as many again, then for one block at a time. After
 * MAX_SINGLE_BLOCKS of these the higher seed goes on. A round begins when all matches of the one before it are over.
 */
export const knockout: Format = {
  lag: 1,
  size(plan) {
    const { entrants, players, blocks } = plan;
    if (players !== 2)
      throw new InputError(
        `a knockout is for games of two players; this one has ${players}: take another format`,
      );
    if (hasThird(plan) && entrants.length < 4) {
      const message = `needs at least 4 entrants, got ${entrants.length}`;
      throw new InputError([{ path: "thirdPlace", message }]);
    }
    const matches = entrants.length - (hasThird(plan) ? 0 : 1);
    const most = 2 * blocks + MAX_SINGLE_BLOCKS;
    return { least: matches * players * blocks, most: matches * players * most };
  },
  round(plan, _number, past) {
    const { matches, third } = knockoutRounds(plan, past).at(-1)!;
    const last = third === undefined ? matches : [...matches, third];
    const next = last.flatMap((match) => nextMatch(match, plan));
    return next.length === 0 ? undefined : next;
  },
};

function hasThird({ format }: FormatPlan): boolean {
  return format["thirdPlace"] === true;
}

/** The rounds whose entrants are known; the last one may go on. */
export function knockoutRounds(plan: FormatPlan, past: Past): KnockoutRound[] {
  const results = new Results(plan, past);
  const rounds: KnockoutRound[] = [];
  let places: readonly number[] = bracket(plan.entrants.length);
  for (;;) {
    const pairs = Array.from({ length: places.length / 2 }, (_, at) => places.slice(2 * at, 2 * at + 2));
    const isBye = (seed: number) => seed >= plan.entrants.length;
    const byes = pairs.filter((pair) => pair.some(isBye)).map((pair) => Math.min(...pair));
    const matches = pairs.flatMap((pair, place) => (pair.some(isBye) ? [] : [results.match(pair, place)]));
    const before = rounds.at(-1)?.matches;
    const isFinal = places.length === 2;
    const third = isFinal && hasThird(plan) ? results.match(before!.map(loserOf), 0) : undefined;
    rounds.push({ byes, matches, third });
    const winners = matches.map(({ winner }) => winner);
    if (isFinal || winners.includes(undefined)) return rounds;
    const winnerOf = (pair: readonly number[]) =>
      pair.some(isBye) ? Math.min(...pair) : winners.find((winner) => pair.includes(winner!))!;
    places = pairs.map(winnerOf);
  }
}

/**
 * The seeds, counted from 0, in the order of the bracket: neighbours meet, and the winners of neighbours. Eight of them
 * stand as 1 8 4 5 2 7 3 6. Seeds from `count` on stand for byes.
 * @internal tests compare brackets of many sizes.
 */
export function bracket(count: number): number[] {
  let places = [0];
  while (places.length < count) places = places.flatMap((seed) => [seed, 2 * places.length - 1 - seed]);
  return places;
}

function loserOf({ entrants, winner }: KnockoutMatch): number {
  return entrants[0] === winner ? entrants[1] : entrants[0];
}

/** The results by pair: two entrants meet in one round only, and all matches of them are one. */
class Results {
  private readonly blocks: number;
  private readonly sums = new Map<string, { blocks: number; scores: readonly [number, number] }>();

  constructor({ blocks }: FormatPlan, past: Past) {
    this.blocks = blocks;
    for (const { entrants, blocks: played, scores } of matchTotals(past).flat()) {
      const before = this.sums.get(entrants.join()) ?? { blocks: 0, scores: [0, 0] };
      const sum = [0, 1].map((side) => before.scores[side]! + scores[side]!) as [number, number];
      this.sums.set(entrants.join(), { blocks: before.blocks + played, scores: sum });
    }
  }

  match(pair: readonly number[], place: number): KnockoutMatch {
    const entrants = pair.toSorted((a, b) => a - b) as [number, number];
    const sum = this.sums.get(entrants.join()) ?? { blocks: 0, scores: [0, 0] as const };
    const [one, other] = sum.scores;
    const isOver = blocksToPlay(sum, this.blocks) === 0;
    return { place, entrants, ...sum, winner: isOver ? entrants[one >= other ? 0 : 1] : undefined };
  }
}

/** The number of blocks that a match plays next; 0 if it is over. */
function blocksToPlay(
  { blocks, scores: [one, other] }: Pick<KnockoutMatch, "blocks" | "scores">,
  usual: number,
): number {
  if (blocks < usual) return usual - blocks;
  if (blocks > usual && blocks < 2 * usual) return 2 * usual - blocks;
  if (one !== other) return 0;
  if (blocks === usual) return usual;
  return blocks < 2 * usual + MAX_SINGLE_BLOCKS ? 1 : 0;
}

function nextMatch(match: KnockoutMatch, { blocks: usual }: FormatPlan): Match[] {
  const blocks = blocksToPlay(match, usual);
  return blocks === 0 ? [] : [{ entrants: match.entrants, from: match.blocks, blocks }];
}
