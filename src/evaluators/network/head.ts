import type { Game } from "../../games/game.ts";
import type { Activation } from "./network.ts";

/** What the outputs of a network say: the expected return, or how probable each of a few returns is. */
export const HEADS = ["value", "outcomes"] as const;
export type HeadKind = (typeof HEADS)[number];

/** Keeps estimates strictly inside the returns' range, also where an activation saturates. */
const MARGIN = 1e-6;

/** Reads and writes a network's outputs as returns in a game's units, from one player's point of view. */
export interface Head {
  readonly kind: HeadKind;
  /** Number of outputs. */
  readonly size: number;
  /** The return that the outputs expect, strictly inside the game's range. */
  worth(outputs: Float64Array): number;
  /** Writes to out[at...] the outputs that expect exactly `amount`. */
  write(amount: number, out: Float64Array, at: number): void;
  /** Changes the outputs at out[at...] to those that expect `amount` more. */
  raise(amount: number, out: Float64Array, at: number): void;
  /** Changes the outputs at out[at...] to the other player's view, in a two-player zero-sum game. */
  exchange(out: Float64Array, at: number): void;
}

/** The head of that kind for a network whose last layer has this activation; throws RangeError where they do not fit. */
export function createHead(game: Game, kind: HeadKind, activation: Activation): Head {
  return kind === "value" ? valueHead(game, activation) : outcomesHead(game, activation);
}

/** The activation of the last layer that goes with a head by default. */
export function defaultActivation(kind: HeadKind): Activation {
  return kind === "value" ? "tanh" : "softmax";
}

/** The number of outputs that a head needs; throws RangeError where the game has no outcomes. */
export function headSize(game: Game, kind: HeadKind): number {
  return kind === "value" ? 1 : outcomesOf(game).length;
}

/** `linear`: the return itself, cut to the range; `tanh` and `sigmoid`: -1 to 1 and 0 to 1 stretched over the range. */
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

/** The output that means the middle of the range, and the returns that one more is worth. */
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
 * A probability for each of the game's outcomes. A return between two of them is written as their
 * mixture with that mean.
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

function outcomesOf({ id, outcomes, rewardsAlongTheWay, players, zeroSum }: Game): readonly number[] {
  if (outcomes === undefined || rewardsAlongTheWay)
    throw new RangeError(`${id} has no short list of outcomes; let the network's output be a value`);
  const size = outcomes.length;
  const isDuel = players === 2 && zeroSum;
  if (isDuel && outcomes.some((outcome, at) => outcome !== 0 - outcomes[size - 1 - at]!))
    throw new RangeError(`the outcomes of ${id}, a two-player zero-sum game, must be each other's negatives`);
  return outcomes;
}
