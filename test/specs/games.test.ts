import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { loadGame, parseGameSpec, parseOpening } from "../../src/specs/games.ts";

describe("the text of a game", () => {
  const nim = { id: "nim", piles: [3, 5], misere: true };

  test.each([
    ["nim", { id: "nim" }],
    [" nim ", { id: "nim" }],
    ["nim:piles=[3,5]", { id: "nim", piles: [3, 5] }],
    ["nim:piles=[3,5],misere=true", nim],
    ["nim:piles=[3, 5], misere=true", nim],
    ["{id: nim, piles: [3, 5], misere: true}", nim],
    ["{id: 2048, height: 3}", { id: "2048", height: 3 }],
    ["./mine.ts:size=4", { id: resolve("/base", "mine.ts"), size: 4 }],
  ])("%s", (text, spec) => {
    expect(parseGameSpec(text, "/base")).toEqual(spec);
  });

  test("makes the game with its options", async () => {
    const { id, options } = await loadGame(parseGameSpec("nim:piles=[3,5],misere=true", "."));
    expect({ id, ...options }).toMatchObject(nim);
  });

  test("is refused where it cannot be read or has no id", () => {
    expect(() => parseGameSpec("nim:piles=[3", ".")).toThrow('"nim:piles=[3" is no game; write it like');
    expect(() => parseGameSpec("{piles: [3]}", ".")).toThrow('"{piles: [3]}" names no game: it has no id');
  });
});

describe("an opening", () => {
  const game = createGame({ id: "nim", piles: [1, 2] });

  test("is a line of actions, separated by blanks", () => {
    const state = game.start();
    const [one, other] = ["1-1", "2-1"].map((word) => {
      const action = game.parseAction(word, state);
      state.apply(action);
      return action;
    });
    expect(parseOpening(game, " 1-1   2-1 ")).toEqual([one, other]);
    expect(parseOpening(game, "")).toEqual([]);
  });

  test("must not end the game", () => {
    expect(() => parseOpening(game, "1-1 2-2")).toThrow('"2-2" in "1-1 2-2" ends the game');
  });
});
