import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { createBoard, type BoardName } from "../../../src/games/property/board.ts";
import { LEAVE, PASS, ROLL, ROUND, TURN } from "../../../src/games/property/position.ts";
import type { PropertyState } from "../../../src/games/property/state.ts";
import { visitsOf } from "../../../src/games/property/track.ts";
import { thorough } from "../../support/thorough.ts";

/* A program in Python solved the equations of each chain by elimination, in exact fractions on the small board. */

describe.each<[BoardName, boolean, number, string]>([
  [
    "small",
    false,
    0.2105285785,
    "0.07195161 0.07369101 0.06692179 0.06873071 0.06147214 0.06993322 0.0687213 0.07566998 0.07375112 0 0.07920077 0.07942777",
  ],
  [
    "small",
    true,
    0.0943941051,
    "0.08517493 0.08177579 0.07843797 0.07513195 0.07113868 0.07674259 0.08084823 0.08442643 0.0875852 0 0.09488448 0.08945963",
  ],
  [
    "full",
    false,
    0.0734870857,
    "0.0217698 0.02189711 0.02210042 0.02230394 0.02195972 0.02174248 0.02168522 0.02166281 0.02172782 0.02176628 " +
      "0.02182801 0.0217982 0.02382397 0.02285278 0.02493301 0.02406704 0.02628135 0.02559834 0.02689426 0.02532371 " +
      "0.02674697 0.02523995 0.02665804 0.02508255 0.02543467 0.02566841 0.02577353 0.02582311 0.02579077 0.02574702 " +
      "0 0.02561781 0.02491664 0.02417815 0.0234716 0.022672 0.02186627 0.0209195 0.0213276 0.02156205",
  ],
  [
    "full",
    true,
    0.0304643605,
    "0.02277537 0.02291145 0.02312918 0.02333893 0.02298012 0.02274949 0.02269067 0.02266471 0.02273472 0.02277405 " +
      "0.02284027 0.0228087 0.02363913 0.02443106 0.02528202 0.02616291 0.02714562 0.02822373 0.0277428 0.02740481 " +
      "0.02715583 0.02694296 0.02670431 0.02640407 0.02680281 0.02701977 0.02707291 0.02706035 0.02696322 0.02687991 " +
      "0 0.02678323 0.02605062 0.02531732 0.02456746 0.02375166 0.02288283 0.02188697 0.02230625 0.02255343",
  ],
])("%s board, leaving jail at once: %s", (name, leaves, held, listed) => {
  const board = createBoard(name);
  const visits = visitsOf(board, leaves);

  test("the visits are those of the equations, and sum to 1", () => {
    expect(visits.squares.reduce((sum, share) => sum + share)).toBeCloseTo(1, 12);
    expect(visits.held).toBeCloseTo(held, 9);
    const visiting = listed.split(" ").map(Number);
    for (const [square, share] of visits.squares.entries())
      expect(share).toBeCloseTo(visiting[square]! + (square === board.jail ? held : 0), 7);
  });

  test("the game's own rules lead to them", () => {
    const moves = thorough(1_000_000, 40_000);
    const counts = countRolls(name, leaves, moves);
    // Six standard errors of independent rolls: they are not quite independent.
    const slack = (share: number) => 6 * Math.sqrt((share * (1 - share)) / moves);
    expect(Math.abs(counts.held / moves - visits.held)).toBeLessThan(slack(visits.held));
    for (const [square, share] of visits.squares.entries())
      expect(Math.abs(counts.squares[square]! / moves - share)).toBeLessThanOrEqual(slack(share));
  });
});

test("the group of streets visited most is d, the street is d2", () => {
  const { groups, groupNames, names } = createBoard("full");
  const { squares } = visitsOf(createBoard("full"));
  const streets = groupNames.map((name, group) => ({ name, squares: groups[group]! })).slice(0, 8);
  const visits = ({ squares: all }: (typeof streets)[number]) =>
    all.reduce((sum, square) => sum + squares[square]!, 0);
  const ranked = streets.toSorted((one, other) => visits(other) - visits(one)).map(({ name }) => name);
  expect(ranked.slice(0, 3)).toEqual(["d", "f", "e"]);
  expect(names[squares.indexOf(Math.max(...squares.filter((_, square) => square !== 10)))]).toBe("d2");
});

/** The squares on which a player stands after each roll, in a game in which nobody buys. */
function countRolls(board: BoardName, leaves: boolean, moves: number): { squares: number[]; held: number } {
  const game = createGame({ id: "property", board, cash: 100_000, auctions: false });
  const [state, saved] = [game.start() as PropertyState, game.start() as PropertyState];
  const random = createRandom("property rolls", board, String(leaves));
  const [outcomes, odds] = [new Int32Array(game.maxActions), new Float64Array(game.maxActions)];
  const squares = Array.from(state.rules.board.names, () => 0);
  let held = 0;
  for (let rolled = 0; rolled < moves;) {
    if (state.toMove === CHANCE) {
      const player = state.words[TURN]!;
      const count = state.chanceOutcomes(outcomes, odds, 0);
      state.apply(outcomes[random.weighted(odds, 0, count)]!);
      squares[state.at[player]!]!++;
      if (state.held[player]! > 0) held++;
      rolled++;
    } else {
      const count = state.legalActions(outcomes, 0);
      const legal = outcomes.subarray(0, count);
      state.apply(legal.includes(PASS) ? PASS : leaves && legal.includes(LEAVE) ? LEAVE : ROLL);
    }
    // The rounds begin again, with full pockets, and nothing is kept for taking back.
    if (state.words[ROUND]! < 50) continue;
    state.words[ROUND] = 0;
    state.cash.fill(100_000);
    saved.copyFrom(state);
    state.copyFrom(saved);
  }
  return { squares, held };
}
