import { describe, expect, test } from "vitest";
import { DrawnWorld } from "../../../src/agents/worlds.ts";
import { createRandom } from "../../../src/base/random.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { JsonLines } from "../../../src/players/json-lines/dialect.ts";
import type { PlayerProcess } from "../../../src/players/player-process.ts";
import { hiddenGames, twins } from "../../support/twins.ts";
import { agonEngine, playGame, seatOf } from "../../support/players.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

/** A player without a process, and the lines that it is told. It answers with the first legal action. */
async function listener(game: Game, greeting: object) {
  const said: string[] = [];
  let hello = true;
  const process = {
    say: (line: string) => void said.push(line),
    forget: () => [],
    async hear() {
      if (!hello) return '{"type":"decision","action":0}';
      hello = false;
      return JSON.stringify({ type: "hello", protocol: 1, name: "listener", ...greeting });
    },
  };
  const dialect = new JsonLines(process as unknown as PlayerProcess, game);
  await dialect.greet();
  return { dialect, said };
}

describe.each(hiddenGames)("a hosted player at %s", (_, game) => {
  test.each([{ wants: "moves" }, { wants: "numbers", view: true }])(
    "is told the same in all games with the same codes: %j",
    async (greeting) => {
      const { dialect, said } = await listener(game, greeting);
      const [drawn, state] = [new DrawnWorld(game), game.start()];
      let differ = 0;
      for (const { truth, twin } of twins(game, 60)) {
        const lines: string[] = [];
        for (const actions of [truth, twin]) {
          const random = createRandom("worlds", truth.length);
          const turn = { random: createRandom("own"), budget: {}, clock: () => 0 };
          await dialect.newGame(undefined);
          await dialect.decide(state, { ...turn, ...drawn.draw(actions, state, random) });
          lines.push(said.at(-1)!);
        }
        expect(lines[1]).toBe(lines[0]);
        if (truth.join() !== twin.join()) differ++;
      }
      // The proof is about games that are not the same.
      expect(differ).toBeGreaterThan(10);
    },
  );
});

test("a program hears its codes, its view and its actions, and at the end the returns alone", async () => {
  const game = createGame("phantom-tic-tac-toe");
  const { dialect, said } = await listener(game, { wants: "numbers", view: true });
  // An own stone on c3, which the other tries, and then places a stone on a3.
  const state = game.start();
  const told = new DrawnWorld(game).draw([2, 2, 0], state, createRandom("worlds"));
  const turn = { random: createRandom("own"), budget: {}, clock: () => 0, ...told };
  await dialect.newGame(undefined);
  await dialect.decide(state, turn);
  dialect.endGame([0, 0], []);
  const [decide, end] = said.slice(-2).map((line) => JSON.parse(line) as object);
  expect(decide).toEqual({
    type: "decide",
    codes: [5, -1],
    legal: [0, 1, 3, 4, 5, 6, 7, 8],
    budget: {},
    board: ". . x\n. . .\n. . .\n1 unseen",
  });
  expect(end).toEqual({ type: "end-game", returns: [0, 0] });
});

slowTest.each(["kuhn", "phantom-tic-tac-toe"])(
  "an agent decides over the protocol as in this thread: %s",
  async (id) => {
    const game = createGame(id);
    const agent = "ismcts:simulations=20";
    const here = await seatOf(game, { agent: "ismcts", simulations: 20 });
    const there = await seatOf(game, { agent: "program", command: agonEngine("--agent", agent) });
    const other = await seatOf(game, { agent: "random" });
    for (const number of ["first", "second", "third"]) {
      const result = await playGame(game, [here, other], { id: number });
      expect(result.ending).toBe("finished");
      expect(await playGame(game, [there, other], { id: number })).toEqual(result);
    }
  },
);

/** Passes, and says as the line of its decision which cards it sees, and those of another world. */
const OBSERVER = String.raw`
import { defineAgent, z } from "agon-arena";
export default defineAgent({
  id: "observer",
  summary: "tells what it sees",
  options: z.strictObject({}),
  budgets: [],
  unsupported: () => undefined,
  create: () => ({
    choose(state, { knowledge, random, played }) {
      const world = new Int32Array(10);
      knowledge.worlds.draw(random, world);
      if (played().actions.join() !== state.history.subarray(0, state.events).join()) throw new Error("another play");
      return { action: 0, nodes: 4 * state.history[1] + world[1], line: [0] };
    },
  }),
});
`;

slowTest("an agent from a file sees drawn worlds, as agents of agon's own do", async () => {
  const game = createGame("kuhn");
  const file = writeInto(temporaryFolder(), "observer.mjs", OBSERVER);
  const seats = [await seatOf(game, { agent: file }), await seatOf(game, { agent: "random" })];
  const games = 60;
  let [first, second] = [0, 0];
  for (let number = 0; number < games; number++) {
    const { actions, nodes, decisions, ending, detail } = await playGame(game, seats, { id: `${number}` });
    expect({ ending, detail }).toEqual({ ending: "finished", detail: "" });
    if (decisions[0] !== 1) continue;
    if (nodes[0]! >> 2 !== actions[1]) first++;
    if ((nodes[0]! & 3) !== actions[1]) second++;
    expect([nodes[0]! >> 2, nodes[0]! & 3]).not.toContain(actions[0]);
  }
  // Each is the other of two cards in half of the games. By chance 8 or fewer of 60 have a probability below 1e-8.
  expect(first).toBeGreaterThan(8);
  expect(second).toBeGreaterThan(8);
});
