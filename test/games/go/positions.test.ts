import { expect, test } from "vitest";
import { countBits } from "../../../src/base/hashing.ts";
import { createRandom } from "../../../src/base/random.ts";
import { EMPTY, ROWS } from "../../../src/games/go/board.ts";
import { TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { areaLead } from "../../../src/games/go/stones.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";

const game = createGame({ id: "go", size: 5, komi: 0.5 });
const superko = createGame({ id: "go", size: 5, ko: "positional-superko" });
const suicidal = createGame({ id: "go", size: 5, suicide: true });

/** The board after moves, its rows from the top. */
function after(position: string, moves: string, rules = game): string {
  return rules.formatState(rules.parseState(`${position} moves ${moves}`)).split(" ")[0]!;
}

function names(rules: Game, state: State): string[] {
  return Array.from(possibleActions(rules, state), (action) => rules.formatAction(action, state));
}

test.each([
  ["in the corner", "5/5/5/X4/O4 b", "b1", "5/5/5/X4/1X3"],
  ["at the side", "5/5/5/1X3/XO3 b", "c1", "5/5/5/1X3/X1X2"],
  ["in the middle", "5/2X2/1XO2/2X2/5 b", "d3", "5/2X2/1X1X1/2X2/5"],
  ["a chain of three", "5/1XXX1/XOOO1/1XXX1/5 b", "e3", "5/1XXX1/X3X/1XXX1/5"],
  ["two chains at once", "5/1X1X1/XO1OX/1X1X1/5 b", "c3", "5/1X1X1/X1X1X/1X1X1/5"],
  ["four stones at once", "2X2/1XOX1/XO1OX/1XOX1/2X2 b", "c3", "2X2/1X1X1/X1X1X/1X1X1/2X2"],
  ["and not what has another liberty", "5/1XX2/XOOO1/1XXX1/5 b", "e3", "5/1XX2/XOOOX/1XXX1/5"],
])("captures %s", (_, position, moves, board) => {
  expect(after(position, moves)).toBe(board);
});

test("filling the last liberty captures before it is suicide", () => {
  expect(after("5/5/5/XX3/1OX2 w", "pass")).toBe("5/5/5/XX3/1OX2");
  expect(after("5/5/XX3/OOX2/1OX2 b", "a1")).toBe("5/5/XX3/2X2/X1X2");
});

test("a snapback: the stone thrown in is taken, and the three that took it are taken back at once", () => {
  const position = "5/5/XX3/OOX2/2X2 b";
  expect(after(position, "a1")).toBe("5/5/XX3/OOX2/X1X2");
  expect(after(position, "a1 b1")).toBe("5/5/XX3/OOX2/1OX2");
  expect(after(position, "a1 b1 a1")).toBe("5/5/XX3/2X2/X1X2");
});

const KO = "1XO2/X1XO1/1XO2/5/5 w";

test("ko: the stone may be taken back only after a move elsewhere", () => {
  const taken = game.parseState(`${KO} moves b4`);
  expect(game.formatState(taken)).toBe("1XO2/XO1O1/1XO2/5/5 b c4 0 1");
  expect(names(game, taken)).not.toContain("c4");
  expect(() => game.parseAction("c4", taken)).toThrow(
    '"c4" is not possible here: c4 was captured just now (ko)',
  );
  const later = game.parseState(`${KO} moves b4 e1 a1`);
  expect(names(game, later)).toContain("c4");
  expect(after(`${KO}`, "b4 e1 a1 c4")).toBe("1XO2/X1XO1/1XO2/5/O3X");
  expect(names(game, game.parseState(`${KO} moves b4 pass a1`))).toContain("c4");
});

test("ko under superko is the same, and goes by the boards that were", () => {
  const taken = superko.parseState(`${KO} moves b4`);
  expect(superko.formatState(taken)).toBe("1XO2/XO1O1/1XO2/5/5 b c4 0 1");
  expect(() => superko.parseAction("c4", taken)).toThrow("it repeats an earlier board (superko)");
  expect(names(superko, superko.parseState(`${KO} moves b4 e1 a1`))).toContain("c4");
});

/** White gives two stones, takes one back, and the board is as it was, with Black to move. */
const SEND_TWO = "XXO2/1XO2/XXO2/XXOO1/1O1O1 w";

test("taking two stones, or one with a chain, is no ko", () => {
  for (const moves of [`${SEND_TWO} moves a1 c1`, "5/5/XX3/OOX2/2X2 b moves a1 b1"])
    expect(game.formatState(game.parseState(moves)).split(" ")[2]).toBe("-");
});

test("sending two and taking one back: superko forbids it", () => {
  const state = superko.parseState(`${SEND_TWO} moves a1 c1`);
  expect(superko.formatState(state)).toBe("XXO2/1XO2/XXO2/XXOO1/2XO1 w b1 0 2");
  expect(names(superko, state)).not.toContain("b1");
  const elsewhere = superko.parseState(`${SEND_TWO} moves a1 c1 e1 pass`);
  expect(names(superko, elsewhere)).toContain("b1");
});

test("sending two and taking one back: simple ko allows it, and the game is drawn or goes on", () => {
  const drawn = game.parseState(`${SEND_TWO} moves a1 c1 b1`);
  expect([drawn.toMove, drawn.returns(0), drawn.returns(1)]).toEqual([TERMINAL, 0, 0]);
  expect(game.formatState(drawn)).toBe("XXO2/1XO2/XXO2/XXOO1/1O1O1 b - repeated 3");
  expect(game.parseState(game.formatState(drawn)).toMove).toBe(TERMINAL);
  const playOn = createGame({ id: "go", size: 5, repetition: "play-on" });
  expect(playOn.parseState(`${SEND_TWO} moves a1 c1 b1`).toMove).toBe(0);
});

test("a pass brings back no board", () => {
  expect(game.parseState("5/5/2X2/5/5 w moves pass b2 c2 pass").toMove).toBe(1);
});

test.each([
  ["of one stone", "5/5/5/X4/1X3 w", "a1"],
  ["of two stones", "5/5/X4/OX3/1X3 w", "a1"],
])("suicide %s is forbidden", (_, position, move) => {
  const state = game.parseState(position);
  expect(names(game, state)).not.toContain(move);
  expect(() => game.parseAction(move, state)).toThrow("it would take the player's own stones (suicide)");
});

test("suicide, where it is allowed, takes two stones or more, never one", () => {
  expect(after("5/5/X4/OX3/1X3 w", "a1", suicidal)).toBe("5/5/X4/1X3/1X3");
  expect(after("5/X4/OX3/OX3/1X3 w", "a1", suicidal)).toBe("5/X4/1X3/1X3/1X3");
  expect(names(suicidal, suicidal.parseState("5/5/5/X4/1X3 w"))).not.toContain("a1");
});

test("a seki: whoever fills a shared liberty is taken, and left alone it counts for nobody", () => {
  const seki = "XXXOO/XX1OO/XXXOO/XX1OO/XXOOO b";
  const state = game.parseState(seki);
  expect(names(game, state)).toEqual(["c2", "c4", "pass"]);
  expect(areaLead(state as GoState)).toBe(1);
  expect(after(seki, "c4 c2")).toBe("3OO/3OO/3OO/2OOO/2OOO");
  expect(after(seki, "pass c4 c2")).toBe("XXX2/XX3/XXX2/XXX2/XX3");
});

test.each([
  ["5/5/5/5/5 b", 0],
  ["5/5/2X2/5/5 b", 25],
  ["5/5/X3O/5/5 b", 0],
  ["2XO1/2XO1/2XO1/2XO1/2XO1 b", 5],
  ["1X1O1/1X1O1/1X1O1/1X1O1/1X1O1 b", 0],
  ["2X2/XXX2/5/OOOOO/5 b", -4],
  ["X4/5/OO3/1O3/OO3 b", -5],
])("area of %s: %i", (position, lead) => {
  expect(areaLead(game.parseState(position) as GoState)).toBe(lead);
});

test("two passes end the game, and komi is taken off", () => {
  const split = "2XO1/2XO1/2XO1/2XO1/2XO1 b";
  for (const [komi, black] of [
    [4.5, 1],
    [5, 0],
    [5.5, -1],
  ] as const) {
    const rules = createGame({ id: "go", size: 5, komi });
    const state = rules.parseState(`${split} moves pass`);
    expect([state.toMove, state.returns(0), state.returns(1)]).toEqual([1, 0, 0]);
    state.apply(rules.parseAction("pass", state));
    expect([state.toMove, state.returns(0), state.returns(1)]).toEqual([TERMINAL, black, 0 - black]);
    expect(() => rules.parseAction("a1", state)).toThrow("the game is over");
  }
  expect(game.parseState(`${split} moves pass a1 pass`).toMove).toBe(1);
});

test("the limit of moves ends the game", () => {
  const rules = createGame({ id: "go", size: 5, komi: 0.5, moveLimit: 3 });
  const state = rules.parseState("start moves a1 b1");
  expect(state.toMove).toBe(0);
  state.apply(rules.parseAction("a2", state));
  expect([state.toMove, state.returns(0)]).toEqual([TERMINAL, 1]);
  expect(createGame("go").maxPlies).toBe(162);
});

test("captures: the points where a stone takes off some of the other player's, whatever stood beside them before", () => {
  const random = createRandom("captures");
  const actions = new Int32Array(game.maxActions);
  const rows = new Int32Array(3 * ROWS);
  const count = (of: Int32Array, player: number) =>
    of.subarray(player * ROWS, (player + 1) * ROWS).reduce((sum, row) => sum + countBits(row), 0);
  const wrong: string[] = [];
  for (let number = 0; number < 200; number++) {
    const state = game.start() as GoState;
    while (state.toMove !== TERMINAL) {
      for (const point of state.board.pointOf) {
        if (state.colour[point] !== EMPTY) continue;
        state.readRowsAfter(point, rows);
        const takes = count(rows, 1 - state.turn) < count(state.rows, 1 - state.turn);
        if (state.captures(point, state.turn) !== takes) wrong.push(`${point}: ${game.formatState(state)}`);
      }
      state.apply(actions[random.below(state.legalActions(actions, 0))]!);
    }
  }
  expect(wrong).toEqual([]);
});
