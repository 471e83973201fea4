import { simpleGame, z } from "agon-arena";

// Kalah. Take all stones of one of your pits and sow them one by one to the right: into your store too, but not into the
// other player's. If the last stone falls into your store, you move again. If it falls into an empty pit of yours, it is
// captured with all stones opposite. When one side has no stones left, the other keeps its own. More stones win.

/** The stones in holes[from] to holes[to - 1]. */
function count(holes: readonly number[], from: number, to: number): number {
  let stones = 0;
  for (let hole = from; hole < to; hole++) stones += holes[hole];
  return stones;
}

export const game = simpleGame({
  id: "kalah",
  summary: "sow stones around the board; more stones in the own store win",
  options: z.strictObject({
    pits: z.int().min(1).max(8).default(6).describe("pits of a player"),
    stones: z.int().min(1).max(8).default(4).describe("stones in each pit at the start"),
  }),
  // holes[0] to holes[pits - 1] are the pits of player 0 and holes[pits] is the store; then come those of player 1.
  start({ pits, stones }) {
    const side = [...Array.from({ length: pits }, () => stones), 0];
    return { holes: [...side, ...side], player: 0 };
  },
  toMove: ({ player }) => player,
  legalActions({ holes, player }, { pits }) {
    const first = player * (pits + 1);
    const actions: number[] = [];
    for (let pit = first; pit < first + pits; pit++) if (holes[pit] > 0) actions.push(pit);
    return actions;
  },
  apply({ holes, player }, pit, { pits }) {
    const after = [...holes];
    const [store, skipped] = player === 0 ? [pits, 2 * pits + 1] : [2 * pits + 1, pits];
    let last = pit;
    after[pit] = 0;
    for (let left = holes[pit]; left > 0; left--) {
      do last = last === 2 * pits + 1 ? 0 : last + 1;
      while (last === skipped);
      after[last]++;
    }
    const opposite = 2 * pits - last;
    if (last < store && last >= store - pits && after[last] === 1 && after[opposite] > 0) {
      after[store] += 1 + after[opposite];
      after[last] = after[opposite] = 0;
    }
    return { holes: after, player: last === store ? player : 1 - player };
  },
  result({ holes }, { pits }) {
    const [left, right] = [count(holes, 0, pits), count(holes, pits + 1, 2 * pits + 1)];
    if (left > 0 && right > 0) return undefined;
    const lead = Math.sign(left + holes[pits] - right - holes[2 * pits + 1]);
    return [lead, -lead];
  },
  heuristics: {
    // A player's stones in store as a share of all stones; the other player's share is subtracted.
    store: ({ holes }, player, { pits, stones }) => holes[player * (pits + 1) + pits] / (pits * stones),
  },
  picture: ({ pits }) => ({
    below: 0,
    places: Array.from({ length: 2 * pits + 2 }, (_, hole) => {
      if (hole === pits) return { name: "store 1", x: pits + 1, y: 0, w: 1, h: 2 };
      if (hole > 2 * pits) return { name: "store 2", x: 0, y: 0, w: 1, h: 2 };
      const [x, y] = hole < pits ? [hole + 1, 1] : [2 * pits + 1 - hole, 0];
      return { name: `pit ${hole}`, x, y, w: 1, h: 1, isRound: true };
    }),
    content: ({ holes }, hole) => ({ text: String(holes[hole]) }),
  }),
});
