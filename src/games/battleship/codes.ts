/* The codes of players. An own placement is its action. */

/** The code of a placement by the other player. */
export const OTHER_PLACED = -1;
/** The code of the other player's shot at a square is this less the square. */
export const OTHER_SHOT = -2;
/** The code of an own shot is this times the square, and its result. */
export const RESULTS = 3;
