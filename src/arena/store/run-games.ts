import type { GameLine, GameSource, RatedGame } from "../../ratings/record.ts";
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

  constructor(runs: readonly StoredRun[]) {
    this.runs = runs;
  }

  *blocks(): Generator<RatedGame[]> {
    const stores = this.open();
    try {
      const perRun = stores.map((store, run) => this.blocksOfRun(store, run));
      const order = (a: readonly RatedGame[], b: readonly RatedGame[]) => compare(a[0]!.block, b[0]!.block);
      let block: RatedGame[] = [];
      for (const part of merged(perRun, order)) {
        if (block.length > 0 && block[0]!.block !== part[0]!.block) {
          yield block;
          block = [];
        }
        // Equal blocks come in the order of the runs.
        block =
          block.length === 0
            ? part
            : [...new Map([...block, ...part].map((game) => [game.id, game])).values()];
      }
      if (block.length > 0) yield block;
    } finally {
      for (const store of stores) store.close();
    }
  }

  *lines(): Generator<GameLine> {
    const stores = this.open();
    try {
      const perRun = stores.map((store, run) => this.linesOfRun(store, run, stores));
      yield* merged(perRun, (a, b) => a.openingLength - b.openingLength || compare(a.actions, b.actions));
    } finally {
      for (const store of stores) store.close();
    }
  }

  private open(): Store[] {
    return this.runs.map(({ dir }) => Store.openExisting(dir));
  }

  private *blocksOfRun(store: Store, run: number): Generator<RatedGame[]> {
    const { entrants } = this.runs[run]!;
    for (const block of store.blocks())
      yield block.map((game) => ({ ...game, seats: game.seats.map((entrant) => entrants[entrant]!) }));
  }

  private *linesOfRun(store: Store, run: number, stores: readonly Store[]): Generator<GameLine> {
    const { entrants, seed } = this.runs[run]!;
    const laterHave = stores
      .filter((_, other) => other > run && this.runs[other]!.seed === seed)
      .map((later) => later.lookup());
    for (const line of store.lines()) {
      if (laterHave.some((has) => has(line.id))) continue;
      yield { ...line, seats: line.seats.map((entrant) => entrants[entrant]!) };
    }
  }
}

/** Merges ascending sequences; items of earlier sequences come before equal items of later ones. */
function* merged<Item>(
  sequences: readonly Iterator<Item>[],
  order: (a: Item, b: Item) => number,
): Generator<Item> {
  const heads = sequences.map((sequence) => sequence.next());
  for (;;) {
    let least = -1;
    for (const [at, head] of heads.entries()) {
      if (head.done === true) continue;
      if (least < 0 || order(head.value, heads[least]!.value as Item) < 0) least = at;
    }
    if (least < 0) return;
    yield heads[least]!.value as Item;
    heads[least] = sequences[least]!.next();
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
