import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { MAPS } from "../../../src/games/conquest/maps.ts";
import { CHANCE, TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { thorough } from "../../support/thorough.ts";
import { Twin, type TwinRules } from "./twin.ts";

const GAMES = thorough(30, 4);

describe("the twin", () => {
  test.each([
    { id: "conquest", maxRounds: 12 },
    { id: "conquest", map: "tiny", battles: "decided", maxArmies: 6, breakPrice: 3 },
    { id: "conquest", battles: "exchange", armies: 3, maxRounds: 10 },
    { id: "conquest", map: "tiny", players: 4, placements: 1, allianceRounds: 1 },
    { id: "conquest", map: "large", players: 6, placements: 3, allianceRounds: 0, maxRounds: 4 },
    { id: "conquest", players: 5, alliances: false, armies: 1, maxRounds: 8 },
  ])("agrees at every position of random games: %j", (spec) => {
    const game = createGame(spec);
    const rules = { ...game.options, map: MAPS[game.options["map"] as "small"] } as unknown as TwinRules;
    const random = createRandom("conquest", JSON.stringify(spec));
    const out = new Int32Array(game.maxActions);
    const odds = new Float64Array(game.maxActions);
    for (let number = 0; number < GAMES; number++) {
      const state = game.start();
      const twin = new Twin(rules);
      while (state.toMove !== TERMINAL) {
        expect(game.formatState(state)).toBe(twin.text());
        expect(twin.isOver).toBe(false);
        const isChance = state.toMove === CHANCE;
        const count = isChance ? state.chanceOutcomes!(out, odds, 0) : state.legalActions(out, 0);
        const words = Array.from(out.subarray(0, count), (action) => game.formatAction(action, state));
        const expected = twin.words();
        expect(words.toSorted()).toEqual([...expected.keys()].toSorted());
        if (isChance) words.forEach((word, at) => expect(odds[at]).toBeCloseTo(expected.get(word)!, 12));
        else if (twin.offered === "") expect("ABCDEF"[state.toMove]).toBe(twin.mover);
        else expect("ABCDEF"[state.toMove]).toBe(twin.offered);
        const choice = isChance ? random.weighted(odds, 0, count) : random.below(count);
        state.apply(out[choice]!);
        twin.play(words[choice]!);
      }
      expect(game.formatState(state)).toBe(twin.text());
      expect(twin.isOver).toBe(true);
      expect(Array.from({ length: game.players }, (_, player) => state.returns(player))).toEqual(
        twin.ranks().map((rank) => expect.closeTo(rank, 12)),
      );
    }
  });
});

test("the rules, step by step", () => {
  const game = createGame({
    id: "conquest",
    map: "tiny",
    maxRounds: 2,
    allianceRounds: 1,
    battles: "decided",
  });
  const state = game.start();
  const play = (text: string) => {
    for (const word of text.split(" ")) state.apply(game.parseAction(word, state));
    return game.formatState(state);
  };
  expect(game.formatState(state)).toBe("A2B2C2/A2B2C2 t0 talk +3/2");
  // Two of three armies, then the last one. Player B is asked, and the turn goes on.
  expect(play("ally-B")).toBe("A2B2C2/A2B2C2 t0 +3/2 ally-B");
  expect(state.toMove).toBe(1);
  expect(play("accept")).toBe("A2B2C2/A2B2C2 t0 +3/2 A=B@3");
  expect(play("+dun +ana")).toBe("A3B2C2/A4B2C2 t0 A=B@3");
  // A borders on B alone, which is an ally.
  expect(() => play("ana-bor")).toThrow(/"ana-bor" is not possible here; allowed: end ana-dun dun-ana/);
  expect(play("ana-dun")).toBe("A1B2C2/A6B2C2 t1 talk +3/2 A=B@3");
  // Breaking costs two of the three armies.
  expect(play("break-A")).toBe("A1B2C2/A6B2C2 t1 +1/2");
  expect(play("+bor")).toBe("A1B3C2/A6B2C2 t1");
  expect(play("bor-ana")).toBe("A1B3C2/A6B2C2 t1 bor-ana");
  expect(state.toMove).toBe(CHANCE);
  expect(play("3:0")).toBe("B2B1C2/A6B2C2 t1");
  // Two regions of three in the north: no bonus for A or B. C takes the south one after the other.
  expect(play("end +fal +cil fal-eno 3:0")).toBe("B2B1C3/A6C2C1 t2");
  expect(play("cil-bor 3:0 end")).toBe("B2C2C1/A6C2C1 t3 talk +3/2");
  expect(play("+dun +dun dun-ana 7:0 ana-bor 6:0 end")).toBe("A1A5C1/A1C2C1 t5 talk +3/2");
  // B is out, and its turn is left out. The last round ends with C.
  expect(play("+eno +eno eno-dun 4:0")).toBe("A1A5C1/C3C1C1 t5");
  expect(play("end")).toBe("A1A5C1/C3C1C1 t6");
  expect(state.toMove).toBe(TERMINAL);
  expect([0, 1, 2].map((player) => state.returns(player))).toEqual([0, -1, 1]);
});

test("armies beyond the most of a region are lost, and nothing is placed where all is full", () => {
  const game = createGame({ id: "conquest", map: "tiny", maxArmies: 5 });
  const state = game.parseState("A4C1B1/C1C1B1 t0 +3/2");
  const play = (text: string) => {
    for (const word of text.split(" ")) state.apply(game.parseAction(word, state));
    return game.formatState(state);
  };
  expect(play("+ana")).toBe("A5C1B1/C1C1B1 t0");
  expect(play("end +fal +cil end +bor")).toBe("A5C3B2/C1C1B3 t2 +1/1");
  expect(play("+eno end")).toBe("A5C3B2/C1C2B3 t3 talk");
  const march = game.parseState("A4C1B1/A4C1B1 t0");
  march.apply(game.parseAction("dun-ana", march));
  expect(game.formatState(march)).toBe("A5C1B1/A3C1B1 t1 talk +3/2");
});

test("all regions end the game, and income grows with regions and continents", () => {
  const game = createGame({ id: "conquest", map: "small", battles: "decided", score: "share" });
  const state = game.parseState("B2A9A1/A1A1A1/A1A1A1/A1A1A1 t1 talk");
  expect(state.toMove).toBe(1);
  // Eleven regions are three armies, and three continents six.
  state.apply(game.parseAction("end", state));
  expect(game.formatState(state)).toBe("B2A9A1/A1A1A1/A1A1A1/A1A1A1 t3 talk +9/2");
  for (const word of ["+bruma", "+corda", "bruma-alba", "12:0"]) state.apply(game.parseAction(word, state));
  expect(state.toMove).toBe(TERMINAL);
  expect([0, 1, 2].map((player) => state.returns(player))).toEqual([1, -0.5, -0.5]);
});

test("positions that cannot be are refused in words", () => {
  const game = createGame({ id: "conquest", map: "tiny", maxRounds: 2 });
  const cases: readonly (readonly [text: string, message: RegExp])[] = [
    ["A2B2C2", /such as "A2B2C2\/A2B2C2 t0 talk \+3\/2"/],
    ["A2B2C2/A2B2 t0", /the continents of this map have 3, 3 regions/],
    ["A2B2C2/A2B2x2C2 t0", /the continents of this map have 3, 3 regions/],
    ["A2B2C2/A2B2D2 t0", /"D2"; allowed: A to C with 1 to 12 armies/],
    ["A2B2C2/A2B2C0 t0", /"C0"; allowed/],
    ["A2B2C13/A2B2C1 t0", /"C13"; allowed/],
    ["A2B2C2/A2B2C2 t7", /the game ends after 6 turns/],
    ["A2B2C2/A2B2C2 t6 talk", /the game is over: nothing is due/],
    ["A2A2A2/A2A2A2 t0 A=B@3", /the game is over: nothing is due/],
    ["A2B2A2/A2B2A2 t2", /C has the turn and no region/],
    ["A2B2C2/A2B2C2 t0 +3/3", /A places 1 to 3 armies in 1 to 2 actions/],
    ["A2B2C2/A2B2C2 t0 +4/2", /A places 1 to 3 armies in 1 to 2 actions/],
    ["A2B2C2/A2B2C2 t0 +3/0", /A places 1 to 3 armies in 1 to 2 actions/],
    ["A12B2C2/A12B2C2 t0 +3/2", /no region can take the armies/],
    ["A2B2C2/A2B2C2 t0 B=A@3", /"B=A@3"; an alliance is of two players with regions, such as A=B@6/],
    ["A2B2C2/A2B2C2 t0 A=B@3 A=B@4", /"A=B@4"; an alliance/],
    ["A2B2A2/A2B2A2 t0 B=C@3", /"B=C@3"; an alliance/],
    ["A2B2C2/A2B2C2 t3 A=B@3", /"A=B@3" ends with turn 4 to 6/],
    ["A2B2C2/A2B2C2 t0 ana-cil", /ana-cil is not possible/],
    ["A2B2C2/A2B2C2 t0 ana-dun", /ana-dun is not possible/],
    ["A2B2C2/A2B2C2 t0 A=B@3 ana-bor", /ana-bor is not possible/],
    ["A2B2C2/A2B2C2 t0 talk ana-bor", /ana-bor is not possible/],
    ["A2B2C2/A2B2C2 t0 +1/1 ana-bor", /ana-bor is not possible/],
    ["A2B2C2/A2B2C2 t0 ally-A", /ally-A is not possible/],
    ["A2B2C2/A2B2C2 t0 A=B@2 ally-B", /ally-B is not possible/],
    ["A2B2C2/A2B2C2 t0 talk ally-B", /ally-B is not possible/],
  ];
  for (const [text, message] of cases) expect(() => game.parseState(text), text).toThrow(message);
  const plain = createGame({ id: "conquest", map: "tiny", alliances: false });
  for (const due of ["talk", "A=B@3", "ally-B"])
    expect(() => plain.parseState(`A2B2C2/A2B2C2 t0 ${due}`)).toThrow(/this game has no alliances/);
  expect(plain.formatState(plain.start())).toBe("A2B2C2/A2B2C2 t0 +3/2");
});

test("the picture has the regions of the map, and actions touch theirs", () => {
  const game = createGame({ id: "conquest", map: "tiny" });
  const picture = game.picture!;
  const touched = (text: string, action: string) => {
    const state = game.parseState(text);
    return picture.touches(state, game.parseAction(action, state)).map((at) => picture.places[at]!.name);
  };
  expect(touched("A2B2C2/A2B2C2 t0 talk +3/2", "+dun")).toEqual(["dun"]);
  expect(touched("A2B2C2/A2B2C2 t0 talk +3/2", "ally-B")).toEqual([]);
  expect(touched("A2B2C2/A2B2C2 t0 talk A=B@3", "dun-ana")).toEqual(["dun", "ana"]);
  expect(touched("A2B2C2/A2B2C2 t0 talk A=B@3", "end")).toEqual([]);
  expect(touched("A2B2C2/A2B2C2 t0 talk A=B@3", "break-B")).toEqual([]);
  const state = game.parseState("A2B12C2/A2B2C2 t0 A=B@3");
  expect(picture.describe(state, 1)).toBe("12 armies of B");
  const texts = picture.draw(state).flatMap((shape) => (shape.kind === "text" ? [shape.text] : []));
  expect(texts).toEqual(["A to move, round 1 of 20  A=B@3", "A2", "B12", "C2", "A2", "B2", "C2"]);
});

test("the strength and the holdings of a position worked by hand", () => {
  const game = createGame({ id: "conquest", map: "tiny" });
  const state = game.parseState("A2A3A1/B2A2C5 t1 +3/2 A=B@6");
  const { strength } = game.heuristics;
  // Regions 4, 1, 1 of 6. Armies 8, 2 + 3 and 5 of 18. Income 3 + 1, 3 and 3 of 10.
  const shares = [4 / 6 + 8 / 18 + 4 / 10, 1 / 6 + 5 / 18 + 3 / 10, 1 / 6 + 5 / 18 + 3 / 10];
  shares.forEach((share, player) =>
    expect(strength!.evaluate(state, player)).toBeCloseTo((0.999 * (share - 1)) / 2, 12),
  );
  const features = game.featureSets["holdings"]!;
  const index = new Int32Array(features.maxActive);
  const value = new Float32Array(features.maxActive);
  const count = features.extract(state, 0, index, value);
  const seen = Array.from(index.subarray(0, count), (at, pair) => [features.describe(at), value[pair]]);
  expect(Object.fromEntries(seen)).toEqual({
    "own regions": 4,
    "own armies": 8,
    // ana and eno border on dun, and cil on fal.
    "own armies on borders": 5,
    "own regions on borders": 3,
    "own bonus of continents": 1,
    "own income": 4,
    "own allies": 1,
    "1 seat on: regions": 1,
    "1 seat on: armies": 5,
    "1 seat on: armies on borders": 2,
    "1 seat on: regions on borders": 1,
    "1 seat on: income": 3,
    "1 seat on: on turn": 1,
    "1 seat on: allied with me": 1,
    "1 seat on: allies": 1,
    "2 seats on: regions": 1,
    "2 seats on: armies": 5,
    "2 seats on: armies on borders": 5,
    "2 seats on: regions on borders": 1,
    "2 seats on: income": 3,
  });
});
