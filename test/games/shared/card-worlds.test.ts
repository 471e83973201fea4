import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { historiesWith } from "../../support/histories.ts";
import { everyFew } from "../../support/thorough.ts";

/** Draws for each world of an information set. */
const DRAWS = 40;

const SPECS: readonly GameSpec[] = [
  { id: "hearts", cards: 2, suits: 2 },
  { id: "hearts", cards: 3, suits: 2 },
  { id: "hearts", cards: 3 },
  { id: "bridge", cards: 3, trumps: "S" },
];

test.each(everyFew(SPECS, 9))("%j: worlds are all deals that fit, each as likely, voids included", (spec) => {
  const game = createGame(spec);
  const { maxEvents } = game.privacy!;
  const size = maxEvents / 2;
  const out = new Int32Array(maxEvents);
  let counted = 0;
  // Two hands of bridge are open: positions that leave a choice come early.
  const [first, span] = game.id === "bridge" ? [3, 3] : [1, size / 2];
  let bound = 0;
  for (let number = 0; number < 60 && bound < 12; number++) {
    const random = createRandom("cards", number);
    const observed = new ObservedGame(game);
    const plays = first + random.below(span);
    const played = Array.from({ length: 4 }, () => 0);
    for (let event = 0; event < size + plays; event++) {
      const actions = possibleActions(game, observed.state);
      if (event >= size) played[(observed.state as unknown as { seat: number }).seat]!++;
      observed.apply(actions[random.below(actions.length)]!);
    }
    const player = observed.state.toMove;
    if (player === TERMINAL) continue;
    const codes = [...observed.codes[player]!.subarray(0, observed.counts[player])];
    const histories = historiesWith(game, player, codes);
    // The deals that fit the cards seen, without a thought of why they were played.
    const rooms = played
      .map((count) => size / 4 - count)
      .filter((_, seat) => !openSeats(game.id, player).includes(seat));
    const ways =
      factorial(rooms.reduce((sum, room) => sum + room)) / rooms.map(factorial).reduce((a, b) => a * b);
    expect(histories.size).toBeLessThanOrEqual(ways);
    if (histories.size < 2) continue;
    if (histories.size < ways) bound++;
    counted++;
    const source = observed.worlds(player);
    const counts = new Map<string, number>();
    for (let draw = 0; draw < DRAWS * histories.size; draw++) {
      const world = out.subarray(0, source.draw(random, out)).join();
      counts.set(world, (counts.get(world) ?? 0) + 1);
    }
    expect([...counts.keys()].filter((world) => !histories.has(world))).toEqual([]);
    let sum = 0;
    for (const history of histories) sum += ((counts.get(history) ?? 0) - DRAWS) ** 2 / DRAWS;
    // Chi-square has the mean n - 1 and the variance 2 (n - 1); the limit leaves one case in a million and fewer.
    const freedom = histories.size - 1;
    expect(sum).toBeLessThan(freedom + 6 * Math.sqrt(2 * freedom) + 18);
  }
  expect(counted).toBeGreaterThan(10);
  expect(bound).toBeGreaterThan(7);
});

/** The seats whose hands a player sees after the first play. */
function openSeats(id: string, player: number): readonly number[] {
  return id === "bridge" ? [[0, 1, 3][player]!, 2] : [player];
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}
