import type { FeatureSet } from "../contract/facets.ts";
import { BAR, MEN, OFF, PLACES } from "./position.ts";
import type { BackgammonState } from "./state.ts";

const POINTS = 24;
const UNITS = 4;
/** Inputs of one player: four units a point, the bar, the men off. */
const PLAYER_INPUTS = POINTS * UNITS + 2;
const BAR_INPUT = POINTS * UNITS;
const OFF_INPUT = BAR_INPUT + 1;
const TURN = 2 * PLAYER_INPUTS;

const UNIT_NAMES = ["blot", "made", "three men", "men beyond three / 2"];

/**
 * The 198 inputs of TD-Gammon (Tesauro 1992; Sutton and Barto, Reinforcement Learning, 16.1), first for
 * `player` and then for the other. Each point has four, as its owner counts: one man, two or more, exactly three, and
 * (n - 3) / 2 for the men beyond. Then half the men on the bar, and a fifteenth of the men off. The last two inputs say
 * whether `player` and whether the other is on roll (neither at the opening).
 */
export const tesauroFeatures: FeatureSet<BackgammonState> = {
  summary: "the 198 inputs of TD-Gammon: four units a point and player, bar, off, turn (Tesauro 1992)",
  version: 1,
  size: TURN + 2,
  maxActive: 2 * MEN + 1,
  symmetry: "mirrored",
  viewer: (state) => state.onRoll,
  extract(state, player, index, value) {
    const { men } = state;
    let end = 0;
    for (let side = 0; side < 2; side++) {
      const seat = side === 0 ? player : 1 - player;
      const first = side * PLAYER_INPUTS;
      const base = seat * PLACES;
      // Bit by bit over the occupied places from the rear; the bar and the men off are among them.
      for (let rest = state.occupied[seat]; rest !== 0;) {
        const place = 31 - Math.clz32(rest);
        rest ^= 1 << place;
        const count = men[base + place];
        if (place === BAR) {
          index[end] = first + BAR_INPUT;
          value[end++] = count / 2;
          continue;
        }
        if (place === OFF) {
          index[end] = first + OFF_INPUT;
          value[end++] = count / MEN;
          continue;
        }
        const unit = first + UNITS * (place - 1);
        index[end] = count === 1 ? unit : unit + 1;
        value[end++] = 1;
        if (count < 3) continue;
        index[end] = count === 3 ? unit + 2 : unit + 3;
        value[end++] = count === 3 ? 1 : (count - 3) / 2;
      }
    }
    if (!state.opening) {
      index[end] = state.onRoll === player ? TURN : TURN + 1;
      value[end++] = 1;
    }
    return end;
  },
  describe(index) {
    if (index >= TURN) return index === TURN ? "own roll" : "their roll";
    const owner = index < PLAYER_INPUTS ? "own" : "their";
    const input = index % PLAYER_INPUTS;
    if (input === BAR_INPUT) return `${owner} men on the bar / 2`;
    if (input === OFF_INPUT) return `${owner} men off / 15`;
    return `${owner} ${UNIT_NAMES[input % UNITS]} on point ${Math.floor(input / UNITS) + 1}`;
  },
  grids: ["own", "their"].map((owner, side) => ({
    name: `${owner} men by point`,
    rows: Array.from({ length: POINTS }, (_, at) =>
      UNIT_NAMES.map((_name, unit) => side * PLAYER_INPUTS + (POINTS - 1 - at) * UNITS + unit),
    ),
    rowNames: Array.from({ length: POINTS }, (_, at) => String(POINTS - at)),
    columnNames: ["1", "2+", "3", "4+"],
  })),
};
