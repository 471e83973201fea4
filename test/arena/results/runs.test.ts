import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { formatGame } from "../../../src/arena/results/runs.ts";

test.each([
  ["go", "go"],
  [{ id: "go", size: 5 }, 'go {"size":5}'],
  // An option that follows from others is left out, unless it has another value.
  [{ id: "go", size: 5, moveLimit: 60 }, 'go {"size":5,"moveLimit":60}'],
  [{ id: "nim", players: 3 }, 'nim {"players":3}'],
  [{ id: "tree", root: { player: 0, actions: [2, 7] } }, /^tree \{"root/],
] as const)("the name of the game %j", async (game, name) => {
  const players = typeof game === "object" && "players" in game ? 3 : 2;
  const entrants = Array.from({ length: players }, (_, at) => ({ name: `${at}`, agent: "random" }));
  const plan = await planTournament({ name: "t", game, blocks: 1, entrants });
  const found = formatGame(plan);
  if (typeof name === "string") expect(found).toBe(name);
  else expect(found).toMatch(name);
});
