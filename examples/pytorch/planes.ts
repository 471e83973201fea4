import { defineFeatures } from "agon-arena";

/** Connect four's digit for a stone of player 0; that of player 1 is one more. */
const FIRST = 1;

/**
 * Two planes of 7 x 6 cells, column by column from below: the stones of the player to move, then the other player's. This
 * is what train.py makes of exported positions.
 */
export const features = defineFeatures({
  unsupported: ({ id }) => (id === "connect-four" ? undefined : "other rules than connect-four"),
  create({ tupleBoard: board }) {
    const digits = new Uint8Array(board!.cells);
    const cells = board!.cells - 1;
    return {
      summary: "a plane of the own stones, and one of the other player's",
      version: 1,
      size: 2 * cells,
      maxActive: cells,
      unit: true,
      symmetry: "mirrored",
      viewer: (state) => Math.max(0, state.toMove),
      extract(state, player, index) {
        board!.read(state, player, digits);
        let pairs = 0;
        for (let cell = 0; cell < cells; cell++) {
          const owner = digits[cell] - FIRST;
          if (owner === player) index[pairs++] = cell;
          else if (owner === 1 - player) index[pairs++] = cells + cell;
        }
        return pairs;
      },
      describe: (feature) => `${feature < cells ? "own" : "other"} stone on cell ${feature % cells}`,
    };
  },
});
