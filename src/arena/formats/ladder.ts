import { pairsOf, type PairingBlocks, RankingDesign } from "../../ratings/adaptive/ranking-design.ts";
import { ReturnDesign } from "../../ratings/adaptive/return-design.ts";
import { counted } from "../../base/text.ts";
import type { FormatSpec } from "../plan/plan.ts";
import {
  type BlockScore,
  DEFAULT_ROUND,
  type Format,
  type FormatPlan,
  type Match,
  type Past,
} from "./format.ts";

/** The entrants that play from a round on. */
export interface LadderStage {
  /** The first round, counted from 0. */
  readonly from: number;
  /** The entrants, in ascending order; with fewer than a game has seats nobody plays. */
  readonly entrants: readonly number[];
}

/** A ladder in the form of plans: its entrants change while it is played. */
export interface LadderSpec extends FormatSpec {
  readonly type: "ladder";
  readonly rounds: number;
  /** In the order of their rounds. A stage that is added changes no round before it. */
  readonly stages: readonly LadderStage[];
}

/** The rounds of a ladder that plays until it is stopped. */
export const ENDLESS_ROUNDS = 1_000_000;

/** Each entrant has so many blocks before results choose its pairings: nothing is known of a newcomer. */
const FIRST_BLOCKS = 2;

/**
 * The pairings that tell the order of the entrants, as in the format adaptive, while entrants come and go. Each round is given
 * to the entrants of its stage, and rests on all earlier games between them. In games of one player the entrant whose mean
 * return is known least plays next; all play the same blocks.
 */
export const ladder: Format = {
  lag: 2,
  takesRound: true,
  joins: true,
  size(plan) {
    const games = specOf(plan).rounds * roundOf(plan) * plan.players;
    return { least: games, most: games };
  },
  round(plan, number, past) {
    const { rounds, stages } = specOf(plan);
    const stage = stages.findLast(({ from }) => from <= number);
    if (number >= rounds || stage === undefined || stage.entrants.length < plan.players) return undefined;
    let field = fields.get(past);
    if (field?.stage !== stage) fields.set(past, (field = new Field(stage, plan.players)));
    return field.next(past, roundOf(plan));
  },
};

/** The format of a plan as that of a ladder; undefined if it is another one. */
export function ladderOf({ format }: Pick<FormatPlan, "format">): LadderSpec | undefined {
  return format.type === "ladder" ? (format as LadderSpec) : undefined;
}

/** True for a ladder that plays until it is stopped. */
export function isEndless(ladder: LadderSpec | undefined): boolean {
  return ladder !== undefined && ladder.rounds >= ENDLESS_ROUNDS;
}

/** The entrants that play now. */
export function entrantsNow({ stages }: LadderSpec): readonly number[] {
  return stages.at(-1)?.entrants ?? [];
}

/** The sentence of a ladder in which fewer play than a game has seats; undefined if enough do. */
export function describeWaiting({ players }: FormatPlan, ladder: LadderSpec): string | undefined {
  const { length } = entrantsNow(ladder);
  if (length >= players) return undefined;
  const there = length === 0 ? "nobody is" : length === 1 ? "one entrant is" : `${length} entrants are`;
  return `The ladder waits: its games have ${counted(players, "seat")}, and ${there} there.`;
}

function specOf({ format }: FormatPlan): LadderSpec {
  return format as LadderSpec;
}

function roundOf({ round = DEFAULT_ROUND }: FormatPlan): number {
  return round;
}

/** The field of the stage that a past is at. */
const fields = new WeakMap<Past, Field>();

/** The entrants of a stage, with all that earlier rounds tell about them. */
class Field {
  readonly stage: LadderStage;
  private readonly players: number;
  private readonly design: Design;
  /** The place of an entrant in the design. */
  private readonly places: ReadonlyMap<number, number>;
  /** Blocks that were given out, by pairing. */
  private readonly given = new Map<string, number>();
  /** Blocks that were given out, by place; those with nobody else who is there do not count. */
  private readonly counts: number[];
  private rounds = 0;
  private scores = 0;

