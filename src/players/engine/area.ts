/** The colours of stones as boards show them: the first player's and the second's. */
const STONES = "XO";

/**
 * The points of the first player less those of the second: stones, and empty regions that touch stones of one colour only.
 * @param rows a character for each point: X, O, or another one where nothing stands
 */
export function areaLead(rows: readonly string[]): number {
  const at = (row: number, column: number) => rows[row]?.[column];
  const seen = new Set<number>();
  let lead = 0;
  for (const [row, line] of rows.entries()) {
    for (const [column, point] of line.split("").entries()) {
      const stone = STONES.indexOf(point);
      if (stone >= 0) lead += 1 - 2 * stone;
      else if (!seen.has(row * line.length + column)) lead += regionLead(row, column);
    }
  }
  return lead;

  /** The lead that the empty region of a point gives. */
  function regionLead(row: number, column: number): number {
    const region = [[row, column] as const];
    const touched = new Set<string>();
    seen.add(row * rows[0]!.length + column);
    for (const [r, c] of region) {
      for (const [nextRow, next] of [
        [r - 1, c],
        [r + 1, c],
        [r, c - 1],
        [r, c + 1],
      ] as const) {
        const point = at(nextRow, next);
        if (point === undefined) continue;
        const key = nextRow * rows[0]!.length + next;
        if (STONES.includes(point)) touched.add(point);
        else if (!seen.has(key)) {
          seen.add(key);
          region.push([nextRow, next]);
        }
      }
    }
    const [only, another] = touched;
    if (only === undefined || another !== undefined) return 0;
    return (1 - 2 * STONES.indexOf(only)) * region.length;
  }
}
