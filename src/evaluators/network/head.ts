import { type Game, isDuel } from "../../games/contract/game.ts";
import type { Activation } from "./network.ts";

/** The meanings that a network's outputs may have: `value`, the expected return; `outcomes`, the probability of each possible return. */
export const HEADS = ["value", "outcomes"] as const;
export type HeadKind = (typeof HEADS)[number];

/** Share of half the range by which estimates stay away from its ends: a value at an end would be a proof. */
const MARGIN = 1e-6;

/** Translates between a network's outputs and returns, which are in the game's units and from one player's point of view. */
export interface Head {
  readonly kind: HeadKind;
  /** The number of outputs. */
  readonly size: number;
  /** Returns the expected return of the outputs, strictly inside the game's range. */
  worth(outputs: Float64Array): number;
  /** Writes outputs whose expected return is exactly `amount` to out[at..at+size-1]. */
  write(amount: number, out: Float64Array, at: number): void;
  /** Changes the outputs at out[at..at+size-1] so that their expected return is `amount` higher. */
  raise(amount: number, out: Float64Array, at: number): void;
  /** Changes the outputs at out[at..at+size-1] to the other player's point of view; only in duels. */
  exchange(out: Float64Array, at: number): void;
}

/**
 * Makes the head of a network.
 * @param activation of the network's last layer; throws RangeError if the game, the kind and the activation do not fit
 */
export function createHead(game: Game, kind: HeadKind, activation: Activation): Head {
  return kind === "value" ? valueHead(game, activation) : outcomesHead(game, activation);
}

/** Returns the default activation of the last layer: `tanh` for values, `softmax` for outcomes. */
export function defaultActivation(kind: HeadKind): Activation {
  return kind === "value" ? "tanh" : "softmax";
}

/** Returns the number of outputs that a head needs; throws RangeError if the game has no outcomes. */
export function headSize(game: Game, kind: HeadKind): number {
  return kind === "value" ? 1 : outcomesOf(game).length;
}

/**
 * A head with one output. With `linear` it is the return itself, cut to the range; with `tanh` or `sigmoid` it is
 * stretched from -1..1 or 0..1 over the range.
 */
function valueHead({ minReturn, maxReturn }: Game, activation: Activation): Head {
  const middle = (maxReturn + minReturn) / 2;
  const reach = ((maxReturn - minReturn) / 2) * (1 - MARGIN);
  const [zero, scale] = stretch(activation, minReturn, maxReturn);
  return {
    kind: "value",
    size: 1,
    worth: (outputs) =>
      Math.min(middle + reach, Math.max(middle - reach, middle + (outputs[0] - zero) * scale)),
    write(amount, out, at) {
      out[at] = (amount - middle) / scale + zero;
    },
    raise(amount, out, at) {
      out[at] += amount / scale;
    },
    exchange(out, at) {
      out[at] = 2 * zero - out[at];
    },
  };
}

/** The output that stands for the middle of the range, and the growth of the return when the output grows by 1. */
function stretch(activation: Activation, minReturn: number, maxReturn: number): [number, number] {
  const range = maxReturn - minReturn;
  if (activation === "linear") return [(maxReturn + minReturn) / 2, 1];
  if (activation === "tanh") return [0, range / 2];
  if (activation === "sigmoid") return [0.5, range];
  throw new RangeError(
    `a network whose output is a value ends in linear, tanh or sigmoid, not ${activation}`,
  );
}

/**
 * A head with one output, a probability, for each of the game's outcomes. A return between two outcomes is written as a
 * mixture of the two whose mean it is.
 */
function outcomesHead(game: Game, activation: Activation): Head {
  if (activation !== "softmax")
    throw new RangeError(`a network whose outputs are outcomes ends in softmax, not ${activation}`);
  const outcomes = Float64Array.from(outcomesOf(game));
  const size = outcomes.length;
  const middle = (game.maxReturn + game.minReturn) / 2;
  return {
    kind: "outcomes",
    size,
    worth(outputs) {
      let mean = 0;
      for (let at = 0; at < size; at++) mean += outputs[at] * outcomes[at];
      return middle + (mean - middle) * (1 - MARGIN);
    },
    write(amount, out, at) {
      let upper = 1;
      while (upper < size - 1 && outcomes[upper] < amount) upper++;
      const below = outcomes[upper - 1];
      const share = (amount - below) / (outcomes[upper] - below);
      out.fill(0, at, at + size);
      out[at + upper - 1] = 1 - share;
      out[at + upper] = share;
    },
    raise() {
      throw new RangeError("outcomes are of games without rewards along the way");
    },
    exchange(out, at) {
      out.subarray(at, at + size).reverse();
    },
  };
}

function outcomesOf(game: Game): readonly number[] {
  const { id, outcomes, rewardsAlongTheWay } = game;
  if (outcomes === undefined || rewardsAlongTheWay)
    throw new RangeError(`${id} has no short list of outcomes; let the network's output be a value`);
  const size = outcomes.length;
  if (isDuel(game) && outcomes.some((outcome, at) => outcome !== 0 - outcomes[size - 1 - at]!))
    throw new RangeError(`the outcomes of ${id}, a duel, must be each other's negatives`);
  return outcomes;
}
