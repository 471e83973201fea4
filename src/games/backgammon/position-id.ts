import { InputError } from "../../base/errors.ts";
import { BAR, MEN, OFF, PLACES, type Position } from "./position.ts";

const CHARACTERS = 14;
const BITS = 80;

/**
 * GNU Backgammon's position id: for the player who waits and then for the player on roll, for each
 * point from 1 to 24 and the bar, a 1 per man and a 0; 80 bits, little end first in each byte, in
 * base 64. (The manual names the player on roll first; the program writes the other one first.)
 */
export function formatPositionId(position: Position): string {
  const bytes = new Uint8Array(BITS / 8);
  let bit = 0;
  for (const player of [1 - position.onRoll, position.onRoll]) {
    for (let place = 1; place <= BAR; place++) {
      for (let man = position.men[player * PLACES + place]; man > 0; man--, bit++)
        bytes[bit >>> 3] |= 1 << (bit & 7);
      bit++;
    }
  }
  return btoa(String.fromCharCode(...bytes)).slice(0, CHARACTERS);
}

/** Men on each place, at player * PLACES + place, of an id whose player on roll is `onRoll`. */
export function parsePositionId(id: string, onRoll: number): Int8Array {
  if (!/^[A-Za-z0-9+/]{13}[AQgw]$/.test(id)) {
    throw new InputError(`"${id}" is no position id; one is ${CHARACTERS} characters such as 4HPwATDgc/ABMA`);
  }
  const bytes = Uint8Array.from(atob(id), (character) => character.charCodeAt(0));
  const men = new Int8Array(2 * PLACES);
  let bit = 0;
  for (const player of [1 - onRoll, onRoll]) {
    let onBoard = 0;
    for (let place = 1; place <= BAR; place++) {
      for (; ((bytes[bit >>> 3] >>> (bit & 7)) & 1) === 1; bit++) {
        men[player * PLACES + place]++;
        if (++onBoard > MEN) throw new InputError(`"${id}" has more than ${MEN} men of one player`);
      }
      bit++;
    }
    men[player * PLACES + OFF] = MEN - onBoard;
  }
  for (; bit < BITS; bit++) {
    if (((bytes[bit >>> 3] >>> (bit & 7)) & 1) === 1)
      throw new InputError(`"${id}" goes on after the second player's bar`);
  }
  for (let point = 1; point < BAR; point++) {
    if (men[point] > 0 && men[PLACES + BAR - point] > 0)
      throw new InputError(`"${id}" has men of both players on one point`);
  }
  return men;
}
