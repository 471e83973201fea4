import { expect, test } from "vitest";
import { judged, solverOf, valueByTables } from "../../../src/arena/positions/exact-values.ts";
import { samplePositions } from "../../../src/arena/positions/sample.ts";
import type { TestPosition } from "../../../src/arena/positions/position-file.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { varyGame } from "../../../src/games/contract/game.ts";
import { solveWhole } from "../../../src/games/endgames/whole-game.ts";
import { createGame } from "../../../src/games/index.ts";
import { createRandom } from "../../../src/base/random.ts";
import { slowTest } from "../../support/thorough.ts";

/** Ten positions of random play with exact values. */
async function sampleOf(game: Game, plies: readonly [number, number], seed = "a"): Promise<TestPosition[]> {
  const value = solverOf(game);
  const judge = async (position: TestPosition) => judged(game, position, value);
  const positions: TestPosition[] = [];
  const request = { count: 10, plies, seed, clock: () => 0, judge };
  for await (const position of samplePositions(game, request)) positions.push(position);
  return positions;
}

test.each<[string, [number, number]]>([
  ["connect-four", [28, 34]],
  ["nim", [2, 6]],
])("the solver of %s agrees with alpha-beta to the ends of the game", async (id, plies) => {
  const game = createGame(id);
  const value = solverOf(varyGame(game, { solver: undefined }));
  for (const position of await sampleOf(game, plies))
    expect(await judged(game, position, value)).toEqual(position);
});

slowTest("tables agree with the solver", async () => {
  const game = createGame("tic-tac-toe");
  const work = solveWhole(game, 10_000);
  let step = work.next();
  while (step.done !== true) step = work.next();
  const value = valueByTables(game, step.value);
  for (const position of await sampleOf(game, [1, 5]))
    expect(await judged(game, position, value)).toEqual(position);
});

test("pig: perfect play chooses what is right, over the dice", async () => {
  const game = createGame("pig");
  const policy = game.policies["perfect"]!.create();
  for (const { text, right } of await sampleOf(game, [1, 20]))
    expect(right).toContain(policy.choose(game.parseState(text), createRandom("pig")));
});

test("bridge: a position is worth its best card, for either side", async () => {
  const game = createGame("bridge");
  const value = solverOf(game);
  for (const position of await sampleOf(game, [28, 40])) {
    const state = game.parseState(position.text);
    expect(position.value).toBe(await value(state, state.toMove));
    expect(position.value).toBe(Math.max(...position.points!.values()));
  }
});

test("a position in which all actions are equal, or none is known, is left out", async () => {
  const nim = createGame("nim");
  const lost = { name: "lost", text: "1,1,0 0", right: [] };
  expect(await judged(nim, lost, solverOf(nim))).toBeUndefined();
  const won = { name: "won", text: "1,2,0 0", right: [] };
  expect(await judged(nim, won, () => undefined)).toBeUndefined();
  expect((await judged(nim, won, solverOf(nim)))!.right).toHaveLength(1);
});

slowTest("samples are those of the seed, each once; a game without so many says so", async () => {
  const game = createGame("tic-tac-toe");
  const [first, again, other] = [
    await sampleOf(game, [3, 4]),
    await sampleOf(game, [3, 4]),
    await sampleOf(game, [3, 4], "b"),
  ];
  expect(again).toEqual(first);
  expect(other).not.toEqual(first);
  expect(new Set(first.map(({ text }) => text)).size).toBe(10);
  await expect(sampleOf(game, [0, 0])).rejects.toThrow(/^--sample: tic-tac-toe has 0 such positions/);
});
