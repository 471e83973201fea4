import { expect, test } from "vitest";
import { analysePosition, formatLine, type Analysis } from "../../src/agents/analysis.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { createGame } from "../../src/games/index.ts";

const game = createGame({ id: "tic-tac-toe" });
const prepared = prepareAgent(game, { agent: "minimax", depth: 9 });
/** A clock that goes on by one millisecond each time it is read. */
const ticking = () => {
  let now = 0;
  return () => now++;
};

test("an analysis is the agent's decision in the notation of the game, and leaves the state as it was", async () => {
  const state = game.parseState("xx./oo./...");
  const analysis = await analysePosition({ game, prepared, state, seed: "one", clock: ticking() });
  expect(analysis).toMatchObject({ value: 1, depth: 1, line: [analysis.action], timeMs: expect.any(Number) });
  expect(game.formatState(state)).toBe(game.formatState(game.parseState("xx./oo./...")));
  state.apply(game.parseAction(analysis.action, state));
  expect(state.returns(0)).toBe(1);
});

test("each iteration is told on the way, one ply deeper than the one before", async () => {
  const iterations: Analysis[] = [];
  const onIteration = (analysis: Analysis) => void iterations.push(analysis);
  const state = game.start();
  const last = await analysePosition({ game, prepared, state, seed: "one", clock: ticking(), onIteration });
  expect(iterations.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(iterations.at(-1)).toEqual({ ...last, timeMs: expect.any(Number) });
});

test("a position where no player is to move is refused", async () => {
  const over = game.parseState("xxx/oo./...");
  await expect(
    analysePosition({ game, prepared, state: over, seed: "one", clock: ticking() }),
  ).rejects.toThrow('the game is over in "xxx/oo./...": player 1 has won');
  const pig = createGame({ id: "pig" });
  const rolling = pig.start();
  rolling.apply(pig.parseAction("roll", rolling));
  const roller = prepareAgent(pig, { agent: "random" });
  await expect(
    analysePosition({ game: pig, prepared: roller, state: rolling, seed: "one", clock: ticking() }),
  ).rejects.toThrow("chance is to move in");
});

test("a line is written with each action in its own position", () => {
  const connectFour = createGame({ id: "connect-four" });
  const state = connectFour.start();
  const line = ["4", "4", "3"].map((text) => connectFour.parseAction(text, state));
  expect(formatLine(connectFour, state, line)).toEqual(["4", "4", "3"]);
  expect(connectFour.formatState(state)).toBe(connectFour.formatState(connectFour.start()));
});
