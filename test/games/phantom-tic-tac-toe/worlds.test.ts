import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { createGame } from "../../../src/games/index.ts";
import { historiesWith } from "../../support/histories.ts";

const game = createGame("phantom-tic-tac-toe");

test("worlds of the whole board are all histories with the same codes, each as likely", () => {
  const out = new Int32Array(18);
  let counted = 0;
  let refusals = 0;
  for (let number = 0; number < 30; number++) {
    const random = createRandom("phantom", number);
    const observed = new ObservedGame(game);
    const events = 2 + random.below(5);
    for (let event = 0; event < events && observed.state.toMove !== TERMINAL; event++) {
      const actions = possibleActions(game, observed.state);
      observed.apply(actions[random.below(actions.length)]!);
    }
    const player = observed.state.toMove;
    if (player < 0) continue;
    const codes = [...observed.codes[player]!.subarray(0, observed.counts[player])];
    const histories = historiesWith(game, player, codes);
    if (histories.size < 2 || histories.size > 400) continue;
    const draws = 60 * histories.size;
    const source = observed.worlds(player);
    const counts = new Map<string, number>();
    for (let draw = 0; draw < draws; draw++) {
      const world = out.subarray(0, source.draw(random, out)).join();
      counts.set(world, (counts.get(world) ?? 0) + 1);
    }
    expect([...counts.keys()].filter((world) => !histories.has(world))).toEqual([]);
    let sum = 0;
    for (const history of histories) sum += ((counts.get(history) ?? 0) - 60) ** 2 / 60;
    // Chi-square has the mean n - 1 and the variance 2 (n - 1); the limit leaves one case in a million and fewer.
    const freedom = histories.size - 1;
    expect(sum).toBeLessThan(freedom + 6 * Math.sqrt(2 * freedom) + 18);
    counted++;
    if (codes.some((code) => code >= 0 && code % 2 === 0)) refusals++;
  }
  expect(counted).toBeGreaterThan(8);
  expect(refusals).toBeGreaterThan(2);
});
