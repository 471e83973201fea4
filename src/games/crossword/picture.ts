import { numberedRows } from "../contract/grid.ts";
import type { Paint, Picture, Place, Shape } from "../contract/picture.ts";
import { TERMINAL } from "../contract/rules.ts";
import { label, middleOf, rect } from "../shared/shapes.ts";
import { gridLines, squareBoard } from "../shared/square-picture.ts";
import { FIRST_PLAY, type Form, newPlacement, TILE_NAMES } from "./form.ts";
import type { CrosswordState } from "./state.ts";
import { rackText, signAt, squareName } from "./text.ts";

/** Premium squares by their signs: a role, a short text and words. */
const PREMIUMS: Readonly<Record<string, { fill: Paint; text: string; words: string }>> = {
  "2": { fill: "player5", text: "2L", words: "double letter" },
  "3": { fill: "player2", text: "3L", words: "triple letter" },
  D: { fill: "player4", text: "2W", words: "double word" },
  T: { fill: "player0", text: "3W", words: "triple word" },
};

/** The room of a rack, below the board. */
const RACK_HEIGHT = 1.3;

/** The board with its tiles, and the racks below. Places are the squares; a play touches the first and the last one of its word. */
export function createPicture(form: Form): Picture<CrosswordState> {
  const { size, players, marks, points } = form;
  const board = squareBoard(
    {
      rows: numberedRows(size, size),
      rowNames: Array.from({ length: size }, (_, row) => String(row + 1)),
      columnNames: Array.from(TILE_NAMES.slice(0, size)),
    },
    { nameOf: (square) => squareName(square, form), columnsOnTop: true },
  );
  const { places } = board;
  const premiums = places.flatMap((place, square): Shape[] => {
    const premium = PREMIUMS[marks[square]!];
    if (premium === undefined) return [];
    return [
      rect(place, { fill: premium.fill, opacity: 0.45 }),
      label(middleOf(place), premium.text, { size: 0.36 }),
    ];
  });
  /** A tile with its letter and its points. A blank on the board has a small letter. */
  const tile = (place: Pick<Place, "x" | "y" | "w" | "h">, sign: string): Shape[] => {
    const { x, y } = middleOf(place);
    const kind = TILE_NAMES.indexOf(sign);
    return [
      rect(
        { x: place.x + 0.06, y: place.y + 0.06, w: 0.88, h: 0.88 },
        { round: 0.12, fill: "wood", stroke: "edge", width: 0.03 },
      ),
      ...(sign === "" ? [] : [label({ x, y }, sign, { size: 0.58, fill: "black", bold: true })]),
      ...(kind < 0
        ? []
        : [label({ x: x + 0.28, y: y + 0.28 }, String(points[kind]!), { size: 0.24, fill: "black" })]),
    ];
  };
  const rackOf = (state: CrosswordState, player: number, isOpen: boolean): Shape[] => {
    const top = board.height + RACK_HEIGHT * player + 0.2;
    const text = `player ${player + 1}: ${state.scores[player]!}`;
    const signs = isOpen ? Array.from(rackText(state, player)) : "*".repeat(state.held[player]!);
    return [
      label({ x: board.left + 1.6, y: top + 0.5 }, text, { size: 0.45, bold: state.toMove === player }),
      ...Array.from(signs, (sign, at) =>
        tile({ x: board.left + 3.6 + 1.05 * at, y: top, w: 1, h: 1 }, isOpen ? sign : ""),
      ).flat(),
    ];
  };
  const drawn = (state: CrosswordState, viewer?: number): Shape[] => [
    ...places.flatMap((place, square) => {
      const sign = signAt(state, square);
      return sign === undefined ? [] : tile(place, sign);
    }),
    ...Array.from({ length: players }, (_, player) =>
      rackOf(state, player, viewer === undefined || viewer === player || state.toMove === TERMINAL),
    ).flat(),
    label({ x: board.left + 1.6, y: board.height + RACK_HEIGHT * players + 0.4 }, `bag: ${state.bagged}`, {
      size: 0.45,
      fill: "faint",
    }),
  ];
  const said = (state: CrosswordState, square: number): string =>
    signAt(state, square) ?? PREMIUMS[marks[square]!]?.words ?? "";
  const placement = newPlacement();
  return {
    width: Math.max(board.width, board.left + 3.6 + 1.05 * form.rack),
    height: board.height + RACK_HEIGHT * players + 0.8,
    ground: [
      rect({ x: board.left, y: board.top, w: size, h: size }, { fill: "board" }),
      ...premiums,
      gridLines(board, 0),
      ...board.labels,
    ],
    places,
    draw: (state) => drawn(state),
    describe: said,
    view: { draw: drawn, describe: said },
    touches(_, action) {
      if (action < FIRST_PLAY) return [];
      form.decode(action, placement);
      return [placement.square, placement.square + (placement.length - 1) * placement.step];
    },
  };
}
