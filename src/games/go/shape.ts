import type { FeatureSet } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { BLACK, boardOf, EDGE, EMPTY, MAX_SIZE, WHITE } from "./board.ts";
import { REACH, readInfluence } from "./influence.ts";
import type { GoState } from "./state.ts";
import { areaLead } from "./stones.ts";

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
const leads = new Int32Array(KOMI + 1);
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
      leads.fill(0);
      readStones(state);
      readInfluence(state, influence);
      leads.set(influence, INFLUENCE);
      leads[AREA] = areaLead(state);
      leads[KOMI] = size;
      if (state.toMove !== TERMINAL) leads[TURN] = state.turn === BLACK ? size : 0 - size;
      const unit = (player === BLACK ? 1 : -1) / size;
      let end = 0;
      for (let feature = 0; feature < leads.length; feature++) {
        if (leads[feature] === 0) continue;
        index[end] = feature;
        value[end++] = leads[feature] * unit;
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
      if (eyeOf >= 0) leads[EYES]! += eyeOf === BLACK ? 1 : -1;
    } else {
      const sign = owner === BLACK ? 1 : -1;
      const line = Math.min(row, column, size - 1 - row, size - 1 - column);
      leads[STONES]! += sign;
      if (line === 0) leads[FIRST_LINE]! += sign;
      if (line === 1) leads[SECOND_LINE]! += sign;
      if (chain[point] === point) readChain(state, point, owner === state.turn, sign);
    }
    if (++column === size) {
      column = 0;
      row++;
    }
  }
}

function readChain({ colour, next, board }: GoState, head: number, toMove: boolean, sign: number): void {
  const { width } = board;
  chainNumber = (chainNumber + 1) | 0;
  let stones = 0;
  let liberties = 0;
  let stone = head;
  do {
    for (let side = 0; side < 4; side++) {
      const point = neighbour(stone, side, width);
      if (colour[point] !== EMPTY || countedFor[point] === chainNumber) continue;
      countedFor[point] = chainNumber;
      liberties++;
    }
    stones++;
    stone = next[stone];
  } while (stone !== head);
  leads[CHAINS]! += sign;
  leads[LIBERTIES]! += sign * liberties;
  const kind =
    liberties > 1
      ? Math.min(TWO_LIBERTIES + liberties - 2, FOUR_LIBERTIES)
      : toMove
        ? ATARI_TO_MOVE
        : ATARI_WAITING;
  leads[kind]! += sign * stones;
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
