import type { FeatureSet } from "../../games/contract/game.ts";

/** A linear evaluator's value of a kind of piece. */
export interface PieceValue {
  readonly name: string;
  /** Counted from 1. */
  readonly stage: number;
  /** The weight of one more piece: the mean over the squares, where each has its own. */
  readonly weight: number;
  /** The same, the first kind of piece being worth 1; undefined if that one's weight is not above zero. */
  readonly pawns: number | undefined;
}

/**
 * The values of all kinds of pieces that a feature set names; empty if it names none. Mobility, pairs and other features
 * are not part of them.
 * @param weights of one stage
 */
export function pieceValues(
  { pieces = [] }: FeatureSet,
  weights: Float32Array,
  stage: number,
): readonly PieceValue[] {
  const worth = pieces.map(
    ({ features }) => features.reduce((sum, feature) => sum + weights[feature], 0) / features.length,
  );
  return pieces.map(({ name }, at) => ({
    name,
    stage,
    weight: worth[at]!,
    pawns: worth[0]! > 0 ? worth[at]! / worth[0]! : undefined,
  }));
}
