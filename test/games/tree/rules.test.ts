import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { CHANCE, TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { tree } from "../../../src/games/tree/tree.ts";

const FOLDER = new URL("../../../configs/tournaments/textbook/", import.meta.url);
const load = (name: string) =>
  createGame((parse(readFileSync(new URL(`${name}.yaml`, FOLDER), "utf8")) as { game: GameSpec }).game);

/** The returns of all players if each takes its best action, the first of equals. */
function solve(game: Game, state: State = game.start()): { values: number[]; best: string } {
  const players = Array.from({ length: game.players }, (_, player) => player);
  if (state.toMove === TERMINAL) return { values: players.map((player) => state.returns(player)), best: "" };
  const out = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  const mover = state.toMove;
  const count = mover === CHANCE ? state.chanceOutcomes!(out, probabilities, 0) : state.legalActions(out, 0);
  const children = Array.from(out.subarray(0, count), (action) => {
    const best = game.formatAction(action, state);
    state.apply(action);
    const { values } = solve(game, state);
    state.undo();
    return { values, best };
  });
  if (mover !== CHANCE) return children.reduce((a, b) => (b.values[mover]! > a.values[mover]! ? b : a));
  const mean = (player: number) =>
    children.reduce((sum, { values }, at) => sum + probabilities[at] * values[player]!, 0);
  return { values: players.map(mean), best: "" };
}

describe("textbook trees", () => {
  const answers: Readonly<Record<string, readonly [best: string, ...values: number[]]>> = {
    "t01-two-bags": ["bag1", 2, -2],
    "t02-binary-depth-4": ["right", 8, -8],
    "t03-cut-after-ten": ["left", 20, -20],
    "t04-chance-ten": ["gamble", 10, -10],
    "t05-chance-three": ["gamble", 3, -3],
    "t10-expectimax-plain": ["narrow", 25, -25],
    "t10-expectimax-squared": ["wide", 800, -800],
    "t10-expectimax-linear": ["narrow", 53, -53],
    "t10-minimax-plain": ["narrow", 20, -20],
    "t10-minimax-squared": ["narrow", 400, -400],
    "t10-minimax-linear": ["narrow", 43, -43],
    "t13-max-n": ["right", 7, 6, 1],
    "t13-max-n-tie": ["left", 9, 5, 0],
    "t13-max-n-cooperation": ["trust", 6, 8, 7],
    "t14-ghosts-tree": ["sure", 5, -5],
  };

  test.each(Object.entries(answers))("%s has the value that its notes give", (name, [best, ...values]) => {
    expect(solve(load(name))).toEqual({ best, values });
  });

  test("each file has its answer here", () => {
    // The ghosts of the other file play tic-tac-toe.
    expect(readdirSync(FOLDER).filter((file) => file !== "t14-ghosts.yaml")).toEqual(
      Object.keys(answers)
        .map((name) => `${name}.yaml`)
        .toSorted(),
    );
  });
});

describe("traits are computed", () => {
  test("two numbers' worth of utilities, chance and plies", () => {
    const game = load("t04-chance-ten");
    expect(game).toMatchObject({ chance: true, zeroSum: true, players: 2, maxActions: 3, maxPlies: 1 });
    expect(game.minReturn).toBeLessThan(-24);
    expect(game.maxReturn).toBeGreaterThan(24);
    expect(load("t13-max-n")).toMatchObject({ chance: false, zeroSum: false, players: 3, maxPlies: 3 });
  });

  test("bounds leave room for estimates even when all utilities are equal", () => {
    const game = createGame({ id: "tree", players: 1, root: { player: 0, actions: [0, [0]] } });
    expect(game).toMatchObject({ zeroSum: true, minReturn: -1, maxReturn: 1 });
  });

  test("bounds reach to 0, what everybody has before the end", () => {
    const game = createGame({ id: "tree", players: 1, root: { player: 0, actions: [50, 100] } });
    expect([game.minReturn, game.maxReturn]).toEqual([-1, 101]);
    expect(game.heuristics["value"]!.evaluate(game.start(), 0)).toBe(75);
  });
});

test("the value heuristic reads the estimates written at inner nodes", () => {
  const game = createGame({
    id: "tree",
    root: {
      player: 0,
      actions: { a: { player: 1, actions: [1, 2], value: 12 }, b: { player: 1, actions: [3] } },
    },
  });
  const value = (path: string, player: number) =>
    game.heuristics["value"]!.evaluate(game.parseState(path), player);
  expect([value("a", 0), value("a", 1), value("b", 0), value("b/1", 1)]).toEqual([12, -12, 0, -3]);
});

test("positions are paths of names; a wrong one says what is allowed where", () => {
  const game = load("t02-binary-depth-4");
  const state = game.parseState("left/2/1");
  expect([state.toMove, game.formatState(state)]).toEqual([1, "left/2/1"]);
  expect(game.formatState(game.start())).toBe(".");
  expect(() => game.parseState("left/3")).toThrow('"left/3" at left: "3" is not possible here; allowed: 1 2');
  expect(() => game.parseState("left/1/1/1/1")).toThrow("the game is over");
});

describe("mistakes are refused with their place", () => {
  const problems = (root: unknown, players = 2): string => {
    try {
      createGame({ id: "tree", players, root });
    } catch (error) {
      return (error as Error).message;
    }
    return "accepted";
  };
  const cases: readonly (readonly [
    name: string,
    root: unknown,
    message: string | RegExp,
    players?: number,
  ])[] = [
    ["a leaf as root", 5, "root: must be a decision or a chance event, not a leaf"],
    [
      "a text",
      { player: 0, actions: { a: "x" } },
      /^root\.actions\.a: must be a number or a list or a mapping.*got "x"$/,
    ],
    [
      "a text deep down",
      { player: 0, actions: [{ player: 1, actions: [1, "x"] }] },
      /^root\.actions\[0\]\.actions\[1\]: must be/,
    ],
    [
      "an unknown key",
      { player: 0, actions: [1, { players: 1, actions: [2] }] },
      /^root\.actions\[1\]\.players: unknown key "players"/,
    ],
    ["a player out of range", { player: 2, actions: [1] }, "root.player: must be a player, 0 to 1, got 2"],
    ["no player", { actions: [1] }, "root.player: missing; must be a player, 0 to 1"],
    ["no actions", { player: 0, actions: [] }, "root.actions: must not be empty"],
    ["neither", { player: 0 }, 'root: must have either "player" and "actions", or "chance" alone'],
    [
      "both",
      { player: 0, actions: [1], chance: [] },
      'root: must have either "player" and "actions", or "chance" alone',
    ],
    [
      "a short tuple",
      { player: 0, actions: { a: [1, 2] } },
      "root.actions.a: must have 3 numbers, one for each player, got 2",
      3,
    ],
    [
      "a number for three",
      { player: 0, actions: { a: 1 } },
      "root.actions.a: must be a list of 3 numbers, one for each player, got 1",
      3,
    ],
    [
      "a bad name",
      { player: 0, actions: { "a/b": 1 } },
      "root.actions.a/b: a name must begin with a letter, and have no space or slash",
    ],
    [
      "a number as name",
      { player: 0, actions: { 2: 1 } },
      "root.actions.2: a name must begin with a letter, and have no space or slash",
    ],
    [
      "probabilities",
      {
        chance: [
          { probability: 0.5, node: 1 },
          { probability: "1/3", node: 2 },
        ],
      },
      /^root\.chance: the probabilities must sum to 1, not 0\.8333/,
    ],
    [
      "a probability of 0",
      {
        chance: [
          { probability: 0, node: 1 },
          { probability: 1, node: 2 },
        ],
      },
      "root.chance[0].probability: must be above 0 and at most 1: a number, or a fraction such as 1/6, got 0",
    ],
    [
      "a fraction by 0",
      { chance: { a: { probability: "1/0", node: 1 } } },
      /^root\.chance\.a\.probability: must be above 0.*got 1\/0\n/,
    ],
    [
      "an estimate off zero",
      { player: 0, actions: [{ player: 1, actions: [1], value: [3, 2] }] },
      "root.actions[0].value: must sum to 0 as every leaf of this tree does, got [3,2]",
    ],
  ];

  for (const [name, root, message, players] of cases) {
    test(name, () => {
      const found = problems(root, players);
      if (typeof message === "string") expect(found).toBe(message);
      else expect(found).toMatch(message);
    });
  }

  test("all mistakes in one go", () => {
    expect(
      problems({ player: 3, actions: { a: { player: 1, actions: [] }, "b c": [1] } }).split("\n"),
    ).toHaveLength(4);
  });
});

test("probabilities to nine digits are good enough", () => {
  const third = { probability: 0.333333333, node: 1 };
  expect(() =>
    createGame({ id: "tree", root: { chance: [third, third, { ...third, probability: 0.333333334 }] } }),
  ).not.toThrow();
});

test("the schema comes out as JSON Schema, recursion included", () => {
  const schema = JSON.stringify(z.toJSONSchema(tree.options, { io: "input" }));
  expect(schema).toContain('"$ref"');
  expect(schema).toContain("those of a chance event sum to 1");
});
