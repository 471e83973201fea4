import { countBits } from "../../base/hashing.ts";
import { squash } from "../shared/score-heuristic.ts";
import type { Heuristic, FeatureSet } from "../contract/facets.ts";
import { BLACK, EMPTY, ROWS, WHITE, boardOf, EDGE, MAX_SIZE } from "./board.ts";
import type { GoState } from "./state.ts";
import { blockFeatures } from "../shared/blocks.ts";
import { joinedFeatures, type MoreFeatures } from "../shared/joined-features.ts";
import { squareSymmetries } from "../contract/grid.ts";
import { TERMINAL } from "../contract/rules.ts";
import { areaLead } from "./stones.ts";

/** The number of steps that a player's influence reaches from its stones. */
const REACH = 4;

/** By distance: the worth of a point to the player who is nearer. */
const POINT_WORTH = [1, 0.9, 0.6, 0.35, 0.2] as const;
/** The lead that is worth half a win on a full board, and its growth with each empty point. */
const HALF_WIN = 3;
const UNCERTAINTY = 0.15;

/** The points of both players and the free points, as in `Stones.rows`, while influence spreads. */
const points = new Int32Array(3 * ROWS);
const after = new Int32Array(3 * ROWS);
const leads = new Int32Array(REACH + 1);

/**
 * For each distance from 0 to REACH, writes the number of points that are Black's less those that are White's. A point
 * belongs to the player with the nearest stone, and to nobody if both players are equally near. The position is read
 * after the largest capture of the player to move.
 * @internal tests alone import it.
 */
export function readInfluence(state: GoState, into: Int32Array): void {
  const { size } = state;
  points.set(state.rows);
  playLargestCapture(state);
  into[0] = countStones(points, BLACK, size) - countStones(points, WHITE, size);
  for (let distance = 1; distance <= REACH; distance++) into[distance] = spread(size);
}

function playLargestCapture(state: GoState): void {
  const { turn, ko, size } = state;
  const { pointOf } = state.board;
  let fewest = size * size;
  for (let action = 0; action < pointOf.length; action++) {
    const point = pointOf[action];
    if (state.colour[point] !== EMPTY || point === ko || !state.captures(point, turn)) continue;
    state.readRowsAfter(point, after);
    const left = countStones(after, 1 - turn, size);
    if (left >= fewest) continue;
    fewest = left;
    points.set(after);
  }
}

function countStones(rows: Int32Array, player: number, size: number): number {
  let count = 0;
  for (let row = 1; row <= size; row++) count += countBits(rows[player * ROWS + row]);
  return count;
}

/**
 * Gives the free points beside the points of one player alone to that player. Returns the number of Black's new points less
 * the number of White's.
 */
function spread(size: number): number {
  let lead = 0;
  let blackBelow = 0;
  let whiteBelow = 0;
  for (let row = 1; row <= size; row++) {
    const black = points[row];
    const white = points[WHITE * ROWS + row];
    const free = points[EMPTY * ROWS + row];
    const toBlack = free & (blackBelow | points[row + 1] | (black << 1) | (black >> 1));
    const toWhite = free & (whiteBelow | points[WHITE * ROWS + row + 1] | (white << 1) | (white >> 1));
    points[row] = black | (toBlack & ~toWhite);
    points[WHITE * ROWS + row] = white | (toWhite & ~toBlack);
    points[EMPTY * ROWS + row] = free & ~(toBlack | toWhite);
    lead += countBits(toBlack & ~toWhite) - countBits(toWhite & ~toBlack);
    blackBelow = black;
    whiteBelow = white;
  }
  return lead;
}

/**
 * The expected area by influence: each point counts for the player who is nearer, and counts less if the stones are farther
 * away.
 */
export const area: Heuristic<GoState> = {
  summary: "area after the best capture at hand: stones and, less with distance, points nearer to own stones",
  evaluate(state, player) {
    readInfluence(state, leads);
    let lead = 0 - state.rules.komi;
    for (let distance = 0; distance <= REACH; distance++) lead += leads[distance] * POINT_WORTH[distance]!;
    const empty = countStones(state.rows, EMPTY, state.size);
    const value = squash(lead, HALF_WIN + UNCERTAINTY * empty);
    return player === BLACK ? value : 0 - value;
  },
};

