import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { discLead, type OthelloState } from "../../../src/games/othello/state.ts";
import { perft } from "../../../src/games/contract/perft.ts";
import { differences, readTraces } from "../traces.ts";
import { plainMargin } from "./plain-margin.ts";
import { twinMoves, twinPlay, twinStart } from "./twin.ts";
import { everyFew } from "../../support/thorough.ts";

const game = createGame("othello");

/** Published leaf counts; a pass is a ply, a finished game one leaf. */
const PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288];

test.each(PERFT.map((leaves, depth) => [depth, leaves]))("perft to depth %i is %i", (depth, leaves) => {
  expect(perft(game, game.start(), depth, { finished: true })).toBe(leaves);
});

test.each(readTraces("othello").map((trace, number) => [number, trace] as const))(
  "agrees with an independent program on game %i",
  (_, trace) => {
    expect(differences(game, trace, (move, state) => game.parseAction(move, state))).toEqual([]);
  },
);

test.each(everyFew([4, 6, 8], 2))("plays like its twin on a board of size %i", (size) => {
  const small = createGame({ id: "othello", size });
  const inDiscs = createGame({ id: "othello", size, score: "discs" });
  let passes = 0;
  for (let number = 0; number < 40; number++) {
    const random = createRandom("othello twin", size, number);
    const state = small.start();
    let twin = twinStart(size);
    for (;;) {
      expect(small.formatState(state)).toBe(`${twin.rows.join("")} ${twin.turn}`);
      const moves = twinMoves(twin);
      if (moves.length === 0) {
        if (twinMoves(twinPlay(twin, "pass")).length === 0) break;
        moves.push("pass");
        passes++;
      }
      const actions = possibleActions(small, state);
      expect(Array.from(actions, (action) => small.formatAction(action, state))).toEqual(moves);
      const chosen = random.below(moves.length);
      state.apply(actions[chosen]);
      twin = twinPlay(twin, moves[chosen]!);
    }
    expect(state.toMove).toBe(TERMINAL);
    const discs = twin.rows.join("");
    const lead = discs.replace(/[^X]/g, "").length - discs.replace(/[^O]/g, "").length;
    expect([state.returns(0), state.returns(1)]).toEqual([Math.sign(lead), 0 - Math.sign(lead)]);
    expect(discLead(state as OthelloState, 0)).toBe(lead);
    const margin = lead + Math.sign(lead) * discs.replace(/[^-]/g, "").length;
    const end = inDiscs.parseState(small.formatState(state));
    expect([end.returns(0), end.returns(1)]).toEqual([margin, 0 - margin]);
  }
  expect(passes).toBeGreaterThan(0);
});

test("on 4x4 the second player wins by 8, three discs to eleven, which is 10 with the empty squares", () => {
  const small = createGame({ id: "othello", size: 4, score: "discs" });
  expect(plainMargin(small, small.start())).toBe(-10);
});

test("whose turn it is makes another position", () => {
  const hashes = ["X", "O"].map((turn) => {
    const state = game.parseState(`${"-".repeat(27)}OX------XO${"-".repeat(27)} ${turn}`);
    return [state.hashLow, state.hashHigh];
  });
  expect(hashes[0]![0]).not.toBe(hashes[1]![0]);
  expect(hashes[0]![1]).not.toBe(hashes[1]![1]);
});

test("runs and weights from before margins counted fit the usual result", () => {
  expect(createGame({ id: "othello", score: "result" }).options).toEqual({ size: 8 });
  expect(createGame({ id: "othello", score: "discs" }).options).toEqual({ size: 8, score: "discs" });
});
