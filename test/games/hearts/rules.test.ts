import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { CHANCE, TERMINAL } from "../../../src/games/contract/rules.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { slowTest } from "../../support/thorough.ts";

/** Cards as texts, such as SQ. */
type Card = string;
const RANKS = "23456789TJQKA";
const isHeart = (card: Card) => card.startsWith("H");
const worth = (card: Card): number => (isHeart(card) ? 1 : card === "SQ" ? 13 : 0);

/** The cards that may be played from a hand, as the rules say it. `tricks` are those before, `trick` is on the table. */
function allowed(
  hand: readonly Card[],
  tricks: readonly Card[][],
  trick: readonly Card[],
  first: Card,
): Card[] {
  const best = (cards: readonly Card[]) => (cards.length > 0 ? [...cards] : [...hand]);
  if (tricks.length === 0 && trick.length === 0) return [first];
  if (trick.length === 0)
    return tricks.flat().some(isHeart) ? [...hand] : best(hand.filter((card) => !isHeart(card)));
  const following = hand.filter((card) => card[0] === trick[0]![0]);
  if (following.length > 0) return following;
  return tricks.length === 0 ? best(hand.filter((card) => worth(card) === 0)) : [...hand];
}

slowTest.each<GameSpec>(["hearts", { id: "hearts", cards: 5 }, { id: "hearts", cards: 4, suits: 2 }])(
  "%j is played as a plain second version of the rules says",
  (spec) => {
    const game = createGame(spec);
    const random = createRandom("hearts");
    let moons = 0;
    for (let number = 0; number < 150; number++) {
      const state = game.start();
      const hands: Card[][] = [[], [], [], []];
      const pack = packOf(game.maxPlies / 4, spec);
      for (const card of pack) {
        expect(state.toMove).toBe(CHANCE);
        const seats = possibleActions(game, state);
        const seat = seats[random.below(seats.length)]!;
        hands[seat]!.push(card);
        state.apply(seat);
      }
      const points = [0, 0, 0, 0];
      const tricks: Card[][] = [];
      let seat = hands.findIndex((hand) => hand.includes(pack[0]!));
      for (let trick: Card[] = []; tricks.length < game.maxPlies / 4;) {
        expect(state.toMove).toBe(seat);
        const actions = [...possibleActions(game, state)];
        const names = actions.map((action) => game.formatAction(action, state));
        expect(names.toSorted()).toEqual(allowed(hands[seat]!, tricks, trick, pack[0]!).toSorted());
        // Some players always throw points, so that all points of some games go to one.
        const choice = number % 3 === 0 ? names.length - 1 : random.below(names.length);
        const card = names[choice]!;
        state.apply(actions[choice]!);
        hands[seat]!.splice(hands[seat]!.indexOf(card), 1);
        trick.push(card);
        seat = (seat + 1) % 4;
        if (trick.length < 4) continue;
        const ranks = trick.map((one) => (one[0] === trick[0]![0] ? RANKS.indexOf(one[1]!) : -1));
        seat = (seat + ranks.indexOf(Math.max(...ranks))) % 4;
        points[seat]! += trick.map(worth).reduce((sum, one) => sum + one);
        tricks.push(trick);
        trick = [];
      }
      expect(state.toMove).toBe(TERMINAL);
      const all = points.reduce((sum, one) => sum + one);
      const shooter = points.indexOf(all);
      if (shooter >= 0) moons++;
      const final = points.map((own, player) => (shooter < 0 ? own : player === shooter ? 0 : all));
      const mean = final.reduce((sum, one) => sum + one) / 4;
      expect(final.map((own) => mean - own)).toEqual([0, 1, 2, 3].map((player) => state.returns(player)));
    }
    if (spec !== "hearts") expect(moons).toBeGreaterThan(0);
  },
);

function packOf(cards: number, spec: GameSpec): Card[] {
  const suits = typeof spec !== "string" && spec["suits"] === 2 ? "HS" : "CDHS";
  const ranks = RANKS.slice(13 - (4 * cards) / suits.length);
  return suits.split("").flatMap((suit) => ranks.split("").map((rank) => suit + rank));
}

test("wrong deals are refused with a sentence", () => {
  const game = createGame("hearts");
  const refuse = (text: string, message: string) => expect(() => game.parseState(text)).toThrow(message);
  refuse("A.A.A.A AK.2.2.2 ... ...", "SA is there twice");
  refuse("AK...2 ... ... ...", "C3 is missing; cards are dealt in their order");
  refuse("...1 ... ... ...", "C1 is no card of this pack");
  refuse("...2", "four hands are needed");
  refuse("...2 ... ..3 ...", "has 3 suits with dots between them, not 4");
  refuse("...2 ... ... ... C2", "C2 cannot be played; possible: nothing");
});
