import { existsSync } from "node:fs";
import { readDocument, writeWhole } from "../specs/files.ts";
import { prepareAgent } from "../agents/prepare.ts";
import type { AgentSpec } from "../agents/spec.ts";
import { hashOf } from "../arena/hash.ts";
import { matchOpenings } from "../arena/openings.ts";
import { Table, type Seat } from "../arena/play-game.ts";
import type { EloInterval } from "../arena/ratings/elo.ts";
import { Z95 } from "../arena/ratings/normal.ts";
import { rate } from "../arena/ratings/rate.ts";
import { contests } from "../arena/ratings/solo.ts";
import type { GameRecord } from "../arena/record.ts";
import type { TrainingPlan } from "./plan.ts";
import type { RunFolder } from "./run-folder.ts";
import { loadEvaluator } from "../specs/evaluators.ts";

/** A checkpoint's place on the learning curve. */
export interface CurvePoint extends EloInterval {
  /** Games trained. */
  readonly games: number;
  /** Share of the points taken from the pool; a point is won or halved against each other seat. */
  readonly score: number;
  /** The field's own measure: its return a game, in the game's units, with a 95% interval over blocks. */
  readonly meanReturn: MeanReturn;
}

export interface MeanReturn {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Ratings of all checkpoints so far and of the pool that they played, on one scale: `random` is 0. */
export interface LearningCurve {
  readonly points: readonly CurvePoint[];
  readonly pool: readonly (EloInterval & { readonly name: string })[];
}

interface Player {
  readonly entrant: number;
  readonly spec: AgentSpec;
}

/**
 * Rates checkpoints by games against a fixed pool. Every pairing is a number of blocks; where the game
 * has more than two players, one sits among seats that the other fills, at each seat in turn. In a game
 * of one player everybody plays the same blocks, which are then compared. The pool
 * plays itself once, so that a checkpoint that beats all of `random` is still measured by those between.
 * Games are kept in the run's folder, so that a rating that was interrupted is finished later.
 */
export class RatingPool {
  private readonly plan: TrainingPlan;
  private readonly folder: RunFolder;
  private readonly table: Table;
  private poolGames: readonly GameRecord[] | undefined;
  /** Games of each checkpoint rated so far. */
  private readonly checkpoints: { games: number; records: readonly GameRecord[] }[] = [];

  constructor(plan: TrainingPlan, folder: RunFolder, clock: () => number) {
    this.plan = plan;
    this.folder = folder;
    this.table = new Table(plan.game, clock);
  }

  /**
   * Plays the games of the checkpoint after `games` games, unless they were played before. `goOn` is
   * asked after each block; returns whether it never said no.
   */
  async enter(games: number, goOn: () => Promise<boolean>): Promise<boolean> {
    const { plan, folder } = this;
    const pool = plan.pool.map(({ spec }, entrant): Player => ({ entrant, spec }));
    const alone = plan.game.players === 1;
    this.poolGames ??= await this.recall("pool", alone ? pool.map((one) => [one, one]) : pairs(pool), goOn);
    if (this.poolGames === undefined) return false;
    const entrant = pool.length + this.checkpoints.length;
    const player = { entrant, spec: { ...plan.player, evaluator: folder.checkpoint(games) } };
    const records = await this.recall(
      games,
      alone ? [[player, player]] : pool.map((other) => [player, other]),
      goOn,
    );
    if (records === undefined) return false;
    this.checkpoints.push({ games, records });
    return true;
  }

  /** All ratings, from all games so far. */
  curve(): LearningCurve {
    const { pool, anchor } = this.plan;
    const alone = this.plan.game.players === 1;
    const pooled = this.poolGames ?? [];
    const records = [...pooled, ...this.checkpoints.flatMap((checkpoint) => checkpoint.records)];
    const { entrants } = rate(contests(records), pool.length + this.checkpoints.length, {
      anchor: { entrant: anchor, elo: 0 },
    });
    return {
      pool: pool.map(({ name }, at) => ({ name, ...entrants[at]! })),
      points: this.checkpoints.map((checkpoint, at) => ({
        games: checkpoint.games,
        ...entrants[pool.length + at]!,
        score: scoreOf(
          pool.length + at,
          alone ? contests([...pooled, ...checkpoint.records]) : checkpoint.records,
        ),
        meanReturn: meanReturnOf(pool.length + at, checkpoint.records),
      })),
    };
  }

