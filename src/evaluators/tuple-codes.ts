import type { TupleGroups } from "../games/contract/facets.ts";
import type { State, TupleBoard } from "../games/contract/game.ts";
import type { TupleFeatures } from "./n-tuple.ts";
import { VectorMemory, type Slot } from "./network/vector-loops.ts";

/** The position that was read last, of those with the same player to move. */
interface Seen {
  /** By group: its key; at first none. */
  readonly keys: Float64Array;
  /** By cell. */
  readonly digits: Uint8Array;
  /** By view: the active feature. */
  readonly codes: Int32Array;
  /** The address of the codes. */
  readonly at: number;
}

/**
 * The active features of positions in an n-tuple network. They go from position to position by the cells that changed.
 * Positions follow those with the same player to move, as the others have another viewer or context. Codes are whole
 * numbers, so they do not depend on what was read before.
 */
export class TupleCodes {
  /** By view: the active feature of the position that was read last. */
  codes: Int32Array;
  private readonly groups: TupleGroups;
  private readonly seen: readonly [Seen, Seen];
  private readonly keys: Int32Array;
  private readonly digits: Uint8Array;
  /** The cells of group g are cells[from[g]] to cells[from[g + 1] - 1]. */
  private readonly cells: Int32Array;
  private readonly from: Int32Array;
  /** For each cell that changed: the address of its row of factors, and the change of its digit. */
  private readonly rows: Int32Array;
  private readonly changes: Int32Array;
  private readonly rowAt: Int32Array;
  private readonly addChanges: (count: number, codes: number) => void;

  constructor({ board, begins, factors }: TupleFeatures) {
    const groups = board.groups ?? singleCells(board);
    const memory = new VectorMemory();
    // Two int32 take the room of a float64.
    const reserve = (count: number) => memory.reserve(Math.ceil(count / 2));
    const [rows, changes] = [reserve(board.cells), reserve(board.cells)];
    const [first, second] = [reserve(begins.length), reserve(begins.length)];
    const slots = factors.map((row) => reserve(row.length));
    const { buffer, loops } = memory.create();
    const view = ({ at }: Slot, length: number) => new Int32Array(buffer, at, length);
    const firstSeen = (slot: Slot): Seen => {
      const codes = view(slot, begins.length);
      codes.set(begins);
      const keys = new Float64Array(groups.cells.length).fill(NaN);
      return { keys, digits: new Uint8Array(board.cells), codes, at: slot.at };
    };
    for (const [cell, row] of factors.entries()) view(slots[cell]!, row.length).set(row);
    this.groups = groups;
    this.seen = [firstSeen(first), firstSeen(second)];
    this.codes = this.seen[0].codes;
    this.keys = new Int32Array(groups.cells.length);
    this.digits = new Uint8Array(board.cells);
    this.cells = Int32Array.from(groups.cells.flat());
    this.from = new Int32Array(groups.cells.length + 1);
    for (const [group, { length }] of groups.cells.entries())
      this.from[group + 1] = this.from[group] + length;
    this.rows = view(rows, board.cells);
    this.changes = view(changes, board.cells);
    this.rowAt = Int32Array.from(slots, ({ at }) => at);
    const bytes = first.count * Float64Array.BYTES_PER_ELEMENT;
    this.addChanges = (count, codes) => loops.addChanges(count, rows.at, changes.at, codes, bytes);
  }

  /** Reads a position as `player` sees it. */
  read(state: State, player: number): void {
    const { groups, keys, digits, cells, from, rows, changes, rowAt } = this;
    const seen = this.seen[state.toMove === 1 ? 1 : 0];
    const { keys: keysBefore, digits: digitsBefore } = seen;
    groups.keys(state, player, keys);
    let count = 0;
    for (let group = 0; group < keys.length; group++) {
      if (keys[group] === keysBefore[group]) continue;
      keysBefore[group] = keys[group];
      groups.read(group, keys[group], digits);
      const end = from[group + 1];
      for (let at = from[group]; at < end; at++) {
        const cell = cells[at];
        const change = digits[cell] - digitsBefore[cell];
        if (change === 0) continue;
        digitsBefore[cell] = digits[cell];
        rows[count] = rowAt[cell];
        changes[count++] = change;
      }
    }
    if (count > 0) this.addChanges(count, seen.at);
    this.codes = seen.codes;
  }
}

/** The groups of a board that has none of its own: each cell is one, its digit the key. */
function singleCells(board: TupleBoard): TupleGroups {
  const digits = new Uint8Array(board.cells);
  return {
    cells: Array.from({ length: board.cells }, (_, cell) => [cell]),
    keys(state, player, keys) {
      board.read(state, player, digits);
      for (let cell = 0; cell < digits.length; cell++) keys[cell] = digits[cell];
    },
    read: (group, key, found) => void (found[group] = key),
  };
}
