import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { agents } from "../../src/specs/families.ts";
import { games } from "../../src/games/index.ts";
import { describeAgents, describeGames } from "../../src/specs/catalogue.ts";

test("every game and every agent is described, each with the other that it fits", async () => {
  const gameList = await describeGames();
  const agentList = await describeAgents();
  expect(gameList.map(({ id }) => id)).toEqual(Object.keys(games));
  expect(agentList.map(({ id }) => id)).toEqual(Object.keys(agents));
  for (const { id, agents: fitting } of gameList) {
    const playing = agentList.filter((agent) => agent.games.includes(id)).map((agent) => agent.id);
    expect(playing).toEqual(fitting ?? []);
  }
});

test("an option has its description, its default and its schema", async () => {
  const [nim] = await describeGames("nim");
  expect(nim!.options.find(({ name }) => name === "players")).toEqual({
    name: "players",
    description: expect.any(String),
    default: 2,
    schema: expect.objectContaining({ type: "integer" }),
  });
});

test("an unknown id is named, with those that are near", async () => {
  await expect(describeGames("ches")).rejects.toThrow('unknown game "ches" (did you mean "chess"?');
  await expect(describeAgents("mtcs")).rejects.toThrow('unknown agent "mtcs" (did you mean "mcts"?');
});

test("a game and an agent in files are described as ours are", async () => {
  const example = (name: string) =>
    fileURLToPath(new URL(`../../examples/twenty-one/${name}`, import.meta.url));
  const [game] = await describeGames(example("twenty-one.ts"));
  expect(game).toMatchObject({
    id: "twenty-one",
    options: [{ name: "last", default: 21 }],
    traits: { players: 2, maxActions: 3, maxPlies: 21 },
    heuristics: [{ name: "nearness" }],
    features: [{ name: "remainder", size: 4 }],
    agents: expect.arrayContaining(["alpha-beta", "mcts"]),
  });
  const [agent] = await describeAgents(example("counter.ts"));
  expect(agent).toMatchObject({
    id: "counter",
    budgets: [],
    options: [{ name: "first", default: 1 }, { name: "tables" }, { name: "book" }],
    games: [],
  });
  await expect(describeGames("/no/such.ts")).rejects.toThrow("/no/such.ts cannot be loaded");
});