const NAMES = [
  "stones",
  "chains",
  "liberties of chains",
  "stones in atari, their owner to move",
  "stones in atari, their owner waiting",
  "stones with two liberties",
  "stones with three liberties",
  "stones with four or more liberties",
  "eyes of one point",
  "stones on the first line",
  "stones on the second line",
  "area if the game ended now",
  "stones, the best capture played",
  ...Array.from({ length: REACH }, (_, at) => `points nearer to own stones, ${at + 1} away`),
  "to move",
  "first player, who gives komi",
] as const;

const STONES = 0;
const CHAINS = 1;
const LIBERTIES = 2;
const ATARI_TO_MOVE = 3;
const ATARI_WAITING = 4;
const TWO_LIBERTIES = 5;
const FOUR_LIBERTIES = 7;
const EYES = 8;
const FIRST_LINE = 9;
const SECOND_LINE = 10;
const AREA = 11;
const INFLUENCE = 12;
const TURN = INFLUENCE + REACH + 1;
const KOMI = TURN + 1;

/** Black's count less White's, by feature. */
const counts = new Int32Array(KOMI + 1);
const influence = new Int32Array(REACH + 1);
/** By point: the number of the last chain that counted it as a liberty. Chains are numbered as they are counted. */
const countedFor = new Int32Array(boardOf(MAX_SIZE).points);
let chainNumber = 0;

/**
 * `shape`: counts that go players use, `player`'s less the other's, divided by the number of rows so that values stay
 * small. Turn and komi are 1 or -1.
 */
export function shapeFeatures(size: number): FeatureSet<GoState> {
  return {
    summary: "stones, chains by liberties, eyes, lines, area and influence, turn, who gives komi",
    version: 1,
    size: NAMES.length,
    maxActive: NAMES.length,
    extract(state, player, index, value) {
      counts.fill(0);
      readStones(state);
      readInfluence(state, influence);
      counts.set(influence, INFLUENCE);
      counts[AREA] = areaLead(state);
      counts[KOMI] = size;
      if (state.toMove !== TERMINAL) counts[TURN] = state.turn === BLACK ? size : 0 - size;
      const unit = (player === BLACK ? 1 : -1) / size;
      let end = 0;
      for (let feature = 0; feature < counts.length; feature++) {
        if (counts[feature] === 0) continue;
        index[end] = feature;
        value[end++] = counts[feature] * unit;
      }
      return end;
    },
    describe: (feature) => NAMES[feature]!,
  };
}

function readStones(state: GoState): void {
  const { colour, chain, board, size } = state;
  for (let action = 0, row = 0, column = 0; action < board.pointOf.length; action++) {
    const point = board.pointOf[action];
    const owner = colour[point];
    if (owner === EMPTY) {
      const eyeOf = eyeOwner(state, point);
      if (eyeOf >= 0) counts[EYES]! += eyeOf === BLACK ? 1 : -1;
    } else {
      const sign = owner === BLACK ? 1 : -1;
      const line = Math.min(row, column, size - 1 - row, size - 1 - column);
      counts[STONES]! += sign;
      if (line === 0) counts[FIRST_LINE]! += sign;
      if (line === 1) counts[SECOND_LINE]! += sign;
      if (chain[point] === point) readChain(state, point, owner === state.turn, sign);
    }
    if (++column === size) {
      column = 0;
      row++;
    }
  }
}

/** The number of empty points beside a chain. */
function libertiesOf({ colour, next, board: { width } }: GoState, head: number): number {
  chainNumber = (chainNumber + 1) | 0;
  let liberties = 0;
  let stone = head;
  do {
    for (let side = 0; side < 4; side++) {
      const point = neighbour(stone, side, width);
      if (colour[point] !== EMPTY || countedFor[point] === chainNumber) continue;
      countedFor[point] = chainNumber;
      liberties++;
    }
    stone = next[stone];
  } while (stone !== head);
  return liberties;
}

function readChain(state: GoState, head: number, toMove: boolean, sign: number): void {
  const { next } = state;
  const liberties = libertiesOf(state, head);
  let stones = 0;
  let stone = head;
  do {
    stones++;
    stone = next[stone];
  } while (stone !== head);
  counts[CHAINS]! += sign;
  counts[LIBERTIES]! += sign * liberties;
  const kind =
    liberties > 1
      ? Math.min(TWO_LIBERTIES + liberties - 2, FOUR_LIBERTIES)
      : toMove
        ? ATARI_TO_MOVE
        : ATARI_WAITING;
  counts[kind]! += sign * stones;
}

