import { simpleGame, z } from "agon-arena";

/*
 * Kalah: take the stones of a pit and sow them one by one to the right, into your own store too, but not into the other
 * player's. A last stone in your store moves again; a last stone in an empty pit of yours captures the pit opposite.
 * Who has no stones left in the pits ends the game; the rest belongs to the other player. More stones win.
 */
const sum = (stones: readonly number[]) => stones.reduce((total, some) => total + some, 0);

export const game = simpleGame({
  id: "kalah",
  summary: "sow stones around the board; more stones in the own store win",
  options: z.strictObject({
    pits: z.int().min(1).max(8).default(6).describe("pits of a player"),
    stones: z.int().min(1).max(8).default(4).describe("stones in each pit at the start"),
  }),
  // holes[0] to holes[pits - 1] are player 0's pits, holes[pits] is the store; player 1's follow.
  start: ({ pits, stones }) => ({
    holes: Array.from({ length: 2 * pits + 2 }, (_, hole) => (hole % (pits + 1) === pits ? 0 : stones)),
    player: 0,
  }),
  toMove: ({ player }) => player,
  legalActions({ holes, player }, { pits }) {
    const first = player * (pits + 1);
    return Array.from({ length: pits }, (_, pit) => first + pit).filter((hole) => holes[hole] > 0);
  },
  apply({ holes, player }, pit, { pits }) {
    const after = [...holes];
    const store = player * (pits + 1) + pits;
    const otherStore = 3 * pits + 1 - store;
    let hole = pit;
    after[pit] = 0;
    for (let left = holes[pit]; left > 0; left--) {
      do hole = (hole + 1) % after.length;
      while (hole === otherStore);
      after[hole]++;
    }
    const opposite = 2 * pits - hole;
    if (hole < store && hole >= store - pits && after[hole] === 1 && after[opposite] > 0) {
      after[store] += 1 + after[opposite];
      after[hole] = after[opposite] = 0;
    }
    return { holes: after, player: hole === store ? player : 1 - player };
  },
  result({ holes }, { pits }) {
    const [mine, others] = [sum(holes.slice(0, pits)), sum(holes.slice(pits + 1, -1))];
    if (mine > 0 && others > 0) return undefined;
    const lead = Math.sign(mine + holes[pits] - others - holes[2 * pits + 1]);
    return [lead, -lead];
  },
  picture: ({ pits }) => ({
    places: Array.from({ length: 2 * pits + 2 }, (_, hole) => {
      const [player, pit] = [Math.floor(hole / (pits + 1)), hole % (pits + 1)];
      if (pit === pits)
        return { name: `store ${player + 1}`, x: player === 0 ? pits + 1 : 0, y: 0, w: 1, h: 2 };
      return {
        name: `pit ${hole}`,
        x: player === 0 ? pit + 1 : pits - pit,
        y: 1 - player,
        w: 1,
        h: 1,
        isRound: true,
      };
    }),
    content: ({ holes }, hole) => ({ text: String(holes[hole]) }),
  }),
});
