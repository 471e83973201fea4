import process from "node:process";
import { createRandom } from "../src/base/random.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { DoubleDummy } from "../src/games/bridge/double-dummy.ts";
import type { BridgeState } from "../src/games/bridge/state.ts";
import { createGame } from "../src/games/index.ts";

/*
 * Times the double-dummy solver on endings of random play, whose trumps go in turn: npm run bench -- double-dummy [CARDS
 * [COUNT]].
 */
const [, , cards = "8", count = "1000"] = process.argv;
const trumps = ["none", "C", "D", "H", "S"].map((name) => {
  const game = createGame({ id: "bridge", trumps: name });
  const { pack } = game.start() as BridgeState;
  return { game, solver: new DoubleDummy(pack, pack.suitNamed(name)) };
});
const times = Array.from({ length: Number(count) }, (_, number) => {
  const { game, solver } = trumps[number % trumps.length]!;
  const random = createRandom("endings", cards, number);
  const state = game.start() as BridgeState;
  while (state.seat < 0 || state.plays < 4 * (13 - Number(cards))) {
    const actions = possibleActions(game, state);
    state.apply(actions[random.below(actions.length)]!);
  }
  const begun = process.cpuUsage().user;
  solver.solve(state);
  return (process.cpuUsage().user - begun) / 1000;
});
const nodes = trumps.reduce((sum, { solver }) => sum + solver.nodes, 0) / times.length;
const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
console.log(
  `${count} endings of ${cards} cards: ${mean.toFixed(2)} ms of processor time each, at most ${Math.max(...times).toFixed(0)} ms, ` +
    `${nodes.toFixed(0)} tricks searched`,
);
