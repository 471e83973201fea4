import { describe, expect, test } from "vitest";
import { paintBoard, PLAYER_COLOURS } from "../../../src/cli/shared/board.ts";
import { coloured, styled } from "../../../src/cli/shared/terminal.ts";
import { createGame, games } from "../../../src/games/index.ts";

const [first, second] = PLAYER_COLOURS as [number, number];
const XO = ["x", "o"];

/** The relative luminance of one of a terminal's 256 colours, 0 to 1 (WCAG 2.2). */
function luminance(colour: number): number {
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = colour - 16;
  const rgb =
    colour >= 232
      ? Array.from({ length: 3 }, () => 8 + 10 * (colour - 232))
      : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => steps[step]!);
  const [red, green, blue] = rgb
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as [
    number,
    number,
    number,
  ];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

test("the colours of players can be told from black and from white, as WCAG wants it of symbols", () => {
  for (const colour of PLAYER_COLOURS) {
    const light = luminance(colour);
    expect((light + 0.05) / 0.05).toBeGreaterThan(3);
    expect(1.05 / (light + 0.05)).toBeGreaterThan(3);
  }
  expect(new Set(PLAYER_COLOURS).size).toBe(6);
});

test("pieces have the colour of their player; all else is as it was", () => {
  expect(paintBoard("1 x o .\n  a b c", XO)).toBe(
    `1 ${coloured("x", first)} ${coloured("o", second)} .\n  a b c`,
  );
});

test("letters in words and beside numbers are no pieces, but a letter alone in a line of words is", () => {
  expect(paintBoard("0 off, o to roll", XO)).toBe(`0 off, ${coloured("o", second)} to roll`);
  expect(paintBoard("x1", XO)).toBe("x1");
});

test("the names of columns are no pieces", () => {
  const chess = createGame({ id: "chess" });
  const lines = paintBoard(chess.render(chess.start()), chess.pieces!).split("\n");
  expect(lines).toContain("  a b c d e f g h");
  expect(lines.at(-1)).toBe("white to move, castling KQkq");
});

describe("the last move", () => {
  test("is inverse where a piece came and where it left", () => {
    expect(paintBoard("1 . x o", XO, "1 x . o")).toBe(
      `1 ${styled(".", "inverse")} ${styled(coloured("x", first), "inverse")} ${coloured("o", second)}`,
    );
  });

  test("counts that move in a line of words are not marked", () => {
    expect(paintBoard("x 10  o 9  x to move", XO, "x 9  o 9  o to move")).not.toContain("\u001b[7m");
  });
});

describe("the pieces that games name", () => {
  const ids = Object.keys(games).filter((id) => id !== "tree");

  test.each(ids.filter((id) => createGame({ id }).pieces !== undefined))(
    "%s: the first player's first move moves the first player's pieces",
    (id) => {
      const game = createGame({ id });
      const { pieces } = game;
      expect(pieces).toHaveLength(game.players);
      const state = game.start();
      const actions = new Int32Array(game.maxActions);
      while (state.toMove < 0) {
        state.chanceOutcomes!(actions, new Float64Array(game.maxActions), 0);
        state.apply(actions[0]!);
      }
      const me = state.toMove;
      const boards = () =>
        [game.render(state), game.renderUnicode?.(state) ?? ""].map((text) =>
          text
            .split("\n")
            .filter((line) => !/\p{L}{2}/u.test(line))
            .join("\n"),
        );
      const before = boards();
      state.legalActions(actions, 0);
      state.apply(actions[0]!);
      const after = boards();
      const places = (text: string, player: number) =>
        Array.from(text).flatMap((sign, at) => (pieces![player]!.includes(sign) ? [at] : []));
      for (const [at, text] of before.entries()) {
        if (text === "") continue;
        expect(places(after[at]!, me)).not.toEqual(places(text, me));
        if (id !== "othello") expect(places(after[at]!, 1 - me)).toEqual(places(text, 1 - me));
      }
    },
  );
});
