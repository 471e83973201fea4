/**
 * Sets of squares as two int32: `low` holds ranks 1 to 4, `high` ranks 5 to 8. Squares count from
 * a1 = 0, b1 = 1 to h8 = 63; square s is bit s & 31 of half s >>> 5.
 */

/** The lowest bit that is set; 31 - 32 = -1 for none. */
export function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & (0 - bits));
}

/** The lowest square of a set that is not empty. */
export function lowestSquare(low: number, high: number): number {
  return low !== 0 ? lowestBit(low) : 32 + lowestBit(high);
}

/** How many bits are set. */
export function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** How many squares a set has. */
export function countSquares(low: number, high: number): number {
  return countBits(low) + countBits(high);
}

/** Whether a set has two squares or more. */
export function hasSeveral(low: number, high: number): boolean {
  return low !== 0 ? high !== 0 || (low & (low - 1)) !== 0 : (high & (high - 1)) !== 0;
}

/** `e4` for 28. */
export function squareName(square: number): string {
  return "abcdefgh"[square & 7]! + ((square >>> 3) + 1);
}

/** The inverse; -1 for a text that names no square. */
export function parseSquare(text: string): number {
  return /^[a-h][1-8]$/.test(text) ? text.charCodeAt(0) - 97 + 8 * (Number(text[1]) - 1) : -1;
}
