import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { measure, Way } from "../../../src/games/hex/judge.ts";
import type { HexState } from "../../../src/games/hex/state.ts";
import { createGame } from "../../../src/games/index.ts";

const game = createGame({ id: "hex", size: 4, swap: true });
const features = game.featureSets["rhombi"]!;

/** The names of the features of a position, as a player sees it. */
function read(state: State, player: number): string[] {
  const index = new Int32Array(features.maxActive);
  const end = features.extract(state, player, index, new Float32Array(0));
  return Array.from(index.subarray(0, end), (feature) => features.describe(feature));
}

test("stones, patterns with the border as stones, ways and their cells", () => {
  const names = read(game.parseState("b2 d4"), 0);
  expect(names.slice(0, 2)).toEqual(["own stone on b2", "other stone on d4"]);
  // A bridge to the upper side: b1 and c1 are empty, the border above and b2 are own.
  expect(names).toContain("b1-c1 and ends: ..xx");
  expect(names).toContain("a2-b2 and ends: .x..");
  // On the left the border is the other player's.
  expect(names).toContain("a1-a2 and ends: ...o");
  const way = new Way();
  for (const [player, whose] of ["own", "other"].entries()) {
    measure(game.parseState("b2 d4") as HexState, player, 2, way);
    const cells = names.filter((name) => name.endsWith(`on ${whose} way`)).map((name) => name.slice(0, 2));
    expect(names).toContain(`${whose} way of length ${way.length}`);
    expect(cells).toEqual(
      Array.from(way.cells.subarray(0, way.count), (cell) => "abcd"[cell % 4]! + (Math.floor(cell / 4) + 1)),
    );
  }
});

test("the second player sees what the first would see with players, rows and columns exchanged", () => {
  for (let number = 0; number < 20; number++) {
    const random = createRandom("rhombi", number);
    const [state, other] = [game.start(), game.start()];
    // The swap makes the position of the mirrored stone, from which x moves.
    state.apply(random.below(16));
    other.copyFrom(state);
    other.apply(16);
    while (state.toMove !== TERMINAL) {
      expect(read(other, other.toMove).toSorted()).toEqual(read(state, state.toMove).toSorted());
      const action = possibleActions(game, state).find((one) => one < 16 && random.below(3) === 0);
      if (action === undefined) continue;
      state.apply(action);
      other.apply(4 * (action % 4) + Math.floor(action / 4));
    }
    expect(other.toMove).toBe(TERMINAL);
  }
});

test("the image of a position is the position after half a turn, for features and for the policy", () => {
  const turn = (action: number) => (action < 16 ? 15 - action : action);
  for (let number = 0; number < 10; number++) {
    const random = createRandom("rhombi images", number);
    const [state, turned] = [game.start(), game.start()];
    while (state.toMove !== TERMINAL) {
      const index = new Int32Array(features.maxActive);
      const read = (one: State) =>
        Array.from(index.subarray(0, features.extract(one, one.toMove, index, new Float32Array(0))));
      const images = read(state).map((feature) => features.images![0]![feature]!);
      expect(images.toSorted((a, b) => a - b)).toEqual(read(turned).toSorted((a, b) => a - b));
      const head = game.policyHead!;
      const actions = possibleActions(game, state);
      for (const action of actions)
        expect(head.images![0]![head.index(action, state)]).toBe(head.index(turn(action), turned));
      const action = actions[random.below(actions.length)]!;
      state.apply(action);
      turned.apply(turn(action));
    }
  }
});

test("each feature has a name of its own", () => {
  const names = Array.from({ length: features.size }, (_, feature) => features.describe(feature));
  expect(new Set(names).size).toBe(features.size);
});
