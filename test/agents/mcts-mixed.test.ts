import { expect, test } from "vitest";
import type { SimulationTree } from "../../src/agents/mcts/tree.ts";
import type { Game } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { ask, createPlayer } from "./play.ts";
import { createTree } from "./random-trees.ts";

const connectFour = createGame("connect-four");

/** The visits and the sums of rewards in the tree of a decision. */
function treeOf(game: Game, agent: string, state = game.start()): { visits: number[]; reward: number[] } {
  const player = createPlayer(game, `mcts:solver=false,${agent}`);
  ask(player, game, { state });
  const { tree } = player.agent as unknown as { tree: SimulationTree };
  const { visits, reward, size } = tree;
  return { visits: [...visits.subarray(0, size)], reward: [...reward.subarray(0, size)] };
}

test("a leaf whose whole value is a playout's is that of a search without an evaluator", () => {
  const agent = "simulations=300,exploration=0.7";
  for (const moves of ["4", "112244", "44455"]) {
    const state = connectFour.parseState(moves);
    const mixed = treeOf(connectFour, `${agent},evaluator=threats,priors=0,playoutShare=1`, state);
    expect(mixed).toEqual(treeOf(connectFour, agent, state));
  }
});

test("a leaf's value is mixed by the share from the evaluator's and a playout's, and a result counts alone", () => {
  const game = createTree({ player: 0, actions: [{ player: 1, actions: [-1], value: 0.5 }, 1] });
  const { reward } = treeOf(game, "simulations=2,evaluator=value,priors=0,playoutShare=0.25");
  const rewardOf = (value: number) => (value - game.minReturn) / (game.maxReturn - game.minReturn);
  const [, mixed, result] = reward.toSorted((a, b) => a - b);
  expect(mixed).toBeCloseTo(0.75 * rewardOf(0.5) + 0.25 * rewardOf(-1), 12);
  expect(result).toBeCloseTo(rewardOf(1), 12);
});

test("a policy goes on from the leaf, and not from the end of the playout", () => {
  const agent = "simulations=300,ties=first,evaluator=weights/connect-four/expert.json,priors=policy";
  for (const moves of ["", "4", "112244"]) {
    const state = connectFour.parseState(moves);
    const { visits } = treeOf(connectFour, `${agent},playoutShare=1e-12`, state);
    expect(visits).toEqual(treeOf(connectFour, agent, state).visits);
  }
});

test("options of playouts need a share of them beside an evaluator, and the share an evaluator", () => {
  expect(() => createPlayer(connectFour, "mcts:simulations=9,evaluator=threats,mast=1")).toThrow(
    /mast: needs playouts, which an evaluator replaces; give playoutShare=0.5, or leave it out/,
  );
  expect(() => createPlayer(connectFour, "mcts:simulations=9,playoutShare=0.5")).toThrow(
    /playoutShare: needs an evaluator/,
  );
  createPlayer(connectFour, "mcts:simulations=9,evaluator=threats,mast=1,playoutShare=0.5");
});
