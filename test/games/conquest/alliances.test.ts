import { describe, expect, test } from "vitest";
import type { GameSpec } from "../../../src/games/index.ts";
import { createGame } from "../../../src/games/index.ts";
import { decide } from "../../agents/play.ts";

/*
 * ana bor cil
 * dun eno fal
 *
 * Attackers who leave one army behind take a region by decided battles:
 * 2 against 1: 15/36; 3 against 1: 125/216 + 91/216 * 15/36; 4 against 1: 855/1296 + 441/1296 times that.
 * 2 against 5: four times one die beats two, 55/216, and then 15/36.
 */
const TWO_TO_ONE = 15 / 36;
const THREE_TO_ONE = 125 / 216 + (91 / 216) * TWO_TO_ONE;
const FOUR_TO_ONE = 855 / 1296 + (441 / 1296) * THREE_TO_ONE;
const TWO_TO_FIVE = (55 / 216) ** 4 * TWO_TO_ONE;

/** The game is over after the turn of C, and each has the return of its share of six regions. */
function create(more: object = {}) {
  return createGame({
    id: "conquest",
    map: "tiny",
    battles: "decided",
    score: "share",
    placements: 1,
    maxArmies: 5,
    maxRounds: 1,
    breakPrice: 4,
    ...more,
  } as GameSpec);
}

/** The action and the expected regions of the player to move. */
function think(agent: string, text: string, more?: object): { action: string; regions: number } {
  const game = create(more);
  const state = game.parseState(text);
  const { action, value } = decide(game, `${agent}:depth=30,deepening=false,ties=first`, state);
  return { action: game.formatAction(action, state), regions: 2 * (2 * value! + 1) };
}

describe("an alliance that pays", () => {
  // B has three armies in bor and the turn. Then C places three in cil, and its only neighbour that is no ally is bor.
  const apart = "A1B3C1/A5A5A5 t1 A=C@3";
  const open = "A1B3C1/A5A5A5 t1 talk A=C@3";

  test("without it, B attacks the one who would attack", () => {
    // A win takes cil and is safe. Two armies of it may go on to fal. After a defeat C wins bor from one army.
    const regions = 1 + THREE_TO_ONE + (125 / 216) * TWO_TO_FIVE - (1 - THREE_TO_ONE) * FOUR_TO_ONE;
    expect(think("max-n", apart)).toEqual({ action: "bor-cil", regions: expect.closeTo(regions, 12) });
    expect(regions).toBeCloseTo(1.53, 3);
  });

  test("max-n offers it and accepts it", () => {
    // As an ally of C, B takes ana without fear, and two armies may go on to dun.
    const regions = 1 + THREE_TO_ONE + (125 / 216) * TWO_TO_FIVE;
    expect(think("max-n", open)).toEqual({ action: "ally-C", regions: expect.closeTo(regions, 12) });
    expect(regions).toBeCloseTo(1.7553, 4);
    // C keeps cil. If it declines, cil is attacked: it has nothing, or after a defence cil and perhaps bor.
    const declined = (1 - THREE_TO_ONE) * (1 + FOUR_TO_ONE);
    expect(declined).toBeCloseTo(0.471, 3);
    expect(think("max-n", "A1B3C1/A5A5A5 t1 A=C@3 ally-C")).toEqual({ action: "accept", regions: 1 });
  });

  test("paranoid does not count on it", () => {
    // Without dice. B takes ana and, with three armies, dun. Without an ally it would keep one region of three; cil and bor are
    // safe, as C is out then.
    const text = "A1B5C2/A1A5A5 t1 talk A=C@3";
    const certain = { battles: "exchange" };
    expect(think("max-n", text, certain)).toEqual({ action: "ally-C", regions: 3 });
    expect(think("paranoid", text, certain).regions).toBe(2);
    expect(think("max-n", text.replace(" talk", ""), certain)).toEqual({ action: "bor-cil", regions: 2 });
  });
});

describe("an alliance that is broken", () => {
  // C has the last turn, cil with one army, three to place, and nobody but allies.
  const text = "A5B1C1/A5A5A5 t2 talk +3/1 A=C@3 B=C@3";

  test.each([
    [1, "break-B", 1 + THREE_TO_ONE],
    [2, "break-B", 1 + TWO_TO_ONE],
    [3, "+cil", 1],
  ] as const)("at a price of %i, C plays %s", (breakPrice, action, regions) => {
    expect(think("max-n", text, { breakPrice })).toEqual({ action, regions: expect.closeTo(regions, 12) });
  });
});
