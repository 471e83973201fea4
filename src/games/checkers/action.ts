import { DIRECTIONS, JUMP, STEP } from "./board.ts";

/**
 * An action is a whole move: `from << 22 | path << 4 | jumps`. The path has two bits a step, the first
 * step highest (bits 20-21), each a direction. A plain move has one step and no jumps; a capture has
 * as many steps as jumps, at most nine: the squares a piece can land on take turns with at most nine
 * squares that it can jump over.
 */
export const FROM_SHIFT = 22;
export const FIRST_STEP_SHIFT = 20;
export const JUMPS_MASK = 15;

export function jumpsOf(action: number): number {
  return action & JUMPS_MASK;
}

/** The squares of a move, 0 to 31: where it starts and every square it lands on. */
export function squaresOf(action: number): number[] {
  const jumps = jumpsOf(action);
  const table = jumps === 0 ? STEP : JUMP;
  const squares = [action >>> FROM_SHIFT];
  for (let step = 0; step < Math.max(1, jumps); step++) {
    const direction = (action >>> (FIRST_STEP_SHIFT - 2 * step)) & 3;
    squares.push(table[squares[step]! * DIRECTIONS + direction]);
  }
  return squares;
}
