import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { formatGame, parseAnchor } from "../../../src/arena/results/runs.ts";

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

test("the name of a game has the time control", async () => {
  const entrants = ["random", "greedy:evaluator=none"];
  const plan = await planTournament({
    name: "t",
    game: "go",
    blocks: 1,
    entrants,
    time: { main: 10, increment: 0.1 },
  });
  expect(formatGame(plan)).toBe("go at 10+0.1");
});

test("an anchor is a name and a rating of at most 100,000", () => {
  const names = ["random", "a=b"];
  expect(parseAnchor("random=1200.5", names)).toEqual({ entrant: 0, elo: 1200.5 });
  expect(parseAnchor("a=b=-100000", names)).toEqual({ entrant: 1, elo: -100_000 });
  for (const elo of ["1e308", "-1e9", "100001"])
    expect(() => parseAnchor(`random=${elo}`, names)).toThrow(
      `"random=${elo}": the Elo of an anchor must be from -100000 to 100000`,
    );
  for (const text of ["random", "random=", "=5", "random=many", "random=Infinity"])
    expect(() => parseAnchor(text, names)).toThrow(
      `"${text}" is no anchor; write NAME=ELO, such as random=0`,
    );
  expect(() => parseAnchor("randon=0", names)).toThrow('unknown entrant "randon" (did you mean "random"?)');
});
