import { createRandom, type Random } from "../../base/random.ts";
import type { Game } from "../../game/game.ts";
import { hashOf, entrantKey, gameKey, type TournamentPlan } from "../plan/plan.ts";
import { countLineUps, lineUps, type LineUpPlan } from "./line-ups.ts";
import { OpeningBook } from "./openings.ts";

/** One game to play, as data that a worker receives. */
export interface ScheduledGame {
  readonly id: string;
  readonly block: string;
  /** Entrant at each seat. */
  readonly seats: readonly number[];
  readonly opening: readonly number[];
}

/**
 * Every game of a tournament. It goes block by block through all matches, so that all entrants have played about
 * equally often at any time. A block has one game for each rotation of the seats. With more than two players the
 * order of the seats is drawn for each block, because a seat behind a weak player may be an advantage. In games of
 * one player everybody plays the same blocks, which is how they are compared. A game's id is a hash of all that
 * determines the game. Games are made when they are asked for; only the matches are kept.
 */
export function* schedule(plan: TournamentPlan, game: Game): Generator<ScheduledGame> {
  const rules = gameKey(plan);
  const keys = plan.entrants.map(entrantKey);
  const book = new OpeningBook(game, plan.openings, plan.seed);
  const matches = Array.from(lineUps(plan), (entrants) => {
    const met = plan.players === 1 ? [] : entrants.map((entrant) => keys[entrant]!);
    const match = hashOf(rules, plan.seed, ...met);
    return { entrants, match, openings: book.match(match) };
  });
  for (let number = 0; number < plan.blocks; number++) {
    for (const { entrants, match, openings } of matches) {
      const opening = openings.next();
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
export function countGames(plan: LineUpPlan & Pick<TournamentPlan, "blocks">): number {
  return countLineUps(plan) * plan.players * plan.blocks;
}