/** The point south, west, east or north of another. */
function neighbour(point: number, side: number, width: number): number {
  return side === 0 ? point - width : side === 1 ? point - 1 : side === 2 ? point + 1 : point + width;
}

/**
 * The player who has an eye at an empty point, or -1. All points beside an eye are the player's. The other player has at
 * most one of the points at its corners, and none of them at the edge of the board.
 */
export function eyeOwner({ colour, board }: GoState, point: number): number {
  const { width } = board;
  let owner = -1;
  let edges = 0;
  for (let side = 0; side < 4; side++) {
    const found = colour[neighbour(point, side, width)];
    if (found === EDGE) edges = 1;
    else if (found > WHITE || (owner >= 0 && found !== owner)) return -1;
    else owner = found;
  }
  const other = 1 - owner;
  let bad = edges;
  if (colour[point - width - 1] === other) bad++;
  if (colour[point - width + 1] === other) bad++;
  if (colour[point + width - 1] === other) bad++;
  if (colour[point + width + 1] === other) bad++;
  return bad > 1 ? -1 : owner;
}

/** Chains of fewer liberties than this are told one by one. */
const SAFE = 4;
/** By head of a chain, while a position is read: 1 once its liberties are counted, and their number. */
const chainSeen = new Uint8Array(boardOf(MAX_SIZE).points);
const libertiesAt = new Uint8Array(boardOf(MAX_SIZE).points);

/**
 * `blocks`, for networks: those of other boards (see `blockFeatures`), the stones of chains with one, two and three liberties,
 * the point that ko forbids, a pass just before, and whose move it is, as White gets the komi.
 */
export function goBlocks(size: number, nameOf: (action: number) => string): FeatureSet<GoState> {
  const { pointOf } = boardOf(size);
  const symmetries = squareSymmetries(size);
  const cells = size * size;
  const ko = 2 * (SAFE - 1) * cells;
  const passed = ko + cells;
  const stones = blockFeatures<GoState>(
    {
      width: size,
      height: size,
      nameOf,
      readRows({ rows }, player, own, others) {
        for (let row = 0; row < size; row++) {
          own[row] = rows[player * ROWS + row + 1];
          others[row] = rows[(1 - player) * ROWS + row + 1];
        }
      },
    },
    symmetries,
  );
  const chains: MoreFeatures<GoState> = {
    size: passed + 2,
    maxActive: cells + 3,
    images: symmetries.slice(1).map((symmetry) => {
      const image = Int32Array.from({ length: passed + 2 }, (_, feature) => feature);
      for (let feature = 0; feature < passed; feature++)
        image[feature] = feature - (feature % cells) + symmetry[feature % cells]!;
      return image;
    }),
    extract(state, player, index) {
      const { colour, chain } = state;
      let end = 0;
      for (let cell = 0; cell < cells; cell++) {
        const point = pointOf[cell];
        if (colour[point] === EMPTY) continue;
        const head = chain[point];
        if (chainSeen[head] === 0) {
          chainSeen[head] = 1;
          libertiesAt[head] = Math.min(SAFE, libertiesOf(state, head));
        }
        const liberties = libertiesAt[head];
        if (liberties < SAFE)
          index[end++] = ((colour[point] === player ? 0 : SAFE - 1) + liberties - 1) * cells + cell;
      }
      for (let cell = 0; cell < cells; cell++) {
        chainSeen[pointOf[cell]] = 0;
        if (pointOf[cell] === state.ko) index[end++] = ko + cell;
      }
      if (state.passes > 0) index[end++] = passed;
      if (player === WHITE) index[end++] = passed + 1;
      return end;
    },
    describe(feature) {
      if (feature >= passed) return feature === passed ? "a pass just before" : "White to move";
      const name = nameOf(feature % cells);
      if (feature >= ko) return `ko at ${name}`;
      const kind = Math.floor(feature / cells);
      return `${kind < SAFE - 1 ? "own" : "other"} stone on ${name}, ${(kind % (SAFE - 1)) + 1} liberties`;
    },
  };
  return joinedFeatures(stones, chains, "blocks of stones, and chains by liberties; for networks");
}
