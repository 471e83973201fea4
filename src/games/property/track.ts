import { ARREST, type Board } from "./board.ts";
import { JAIL_ROLLS, MAX_DOUBLES } from "./position.ts";

/** The long-term shares of rolls, which sum to 1, by the square on which a pawn stands after the roll. */
export interface Visits {
  /** By square; that of the jail has those who are held and those who visit. */
  readonly squares: Float64Array;
  /** The share of those who are held in jail. */
  readonly held: number;
}

const ROUNDING = 1e-15;

/**
 * The stationary distribution of a pawn that moves by two dice: a Markov chain whose states are a square with the doubles
 * rolled in this turn, or jail with the rolls made in it. A pawn leaves jail by a double or by its third roll, and before
 * its first roll if `leaves`. The distribution is multiplied by the chain's matrix until it stays the same.
 */
export function visitsOf({ kinds, jail }: Board, leaves = false): Visits {
  const size = kinds.length;
  const states = MAX_DOUBLES * size + JAIL_ROLLS;
  const inJail = MAX_DOUBLES * size;
  /** The state after a roll, without jail for the third double. */
  const landing = (square: number, doubles: number) =>
    kinds[square] === ARREST ? inJail : MAX_DOUBLES * square + doubles;
  const after = (state: number, pips: number, isDouble: boolean): number => {
    const rolls = state - inJail;
    if (rolls >= 0 && !leaves) {
      if (!isDouble && rolls < JAIL_ROLLS - 1) return state + 1;
      return landing((jail + pips) % size, 0);
    }
    const square = rolls >= 0 ? jail : Math.floor(state / MAX_DOUBLES);
    const doubles = isDouble ? (rolls >= 0 ? 0 : state % MAX_DOUBLES) + 1 : 0;
    return doubles === MAX_DOUBLES ? inJail : landing((square + pips) % size, doubles);
  };
  const next = Int32Array.from({ length: 36 * states }, (_, at) => {
    const [first, second] = [1 + (at % 6), 1 + (Math.floor(at / 6) % 6)];
    return after(Math.floor(at / 36), first + second, first === second);
  });

  let now = new Float64Array(states).fill(1 / states);
  for (let change = 1; change > ROUNDING * states;) {
    const then = new Float64Array(states);
    for (let at = 0; at < next.length; at++) then[next[at]] += now[Math.floor(at / 36)] / 36;
    change = then.reduce((sum, share, state) => sum + Math.abs(share - now[state]), 0);
    now = then;
  }
  const held = now.subarray(inJail).reduce((sum, share) => sum + share);
  const squares = Float64Array.from({ length: size }, (_, square) =>
    now.subarray(MAX_DOUBLES * square, MAX_DOUBLES * (square + 1)).reduce((sum, share) => sum + share),
  );
  squares[jail] += held;
  return { squares, held };
}
