import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { TERMINAL } from "../../../src/games/contract/rules.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { slowTest } from "../../support/thorough.ts";

const RANKS = "23456789TJQKA";
const SEATS = "SWNE";
/** By seat: the player who plays its cards. */
const PLAYERS = [0, 1, 0, 2];

slowTest.each<GameSpec>([
  "bridge",
  { id: "bridge", trumps: "D" },
  { id: "bridge", cards: 4, suits: 2, trumps: "S" },
])("%j is played as a plain second version of the rules says", (spec) => {
  const game = createGame(spec);
  const trumps = String(game.options["trumps"]);
  const random = createRandom("bridge");
  for (let number = 0; number < 100; number++) {
    const state = game.start();
    while (state.toMove < 0) {
      const seats = possibleActions(game, state);
      state.apply(seats[random.below(seats.length)]!);
    }
    const hands = game
      .formatState(state)
      .split(" ")
      .map((hand) =>
        hand.split(".").flatMap((ranks, suit) => Array.from(ranks, (rank) => "SHDC"[suit]! + rank)),
      );
    let seat = SEATS.indexOf("W");
    const tricks = [0, 0];
    for (let trick = 0; trick < game.maxPlies / 4; trick++) {
      const cards: string[] = [];
      for (let play = 0; play < 4; play++, seat = (seat + 1) % 4) {
        expect(state.toMove).toBe(PLAYERS[seat]);
        const following = hands[seat]!.filter((card) => card[0] === cards[0]?.[0]);
        const allowed = following.length > 0 ? following : hands[seat]!;
        const actions = possibleActions(game, state);
        const names = Array.from(actions, (action) => game.formatAction(action, state));
        expect(names.toSorted()).toEqual(allowed.toSorted());
        const choice = random.below(actions.length);
        cards.push(names[choice]!);
        hands[seat] = hands[seat]!.filter((card) => card !== names[choice]);
        state.apply(actions[choice]!);
      }
      const isRuffed = cards.some((card) => card[0] === trumps);
      const best = cards
        .filter((card) => card[0] === (isRuffed ? trumps : cards[0]![0]))
        .toSorted((a, b) => RANKS.indexOf(b[1]!) - RANKS.indexOf(a[1]!))[0]!;
      seat = (seat + cards.indexOf(best)) % 4;
      tricks[seat % 2]!++;
    }
    expect(state.toMove).toBe(TERMINAL);
    const lead = tricks[0]! - tricks[1]!;
    expect([0, 1, 2].map((player) => state.returns(player))).toEqual([lead, lead / -2, lead / -2]);
  }
});

test("dummy is shown after the opening lead, declarer's hand and the other defender's never", () => {
  const game = createGame({ id: "bridge", cards: 2, suits: 2 });
  const observed = new ObservedGame(game);
  observed.replay(game.privacy!.history!(game.parseState("A.Q K.J .AK QJ.")));
  const views = () => [0, 1, 2].map((player) => game.privacy!.formatView(observed.state, player));
  expect(views()).toEqual([
    "S: A.Q\ntricks: declarer 0, defenders 0",
    "W: K.J\ntricks: declarer 0, defenders 0; W to play",
    "E: QJ.\ntricks: declarer 0, defenders 0",
  ]);
  observed.apply(game.parseAction("SK", observed.state));
  expect(views().map((view) => view.split("\n").slice(0, 3))).toEqual([
    ["S: A.Q", "N: .AK", "W SK"],
    ["W: .J", "N: .AK", "W SK"],
    ["E: QJ.", "N: .AK", "W SK"],
  ]);
});

test("wrong deals and options are refused with a sentence", () => {
  expect(() => createGame("bridge").parseState("A.A.A.A AK.2.2.2 ... ...")).toThrow("SA is there twice");
  expect(() => createGame({ id: "bridge", cards: 4, suits: 2, trumps: "C" })).toThrow(
    "trumps: must be none, H or S with two suits, which are hearts and spades",
  );
  expect(() => createGame({ id: "bridge", cards: 7, suits: 2 })).toThrow("must be at most 6 with two suits");
});
