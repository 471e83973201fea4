import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadWeights } from "../../src/specs/files/weights-file.ts";
import { TERMINAL } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";

const weights = fileURLToPath(new URL(join("../..", "weights", "nim", "linear.json"), import.meta.url));

/** Bouton (1902): who moves to a position whose piles have the exclusive or 0 wins. */
test("nim 3 5 7: in each of the 168 positions that can be won, all that greedy play might choose wins", () => {
  const game = createGame({ id: "nim", piles: [3, 5, 7] });
  const evaluator = loadWeights(weights, game);
  const actions = new Int32Array(game.maxActions);
  let won = 0;
  for (let code = 0; code < 4 * 6 * 8; code++) {
    const piles = [code % 4, Math.floor(code / 4) % 6, Math.floor(code / 24)];
    if ((piles[0]! ^ piles[1]! ^ piles[2]!) === 0) continue;
    won++;
    const state = game.parseState(piles.join());
    const me = state.toMove;
    const choices = Array.from(actions.subarray(0, state.legalActions(actions, 0)), (action) => {
      state.apply(action);
      const value = state.toMove === TERMINAL ? state.returns(me) : evaluator.evaluate(state, me);
      const left = game.formatState(state).split(" ")[0]!.split(",").map(Number);
      state.undo();
      return { value, wins: left.reduce((sum, pile) => sum ^ pile, 0) === 0 };
    });
    const best = Math.max(...choices.map(({ value }) => value));
    for (const { value, wins } of choices) if (value === best) expect(wins, piles.join()).toBe(true);
  }
  expect(won).toBe(168);
});
