import { InputError } from "../../base/errors.ts";
import { parseLegal } from "../contract/notation.ts";
import { CHANCE, type Rules } from "../contract/rules.ts";
import { BLANK, FIRST_PLAY, KINDS, newPlacement, PASS, TILE_NAMES, type Form } from "./form.ts";
import { MAX_ACTIONS } from "./moves.ts";
import type { CrosswordState } from "./state.ts";

/** A square as notation writes it: row and column letter for a word across, `8D`, and the other way round for one down, `D8`. */
export function squareName(square: number, { size }: Form, direction = 1): string {
  const row = String(1 + Math.floor(square / size));
  const column = TILE_NAMES[square % size]!;
  return direction === 0 ? row + column : column + row;
}

/** The letter of a tile on a square of a play, a small one for a blank. */
function letterName(letter: number, isBlank: boolean): string {
  const name = TILE_NAMES[letter]!;
  return isBlank ? name.toLowerCase() : name;
}

/** The sign of a tile on the board; undefined on an empty square. */
export function signAt({ board }: CrosswordState, square: number): string | undefined {
  const letter = board.letters[square]!;
  return letter === 0 ? undefined : letterName(letter - 1, board.blanks[square] === 1);
}

/** The tiles of a rack in order, `AEIRST?`. */
export function rackText({ racks }: CrosswordState, player: number): string {
  return Array.from({ length: KINDS }, (_, kind) =>
    TILE_NAMES[kind]!.repeat(racks[player * KINDS + kind]!),
  ).join("");
}

/** A play as `8D WORD` with small letters for blanks, an exchange as `-ABC`, `pass`, or the tile that is drawn. */
export function formatAction(action: number, state: CrosswordState): string {
  const { form, board, toMove } = state;
  if (toMove === CHANCE) return TILE_NAMES[action]!;
  if (action === PASS) return "pass";
  if (action < FIRST_PLAY)
    return `-${Array.from(rackText(state, toMove))
      .filter((_, place) => ((action >> place) & 1) === 1)
      .join("")}`;
  const placement = newPlacement();
  form.decode(action, placement);
  const { word, direction, square, step, length } = placement;
  const letters = Array.from({ length }, (_, at) => {
    const here = square + at * step;
    return (
      signAt(state, here) ??
      letterName(form.letters[form.starts[word]! + at]!, board.tileAt(placement, at) === BLANK)
    );
  });
  return `${squareName(square, form, direction)} ${letters.join("")}`;
}

/** The text of a position before the first event. */
const START = "start";

/**
 * A position as everything that happened, with commas between: what each player draws, in order, and the turns, such as
 * `AEINRST, DEGLNOP, 8D TRAINS, QUEEIS, -PG, AA`.
 */
export function crosswordNotation(
  rules: Pick<Rules<CrosswordState>, "start">,
  { players }: Form,
): Pick<Rules<CrosswordState>, "formatState" | "parseState"> {
  return {
    formatState(state) {
      const from = rules.start();
      const words: string[] = [];
      let drawer = -1;
      for (const action of state.history.subarray(0, state.events)) {
        const isDraw = from.toMove === CHANCE;
        const word = formatAction(action, from);
        const by = isDraw ? from.drawerOf(from.events) : -1;
        if (isDraw && by === drawer) words.push(words.pop()! + word);
        else words.push(word);
        drawer = by;
        from.apply(action);
      }
      return words.length === 0 ? START : words.join(", ");
    },
    parseState(text) {
      const state = rules.start();
      if (text.trim() === START) return state;
      const play = (word: string) =>
        state.apply(
          parseLegal({ formatAction, maxActions: MAX_ACTIONS, players, maxReturn: 1 }, word, state),
        );
      for (const [at, word] of text.split(",").entries()) {
        try {
          if (state.toMove !== CHANCE) play(word);
          else for (const tile of word.trim() || [""]) play(tile);
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          throw new InputError(`"${text}" is no position: part ${at + 1}, ${error.message}`);
        }
      }
      return state;
    },
  };
}

/** The board: tiles, and the signs of premium squares. */
export function drawBoard(state: CrosswordState): string {
  const { form } = state;
  const { size } = form;
  const names = Array.from({ length: size }, (_, column) => TILE_NAMES[column]!.toLowerCase());
  const rows = Array.from({ length: size }, (_, row) => {
    const signs = Array.from({ length: size }, (__, column) => {
      const square = row * size + column;
      return signAt(state, square) ?? form.marks[square]!;
    });
    return `${String(row + 1).padStart(2)} ${signs.join(" ")}`;
  });
  return [...rows, `   ${names.join(" ")}`].join("\n");
}

/** Points and racks of all players; a view of `viewer` has the number of the others' tiles alone. */
export function standing(state: CrosswordState, viewer?: number): string[] {
  const lines = Array.from({ length: state.form.players }, (_, player) => {
    const isOpen = viewer === undefined || viewer === player;
    const tiles = isOpen ? rackText(state, player) : "*".repeat(state.held[player]!);
    return `player ${player + 1}: ${state.scores[player]!} ${tiles}`.trimEnd();
  });
  const turn = state.toMove >= 0 ? `player ${state.toMove + 1} to move, ` : "";
  return [...lines, `${turn}${state.bagged} tiles in the bag`];
}
