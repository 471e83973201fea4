/** The players of GTP. */
export const COLOURS: readonly string[] = ["black", "white"];

/** The letters of the columns; i is left out. */
const COLUMNS = "abcdefghjklmnopqrst";
const STONES = "XO";

/**
 * The rows of the board in a text of a position, from the top, such as `3X1/5/1O3/5/5 b`; a number stands for so many empty
 * points.
 */
export function rowsOf(position: string, size: number): string[] {
  const [board = ""] = position.split(" ");
  const cells = board.replace(/\d+/g, (count) => ".".repeat(Number(count))).replaceAll("/", "");
  return Array.from({ length: size }, (_, row) => cells.slice(row * size, (row + 1) * size));
}

/** The stones of such a text, as `black d4`. On an empty board they can be played in any order, as each group has a liberty. */
export function stonesOf(position: string, size: number): string[] {
  return rowsOf(position, size).flatMap((row, fromTop) =>
    row.split("").flatMap((point, column) => {
      const player = STONES.indexOf(point);
      return player < 0 ? [] : [`${COLOURS[player]!} ${COLUMNS[column]!}${size - fromTop}`];
    }),
  );
}
