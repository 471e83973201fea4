import { type FeatureSet, type Heuristic, takeBest, type PolicyFamily } from "../contract/facets.ts";
import { squareSymmetries } from "../contract/grid.ts";
import { patternImage } from "../shared/pattern-images.ts";
import { formatCell, LINES, TicTacToeState } from "./state.ts";
import { TERMINAL } from "../contract/rules.ts";

/** By set of cells: the number of lines, of eight, that it does not touch. */
const UNTOUCHED = Int32Array.from({ length: 512 }, (_, cells) =>
  LINES.reduce((count, line) => count + ((cells & line) === 0 ? 1 : 0), 0),
);

/** By set of cells: its size. */
const SIZE = Int32Array.from({ length: 512 }, (_, cells) => {
  let count = 0;
  for (let rest = cells; rest !== 0; rest &= rest - 1) count++;
  return count;
});

/** By set of cells: the cells that would complete a line of it. */
const COMPLETING = Int32Array.from({ length: 512 }, (_, cells) =>
  LINES.reduce((set, line) => set | (SIZE[cells & line] === 2 ? line & ~cells : 0), 0),
);

/**
 * E = lines still open to the first player - lines still open to the second; -8 to 8.
 * @internal tests compare it with the textbook's figures.
 */
export function openLines(state: TicTacToeState): number {
  return UNTOUCHED[state.second] - UNTOUCHED[state.first];
}

/** E / 10, from the player's point of view. */
export const openLinesHeuristic: Heuristic<TicTacToeState> = {
  summary: "lines still open to oneself less lines still open to the other (Nilsson 1971), divided by 10",
  evaluate(state, player) {
    const value = openLines(state) / 10;
    return player === 0 ? value : 0 - value;
  },
};

const CORNERS = 0b101_000_101;
const EDGES = 0b010_101_010;
const CENTRE = 0b000_010_000;

/** The counts, once for the player to move and once for the player who waits. */
const COUNTS = [
  "open lines with one stone",
  "open lines with two stones",
  "two or more open lines with two stones",
  "empty cells where two open lines with one stone cross",
  "such crossings where the other's line must be blocked",
  "corners",
  "edges",
  "centre",
] as const;
const counts = new Int32Array(COUNTS.length);
const TURN = 2 * COUNTS.length;

/**
 * `lines`: the counts for the player to move, the same counts for the player who waits, and the turn. Values are +1 for
 * each of `player`'s and -1 for each of the other's.
 */
export const linesFeatures: FeatureSet<TicTacToeState> = {
  summary: "open lines by stones, double threats, crossings, kinds of cells; by who is to move; turn",
  version: 1,
  size: TURN + 1,
  maxActive: TURN + 1,
  extract(state, player, index, value) {
    let end = 0;
    for (let owner = 0; owner < 2; owner++) {
      const own = owner === 0 ? state.first : state.second;
      const other = owner === 0 ? state.second : state.first;
      const sign = owner === player ? 1 : -1;
      const base = owner === state.toMove ? 0 : COUNTS.length;
      let ones = 0;
      let twos = 0;
      let reached = 0;
      let crossed = 0;
      for (let line = 0; line < 8; line++) {
        const cells = LINES[line]!;
        if ((cells & other) !== 0 || (cells & own) === 0) continue;
        const empty = cells & ~own;
        if ((empty & (empty - 1)) === 0) {
          twos++;
          continue;
        }
        ones++;
        crossed |= reached & empty;
        reached |= empty;
      }
      counts[0] = ones;
      counts[1] = twos;
      counts[2] = twos > 1 ? 1 : 0;
      counts[3] = SIZE[crossed];
      counts[4] = SIZE[crossed & COMPLETING[other]];
      counts[5] = SIZE[own & CORNERS];
      counts[6] = SIZE[own & EDGES];
      counts[7] = SIZE[own & CENTRE];
      for (let feature = 0; feature < counts.length; feature++) {
        if (counts[feature] === 0) continue;
        index[end] = base + feature;
        value[end++] = sign * counts[feature];
      }
    }
    if (state.toMove >= 0) {
      index[end] = TURN;
      value[end++] = player === state.toMove ? 1 : -1;
    }
    return end;
  },
  describe(feature) {
    if (feature === TURN) return "to move";
    const owner = feature < COUNTS.length ? "to move" : "who waits";
    return `${COUNTS[feature % COUNTS.length]} of the player ${owner}`;
  },
};

/** More stones than a board has. A game that ends with n stones is worth BEYOND - n to the winner. */
const BEYOND = 10;
const CELLS = 9;
const UNKNOWN = 127;

/** `stones`, for networks: one by one, as the player to move sees them. */
export const stonesFeatures: FeatureSet<TicTacToeState> = {
  summary: "stones one by one; for networks",
  version: 1,
  size: 2 * CELLS,
  maxActive: CELLS,
  unit: true,
  symmetry: "mirrored",
  images: squareSymmetries(3)
    .slice(1)
    .map((symmetry) => patternImage(symmetry, [])),
  viewer: ({ toMove }) => (toMove === 1 ? 1 : 0),
  extract({ first, second }, player, index) {
    const [own, other] = player === 0 ? [first, second] : [second, first];
    let end = 0;
    for (let cell = 0; cell < CELLS; cell++) {
      if (((own >>> cell) & 1) === 1) index[end++] = cell;
      else if (((other >>> cell) & 1) === 1) index[end++] = CELLS + cell;
    }
    return end;
  },
  describe: (feature) => `${feature < CELLS ? "own" : "other"} stone on ${formatCell(feature % CELLS)}`,
};

/**
 * Perfect play from the values of all positions, each of which is calculated once. A win is worth more if
 * it comes sooner, a loss less.
 */
export const perfect: PolicyFamily<TicTacToeState> = {
  summary: "best play by the values of all positions: the fastest win, the slowest loss",
  create() {
    const values = new Int8Array(1 << (2 * CELLS)).fill(UNKNOWN);
    return takeBest(CELLS, (state, action) => {
      state.apply(action);
      const worth = 0 - solve(state, values);
      state.undo();
      return worth;
    });
  },
};

/**
 * The value for the player to move: BEYOND less the stones at the end for a win, the negative for a loss,
 * 0 for a draw.
 */
function solve(state: TicTacToeState, values: Int8Array): number {
  const place = (state.first << CELLS) | state.second;
  if (values[place] !== UNKNOWN) return values[place];
  let best = 0;
  if (state.toMove === TERMINAL) {
    best = state.returns(state.stones & 1) * (BEYOND - state.stones);
  } else {
    best = 0 - BEYOND;
    for (let cell = 0; cell < CELLS; cell++) {
      if ((((state.first | state.second) >>> cell) & 1) === 1) continue;
      state.apply(cell);
      best = Math.max(best, 0 - solve(state, values));
      state.undo();
    }
  }
  values[place] = best;
  return best;
}
