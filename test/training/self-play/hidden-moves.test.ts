import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL, type Evaluator } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { HiddenMoves } from "../../../src/training/self-play/hidden-moves.ts";
import type { StartPositions } from "../../../src/training/self-play/start-positions.ts";

const game = createGame("liars-dice");
const indifferent: Evaluator = { evaluate: () => 0 };

/** Plays a game whose rolls are given, hands by number; returns its actions after the rolls. */
function play(
  evaluator: Evaluator,
  rolls: readonly number[],
  { seed = "hidden", worlds = 200, games = 1 } = {},
): number[] {
  const random = createRandom(seed);
  const dice: number[] = [];
  const starts = { draw: () => dice.shift()! } as unknown as StartPositions;
  const moves = new HiddenMoves(game, { evaluator, worlds, starts, random });
  const state = game.start();
  const actions: number[] = [];
  for (let number = 0; number < games; number++) {
    actions.length = 0;
    dice.push(...rolls);
    state.copyFrom(game.start());
    moves.begin();
    while (state.toMove !== TERMINAL) {
      const action = moves.next(state);
      actions.push(action);
      state.apply(action);
    }
  }
  return actions.slice(2);
}

const [CHALLENGE, hands] = [12, 6];

describe("self-play of games of hidden information", () => {
  test("a player's first move is the same, whatever the other holds", () => {
    const evaluator = game.heuristics["bid-chance"]!;
    for (let own = 0; own < hands; own++) {
      const firsts = Array.from({ length: hands }, (_, other) =>
        play(evaluator, [own, other], { seed: `${own}`, worlds: 3 }).at(0),
      );
      expect(new Set(firsts).size).toBe(1);
    }
  });

  test("an end that shows the dice is worth its mean over worlds, not what it is", () => {
    // The evaluator lets the first player bid two fives, which needs both dice, and likes no other bid.
    const [twoFives, raise] = [6 + 4, 0];
    const evaluator: Evaluator = {
      evaluate: (state, player) => {
        const bids = (state as unknown as { bid: number }).bid;
        return player === 0 ? (bids === twoFives ? 0.5 : -0.5) : raise;
      },
    };
    // A second player with a five knows that the bid is true with probability 1/3, and one without that it is a lie. Both
    // challenge; so does the one whose challenge is lost: the first player has the other five.
    expect(play(evaluator, [4, 4])).toEqual([twoFives, CHALLENGE]);
    expect(play(evaluator, [4, 0])).toEqual([twoFives, CHALLENGE]);
  });

  test("each game begins anew", () => {
    expect(play(indifferent, [1, 2], { games: 30 }).at(-1)).toBe(CHALLENGE);
  });
});
