import { InputError } from "../../base/errors.ts";
import { grown } from "../../base/hashing.ts";
import { unknownName } from "../../base/text.ts";
import { CHANCE, type Game, type State, type Transcript } from "../../games/contract/game.ts";
import { formatNpz, type NamedArray } from "./npz.ts";

/**
 * The positions in which players decided, as arrays of NumPy: one row a position, as the player to move sees it. The position
 * is in `cells`, the digits of the game's board, or with `features`, the name of a feature set, as a sparse matrix: position p
 * has the features indices[indptr[p]] to indices[indptr[p + 1] - 1], with their values in `data`. Throws InputError if the game has
 * neither.
 */
export function positionsNpz(
  game: Game,
  games: Iterable<Transcript>,
  { features }: { features?: string | undefined } = {},
): Uint8Array {
  const reader = features === undefined ? new CellReader(game) : new FeatureReader(game, features);
  const ids: string[] = [];
  const columns = {
    game: new Growing(new Int32Array(1024)),
    ply: new Growing(new Int32Array(1024)),
    player: new Growing(new Int8Array(1024)),
    action: new Growing(new Int32Array(1024)),
    value: new Growing(new Float32Array(1024)),
    result: new Growing(new Float32Array(1024)),
  };
  for (const { from, actions, id, openingLength = 0, returns, round, thoughts } of games) {
    const state = from === undefined ? game.start() : game.parseState(from);
    for (const [ply, action] of actions.entries()) {
      const player = state.toMove;
      if (player !== CHANCE && ply >= openingLength) {
        reader.read(state);
        columns.game.add(ids.length);
        columns.ply.add(ply);
        columns.player.add(player);
        columns.action.add(action);
        columns.value.add(thoughts?.[ply]?.value ?? NaN);
        columns.result.add(returns[player] ?? NaN);
      }
      state.apply(action);
    }
    ids.push(id ?? String(round));
  }
  const told = Object.entries(columns).map(([name, { array }]) => ({ name, data: array }));
  return formatNpz([...reader.arrays(), ...told, { name: "games", data: ids }]);
}

/** An array of numbers that grows. */
class Growing<A extends Uint8Array | Int8Array | Int32Array | Float32Array> {
  private room: A;
  private length = 0;

  constructor(room: A) {
    this.room = room;
  }

  add(value: number): void {
    this.room = grown(this.room, this.length + 1);
    this.room[this.length++] = value;
  }

  get array(): A {
    return this.room.subarray(0, this.length) as A;
  }
}

/** Collects positions, as the player to move sees them. */
interface PositionReader {
  read(state: State): void;
  arrays(): NamedArray[];
}

class CellReader implements PositionReader {
  private readonly board: NonNullable<Game["tupleBoard"]>;
  private readonly digits: Uint8Array;
  private readonly cells = new Growing(new Uint8Array(65_536));

  constructor({ id, tupleBoard, featureSets }: Game) {
    if (tupleBoard === undefined) {
      const sets = Object.keys(featureSets);
      const instead = sets.length > 0 ? `name --features: ${sets.join(", ")}` : "it has no features either";
      throw new InputError(`${id} has no board of cells for an .npz; ${instead}`);
    }
    this.board = tupleBoard;
    this.digits = new Uint8Array(tupleBoard.cells);
  }

  read(state: State): void {
    this.board.read(state, state.toMove, this.digits);
    for (const digit of this.digits) this.cells.add(digit);
  }

  arrays(): NamedArray[] {
    return [{ name: "cells", data: this.cells.array, columns: this.digits.length }];
  }
}

class FeatureReader implements PositionReader {
  private readonly features: Game["featureSets"][string];
  private readonly index: Int32Array;
  private readonly value: Float32Array;
  private readonly indices = new Growing(new Int32Array(65_536));
  private readonly data = new Growing(new Float32Array(65_536));
  private readonly indptr = new Growing(new Int32Array(1024));

  constructor({ id, featureSets }: Game, name: string) {
    if (!Object.hasOwn(featureSets, name))
      throw new InputError(unknownName(`feature set of ${id}`, name, Object.keys(featureSets)));
    this.features = featureSets[name]!;
    this.index = new Int32Array(this.features.maxActive);
    this.value = new Float32Array(this.features.maxActive).fill(1);
    this.indptr.add(0);
  }

  read(state: State): void {
    const { index, value } = this;
    const active = this.features.extract(state, state.toMove, index, value);
    for (let at = 0; at < active; at++) {
      this.indices.add(index[at]);
      this.data.add(value[at]);
    }
    this.indptr.add(this.indices.array.length);
  }

  arrays(): NamedArray[] {
    return [
      { name: "indices", data: this.indices.array },
      { name: "data", data: this.data.array },
      { name: "indptr", data: this.indptr.array },
      { name: "features", data: Int32Array.of(this.features.size) },
    ];
  }
}
