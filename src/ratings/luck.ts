import { ExactSum } from "./exact-sum.ts";
import { ReturnMeans, type MeanReturn } from "./mean-return.ts";
import type { RatedGame, SourceGame } from "./record.ts";

/** Tells the luck of each seat in a game, in the units of returns. Its expectation is 0. */
export interface LuckSource {
  /** The name of the evaluator, for people. */
  readonly evaluator: string;
  of(game: SourceGame): readonly number[];
}

/** The spread of a game with and without its luck, in the units of returns. */
export interface LuckReport {
  readonly evaluator: string;
  /** Standard deviation of a seat's return about the mean of the games with the same entrants at the same seats. */
  readonly deviation: number;
  /** The same of return less luck. */
  readonly adjustedDeviation: number;
}

/** The luck of one entrant. */
export interface EntrantLuck {
  /** Mean luck a game. */
  readonly luck: number;
  /** Mean of return less luck. */
  readonly adjusted: MeanReturn;
}

/**
 * The luck of all games, block by block: a control variate for mean returns. Sums are exact, so the order of blocks and
 * games changes no bit.
 */
export class LuckTally {
  private readonly source: LuckSource;
  private readonly lucks: ReturnMeans;
  private readonly adjusted: ReturnMeans;
  private readonly spread = new GameSpread();
  private readonly adjustedSpread = new GameSpread();

  constructor(source: LuckSource, entrantCount: number) {
    this.source = source;
    this.lucks = new ReturnMeans(entrantCount);
    this.adjusted = new ReturnMeans(entrantCount);
  }

  addBlock(games: readonly SourceGame[]): void {
    const lucks = games.map((game): RatedGame => ({ ...game, returns: this.source.of(game) }));
    const adjusted = games.map((game, at): RatedGame => ({
      ...game,
      returns: game.returns.map((value, seat) => value - lucks[at].returns[seat]),
    }));
    this.lucks.addBlock(lucks);
    this.adjusted.addBlock(adjusted);
    for (const game of games) this.spread.add(game);
    for (const game of adjusted) this.adjustedSpread.add(game);
  }

  /** The luck of each entrant. */
  entrants(): EntrantLuck[] {
    const adjusted = this.adjusted.means();
    return this.lucks.means().map(({ mean }, entrant) => ({ luck: mean, adjusted: adjusted[entrant] }));
  }

  report(): LuckReport {
    return {
      evaluator: this.source.evaluator,
      deviation: this.spread.deviation(),
      adjustedDeviation: this.adjustedSpread.deviation(),
    };
  }

  /** A warning if the evaluator knows so little of the games that less luck is more spread. */
  warnings(): string[] {
    const { evaluator, deviation, adjustedDeviation } = this.report();
    if (adjustedDeviation <= deviation) return [];
    return [
      `luck by ${evaluator} adds spread instead of taking it out: use the plain returns, or an evaluator made for such games`,
    ];
  }
}

/** The spread of the returns of games with the same entrants at the same seats, pooled over all seats and sets of them. */
class GameSpread {
  /** By the entrants at the seats: by seat, the number, the sum and the sum of squares of the returns. */
  private readonly samples = new Map<string, { games: number; sums: ExactSum[]; squares: ExactSum[] }>();

  add({ seats, returns }: RatedGame): void {
    const key = seats.join();
    let sample = this.samples.get(key);
    if (sample === undefined) {
      const zeros = () => seats.map(() => new ExactSum());
      this.samples.set(key, (sample = { games: 0, sums: zeros(), squares: zeros() }));
    }
    sample.games++;
    for (let seat = 0; seat < seats.length; seat++) {
      sample.sums[seat].add(returns[seat]);
      sample.squares[seat].addProduct(returns[seat], returns[seat]);
    }
  }

  /** The standard deviation; 0 if no two games have the same entrants at the same seats. */
  deviation(): number {
    const total = new ExactSum();
    let freedom = 0;
    for (const { games, sums, squares } of this.samples.values()) {
      for (let seat = 0; seat < sums.length; seat++) {
        const sum = sums[seat].value();
        total.addScaled(squares[seat], 1);
        total.addProduct(sum, -sum / games);
      }
      freedom += (games - 1) * sums.length;
    }
    return freedom === 0 ? 0 : Math.sqrt(Math.max(0, total.value()) / freedom);
  }
}
