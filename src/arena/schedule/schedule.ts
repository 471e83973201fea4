import { createRandom } from "../../base/random.ts";
import type { Game } from "../../games/contract/game.ts";
import type { ChangedOptions, Match } from "../formats/format.ts";
import { hashOf } from "../../specs/files/hashes.ts";
import { canonicalJson } from "../../base/plain.ts";
import { entrantKey, gameKey, type TournamentPlan } from "../plan/plan.ts";
import { TournamentOpenings, type PairingOpenings } from "./openings.ts";

/** One game to play, as data that a worker receives. */
export interface ScheduledGame {
  readonly id: string;
  readonly block: string;
  /** Entrant at each seat. */
  readonly seats: readonly number[];
  readonly opening: readonly number[];
  /** The options that entrants have in this game [those of their specs]. */
  readonly options?: ChangedOptions | undefined;
}

/** The games of one block of a match, one for each rotation of the seats. */
export interface ScheduledBlock {
  /** Index of the match among the matches of the round. */
  readonly match: number;
  /** The block's number among the blocks of its pairing. */
  readonly number: number;
  readonly games: readonly ScheduledGame[];
}

/** Entrants that meet, with their openings. */
interface Pairing {
  readonly hash: string;
  readonly openings: PairingOpenings;
  /** The first block that no match has had. */
  unused: number;
}

/**
 * Makes the games of a tournament's matches. With more than two players the order of the seats is drawn for each block,
 * because a seat behind a weak player may be an advantage. In games of one player everybody plays the same blocks, which
 * is how they are compared. A game's id is a hash of all that determines the game; the round is no part of it. Games are
 * made when they are asked for; only the pairings are kept.
 */
export class Scheduler {
  private readonly plan: TournamentPlan;
  private readonly rules: string;
  /** By entrant. */
  private readonly keys: readonly string[];
  private readonly openings: TournamentOpenings;
  private readonly pairings = new Map<string, Pairing>();

  constructor(plan: TournamentPlan, game: Game) {
    this.plan = plan;
    this.rules = gameKey(plan);
    this.keys = plan.entrants.map(entrantKey);
    this.openings = new TournamentOpenings(game, plan.openings, plan.seed);
  }

  /**
   * The blocks of the matches of one round: the first block of every match, then the second, so that all entrants have
   * played about equally often at any time. Throws where a match has a block that an earlier one had.
   */
  *blocks(matches: readonly Match[]): Generator<ScheduledBlock> {
    const met = matches.map(({ entrants }) => this.pairing(entrants));
    const longest = matches.reduce((most, { blocks }) => Math.max(most, blocks), 0);
    for (let at = 0; at < longest; at++) {
      for (const [index, match] of matches.entries()) {
        if (at >= match.blocks) continue;
        const number = match.from + at;
        yield { match: index, number, games: this.block(met[index]!, match, number) };
      }
    }
  }

  /** The games of the matches of one round, in the order of their blocks. */
  *games(matches: readonly Match[]): Generator<ScheduledGame> {
    for (const { games } of this.blocks(matches)) yield* games;
  }

  private pairing(entrants: readonly number[]): Pairing {
    const name = entrants.join();
    const known = this.pairings.get(name);
    if (known !== undefined) return known;
    const { plan, rules, keys } = this;
    const met = plan.players === 1 ? [] : entrants.map((entrant) => keys[entrant]!);
    const hash = hashOf(rules, plan.seed, ...met);
    const pairing = { hash, openings: this.openings.pairing(hash), unused: 0 };
    this.pairings.set(name, pairing);
    return pairing;
  }

  private block(pairing: Pairing, { entrants, options }: Match, number: number): ScheduledGame[] {
    if (number < pairing.unused) throw new Error(`block ${number} of ${entrants.join()} is played twice`);
    for (; pairing.unused < number; pairing.unused++) pairing.openings.next();
    pairing.unused++;
    const opening = pairing.openings.next();
    const block = hashOf(pairing.hash, number, opening.join());
    const ring = entrants.length > 2 ? shuffled(entrants, block) : entrants;
    const keyOf = (entrant: number) => {
      const changed = options?.[entrant];
      const key = this.keys[entrant]!;
      return changed === undefined ? key : hashOf(key, canonicalJson(changed));
    };
    return ring.map((_, rotation) => {
      const seats = ring.map((__, seat) => ring[(seat + rotation) % ring.length]!);
      const id = hashOf(block, ...seats.map(keyOf));
      return { id, block, seats, opening, ...(options && { options }) };
    });
  }
}

function shuffled(entrants: readonly number[], block: string): number[] {
  const ring = Int32Array.from(entrants);
  createRandom(block, "ring").shuffle(ring, 0, ring.length);
  return [...ring];
}
