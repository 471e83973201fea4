import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { loadGame, locateGame, parseGameSpec, parseOpening } from "../../src/specs/games.ts";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

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

describe("a file that stands for a list", () => {
  const folderWith = (text: string) => {
    const dir = temporaryFolder();
    writeInto(dir, "mine.txt", text);
    return dir;
  };

  test("is read from the folder of the spec, and the spec has the list", async () => {
    const dir = folderWith("# animals\r\nCat\r\n\nant\na\nhippopotamuses\nhippopotamuslike\n");
    const spec = parseGameSpec("crossword:words=mine.txt,size=5", dir);
    expect(spec).toEqual({ id: "crossword", words: ["cat", "ant", "hippopotamuses"], size: 5 });
    expect(locateGame({ id: "crossword", words: "./mine.txt", size: 5 }, dir)).toEqual(spec);
    expect(locateGame({ id: "crossword", words: "common" }, dir)).toEqual({
      id: "crossword",
      words: "common",
    });
    expect((await loadGame(spec)).options).toMatchObject({ words: ["cat", "ant", "hippopotamuses"] });
    // Other options are as they are.
    expect(locateGame({ id: "crossword", letters: "mine.txt" }, dir)).toEqual({
      id: "crossword",
      letters: "mine.txt",
    });
  });

  test.each([
    [
      "cat\nit's\nno-one",
      /mine\.txt: line 2: "it's" is no word of the letters a to z\n.*line 3: "no-one" is no word/,
    ],
    ["# nothing\na\n", /mine\.txt: has no line that is of use/],
  ])("is refused: %j", (text, message) => {
    expect(() => parseGameSpec("crossword:words=mine.txt", folderWith(text))).toThrow(message);
  });

  test("is refused if it is not there", () => {
    expect(() => parseGameSpec("crossword:words=none.txt", folderWith(""))).toThrow(
      /none\.txt: cannot be read/,
    );
  });

  slowTest("a run needs it no more, and notices a change", async () => {
    const dir = folderWith("at\ncat\ncats\nsat\ntea\n");
    const config = writeInto(
      dir,
      "words.yaml",
      "name: words\ngame: { id: crossword, words: mine.txt, size: 5, letters: small, layout: plain }\n" +
        "blocks: 1\nentrants: [random, { name: other, agent: random }]\n",
    );
    const run = join(dir, "run");
    const play = async (...args: readonly string[]) => agon(["run", ...args, "-q"]);
    expect((await play(config, "--out", run)).code).toBe(0);
    expect((await play(config, "--out", run, "--resume")).code).toBe(0);
    writeInto(dir, "mine.txt", "at\ncat\ncats\nsat\nteas\n");
    const changed = await play(config, "--out", run, "--resume");
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringMatching(/game\.words\[4\]: .*"tea".*"teas"/),
    ]);
    rmSync(join(dir, "mine.txt"));
    expect((await play(run, "--resume")).code).toBe(0);
    expect((await agon(["verify", run])).code).toBe(0);
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
