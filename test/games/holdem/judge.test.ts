import { expect, test } from "vitest";
import { LuckMeter } from "../../../src/arena/results/luck.ts";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, TERMINAL } from "../../../src/games/contract/game.ts";
import { sampleChance } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { formOf, holdemOptions } from "../../../src/games/holdem/form.ts";
import { Strength } from "../../../src/games/holdem/judge.ts";
import { cardName, cardNamed, DECK, valueOf } from "../../../src/games/holdem/ranks.ts";
import { CALL, type HoldemState } from "../../../src/games/holdem/state.ts";
import { slowTest } from "../../support/thorough.ts";

const strength = new Strength(formOf(holdemOptions.parse({})));
const game = createGame("holdem");
const read = (text: string) => game.parseState(text) as HoldemState;
const cardsOf = (text: string) => text.split(" ").map(cardNamed);

test("before the flop the strength is near the equity against random cards", () => {
  const random = createRandom("strength");
  const pack = Int32Array.from({ length: DECK }, (_, card) => card);
  for (const own of ["Ac As", "2c 2d", "Jc Jd", "Kd Ac", "2c 3d", "Tc Jc", "2c 7h", "5d Qs", "8h 9h"]) {
    const known = cardsOf(own);
    let won = 0;
    const samples = 1500;
    for (let sample = 0; sample < samples; sample++) {
      random.shuffle(pack, 0, DECK);
      const deck = [...pack].filter((card) => !known.includes(card));
      const board = deck.slice(2, 7);
      const [first, second] = [known, deck.slice(0, 2)].map((hand) => valueOf([...hand, ...board]));
      won += (1 + Math.sign(first! - second!)) / 2;
    }
    const others = [0, 1, 2, 3, 4].map((at) => cardName(at)).filter((name) => !own.includes(name));
    const state = read(`${own} ${others.slice(0, 2).join(" ")}`);
    expect(Math.abs(strength.of(state, 0) - won / samples), own).toBeLessThan(0.055);
  }
});

test("on a board the strength is the share of other hands that lose, whatever the other player holds", () => {
  const board = cardsOf("9c Td Qh 2s");
  for (const other of ["3c 3d", "Qc Qd", "8c Jc"]) {
    const state = read(`Jh Js ${other} call check 9c Td Qh check check 2s`);
    const own = cardsOf("Jh Js");
    const left = Array.from({ length: DECK }, (_, card) => card).filter(
      (card) => ![...own, ...board].includes(card),
    );
    const values = left.flatMap((one, at) => left.slice(at + 1).map((two) => valueOf([one, two, ...board])));
    const mine = valueOf([...own, ...board]);
    const share = values.reduce((sum, value) => sum + (1 + Math.sign(mine - value)) / 2, 0) / values.length;
    expect(strength.of(state, 0)).toBeCloseTo(share, 12);
  }
});

test("tight raises with aces, folds a weak hand to a raise, and checks it for nothing", () => {
  const choose = (text: string) => {
    const state = read(text);
    return game.formatAction(game.policies["tight"]!.create().choose(state), state);
  };
  // The pot is 4 after a call: a raise by the pot is to 6.
  expect(choose("Ac As 2c 7d")).toBe("raise-6");
  expect(choose("Ac As 2c 7d raise-6")).toBe("fold");
  expect(choose("Ac As 2c 7d call")).toBe("check");
});

slowTest("luck by open hands takes most of the spread out of hands that are called to the end", () => {
  const limit = createGame({ id: "holdem", limit: true });
  const meter = new LuckMeter(limit, limit.heuristics["showdown"]!);
  const [plain, adjusted] = [[] as number[], [] as number[]];
  for (let hand = 0; hand < 40; hand++) {
    const random = createRandom("luck", hand);
    const state = limit.start();
    const actions: number[] = [];
    while (state.toMove !== TERMINAL) {
      actions.push(state.toMove === CHANCE ? sampleChance(limit, state, random) : CALL);
      state.apply(actions.at(-1)!);
    }
    const luck = meter.measure(actions);
    expect(luck[0]! + luck[1]!).toBeCloseTo(0, 9);
    plain.push(state.returns(0));
    adjusted.push(state.returns(0) - luck[0]!);
  }
  const square = (values: readonly number[]) => values.reduce((sum, one) => sum + one * one, 0);
  expect(square(adjusted)).toBeLessThan(square(plain) / 4);
});
