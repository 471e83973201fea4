import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { loadWeights } from "../../src/specs/files/weights-file.ts";
import { readDocument } from "../../src/specs/files/documents.ts";
import { TERMINAL, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import type { TrainingConfig } from "../../src/training/plan/config.ts";
import { trainFromConfig } from "../../src/training/run/train.ts";
import { ask, createPlayer } from "../agents/play.ts";
import { folders, requestOf } from "./runs.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const game = createGame({ id: "nim", piles: [3, 5, 7] });
const newFolder = folders();

/** True if the exclusive or of the piles is 0, so that who moves there loses (Bouton 1902). */
function isLost(state: State): boolean {
  const piles = game.formatState(state).split(" ")[0]!.split(",").map(Number);
  return piles.reduce((sum, pile) => sum ^ pile, 0) === 0;
}

/** The 168 positions that can be won. */
function wonPositions(): State[] {
  const all = Array.from({ length: 4 * 6 * 8 }, (_, code) =>
    game.parseState([code % 4, Math.floor(code / 4) % 6, Math.floor(code / 24)].join()),
  );
  return all.filter((state) => !isLost(state));
}

test("nim 3 5 7: in each of the 168 positions that can be won, all that greedy play might choose wins", () => {
  const evaluator = loadWeights(join(repository, "weights", "nim", "linear.json"), game);
  const actions = new Int32Array(game.maxActions);
  const positions = wonPositions();
  for (const state of positions) {
    const me = state.toMove;
    const choices = Array.from(actions.subarray(0, state.legalActions(actions, 0)), (action) => {
      state.apply(action);
      const value = state.toMove === TERMINAL ? state.returns(me) : evaluator.evaluate(state, me);
      const wins = isLost(state);
      state.undo();
      return { value, wins };
    });
    const best = Math.max(...choices.map(({ value }) => value));
    for (const { value, wins } of choices)
      if (value === best) expect(wins, game.formatState(state)).toBe(true);
  }
  expect(positions).toHaveLength(168);
});

test("nim 3 5 7: an eighth of nim-expert's games teach a policy that wins each of the 168", async () => {
  const dir = newFolder();
  const config = readDocument(join(repository, "configs/training/nim-expert.yaml")) as TrainingConfig;
  await trainFromConfig(requestOf(dir, { ...config, games: 2560, checkpoints: 1 }));
  const weights = join(dir, "weights.json");
  const player = createPlayer(game, `mcts:simulations=1,priors=policy,root=gumbel,evaluator=${weights}`);
  for (const state of wonPositions()) {
    state.apply(ask(player, game, { state }).action);
    expect(isLost(state), game.formatState(state)).toBe(true);
  }
});
