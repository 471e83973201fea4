import type { Transcript, TranscriptFormat } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { LARGE, SMALL } from "./position.ts";
import { BackgammonState, type BackgammonRules } from "./state.ts";
import { waysOf } from "./turn-text.ts";

const LEFT_WIDTH = 27;
const RIGHT_INDENT = " ".repeat(34);

/**
 * Games without a cube as a money session in Jellyfish's match format (`.mat`), as GNU Backgammon writes
 * and reads it. The first seat of the first game is on the left in all games. The scores so far stand
 * beside the names. The bar is 25, men off are 0, and every die is written on its own.
 */
export function mat(rules: BackgammonRules): TranscriptFormat {
  return {
    summary: "Jellyfish match format, without a cube",
    write: (games) => formatSession(games, rules),
  };
}

function* formatSession(games: Iterable<Transcript>, rules: BackgammonRules): Generator<string> {
  let left: string | undefined;
  let number = 0;
  const score = [0, 0];
  yield " 0 point match\n\n";
  for (const game of games) {
    left ??= game.names[0];
    const leftSeat = game.names[0] === left ? 0 : 1;
    const names = [game.names[leftSeat]!, game.names[1 - leftSeat]!].map(
      (name, column) => `${name.replaceAll(":", "_")} : ${score[column]}`,
    );
    const { lines, points } = formatGame(game.actions, leftSeat, rules);
    if (points !== 0) score[points > 0 ? 0 : 1]! += Math.abs(points);
    yield [` Game ${++number}`, ` ${names[0]!.padEnd(31)}${names[1]}`, ...lines, "", ""].join("\n");
  }
}

/** The lines of one game, and the points that the left side won (negative: lost). */
function formatGame(
  actions: readonly number[],
  leftSeat: number,
  rules: BackgammonRules,
): { lines: string[]; points: number } {
  const state = new BackgammonState(rules);
  /** The turns of left and right, one after the other; the first is empty where the right side begins. */
  const cells: string[] = [];
  for (const action of actions) {
    if (state.toMove >= 0) {
      if (cells.length === 0 && state.toMove !== leftSeat) cells.push("");
      cells.push(formatCell(action, state));
    }
    state.apply(action);
  }
  const lines = Array.from({ length: Math.ceil(cells.length / 2) }, (_, row) =>
    `${String(row + 1).padStart(3)}) ${cells[2 * row]!.padEnd(LEFT_WIDTH)} ${cells[2 * row + 1] ?? ""}`.trimEnd(),
  );
  const points = state.toMove === TERMINAL ? state.returns(leftSeat) : 0;
  if (points !== 0) {
    const won = `Wins ${Math.abs(points)} point${Math.abs(points) > 1 ? "s" : ""}`;
    lines.push(`${points > 0 ? "      " : RIGHT_INDENT}${won}`);
  }
  return { lines, points };
}

/** A turn with its dice: `31: 8/5 6/5`. */
function formatCell(action: number, state: BackgammonState): string {
  const steps = waysOf(action, state).flatMap(({ places, hits }) =>
    places.slice(1).map((place, index) => `${places[index]}/${place}${hits[index + 1] ? "*" : ""}`),
  );
  return [`${LARGE[state.roll]}${SMALL[state.roll]}:`, ...steps].join(" ");
}
