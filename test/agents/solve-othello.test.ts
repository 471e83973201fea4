import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import type { OthelloState } from "../../src/games/othello/state.ts";
import { plainMargin } from "../games/othello/plain-margin.ts";
import { ask, createPlayer, randomPositions } from "./play.ts";
import { slowTest } from "../support/thorough.ts";

/** Late positions of published best play from endgames 40 to 42 of the French federation, with the published scores. */
const LATE: readonly (readonly [position: string, score: number])[] = [
  ["OOXXXXXXXOXXXXXXOOXOXOOXOOXXOOXXOOXOOOXX-O-OOOOXXOO-O--X-------- X", 38],
  ["-OOOOO--X-OOOOX-XXXXXXXXXOXOOOXX-XXXOXO-OOXOOXOO--OXXXO--OOO-XO- O", 0],
  ["-OOOOO-OX-OOOOO-XXXXXOXXXOXOOOXX-XXXOXO-OOXOOXOO--OXXXO--OOO-XO- X", 0],
  ["--OOOXOOOOOOOOOOOOXOOXXO-OOXXXXOX-XOXXXO-X-OOXOO---OOOXO--OOOO-- O", -6],
  ["--OOOXOOOOOOOOOOOOXOOXXO-OOXXXXOX-OOXXXO-XOOOXOO---OOOXO--OOOO-- X", 6],
];

describe("othello is solved for discs", () => {
  const game = createGame({ id: "othello", score: "discs" });
  const player = createPlayer(game, "alpha-beta:solve=true,depth=60,table=4");
  const empty = ({ black, white }: OthelloState) => 64 - black.count() - white.count();

  test.each(LATE)("%s: %i", (position, score) => {
    const state = game.parseState(position);
    const { action, value } = ask(player, game, { state });
    expect(value! + 0).toBe(score);
    state.apply(action);
    expect(ask(player, game, { state }).value! + 0).toBe(0 - score);
  });

  slowTest("with the margin of plain search", () => {
    const late = (randomPositions(game, 150, { plies: 60 }) as OthelloState[]).filter(
      (state) => empty(state) <= 10,
    );
    expect(late.some((state) => empty(state) === 10)).toBe(true);
    for (const state of late) expect(ask(player, game, { state }).value! + 0).toBe(plainMargin(game, state));
  });

  slowTest("and where all discs are won, by the fewest plies", () => {
    const small = createGame({ id: "othello", size: 4, score: "discs" });
    const solver = createPlayer(small, "alpha-beta:solve=true,depth=60,table=4");
    const searcher = createPlayer(small, "alpha-beta:depth=24,quiescence=false,reductions=false,table=4");
    let wins = 0;
    for (const state of randomPositions(small, 300) as OthelloState[]) {
      if (state.black.count() + state.white.count() < 8) continue;
      const { value, pliesToEnd } = ask(solver, small, { state });
      const expected = ask(searcher, small, { state });
      expect([value! + 0, pliesToEnd]).toEqual([expected.value! + 0, expected.pliesToEnd]);
      if (pliesToEnd !== undefined) wins++;
    }
    expect(wins).toBeGreaterThan(5);
  });

  test("within the budget of nodes", () => {
    const state = game.parseState(LATE[0]![0]);
    expect(ask(createPlayer(game, "alpha-beta:solve=true,nodes=500"), game, { state }).nodes).toBe(500);
  });
});
