import { describe, expect, test } from "vitest";
import { game as kalah } from "../../examples/kalah/kalah.ts";
import type { Game, Picture } from "../../src/games/contract/game.ts";
import { DrawnGames } from "../../src/report/drawn-games.ts";

const game = kalah.create({ pits: 2, stones: 1 }) as Game;
const ACTIONS = [0, 3, 1];

/** The game with another picture. */
function withPicture(changed: Partial<Picture>): Game {
  return Object.create(game, { picture: { value: { ...game.picture, ...changed } } }) as Game;
}

describe("drawn games", () => {
  test("have the shapes of every position, each shape once, and the mark of the last move", () => {
    const drawn = new DrawnGames(1e6).add(game, ACTIONS)!;
    expect(new Set(drawn.shapes.map((shape) => JSON.stringify(shape))).size).toBe(drawn.shapes.length);
    const state = game.start();
    const picture = game.picture!;
    expect(drawn.ground.map((at) => drawn.shapes[at])).toEqual(picture.ground);
    drawn.positions.forEach((position, at) => {
      const shapes = (position as number[]).map((shape) => drawn.shapes[shape]);
      const drawnNow = picture.draw(state);
      expect(shapes.slice(0, drawnNow.length)).toEqual(drawnNow);
      expect(shapes.slice(drawnNow.length).map((mark) => mark!.stroke)).toEqual(at === 0 ? [] : ["mark"]);
      if (at < ACTIONS.length) state.apply(ACTIONS[at]!);
    });
    expect(drawn.turns).toHaveLength(ACTIONS.length + 1);
    expect(drawn.turns[0]).toBe("player 1 to move");
  });

  test("end where there is no more room, and are counted", () => {
    const room = JSON.stringify(new DrawnGames(1e6).add(game, ACTIONS)).length;
    const drawn = new DrawnGames(2 * room + 1);
    expect([1, 2, 3, 4].map(() => drawn.add(game, ACTIONS) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(drawn.leftOut).toBe(2);
  });

  test.each([
    ["an element that is no shape", [{ kind: "script", text: "alert(1)" }]],
    ["a shape without numbers", [{ kind: "circle", fill: "ink" }]],
    ["a length that is no number", [{ kind: "circle", x: 0, y: 0, r: Infinity, fill: "ink" }]],
    ["nothing", undefined],
  ])("are none where the picture draws %s", (_, shapes) => {
    expect(new DrawnGames(1e6).add(withPicture({ draw: () => shapes as never }), ACTIONS)).toBeUndefined();
  });

  test("are none where the code throws", () => {
    const touches = () => {
      throw new RangeError("no place");
    };
    expect(new DrawnGames(1e6).add(withPicture({ touches }), ACTIONS)).toBeUndefined();
  });
});