  /** The checkpoint with the highest rating so far, the latest of equal ones. */
  best(): CurvePoint {
    const { points } = this.curve();
    return points.reduce((best, point) => (point.elo >= best.elo ? point : best));
  }

  /** Whether the last `patience` checkpoints were all worse than the best one. */
  isHopeless(patience: number | undefined): boolean {
    if (patience === undefined || this.checkpoints.length <= patience) return false;
    const { points } = this.curve();
    return points.length - 1 - points.findIndex(({ games }) => games === this.best().games) >= patience;
  }

  /** The games in the file of that name, or else of these pairings, which are kept there. */
  private async recall(
    name: number | "pool",
    pairings: readonly (readonly [Player, Player])[],
    goOn: () => Promise<boolean>,
  ): Promise<readonly GameRecord[] | undefined> {
    const path = this.folder.ratings(name);
    if (existsSync(path)) return readDocument(path) as GameRecord[];
    const records: GameRecord[] = [];
    for (const [one, other] of pairings) {
      for await (const block of this.blocks(one, other)) {
        records.push(...block);
        if (!(await goOn())) return undefined;
      }
    }
    writeWhole(path, `[\n${records.map((record) => JSON.stringify(record)).join(",\n")}\n]\n`);
    return records;
  }

  /** The games of one player against others who are all the same, block by block. */
  private async *blocks(one: Player, other: Player): AsyncGenerator<GameRecord[]> {
    const { plan, table } = this;
    const { game } = plan;
    const { seed, blocks, openings } = plan.config.rating;
    const single = this.seat(one.spec);
    const others = Array.from({ length: game.players }, () => this.seat(other.spec));
    const match = game.players === 1 ? hashOf(seed) : hashOf(seed, one.entrant, other.entrant);
    const lines = matchOpenings(game, openings, { seed, match });
    for (let number = 0; number < blocks; number++) {
      const opening = lines.next().value as number[];
      const block = hashOf(match, number);
      const records: GameRecord[] = [];
      for (let place = 0; place < game.players; place++) {
        const id = game.players === 1 ? hashOf(block, one.entrant) : hashOf(block, place);
        const seated = others.with(place, single);
        const result = await table.play(seated, { id, seed, chanceStream: block, opening });
        const seats = others.map((_, seat) => (seat === place ? one.entrant : other.entrant));
        records.push({ id, block, seats, openingLength: opening.length, ...result });
      }
      yield records;
    }
  }

  private seat(spec: AgentSpec): Seat {
    const { game, agents } = this.plan;
    const prepared = prepareAgent(game, spec, { families: agents, loadEvaluator });
    return { agent: prepared.create(), budget: prepared.budget };
  }
}

/** Its return a game; a block's games share its opening and its chance, so that blocks are the sample. */
function meanReturnOf(entrant: number, records: readonly GameRecord[]): MeanReturn {
  const blocks = new Map<string, number[]>();
  for (const { block, seats, returns } of records) {
    const own = returns[seats.indexOf(entrant)]!;
    const before = blocks.get(block);
    if (before === undefined) blocks.set(block, [own]);
    else before.push(own);
  }
  const means = [...blocks.values()].map((block) => block.reduce((sum, own) => sum + own, 0) / block.length);
  const mean = means.reduce((sum, one) => sum + one, 0) / means.length;
  const squares = means.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  const reach = means.length < 2 ? Infinity : Z95 * Math.sqrt(squares / (means.length - 1) / means.length);
  return { mean, low: mean - reach, high: mean + reach };
}

/** Each with each other once. */
function pairs<T>(all: readonly T[]): [T, T][] {
  return all.flatMap((one, at) => all.slice(at + 1).map((other): [T, T] => [one, other]));
}

/** The entrant's share of the points against the seats of others. */
function scoreOf(entrant: number, records: readonly GameRecord[]): number {
  let points = 0;
  let possible = 0;
  for (const { seats, returns } of records) {
    if (!seats.includes(entrant)) continue;
    const own = returns[seats.indexOf(entrant)]!;
    seats.forEach((other, seat) => {
      if (other === entrant) return;
      possible++;
      points += own > returns[seat]! ? 1 : own === returns[seat]! ? 0.5 : 0;
    });
  }
  return possible === 0 ? 0 : points / possible;
}
