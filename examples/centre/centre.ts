import { defineEvaluator, defineFeatures, type Game } from "agon-arena";

/** Connect four's digits for the stones of the two players; `agon inspect` of n-tuple weights shows all of them. */
const STONES = [1, 2];

const unsupported = ({ id }: Game) => (id === "connect-four" ? undefined : "other rules than connect-four");

/** Reads a position: writes to `out` how many more stones `player` has, by the distance of a column from the edge. */
function stoneCounter({ tupleBoard: board, options }: Game) {
  const { width, height } = options as { width: number; height: number };
  const digits = new Uint8Array(board!.cells);
  return (state: Parameters<Game["render"]>[0], player: number, out: Float32Array) => {
    board!.read(state, player, digits);
    out.fill(0);
    for (let cell = 0; cell < width * height; cell++) {
      const column = Math.floor(cell / height);
      const distance = Math.min(column, width - 1 - column);
      const owner = STONES.indexOf(digits[cell]);
      if (owner >= 0) out[distance] += owner === player ? 1 : -1;
    }
  };
}

/** The number of different distances of a column from the edge. */
const distances = ({ options }: Game) => Math.ceil((options["width"] as number) / 2);

/** For `evaluator: ./centre.ts`. */
export const evaluator = defineEvaluator({
  unsupported,
  create(game) {
    const count = stoneCounter(game);
    const more = new Float32Array(distances(game));
    return {
      summary: "more stones near the middle",
      evaluate(state, player) {
        count(state, player, more);
        const sum = more.reduce((total, stones, distance) => total + stones * distance, 0);
        return Math.tanh(sum / 20);
      },
    };
  },
});

/** For `features: ./centre.ts` in a training. */
export const features = defineFeatures({
  unsupported,
  create(game) {
    const size = distances(game);
    const count = stoneCounter(game);
    const more = new Float32Array(size);
    return {
      summary: "how many more stones, by the distance of a column from the edge",
      version: 1,
      size,
      maxActive: size,
      extract(state, player, index, value) {
        count(state, player, more);
        let pairs = 0;
        for (let distance = 0; distance < size; distance++) {
          if (more[distance] === 0) continue;
          index[pairs] = distance;
          value[pairs++] = more[distance];
        }
        return pairs;
      },
      describe: (distance) => `stones ${distance} from the edge`,
    };
  },
});
