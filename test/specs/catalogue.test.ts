import { expect, test } from "vitest";
import { agents } from "../../src/agents/index.ts";
import { games } from "../../src/games/index.ts";
import { describeAgents, describeGames } from "../../src/specs/catalogue.ts";

test("every game and every agent is described, each with the other that it fits", () => {
  const gameList = describeGames();
  const agentList = describeAgents();
  expect(gameList.map(({ id }) => id)).toEqual(Object.keys(games));
  expect(agentList.map(({ id }) => id)).toEqual(Object.keys(agents));
  for (const { id, agents: fitting } of gameList) {
    const playing = agentList.filter((agent) => agent.games.includes(id)).map((agent) => agent.id);
    expect(playing).toEqual(fitting ?? []);
  }
});

test("an option has its description, its default and its schema", () => {
  const [nim] = describeGames("nim");
  expect(nim!.options.find(({ name }) => name === "players")).toEqual({
    name: "players",
    description: expect.any(String),
    default: 2,
    schema: expect.objectContaining({ type: "integer" }),
  });
});

test("an unknown id is named, with those that are near", () => {
  expect(() => describeGames("ches")).toThrow('unknown game "ches" (did you mean "chess"?');
  expect(() => describeAgents("mtcs")).toThrow('unknown agent "mtcs" (did you mean "mcts"?');
});
