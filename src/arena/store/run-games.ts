import { collectBlocks, type CountedGame, type GameSource } from "../../ratings/record.ts";
import { Store } from "./store.ts";

/** A stored run whose games are read together with those of others. */
export interface StoredRun {
  readonly dir: string;
  /** The run's seed: runs of different seeds have no game in common. */
  readonly seed: string;
  /** By entrant of the run: its index among the entrants of all runs. */
  readonly entrants: readonly number[];
}

/**
 * The games of several runs as one source. A game that several runs have is taken from the last of them. The stores are
 * open only while games are read.
 */
export class RunGames implements GameSource {
  private readonly runs: readonly StoredRun[];
  private readonly gamesOfBlock: number;

  /** @param gamesOfBlock the most games of a block */
  constructor(runs: readonly StoredRun[], gamesOfBlock: number) {
    this.runs = runs;
    this.gamesOfBlock = gamesOfBlock;
  }

  *blocks(): Generator<CountedGame[]> {
    const stores = this.runs.map(({ dir }) => Store.openExisting(dir));
    try {
      yield* collectBlocks(this.games(stores), this.gamesOfBlock);
    } finally {
      for (const store of stores) store.close();
    }
  }

  private *games(stores: readonly Store[]): Generator<CountedGame> {
    for (const [run, store] of stores.entries()) {
      const { entrants, seed } = this.runs[run]!;
      const laterHave = stores
        .filter((_, other) => other > run && this.runs[other]!.seed === seed)
        .map((later) => later.lookup());
      const isFirst = entrants.every((entrant, at) => entrant === at);
      for (const game of store.counted()) {
        if (laterHave.some((has) => has(game.id))) continue;
        yield isFirst ? game : { ...game, seats: game.seats.map((entrant) => entrants[entrant]!) };
      }
    }
  }
}
