import type { FeatureSet } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { extractTuples, OTHERS, OWN, shareTuples, type SharedTuples } from "../shared/tuples.ts";
import { BLACK, WHITE } from "./board.ts";
import type { GoState } from "./state.ts";

type Step = readonly [row: number, column: number];

/** A point and its neighbours on the board: for a point inside, at the lower side, and in the lower left corner. */
const INSIDE: readonly Step[] = [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column): Step => [row, column]));
const SIDE = INSIDE.filter(([row]) => row >= 0);
const CORNER = SIDE.filter(([, column]) => column >= 0);
const KINDS = [INSIDE, SIDE, CORNER];

/** The symmetries of the square. */
const TURNS = [1, -1].flatMap((rows) =>
  [1, -1].flatMap((columns) => [
    ([row, column]: Step): Step => [rows * row, columns * column],
    ([row, column]: Step): Step => [rows * column, columns * row],
  ]),
);

/** The shared tuples of each kind of pattern; made at the first call, because that takes a while. */
let shared: readonly SharedTuples[] | undefined;

function shareKinds(): readonly SharedTuples[] {
  return (shared ??= KINDS.map((steps) => {
    const cellAt = ([row, column]: Step) => steps.findIndex(([r, c]) => r === row && c === column);
    const symmetries = TURNS.map((turn) => steps.map((step) => cellAt(turn(step))));
    return shareTuples(
      [[...steps.keys()]],
      symmetries.filter((symmetry) => !symmetry.includes(-1)),
    );
  }));
}

/** A tuple for each point of the board: the 3x3 points around it, as far as they are on the board. */
function boardTuples(size: number): SharedTuples {
  const kinds = shareKinds();
  const onBoard = (at: number) => at >= 0 && at < size;
  const table: number[] = [];
  const cells: number[] = [];
  const from = [0];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const around = (steps: readonly Step[], turn: (step: Step) => Step) =>
        steps.map(turn).map(([up, right]): Step => [row + up, column + right]);
      const kind = KINDS.findIndex((steps) =>
        TURNS.some((turn) => around(steps, turn).every((at) => at.every(onBoard))),
      );
      const turn = TURNS.find((way) => around(KINDS[kind]!, way).every((at) => at.every(onBoard)))!;
      cells.push(...around(KINDS[kind]!, turn).map(([r, c]) => r * size + c));
      from.push(cells.length);
      table.push(kinds.slice(0, kind).reduce((sum, { entries }) => sum + entries.length, 0));
    }
  }
  let features = 0;
  const entries = kinds.flatMap((kind) => {
    const first = features;
    features += kind.size;
    return Array.from(kind.entries, (entry) => entry + Math.sign(entry) * first);
  });
  return {
    count: size * size,
    cells: Int32Array.from(cells),
    from: Int32Array.from(from),
    table: Int32Array.from(table),
    entries: Int32Array.from(entries),
    size: features,
    examples: kinds.flatMap(({ examples }) => examples),
  };
}

const KIND_NAMES = new Map([
  [INSIDE.length, "inside"],
  [SIDE.length, "at the side"],
  [CORNER.length, "in the corner"],
]);

/**
 * `patterns`: the stones on the 3x3 points around each point (Silver, Sutton and Mueller 2007, their
 * patterns without a place). Turned and mirrored patterns share a feature; with the colours exchanged its
 * value is negated. Points at the sides and in the corners have patterns of their own. Two more features
 * are the turn and the player who gives komi.
 */
export function patternFeatures(size: number): FeatureSet<GoState> {
  const tuples = boardTuples(size);
  const turn = tuples.size;
  const komi = turn + 1;
  const digits = new Uint8Array(size * size);

  return {
    summary: "3x3 patterns around each point, alike by symmetry; turn, who gives komi",
    version: 1,
    size: komi + 1,
    maxActive: size * size + 2,
    extract(state, player, index, value) {
      const { pointOf } = state.board;
      for (let action = 0; action < digits.length; action++) {
        const owner = state.colour[pointOf[action]];
        digits[action] = owner > WHITE ? 0 : owner === player ? OWN : OTHERS;
      }
      let end = extractTuples(tuples, digits, index, value);
      index[end] = komi;
      value[end++] = player === BLACK ? 1 : -1;
      if (state.toMove !== TERMINAL) {
        index[end] = turn;
        value[end++] = state.turn === player ? 1 : -1;
      }
      return end;
    },
    describe(feature) {
      if (feature === turn) return "to move";
      if (feature === komi) return "first player, who gives komi";
      const { cells, digits: signs } = tuples.examples[feature]!;
      return `${KIND_NAMES.get(cells.length)}: ${signs.map((digit) => ".xo"[digit]).join("")}`;
    },
  };
}
