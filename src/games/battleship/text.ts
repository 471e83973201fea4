import type { BattleshipState } from "./state.ts";

/** The row's letter from the top and the column's number, such as `B5`. */
export function squareName(square: number, width: number): string {
  return String.fromCodePoint(65 + Math.floor(square / width)) + String((square % width) + 1);
}

/** The square of a shot, or the first and the last square of a ship: `B5-B8`. */
export function formatAction(action: number, { placing, form }: BattleshipState): string {
  const { ships, width } = form;
  if (placing === ships.length) return squareName(action, width);
  const reach = (ships[placing]! - 1) * ((action & 1) === 0 ? 1 : width);
  const first = squareName(action >> 1, width);
  return reach === 0 ? first : `${first}-${squareName((action >> 1) + reach, width)}`;
}

/** By player and square: true where a shot sank a ship. */
function sinkings({ history, events, form, ships }: BattleshipState): Uint8Array {
  const left = [...form.ships, ...form.ships];
  const sunk = new Uint8Array(2 * form.squares);
  for (let event = 2 * form.ships.length; event < events; event++) {
    const target = 1 - (event & 1);
    const square = target * form.squares + history[event]!;
    if (ships[square]! > 0 && --left[target * form.ships.length + ships[square]! - 1]! === 0)
      sunk[square] = 1;
  }
  return sunk;
}

/**
 * Both boards: the number of a ship, `o` a shot at the water, `x` a hit, `#` a hit that sank a ship. Given a viewer, the other
 * player's ships are not shown.
 */
export function drawBoards(state: BattleshipState, viewer?: number): string {
  const { ships, shots, form, toMove } = state;
  const { width, height, squares } = form;
  const sunk = sinkings(state);
  const sign = (player: number, square: number) => {
    const at = player * squares + square;
    if (shots[at]! > 0) return ships[at] === 0 ? "o" : sunk[at]! > 0 ? "#" : "x";
    return ships[at] === 0 || (viewer ?? player) !== player ? "." : String(ships[at]);
  };
  const columns = Array.from({ length: width }, (_, column) => String((column + 1) % 10)).join(" ");
  const board = (player: number) => [
    `player ${player + 1}${toMove === player ? ", to move" : ""}`,
    `  ${columns}`,
    ...Array.from({ length: height }, (_, row) => {
      const signs = Array.from({ length: width }, (_unused, column) => sign(player, row * width + column));
      return [String.fromCodePoint(65 + row), ...signs].join(" ");
    }),
  ];
  const [first, second] = [board(0), board(1)];
  const room = Math.max(...first.map((line) => line.length)) + 3;
  return first.map((line, at) => line.padEnd(room) + second[at]!).join("\n");
}
