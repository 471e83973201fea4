import { describe, expect, test } from "vitest";
import { boardOf } from "../../../src/report/page/board-data.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { GAMES } from "../../support/page/games.ts";
import { checkAnswer, parseReply } from "../../../src/report/page/play/answers.ts";

const circle = { kind: "circle", x: 1, y: 1, r: 1, fill: "ink" };
const place = { name: "a1", holds: "", x: 0, y: 0, w: 1, h: 1 };
const board = {
  label: "start",
  width: 3,
  height: 3,
  ground: [circle],
  pieces: [],
  places: [place],
  marked: [0],
  won: [],
};
const position = {
  board,
  toMove: 0,
  turn: "player 1 to move",
  choices: [{ action: 3, name: "d4", touches: [0] }],
  moves: [{ text: "[6]", mover: -1 }],
  notation: "3",
};

describe("answers of a thread", () => {
  test("are shown where they have the right shape", () => {
    expect(checkAnswer("position", position)).toEqual(position);
    const decision = { action: 3, name: "d4", touches: [], nodes: 5, value: -0.5 };
    expect(checkAnswer("decision", { ...decision, more: 1 })).toEqual(decision);
    for (const { game: spec } of Object.values(GAMES)) {
      const game = createGame(spec as GameSpec);
      const drawn = JSON.parse(JSON.stringify(boardOf(game, game.start(), [], undefined))) as object;
      expect(checkAnswer("position", { ...position, board: drawn, choices: [] }).board).toEqual(drawn);
    }
  });

  const withBoard = (changed: object) => ({ ...position, board: { ...board, ...changed } });
  test.each([
    ["nothing", null, "it must be a mapping"],
    ["no player", { ...position, toMove: 0.5 }, "toMove must be"],
    ["a value that is no number", { ...position, toMove: null }, "toMove must be"],
    ["a text for an action", { ...position, choices: [{ action: "3" }] }, "choices[0].action must be"],
    ["a board without a size", withBoard({ width: null }), "board.width must be"],
    [
      "an element that is no shape",
      withBoard({ pieces: [{ kind: "script" }] }),
      "board.pieces[0] must be shapes",
    ],
    [
      "a path that is no text",
      withBoard({ pieces: [{ kind: "path", d: {} }] }),
      "board.pieces[0] must be shapes",
    ],
    [
      "a circle without a middle",
      withBoard({ ground: [{ ...circle, x: null }] }),
      "board.ground[0] must be shapes",
    ],
    [
      "a place that is not there",
      withBoard({ marked: [1] }),
      "it names a place that the board does not have",
    ],
    ["a name that is no text", { ...position, turn: { toString: 1 } }, "turn must be"],
  ])("with %s are refused", (_, answer, message) => {
    expect(() => checkAnswer("position", answer)).toThrow(
      `the game's code gives what cannot be shown: ${message}`,
    );
  });

  test("are texts of JSON, and nothing else is read", () => {
    expect(parseReply('{"number":1,"answer":{"text":"a"}}')).toEqual({ number: 1, answer: { text: "a" } });
    const failed = { number: 1, failure: { name: "Error", message: "no" } };
    expect(parseReply(JSON.stringify(failed))).toEqual(failed);
    const others = [{ number: 1 }, "{", "[]", '{"number":"1"}', '{"number":1}', '{"number":1,"failure":{}}'];
    for (const message of [...others, undefined]) expect(parseReply(message)).toBeUndefined();
    expect(parseReply(JSON.stringify({ number: 1, answer: "x".repeat(1e7) }))).toBeUndefined();
  });
});
