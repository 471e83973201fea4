import { squash } from "../shared/score-heuristic.ts";
import type { Heuristic, FeatureSet } from "../contract/facets.ts";
import { sumOverMen, type ChineseCheckersState } from "./state.ts";
import type { Seating } from "./star.ts";
import { lowestBit } from "../../base/hashing.ts";
import { FROM_SHIFT, SET_WORDS, TO_MASK, writeMoves } from "./moves.ts";

/** The worth of a step at the tip, and its growth with each step that a man has to go. */
const STEP_WORTH = 10;
const STRAGGLER_WORTH = 1;
/** The cost of each half-cell off the middle column, outside the target. */
const OFFSET_WORTH = 2;
/** The worth of the turn: half of the gain of a usual move. */
const TURN_WORTH = 10;
/** The lead that is worth half a win at the end, and its growth with the steps left. */
const HALF_WIN = 10;
const HALF_WIN_PER_WORTH = 0.15;

/**
 * The steps left, which count more for men that are far behind, and the distance from the middle column,
 * where most jumps are. The value is the mean over the other players of the value of the lead against each.
 */
export function distance({ star, stepsToTip }: Seating): Heuristic<ChineseCheckersState> {
  const toGo = Int32Array.from(
    stepsToTip,
    (steps, cell) =>
      steps * (STEP_WORTH + STRAGGLER_WORTH * steps) +
      (cell < star.men ? 0 : OFFSET_WORTH * Math.abs(star.offset[cell])),
  );
  const least = star.points[0]!.reduce((sum, cell) => sum + toGo[cell], 0);
  const standing = (state: ChineseCheckersState, player: number) =>
    Math.max(0, sumOverMen(state, player, toGo) - least - (state.toMove === player ? TURN_WORTH : 0));

  return {
    summary: "steps left, more for stragglers and men off the middle, against each of the others",
    evaluate(state, player) {
      const { players } = state.seating;
      const own = standing(state, player);
      let sum = 0;
      for (let other = 0; other < players; other++) {
        if (other === player) continue;
        const left = standing(state, other);
        sum += squash(left - own, HALF_WIN + HALF_WIN_PER_WORTH * Math.min(left, own));
      }
      return sum / (players - 1);
    },
  };
}

const PROGRESS = [
  "steps left per man",
  "steps of the last man to the tip",
  "men at home",
  "men in the target",
  "foreign men in the target",
  "half-cells off the middle per man",
  "steps that the longest move gains",
  "moves that gain two steps or more",
  "to move",
] as const;
const PROGRESS_SIZE = PROGRESS.length;

/**
 * The number of blocks of features. With two players there is one block, own less the other's. With more players there is
 * one block for each distance in the order of turns.
 */
function blocksOf(players: number): number {
  return players === 2 ? 1 : players;
}

function whose(block: number, players: number): string {
  if (players === 2) return "";
  return block === 0 ? "own " : `${block} seat${block === 1 ? "" : "s"} on: `;
}

/**
 * `progress`: each player's steps left, the spread of its men, and the gain of its moves at its turn.
 */
export function progressFeatures(seating: Seating): FeatureSet<ChineseCheckersState> {
  const { players, star, maxActions } = seating;
  const blocks = blocksOf(players);
  const moves = new Int32Array(maxActions);
  /** The progress of each player in the position with these hashes: the evaluations of all players share it. */
  const progress = Array.from({ length: players }, () => new Float64Array(PROGRESS_SIZE));
  let readLow = NaN;
  let readHigh = NaN;

  const readAll = (state: ChineseCheckersState): void => {
    const { hashLow, hashHigh } = state;
    if (hashLow === readLow && hashHigh === readHigh) return;
    for (let player = 0; player < players; player++) readProgress(state, player, progress[player]!);
    readLow = hashLow;
    readHigh = hashHigh;
  };

  const readProgress = (state: ChineseCheckersState, player: number, into: Float64Array): void => {
    const { men, cells } = state;
    const { seen, stepsToTip, fewestSteps, homes, targets } = seating;
    const view = star.cells * player;
    const home = homes[player];
    const target = targets[player];
    let steps = 0;
    let last = 0;
    let atHome = 0;
    let arrived = 0;
    let off = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      for (let rest = men[SET_WORDS * player + word]; rest !== 0; rest &= rest - 1) {
        const cell = (word << 5) | lowestBit(rest);
        const toTip = stepsToTip[seen[view + cell]];
        steps += toTip;
        if (toTip > last) last = toTip;
        off += Math.abs(star.offset[seen[view + cell]]);
        if (star.pointOf[cell] === home) atHome++;
        if (star.pointOf[cell] === target) arrived++;
      }
    }
    let foreign = 0;
    for (const cell of star.points[target]) if (cells[cell] !== 0) foreign++;
    const count = writeMoves(state, player, moves, 0);
    let longest = 0;
    let long = 0;
    for (let at = 0; at < count; at++) {
      const from = stepsToTip[seen[view + (moves[at] >> FROM_SHIFT)]];
      const gain = from - stepsToTip[seen[view + (moves[at] & TO_MASK)]];
      if (gain > longest) longest = gain;
      if (gain >= 2) long++;
    }
    into[0] = (steps - fewestSteps) / star.men;
    into[1] = last;
    into[2] = atHome;
    into[3] = arrived;
    into[4] = foreign - arrived;
    into[5] = off / star.men;
    into[6] = longest;
    into[7] = long;
    into[8] = state.toMove === player ? 1 : 0;
  };

  return {
    summary: "steps left, the last man, men at home and in the target, spread, best moves, turn",
    version: 1,
    size: blocks * PROGRESS_SIZE,
    maxActive: blocks * PROGRESS_SIZE,
    extract(state, player, index, value) {
      readAll(state);
      let end = 0;
      for (let block = 0; block < blocks; block++) {
        const own = progress[(player + block) % players]!;
        for (let feature = 0; feature < PROGRESS_SIZE; feature++) {
          const amount = players === 2 ? own[feature] - progress[1 - player]![feature] : own[feature];
          if (amount === 0) continue;
          index[end] = block * PROGRESS_SIZE + feature;
          value[end++] = amount;
        }
      }
      return end;
    },
    describe: (feature) =>
      whose(Math.floor(feature / PROGRESS_SIZE), players) + PROGRESS[feature % PROGRESS_SIZE],
  };
}
