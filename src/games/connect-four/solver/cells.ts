/**
 * Sets of cells as two words, columns 0 to 3 in `low` and 4 to 6 in `high`: seven bits a column, bit 0
 * the bottom cell, and the bit above the top row always empty, so that lines do not run around the
 * edge. Shifts by 1, 7, 6 and 8 go up, right and along the diagonals (Tromp, "The Fhourstones
 * benchmark", 1996; Pons, "Solving Connect 4", 2015).
 */
export const STRIDE = 7;
export const MAX_ROWS = STRIDE - 1;
export const LOW_COLUMNS = 4;
export const MAX_COLUMNS = 7;
const LOW_BITS = STRIDE * LOW_COLUMNS;
/** The bits of the leftmost column of a word. */
export const COLUMN = (1 << STRIDE) - 1;

/**
 * The low word of the cells that complete four in a line with those of a set. The result can hold bits
 * that are no cells, and cells that are taken: the caller removes them.
 */
export function completingLow(low: number, high: number): number {
  return (
    ((low << 1) & (low << 2) & (low << 3)) |
    alongLow(low, high, 7) |
    alongLow(low, high, 6) |
    alongLow(low, high, 8)
  );
}

/** The high word of the cells that `completingLow` has the low word of. */
export function completingHigh(low: number, high: number): number {
  return (
    ((high << 1) & (high << 2) & (high << 3)) |
    alongHigh(low, high, 7) |
    alongHigh(low, high, 6) |
    alongHigh(low, high, 8)
  );
}

/** The completing cells along one direction; each may be any of the four. */
function alongLow(low: number, high: number, step: number): number {
  const back1 = low << step;
  const back2 = low << (2 * step);
  const next1 = (low >>> step) | (high << (LOW_BITS - step));
  const next2 = (low >>> (2 * step)) | (high << (LOW_BITS - 2 * step));
  const next3 = (low >>> (3 * step)) | (high << (LOW_BITS - 3 * step));
  return (back1 & back2 & ((low << (3 * step)) | next1)) | (next1 & next2 & (next3 | back1));
}

function alongHigh(low: number, high: number, step: number): number {
  const back1 = (high << step) | (low >>> (LOW_BITS - step));
  const back2 = (high << (2 * step)) | (low >>> (LOW_BITS - 2 * step));
  const back3 = (high << (3 * step)) | (low >>> (LOW_BITS - 3 * step));
  const next1 = high >>> step;
  const next2 = high >>> (2 * step);
  return (back1 & back2 & (back3 | next1)) | (next1 & next2 & ((high >>> (3 * step)) | back1));
}

/** The low word of the mirror image, left to right, of a board of seven columns with seven bits each. */
export function mirroredLow(low: number, high: number): number {
  return ((high >>> 14) & COLUMN) | (high & (COLUMN << 7)) | ((high & COLUMN) << 14) | (low & (COLUMN << 21));
}

/** The high word of the mirror image. */
export function mirroredHigh(low: number): number {
  return ((low >>> 14) & COLUMN) | (low & (COLUMN << 7)) | ((low & COLUMN) << 14);
}

/** True if a set has four in a line. */
export function hasFour(low: number, high: number): boolean {
  const upLow = low & (low >>> 1);
  const upHigh = high & (high >>> 1);
  return (
    ((upLow & (upLow >>> 2)) | (upHigh & (upHigh >>> 2))) !== 0 ||
    hasFourAlong(low, high, 7) ||
    hasFourAlong(low, high, 6) ||
    hasFourAlong(low, high, 8)
  );
}

function hasFourAlong(low: number, high: number, step: number): boolean {
  const twoLow = low & ((low >>> step) | (high << (LOW_BITS - step)));
  const twoHigh = high & (high >>> step);
  const fourLow = twoLow & ((twoLow >>> (2 * step)) | (twoHigh << (LOW_BITS - 2 * step)));
  return (fourLow | (twoHigh & (twoHigh >>> (2 * step)))) !== 0;
}

/** True if a set has more than one cell. */
export function hasTwo(low: number, high: number): boolean {
  return ((low & (low - 1)) | (high & (high - 1))) !== 0 || (low !== 0 && high !== 0);
}
