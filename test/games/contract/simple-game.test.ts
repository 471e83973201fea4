import { describe, expect, test } from "vitest";
import { z } from "zod";
import { createRandom } from "../../../src/base/random.ts";
import { checkGame } from "../../../src/games/check/check-game.ts";
import { formatFinding } from "../../../src/games/check/finding.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { simpleGame, type SimpleDefinition } from "../../../src/games/contract/simple-game.ts";
import { decide } from "../../agents/play.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

interface Count {
  readonly count: number;
  readonly turn: number;
}
type Counting = SimpleDefinition<Count, z.ZodObject<{ last: z.ZodDefault<z.ZodNumber> }>>;

/** Players count up by 1, 2 or 3; who says the last number loses. */
const counting: Counting = {
  id: "counting",
  summary: "who says the last number loses",
  options: z.strictObject({ last: z.number().default(12) }),
  start: () => ({ count: 0, turn: 0 }),
  toMove: ({ turn }) => turn,
  legalActions: ({ count }, { last }) => [3, 2, 1].filter((step) => count + step <= last),
  apply: ({ count, turn }, step) => ({ turn: 1 - turn, count: count + step }),
  result({ count, turn }, { last }) {
    if (count < last) return undefined;
    return turn === 0 ? [1, -1] : [-1, 1];
  },
};

function create(changed: Partial<Counting> = {}, last = 12): Game {
  return simpleGame({ ...counting, ...changed }).create({ last });
}

/** All that `agon check` says, or the sentence of the game's own check alone. */
const saidOf = (game: Game) => checkGame(game).map(formatFinding).join("\n");

describe("a simple game", () => {
  test("keeps the contract, and its actions are put in order", () => {
    const game = create();
    expect(saidOf(game)).toBe("");
    expect(Array.from(possibleActions(game, game.start()))).toEqual([1, 2, 3]);
    expect(game).toMatchObject({
      id: "counting",
      options: { last: 12 },
      players: 2,
      maxActions: 256,
      maxPlies: 1000,
    });
  });

  test.each(["alpha-beta:depth=20", "minimax:depth=20", "mcts:simulations=3000", "max-n:depth=12"])(
    "is searched by %s",
    (agent) => {
      // Eleven are left, of which ten may be said: two have to be taken to leave eight.
      const game = create();
      const state = game.parseState('{"count":1,"turn":1}');
      expect(decide(game, agent, state).action).toBe(2);
    },
  );

  test("takes back 200 plies", () => {
    const game = create({}, 600);
    const state = game.start();
    const texts: string[] = [];
    const hashes: number[][] = [];
    for (let ply = 0; ply < 200; ply++) {
      texts.push(game.formatState(state));
      hashes.push([state.hashLow, state.hashHigh]);
      state.apply(1 + (ply % 3));
    }
    for (let ply = 200; ply-- > 0;) {
      state.undo();
      expect(game.formatState(state)).toBe(texts[ply]);
      expect([state.hashLow, state.hashHigh]).toEqual(hashes[ply]);
      expect(state.toMove).toBe(ply % 2);
    }
  });

  test("a position is read in any order of keys, with the same hash and text", () => {
    const game = create();
    const [one, other] = ['{"turn":1,"count":3}', '{ "count": 3, "turn": 1 }'].map((text) =>
      game.parseState(text),
    );
    expect(game.formatState(one!)).toBe('{"count":3,"turn":1}');
    expect([one!.hashLow, one!.hashHigh]).toEqual([other!.hashLow, other!.hashHigh]);
  });

  test.each([
    ["3", "it is no object"],
    ["{", "it is no JSON"],
    ['{"count":3,"turn":2}', "the player to move is 2"],
    ['{"turn":1}', "count is missing"],
  ])("%s is no position: %s", (text, why) => {
    expect(() => create().parseState(text)).toThrow(why);
    expect(() => create().parseState(text)).toThrow('write one like {"count":0,"turn":0}');
  });

  test("may be a number or a text, for three players and one, with chance", () => {
    const race = simpleGame({
      id: "race",
      summary: "roll a die of two sides; who reaches the end wins",
      options: z.strictObject({ players: z.int().min(1).max(3).default(3) }),
      players: ({ players }) => players,
      zeroSum: ({ players }) => players > 1,
      minReturn: -1,
      maxReturn: 2,
      start: ({ players }) => `0 ${"0".repeat(players)}`,
      toMove: (position) => (position.includes("?") ? CHANCE : Number(position[0])),
      legalActions: () => [0],
      formatAction: (position, action) => (position.includes("?") ? `step ${action}` : "roll"),
      chance: () => [
        [2, 0.75],
        [1, 0.25],
      ],
      apply(position, action, { players }) {
        if (!position.includes("?")) return `${position}?`;
        const turn = Number(position[0]);
        const steps = Array.from(position.slice(2, -1)).map(
          (step, at) => Number(step) + (at === turn ? action : 0),
        );
        return `${(turn + 1) % players} ${steps.join("")}`;
      },
      result(position, { players }) {
        const winner = Array.from(position.slice(2)).findIndex((step) => Number(step) >= 4);
        if (winner < 0) return undefined;
        return Array.from({ length: players }, (_, player) => (player !== winner ? -1 : players - 1));
      },
    });
    for (const players of [1, 2, 3]) expect(saidOf(race.create({ players }) as Game)).toBe("");
    const game = race.create({ players: 3 }) as Game;
    const state = game.start();
    state.apply(0);
    expect(state.toMove).toBe(CHANCE);
    const [actions, probabilities] = [new Int32Array(2), new Float64Array(2)];
    expect(state.chanceOutcomes!(actions, probabilities, 0)).toBe(2);
    expect([...actions, ...probabilities]).toEqual([1, 2, 0.25, 0.75]);
    expect(decide(game, "max-n:depth=3").action).toBe(0);
  });

  test("estimates and features of both players negate", () => {
    const game = create({
      heuristics: { turn: ({ turn, count }, player) => (turn === player ? 0.5 : 0) + count / 1000 },
      features: { basic: ({ turn, count }, player) => ({ turn: Number(turn === player), count }) },
    });
    expect(saidOf(game)).toBe("");
    const state = game.parseState('{"count":3,"turn":1}');
    expect([0, 1].map((player) => game.heuristics["turn"]!.evaluate(state, player))).toEqual([-0.25, 0.25]);
    const basic = game.featureSets["basic"]!;
    const [index, value] = [new Int32Array(2), new Float32Array(2)];
    expect([basic.size, basic.extract(state, 1, index, value)]).toEqual([2, 2]);
    expect([...index, ...value]).toEqual([0, 1, 1, 0]);
    expect([0, 1].map((feature) => basic.describe(feature))).toEqual(["turn", "count"]);
  });

  test("a picture shows the content of its places, and an action touches the place of its number", () => {
    const game = create({
      picture: ({ last }) => ({
        places: Array.from({ length: last + 1 }, (_, x) => ({ name: `number ${x}`, x, y: 0, w: 1, h: 1 })),
        content: ({ count }, place) =>
          place > count ? undefined : { fill: "white", text: `${place}`, words: "said" },
        touches: ({ count }, step) => [count + step],
      }),
    });
    expect(saidOf(game)).toBe("");
    const picture = game.picture!;
    const state = game.parseState('{"count":1,"turn":1}');
    expect([picture.width, picture.height, picture.ground.length]).toEqual([13, 1, 13]);
    expect(picture.draw(state).map(({ kind }) => kind)).toEqual(["rect", "text", "rect", "text"]);
    expect([1, 2].map((place) => picture.describe(state, place))).toEqual(["said", ""]);
    expect(picture.touches(state, 3)).toEqual([4]);
  });
});

