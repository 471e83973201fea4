import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import type { CrosswordState } from "../../../src/games/crossword/state.ts";
import { createGame } from "../../../src/games/index.ts";

/** All histories with the same codes of the player to move, by trying everything, and the products of their chance events. */
function sameCodes(game: Game, known: ObservedGame): Map<string, number> {
  const player = known.state.toMove;
  const wanted = known.key(player);
  const found = new Map<string, number>();
  const observed = new ObservedGame(game);
  const path: number[] = [];
  const visit = (weight: number): void => {
    const key = observed.key(player);
    if (key === wanted) found.set(path.join(), weight);
    if (key === wanted || !wanted.startsWith(key === "" ? key : `${key} `)) return;
    const { state } = observed;
    if (state.toMove === TERMINAL) return;
    const probabilities = new Float64Array(game.maxActions);
    const isChance = state.toMove === CHANCE;
    if (isChance) state.chanceOutcomes!(new Int32Array(game.maxActions), probabilities, 0);
    for (const [at, action] of possibleActions(game, state).entries()) {
      observed.apply(action);
      path.push(action);
      visit(isChance ? weight * probabilities[at]! : weight);
      path.pop();
      observed.undo();
    }
  };
  visit(1);
  return found;
}

const game = createGame({
  id: "crossword",
  size: 3,
  rack: 2,
  letters: { a: [4, 1], b: [3, 3], "?": [1, 0] },
  words: ["aa", "ab", "bab"],
});

// Plays of equal tiles, exchanges of the other player, own exchanges whose tiles the other may draw, and all of them.
test.each([
  "AB, AA, 2A AB, A?, B1 AB, B",
  "AB, AA, -B, B, -AA, BA",
  "AB, AA, -AB, BA, -A, B",
  "AB, AA, -AB, AB, 2A AA, BB, B1 AA, ?",
])("worlds after %s have the probabilities of their chance events", (text) => {
  const observed = new ObservedGame(game);
  observed.replay([...game.privacy!.history!(game.parseState(text))]);
  const { toMove } = observed.state;
  const worlds = sameCodes(game, observed);
  expect(worlds.size).toBeGreaterThan(3);
  const total = [...worlds.values()].reduce((sum, weight) => sum + weight, 0);
  const draws = 6000;
  const source = observed.worlds(toMove);
  const random = createRandom("crossword worlds", text);
  const out = new Int32Array(game.privacy!.maxEvents);
  const counts = new Map<string, number>();
  for (let draw = 0; draw < draws; draw++) {
    const world = out.subarray(0, source.draw(random, out)).join();
    expect(worlds.has(world)).toBe(true);
    counts.set(world, (counts.get(world) ?? 0) + 1);
  }
  let chiSquare = 0;
  for (const [world, weight] of worlds) {
    const expected = (draws * weight) / total;
    chiSquare += ((counts.get(world) ?? 0) - expected) ** 2 / expected;
  }
  const freedom = worlds.size - 1;
  expect(chiSquare).toBeLessThan(freedom + 5 * Math.sqrt(2 * freedom) + 12);
});

test("a world is found in spite of many own exchanges, with most unseen tiles on the others' racks", () => {
  const four = createGame({ id: "crossword", players: 4, letters: "small" });
  const random = createRandom("crossword exchanges");
  const observed = new ObservedGame(four);
  const state = observed.state as CrosswordState;
  while (state.toMove === CHANCE || state.turn < 5) {
    const possible = possibleActions(four, state);
    // Everybody exchanges the whole rack.
    const action = state.toMove === CHANCE ? possible[random.below(possible.length)]! : 127;
    observed.apply(possible.includes(action) ? action : possible.findLast((set) => set < 128)!);
  }
  const out = new Int32Array(four.privacy!.maxEvents);
  const drawn = new ObservedGame(four);
  drawn.replay(out, observed.worlds(1).draw(random, out));
  expect(drawn.key(1)).toBe(observed.key(1));
});
