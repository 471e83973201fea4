import { tupleTables } from "../../evaluators/n-tuple.ts";
import type { FeatureSet, Game, TupleBoard } from "../../games/contract/game.ts";
import { visitRandomPositions } from "./network-survey.ts";
import type { NamedWeight } from "./survey.ts";

/** The most patterns that are shown above zero, and below. */
export const MOST_PATTERNS = 10;
/** The number of positions, from random games, in which patterns are looked for. */
const POSITIONS = 2000;

/** An entry of an n-tuple's table: the contents of its cells. */
export interface Pattern {
  readonly weight: number;
  /** Stage and tuple, both counted from 1. */
  readonly stage: number;
  readonly tuple: number;
  /** The share of the positions of random games, of its stage, that have the pattern in one of its images. */
  readonly share: number;
  /** The content of a cell off the board, such as whose turn it is. */
  readonly context?: string;
  /** By place on the board: the content of the tuple's cells; undefined elsewhere. Empty for a board without a layout. */
  readonly rows: readonly (readonly (string | undefined)[])[];
}

/** The entries of n-tuples as patterns on the board. */
export function patternsOf(
  game: Game,
  {
    board,
    tuples,
    features,
  }: { board: TupleBoard; tuples: readonly (readonly number[])[]; features: FeatureSet },
  { entries, stageOf }: { entries: readonly NamedWeight[]; stageOf: (phase: number) => number },
): Pattern[] {
  const shares = sharesOf(game, features, { entries, stageOf });
  const tables = tupleTables(board, tuples);
  return entries.map(({ feature, weight, stage }, at) => {
    const tuple = tables.findLastIndex(({ begins }) => begins <= feature);
    const { begins, cells } = tables[tuple]!;
    const held = new Map(
      cells.map((cell, place) => {
        const digit =
          Math.floor((feature - begins) / board.digits ** (cells.length - 1 - place)) % board.digits;
        return [cell, board.digitName(digit)];
      }),
    );
    const context = board.context === undefined ? undefined : held.get(board.context);
    return {
      weight,
      stage,
      tuple: tuple + 1,
      share: shares[at]!,
      ...(context !== undefined && { context: `${board.cellName(board.context!)}: ${context}` }),
      rows: (board.layout?.rows ?? []).map((row) =>
        row.map((cell) => (cell === undefined ? undefined : held.get(cell))),
      ),
    };
  });
}

function sharesOf(
  game: Game,
  features: FeatureSet,
  { entries, stageOf }: { entries: readonly NamedWeight[]; stageOf: (phase: number) => number },
): number[] {
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const seen = entries.map(() => 0);
  const ofStage = new Map<number, number>();
  visitRandomPositions(game, POSITIONS, (state) => {
    const stage = stageOf(game.phase?.of(state) ?? 0);
    ofStage.set(stage, (ofStage.get(stage) ?? 0) + 1);
    const active = features.extract(state, features.viewer?.(state) ?? 0, index, value);
    const found = new Set(index.subarray(0, active));
    for (const [at, entry] of entries.entries())
      if (entry.stage === stage && found.has(entry.feature)) seen[at]!++;
  });
  return entries.map(({ stage }, at) => seen[at]! / Math.max(1, ofStage.get(stage) ?? 0));
}
