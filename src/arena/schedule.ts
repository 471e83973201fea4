import { createRandom, type Random } from "../base/random.ts";
import type { Game } from "../games/game.ts";
import { hashOf } from "./hash.ts";
import { matchOpenings } from "./openings.ts";
import { entrantKey, gameKey, type TournamentPlan } from "./plan.ts";

/** One game to play, as data that a worker receives. */
export interface ScheduledGame {
  readonly id: string;
  readonly block: string;
  /** Entrant at each seat. */
  readonly seats: readonly number[];
  readonly opening: readonly number[];
}

/**
 * Every game of a tournament, block after block, the matches side by side so that all entrants have
 * played about as much at any time. A match is every set of as many entrants as the game has players;
 * a block has one game for each rotation of the seats. With more than two players, who follows whom is drawn
 * anew for each block, as it may pay to sit behind a weak player. In games of one player everybody plays the same
 * blocks, which is how they are compared. Ids are hashes of all that determines a game.
 */
export function* schedule(plan: TournamentPlan, game: Game): Generator<ScheduledGame> {
  const rules = gameKey(plan);
  const keys = plan.entrants.map(entrantKey);
  const matches = combinations(plan.entrants.length, plan.players).map((entrants) => {
    const met = plan.players === 1 ? [] : entrants.map((entrant) => keys[entrant]!);
    const match = hashOf(rules, plan.seed, ...met);
    return { entrants, match, openings: matchOpenings(game, plan.openings, { seed: plan.seed, match }) };
  });
  for (let number = 0; number < plan.blocks; number++) {
    for (const { entrants, match, openings } of matches) {
      const opening = openings.next().value as number[];
      const block = hashOf(match, number, opening.join());
      const ring = plan.players > 2 ? shuffled(entrants, createRandom(block, "ring")) : entrants;
      for (let rotation = 0; rotation < ring.length; rotation++) {
        const seats = ring.map((_, seat) => ring[(seat + rotation) % ring.length]!);
        yield { id: hashOf(block, ...seats.map((entrant) => keys[entrant]!)), block, seats, opening };
      }
    }
  }
}

function shuffled(entrants: readonly number[], random: Random): number[] {
  const ring = Int32Array.from(entrants);
  random.shuffle(ring, 0, ring.length);
  return [...ring];
}

/** How many games `schedule` yields. */
export function countGames(plan: TournamentPlan): number {
  return combinations(plan.entrants.length, plan.players).length * plan.players * plan.blocks;
}

/** Every set of `size` of the numbers below `count`, each ascending, in lexicographic order. */
export function combinations(count: number, size: number): number[][] {
  if (size === 0) return [[]];
  const all: number[][] = [];
  for (let last = size - 1; last < count; last++) {
    for (const rest of combinations(last, size - 1)) all.push([...rest, last]);
  }
  return all.toSorted((a, b) => {
    const at = a.findIndex((value, index) => value !== b[index]);
    return at < 0 ? 0 : a[at]! - b[at]!;
  });
}