  constructor(stage: LadderStage, players: number) {
    const { entrants } = stage;
    this.stage = stage;
    this.players = players;
    this.design = players === 1 ? returnsDesign(entrants.length) : duelsDesign(entrants.length, players);
    this.counts = entrants.map(() => 0);
    this.places = new Map(entrants.map((entrant, place) => [entrant, place]));
  }

  /** The matches of the next round, with so many blocks. */
  next(past: Past, blocks: number): Match[] {
    this.follow(past);
    const first = this.firstBlocks(blocks);
    const chosen = new Map<string, Match>();
    for (const pairing of [...first, ...this.design.next(blocks - first.length)]) {
      const entrants = pairing.entrants.map((place) => this.stage.entrants[place]!);
      const from = this.given.get(entrants.join()) ?? 0;
      const before = chosen.get(entrants.join())?.blocks ?? 0;
      chosen.set(entrants.join(), { entrants, from, blocks: before + pairing.blocks });
    }
    return [...chosen.values()];
  }

  /** At most so many blocks for those that have had few; each meets those that have had fewest. */
  private firstBlocks(most: number): PairingBlocks[] {
    const counts = [...this.counts];
    const first: PairingBlocks[] = [];
    while (first.length < most && Math.min(...counts) < FIRST_BLOCKS) {
      const fewest = [...counts.keys()].toSorted((a, b) => counts[a]! - counts[b]! || a - b);
      const entrants = fewest.slice(0, this.players).toSorted((a, b) => a - b);
      for (const place of entrants) counts[place]!++;
      first.push({ entrants, blocks: 1 });
    }
    return first;
  }

  private follow({ matches, scores }: Past): void {
    for (; this.rounds < matches.length; this.rounds++) {
      for (const { entrants, blocks } of matches[this.rounds]!) {
        this.given.set(entrants.join(), (this.given.get(entrants.join()) ?? 0) + blocks);
        const seated = this.seated(entrants);
        if (seated.length < Math.min(2, this.players)) continue;
        this.design.giveOut(seated, blocks);
        for (const { place } of seated) this.counts[place]! += blocks;
      }
    }
    for (; this.scores < scores.length; this.scores++) {
      const score = scores[this.scores]!;
      this.design.add(this.seated(matches[score.round]![score.match]!.entrants), score);
    }
  }

  /** The entrants of a match that are in the stage. */
  private seated(entrants: readonly number[]): Seated[] {
    return entrants.flatMap((entrant, side) => {
      const place = this.places.get(entrant);
      return place === undefined ? [] : [{ side, place }];
    });
  }
}

/** An entrant of a match that is in the stage: its index in the match, and its place in the design. */
interface Seated {
  readonly side: number;
  readonly place: number;
}

/** The design of a stage, for games of one player or of more. */
interface Design {
  giveOut(seated: readonly Seated[], blocks: number): void;
  add(seated: readonly Seated[], score: BlockScore): void;
  next(blocks: number): readonly PairingBlocks[];
}

function returnsDesign(count: number): Design {
  const design = new ReturnDesign(count);
  return {
    giveOut: (seated, blocks) => seated.forEach(({ place }) => design.giveOut(place, blocks)),
    add: (seated, { returns }) => seated.forEach(({ place, side }) => design.add(place, returns[side]!)),
    next: (blocks) => design.next(blocks),
  };
}

/** Each two that are still there count, also where another one has left. */
function duelsDesign(count: number, players: number): Design {
  const design = new RankingDesign(count);
  return {
    giveOut(seated, blocks) {
      for (const [one, other] of pairsOf(seated)) design.giveOut(one.place, other.place, blocks);
    },
    add(seated, { scores, duels }) {
      for (const [one, other] of pairsOf(seated)) {
        const score = duels === undefined ? scores[one.side]! : duels[one.side]![other.side]!;
        design.add(one.place, other.place, score);
      }
    },
    next: (blocks) => design.next(blocks, 1, players),
  };
}
