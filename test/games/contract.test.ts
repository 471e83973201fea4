import { describe, expect, test } from "vitest";
import { createRandom, type Random } from "../../src/base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../src/games/game.ts";
import { createGame, games } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/notation.ts";
import { sampleGames, sampleName } from "./samples.ts";

/** Random games that each property is checked on. */
const GAMES = 12;
/** Longer games are cut here; the ply bound itself is checked on what was played. */
const MAX_PLIES = 400;

/** Everything that the contract lets one see of a position. */
function observe(game: Game, state: State) {
  return {
    toMove: state.toMove,
    text: game.formatState(state),
    board: game.render(state),
    hash: [state.hashLow, state.hashHigh],
    returns: Array.from({ length: game.players }, (_, player) => state.returns(player)),
    actions: Array.from(possibleActions(game, state)),
  };
}

/** Plays one random game, calling `visit` at every position, chance and the end included. */
function playRandomly(game: Game, random: Random, visit: (state: State, path: number[]) => void): void {
  const state = game.start();
  const path: number[] = [];
  const probabilities = new Float64Array(game.maxActions);
  const actions = new Int32Array(game.maxActions);
  visit(state, path);
  while (state.toMove !== TERMINAL && path.length < MAX_PLIES) {
    const chance = state.toMove === CHANCE;
    const count = chance ? state.chanceOutcomes(actions, probabilities, 0) : state.legalActions(actions, 0);
    const action = actions[chance ? random.weighted(probabilities, 0, count) : random.below(count)];
    state.apply(action);
    path.push(action);
    visit(state, path);
  }
}

