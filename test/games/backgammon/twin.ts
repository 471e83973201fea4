import { BAR, HOME, LARGE, OFF, PLACES, SMALL } from "../../../src/games/backgammon/position.ts";
import type { BackgammonState } from "../../../src/games/backgammon/state.ts";

/** Own men and the other's by place, each as its owner counts. */
type Board = readonly [readonly number[], readonly number[]];

/** The slow, obvious generator: every order of single steps, then the rules about unplayed dice. */
export function naiveResults(state: BackgammonState): Set<string> {
  const side = (player: number) => Array.from(state.men.subarray(player * PLACES, (player + 1) * PLACES));
  const start: Board = [side(state.onRoll), side(1 - state.onRoll)];
  const large = LARGE[state.roll];
  const small = SMALL[state.roll];
  const orders =
    large === small
      ? [[large, large, large, large]]
      : [
          [large, small],
          [small, large],
        ];
  /** The boards that are reached, by the number of dice played, and for one die by its points. */
  const reached = new Map<string, Set<string>>();
  const note = (key: string, board: Board) => {
    const boards = reached.get(key) ?? new Set<string>();
    reached.set(key, boards.add(JSON.stringify(board)));
  };
  for (const order of orders) {
    const seen = new Set<string>();
    const extend = (board: Board, played: number) => {
      const key = `${played}${JSON.stringify(board)}`;
      if (seen.has(key)) return;
      seen.add(key);
      note(played === 1 ? `1 by ${order[0]}` : String(played), board);
      if (played === order.length) return;
      for (const next of steps(board, order[played]!)) extend(next, played + 1);
    };
    extend(start, 0);
  }
  const allowed = ["4", "3", "2", `1 by ${large}`, `1 by ${small}`, "0"];
  return reached.get(allowed.find((key) => reached.has(key))!)!;
}

/** The boards after one man moved by `die`. */
function steps([mine, theirs]: Board, die: number): Board[] {
  const boards: Board[] = [];
  for (let from = 1; from <= BAR; from++) {
    if (mine[from] === 0) continue;
    if (mine[BAR]! > 0 && from !== BAR) continue;
    const to = from - die;
    if (to <= 0) {
      const outside = mine.slice(HOME + 1).some((men) => men > 0);
      const behind = mine.slice(from + 1).some((men) => men > 0);
      if (outside || (to < 0 && behind)) continue;
    } else if (theirs[BAR - to]! > 1) continue;
    const own = [...mine];
    const other = [...theirs];
    own[from]!--;
    own[Math.max(to, OFF)]!++;
    if (to > 0 && other[BAR - to] === 1) {
      other[BAR - to] = 0;
      other[BAR]!++;
    }
    boards.push([own, other]);
  }
  return boards;
}

/** The distinct boards that the state's own actions lead to, in the same form, and how many actions. */
export function actionResults(
  state: BackgammonState,
  out: Int32Array,
): { results: Set<string>; count: number } {
  const player = state.onRoll;
  const count = state.legalActions(out, 0);
  const results = new Set<string>();
  for (let at = 0; at < count; at++) {
    state.apply(out[at]);
    const side = (seat: number) => Array.from(state.men.subarray(seat * PLACES, (seat + 1) * PLACES));
    results.add(JSON.stringify([side(player), side(1 - player)]));
    state.undo();
  }
  return { results, count };
}