describe("a wrong simple game gets a sentence", () => {
  let calls = 0;
  const wrong: readonly (readonly [what: string, sentence: string, changed: Partial<Counting>])[] = [
    [
      "apply changes its argument",
      "position.count was 0 and is 1; make a new one",
      {
        apply: (position, step) =>
          Object.assign(position, { count: position.count + step, turn: 1 - position.turn }),
      },
    ],
    [
      "legalActions changes its argument",
      "legalActions changes the position that it is given",
      { legalActions: (position) => [(position as { count: number }).count++] },
    ],
    ["an action twice", "legalActions gives 2 twice", { legalActions: () => [2, 1, 2] }],
    [
      "an action that is no int32",
      "legalActions gives 0.5, which is no int32",
      { legalActions: () => [0.5] },
    ],
    [
      "a text as an action",
      "legalActions gives up, which is no int32",
      { legalActions: () => ["up"] as never },
    ],
    ["no action", "a player without a move gets an action for passing", { legalActions: () => [] }],
    ["no list", "legalActions returns 7, not a list", { legalActions: () => 7 as never }],
    [
      "more actions than declared",
      "legalActions gives 3 actions; declare maxActions, which is 2",
      { maxActions: 2 },
    ],
    [
      "no position",
      "apply(position, 1) returns undefined, not the next position",
      { apply: () => undefined as never },
    ],
    [
      "a position that is not plain",
      "a position is not plain: position.count is a Set",
      { apply: () => ({ count: new Set([1]) as never, turn: 1 }) },
    ],
    ["a position with NaN", "position.count is NaN", { apply: () => ({ count: NaN, turn: 1 }) }],
    [
      "a result that is no list",
      "result gives 1 in a game of 2 players",
      { result: ({ count }) => (count < 9 ? undefined : (1 as never)) },
    ],
    [
      "no end",
      "decisions by players; maxPlies is 1000",
      { apply: ({ turn }) => ({ count: 0, turn: 1 - turn }) },
    ],
    [
      "memory",
      "gives two answers for one position: the answer.count was",
      { apply: ({ turn }) => ({ count: ++calls, turn: 1 - turn }) },
    ],
    [
      "chance without outcomes",
      "toMove gives CHANCE, and there is no function chance",
      { toMove: () => CHANCE },
    ],
  ];
  test.each(everyFew(wrong, 7))("%s", (_, sentence, changed) => {
    const said = checkGame(create(changed)).map(formatFinding);
    expect(said[0]).toContain(sentence);
  });

  test("with the file of the game as its place", () => {
    expect(saidOf(create({ legalActions: () => [1, 1] }))).toMatch(
      /thrown at .*simple-game\.test\.ts:\d+:\d+/,
    );
  });
});

slowTest("hashes of random positions of one game are all different", () => {
  const game = create({ result: () => undefined, legalActions: () => [1, 2, 3] });
  const random = createRandom("simple hashes");
  const seen = new Map<string, string>();
  const state = game.start();
  for (let ply = 0; ply < 5000; ply++) {
    state.apply(1 + random.below(3));
    expect(state.toMove).not.toBe(TERMINAL);
    const hash = `${state.hashLow} ${state.hashHigh}`;
    const text = game.formatState(state);
    expect(seen.get(hash) ?? text).toBe(text);
    seen.set(hash, text);
  }
});