describe.each(sampleGames.map((spec) => [sampleName(spec), spec] as const))(
  "game contract: %s",
  (_, spec) => {
    const game = createGame(spec);
    const forEachPosition = (visit: (state: State, path: number[]) => void, count = GAMES) => {
      for (let number = 0; number < count; number++)
        playRandomly(game, createRandom("contract", game.id, number), visit);
    };

    test("its options make the same game again", () => {
      expect(createGame({ id: game.id, ...game.options }).options).toEqual(game.options);
    });

    test("undo takes back exactly what apply did", () => {
      forEachPosition((state) => {
        const before = observe(game, state);
        for (const action of before.actions) {
          state.apply(action);
          for (const reply of Array.from(possibleActions(game, state)).slice(0, 3)) {
            state.apply(reply);
            state.undo();
          }
          state.undo();
        }
        expect(observe(game, state)).toEqual(before);
      }, 4);
    });

    test("a whole game can be taken back to the start", () => {
      for (let number = 0; number < GAMES; number++) {
        let end: State | undefined;
        let length = 0;
        playRandomly(game, createRandom("back", game.id, number), (state, path) => {
          end = state;
          length = path.length;
        });
        for (let ply = 0; ply < length; ply++) end!.undo();
        expect(observe(game, end!)).toEqual(observe(game, game.start()));
      }
    });

    test("a copy is the same position, and leaves the original alone", () => {
      forEachPosition((state, path) => {
        const copy = game.start();
        copy.copyFrom(state);
        const before = observe(game, state);
        expect(observe(game, copy)).toEqual(before);
        for (const action of before.actions.slice(0, 3)) {
          copy.apply(action);
          expect(observe(game, state)).toEqual(before);
          state.apply(action);
          expect(observe(game, copy)).toEqual(observe(game, state));
          state.undo();
          copy.undo();
        }
        expect(path.length).toBeGreaterThanOrEqual(0);
      }, 4);
    });

    test("the hash is kept incrementally: replaying the path gives it again", () => {
      forEachPosition((state, path) => {
        const again = game.start();
        for (const action of path) again.apply(action);
        expect([again.hashLow, again.hashHigh]).toEqual([state.hashLow, state.hashHigh]);
      }, 2);
    });

    test("different positions have different hashes", () => {
      const texts = new Map<string, string>();
      forEachPosition((state) => {
        const hash = `${state.hashLow}/${state.hashHigh}`;
        // What was collected on the way is past: boards that differ in it alone are the same position.
        const board = game.rewardsAlongTheWay
          ? `${state.toMove}: ${possibleActions(game, state).join()}`
          : game.render(state);
        const known = texts.get(hash);
        if (known !== undefined) expect(board).toBe(known);
        texts.set(hash, board);
      });
    });

    test("legal actions are ascending, distinct, within bounds, and there is one", () => {
      forEachPosition((state) => {
        const actions = Array.from(possibleActions(game, state));
        expect(actions).toEqual([...new Set(actions)].toSorted((a, b) => a - b));
        expect(actions.length).toBeLessThanOrEqual(game.maxActions);
        if (state.toMove === TERMINAL) expect(actions).toEqual([]);
        else expect(actions.length).toBeGreaterThan(0);
      });
    });

    test("actions are written from the given place on, and nowhere else", () => {
      forEachPosition((state) => {
        if (state.toMove < 0) return;
        const out = new Int32Array(game.maxActions + 10).fill(-77);
        const count = state.legalActions(out, 5);
        expect(Array.from(out.subarray(5, 5 + count))).toEqual(Array.from(possibleActions(game, state)));
        expect(Array.from(out.subarray(0, 5))).toEqual([-77, -77, -77, -77, -77]);
        expect(out[5 + count]).toBe(-77);
      }, 2);
    });

    test("chance probabilities are positive and sum to 1, and chance moves only where declared", () => {
      const out = new Int32Array(game.maxActions);
      const probabilities = new Float64Array(game.maxActions);
      forEachPosition((state) => {
        if (state.toMove !== CHANCE) return;
        expect(game.chance).toBe(true);
        const count = state.chanceOutcomes(out, probabilities, 0);
        expect(count).toBeLessThanOrEqual(game.maxActions);
        const list = Array.from(probabilities.subarray(0, count));
        expect(Math.min(...list)).toBeGreaterThan(0);
        expect(list.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
      });
    });

    test("returns stay within bounds, sum to zero if declared, and wait for the end if declared", () => {
      forEachPosition((state) => {
        const returns = Array.from({ length: game.players }, (_, player) => state.returns(player));
        expect(Math.min(...returns)).toBeGreaterThanOrEqual(game.minReturn);
        expect(Math.max(...returns)).toBeLessThanOrEqual(game.maxReturn);
        if (game.zeroSum) expect(returns.reduce((sum, value) => sum + value, 0)).toBeCloseTo(0, 12);
        if (!game.rewardsAlongTheWay && state.toMove !== TERMINAL)
          expect(returns.every((value) => value === 0)).toBe(true);
      });
    });

    test("games keep to the declared number of plies and players", () => {
      forEachPosition((state, path) => {
        expect(state.toMove).toBeGreaterThanOrEqual(TERMINAL);
        expect(state.toMove).toBeLessThan(game.players);
        if (!game.chance) expect(path.length).toBeLessThanOrEqual(game.maxPlies);
      });
    });

    test("actions survive notation", () => {
      forEachPosition((state) => {
        const names = new Set<string>();
        for (const action of possibleActions(game, state)) {
          const text = game.formatAction(action, state);
          expect(game.parseAction(text, state)).toBe(action);
          names.add(text);
        }
        expect(names.size).toBe(possibleActions(game, state).length);
        expect(() => game.parseAction("no such action", state)).toThrow(/no such action/);
      }, 3);
    });

    test("positions survive notation", () => {
      forEachPosition((state) => {
        expect(observe(game, game.parseState(game.formatState(state)))).toEqual(observe(game, state));
      }, 4);
      expect(() => game.parseState("no such position")).toThrow();
    });

    test("has a feature set and a heuristic, and notation on one line", () => {
      expect(Object.keys(game.featureSets).length).toBeGreaterThan(0);
      expect(Object.keys(game.heuristics).length).toBeGreaterThan(0);
      forEachPosition((state) => expect(game.formatState(state)).not.toMatch(/\n/), 1);
    });

    test("heuristics stay strictly within the returns, and negate between two players", () => {
      for (const heuristic of Object.values(game.heuristics)) {
        forEachPosition((state) => {
          if (state.toMove === TERMINAL) return;
          const values = Array.from({ length: game.players }, (_, player) =>
            heuristic.evaluate(state, player),
          );
          expect(Math.min(...values)).toBeGreaterThan(game.minReturn);
          expect(Math.max(...values)).toBeLessThan(game.maxReturn);
          if (game.players === 2 && game.zeroSum) expect(values[0]! + values[1]!).toBe(0);
        }, 3);
      }
    });

    test("features keep to their bounds, have names, and negate between two players unless mirrored", () => {
      for (const features of Object.values(game.featureSets)) {
        const index = new Int32Array(features.maxActive + 1);
        const value = new Float32Array(features.maxActive + 1);
        const read = (state: State, player: number) => {
          index[features.maxActive] = -77;
          // Features of one value are the reader's to fill in; others are written each time.
          value.fill(features.unit === true ? 1 : Number.NaN);
          const count = features.extract(state, player, index, value);
          expect(count).toBeLessThanOrEqual(features.maxActive);
          if (features.unit === true) expect(value.every((one) => one === 1)).toBe(true);
          expect(index[features.maxActive]).toBe(-77);
          const sums = new Map<number, number>();
          for (let at = 0; at < count; at++) sums.set(index[at], (sums.get(index[at]) ?? 0) + value[at]);
          return sums;
        };
        forEachPosition((state) => {
          if (state.toMove === TERMINAL) return;
          const views = Array.from({ length: game.players }, (_, player) => read(state, player));
          const negates = game.players === 2 && game.zeroSum && features.symmetry !== "mirrored";
          const wrong = [...views[0]!].filter(
            ([feature, sum]) =>
              !(feature >= 0 && feature < features.size && Number.isFinite(sum)) ||
              (negates && Math.abs((views[1]!.get(feature) ?? 0) + sum) > 1e-5),
          );
          expect(wrong).toEqual([]);
        }, 3);
        const names = Array.from({ length: Math.min(features.size, 500) }, (_, feature) =>
          features.describe(feature),
        );
        expect(names.every((name) => name.length > 0)).toBe(true);
        expect(new Set(names).size).toBe(names.length);
      }
    });
  },
);

test("games are listed under their own id, and an unknown one is refused with the nearest", () => {
  for (const [id, family] of Object.entries(games)) expect(family.id).toBe(id);
  expect(() => createGame("conect-four")).toThrow(
    /unknown game "conect-four" \(did you mean "connect-four"\?\)/,
  );
});
