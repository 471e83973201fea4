import { expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { createBoard } from "../../../src/games/property/board.ts";
import { visitsOf } from "../../../src/games/property/track.ts";

const two = createGame("property");
const three = createGame({ id: "property", players: 3 });

test("net worth is the lead as a share of both players' worth", () => {
  const value = (text: string, game = two) =>
    game.heuristics["net-worth"]!.evaluate(game.parseState(text), 0);
  // 300 in cash, 100 for two streets and 150 for three houses against 350, and 100 is added.
  const expected = (550 - 350) / (550 + 350 + 100);
  expect(value("r0 p1 roll / 300@start a1+2 a2+1 / 350@start")).toBeCloseTo(0.999 * expected, 12);
  // A debt counts as paid.
  expect(value("r0 p1 debt 200>p2 / 20@h1 h2 / 180@start h1")).toBeCloseTo(
    (0.999 * (220 - 780)) / (220 + 780 + 100),
    12,
  );
  // So does the best bid: 80 of the price of 100.
  expect(value("r0 p1 auction p1 4>p2 / 500@b1 / 200@start")).toBeCloseTo(
    (0.999 * (500 - 220)) / (500 + 220 + 100),
    12,
  );
  // One of the others is out for certain, the other is equal.
  expect(value("r0 p1 roll / 500@b1 / 500@start / out1", three)).toBeCloseTo(0.999 / 2, 12);
});

test("holdings are the player's own, less the mean of the others'", () => {
  const seen = (text: string, player: number, game = two) => {
    const features = game.featureSets["holdings"]!;
    const [index, value] = [new Int32Array(features.maxActive), new Float32Array(features.maxActive)];
    const count = features.extract(game.parseState(text), player, index, value);
    return Object.fromEntries(
      Array.from({ length: count }, (_, at) => [features.describe(index[at]!), value[at]!]),
    );
  };
  const { squares } = visitsOf(createBoard("full"));
  expect(seen("r0 p1 roll / 500@start a1+1 a2 / 200@jail!1 s1", 0)).toEqual({
    "cash / 1000": Math.fround(0.3),
    "cash up to 300 / 300": Math.fround(1 - 2 / 3),
    "expected rent of a visitor's roll / 100": Math.fround(
      (20 * squares[1]! + 8 * squares[3]! - 25 * squares[5]!) / 100,
    ),
    "held in jail": -1,
    "owns a1": 1,
    "owns a2": 1,
    "owns s1": -1,
    "houses in group a / 5": Math.fround(0.2),
    "whole group a": 1,
  });
  // The bidder, who is the second of the others, would complete the group.
  expect(seen("r0 p1 auction p1 5>p3 / 500@a2 / 500@start / 550@start a1", 0, three)).toEqual({
    "expected rent of a visitor's roll / 100": Math.fround((-8 * (squares[1]! + squares[3]!)) / 200),
    "owns a1": -0.5,
    "owns a2": -0.5,
    "whole group a": -0.5,
  });
});

test("the features lie on the track as it is drawn, clockwise from the upper left", () => {
  const game = createGame({ id: "property", board: "small" });
  const features = game.featureSets["holdings"]!;
  const rows = features.grids!.map(({ rows }) =>
    rows.map((row) => row.map((at) => (at === undefined ? "" : features.describe(at)))),
  );
  expect(rows[0]).toEqual([
    ["", "owns a1", "owns a2", ""],
    ["", "", "", "owns b1"],
    ["owns s1", "", "", "owns b2"],
    ["", "owns c2", "owns c1", "owns u1"],
  ]);
  expect(rows[2]![1]).toEqual(["", "", "", "whole group b"]);
  const places = game.picture!.places.slice(0, 12);
  for (const [y, row] of rows[0]!.entries())
    for (const [x, name] of row.entries())
      if (name !== "")
        expect(places.find((place) => place.x === x && place.y === y)!.name).toBe(name.slice(5));
});
