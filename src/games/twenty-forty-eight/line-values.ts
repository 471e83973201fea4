import type { BoardSize } from "./board.ts";
import { CELL_BITS, forEachLine, highestExponent } from "./line.ts";
import { LONGEST_IN_TABLE } from "./small-board.ts";

/** The values of lines, from a table that is made at the first call. Values of long lines are calculated each time. */
class LineValues {
  private readonly length: number;
  private readonly highest: number;
  private readonly valueOf: (line: number, length: number) => number;
  private table: Float64Array | null = null;

  constructor(length: number, highest: number, valueOf: (line: number, length: number) => number) {
    this.length = length;
    this.highest = highest;
    this.valueOf = valueOf;
  }

  at(line: number): number {
    const table = this.table ?? this.makeTable();
    return line < table.length ? table[line] : this.valueOf(line, this.length);
  }

  private makeTable(): Float64Array {
    const { length } = this;
    const table = new Float64Array(length > LONGEST_IN_TABLE ? 0 : 1 << (length * CELL_BITS));
    if (table.length > 0) {
      forEachLine(length, this.highest, (line) => {
        table[line] = this.valueOf(line, length);
      });
    }
    this.table = table;
    return table;
  }
}

/** The values of the rows and of the columns of a board. */
export function lineValues(
  { rows, columns }: BoardSize,
  valueOf: (line: number, length: number) => number,
): { readonly ofRow: LineValues; readonly ofColumn: LineValues } {
  const highest = highestExponent(rows * columns);
  const ofRow = new LineValues(columns, highest, valueOf);
  return { ofRow, ofColumn: rows === columns ? ofRow : new LineValues(rows, highest, valueOf) };
}
