import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { pubevalTurn } from "../../src/games/backgammon/judge.ts";
import type { BackgammonState } from "../../src/games/backgammon/state.ts";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { randomPositions } from "../agents/play.ts";
import { sampleGames, sampleName } from "./samples.ts";
import { slowTest } from "../support/thorough.ts";

/** Connect four is solved fast from here on. */
const MANY_STONES = 14;

function samplePositions(game: Game): State[] {
  const positions = randomPositions(game, 40);
  if (game.id !== "connect-four") return positions;
  return positions.filter((state) => (state as State & { stones: number }).stones >= MANY_STONES);
}

const samples = sampleGames
  .map((spec) => [sampleName(spec), createGame(spec)] as const)
  .filter(([, { policies }]) => Object.keys(policies).length > 0);

test("these games have policies", () => {
  expect([...new Set(samples.map(([, game]) => game.id))]).toEqual([
    "tic-tac-toe",
    "nim",
    "connect-four",
    "go",
    "backgammon",
    "pig",
    "sliding-puzzle",
    "holdem",
  ]);
});

describe.each(samples)("policies of %s", (_, game) => {
  slowTest("choose a legal action, leave the state alone, and depend on it and the generator only", () => {
    for (const family of Object.values(game.policies)) {
      expect(family.summary).not.toBe("");
      const policy = family.create();
      const positions = samplePositions(game);
      const choices = positions.map((state, at) => {
        const before = game.formatState(state);
        const action = policy.choose(state, createRandom("policy", at));
        expect(possibleActions(game, state)).toContain(action);
        expect(possibleActions(game, state)).toContain(policy.choose(state));
        expect(game.formatState(state)).toBe(before);
        return action;
      });
      const other = family.create();
      for (const [at, state] of [...positions.entries()].toReversed())
        expect(other.choose(state, createRandom("policy", at))).toBe(choices[at]);
    }
  });
});

/** The result of best play, by playing everything out: plies to the end, and its value. */
interface Outcome {
  readonly value: number;
  readonly plies: number;
}

function createTwin(game: Game): (state: State) => Outcome {
  const known = new Map<string, Outcome>();
  const outcome = (state: State): Outcome => {
    const key = game.formatState(state);
    const before = known.get(key);
    if (before !== undefined) return before;
    let best: Outcome = { value: -2, plies: 0 };
    for (const { value, plies } of Array.from(possibleActions(game, state), (action) =>
      after(state, action),
    )) {
      const sooner = value > 0 ? plies < best.plies : value < 0 && plies > best.plies;
      if (value > best.value || (value === best.value && sooner)) best = { value, plies };
    }
    known.set(key, best);
    return best;
  };
  /** The value of an action for the player who takes it. */
  const after = (state: State, action: number): Outcome => {
    const me = state.toMove;
    state.apply(action);
    const end = state.toMove === TERMINAL ? { value: state.returns(me), plies: 0 } : undefined;
    const { value, plies } = end ?? outcome(state);
    state.undo();
    return { value: end === undefined ? 0 - value : value, plies: plies + 1 };
  };
  return outcome;
}

/** Calls `visit` once at every position with a player to move. */
function walk(game: Game, state: State, visit: () => void, seen = new Set<string>()): void {
  const key = game.formatState(state);
  if (state.toMove === TERMINAL || seen.has(key)) return;
  seen.add(key);
  visit();
  for (const action of possibleActions(game, state)) {
    state.apply(action);
    walk(game, state, visit, seen);
    state.undo();
  }
}

slowTest("tic-tac-toe: the fastest win, the slowest loss, at each of 4,520 positions", () => {
  const game = createGame("tic-tac-toe");
  const twin = createTwin(game);
  const policy = game.policies["perfect"]!.create();
  const random = createRandom("tic-tac-toe");
  const state = game.start();
  let positions = 0;
  walk(game, state, () => {
    positions++;
    const { value, plies } = twin(state);
    for (const action of [policy.choose(state), policy.choose(state, random)]) {
      state.apply(action);
      const end = state.toMove === TERMINAL;
      const reached = end ? { value: state.returns(0) === 0 ? 0 : -1, plies: 0 } : twin(state);
      state.undo();
      expect(0 - reached.value).toBe(value);
      if (value !== 0) expect(reached.plies + 1).toBe(plies);
    }
  });
  // 958 of the 5,478 positions are over.
  expect(positions).toBe(4520);
});

describe.each([false, true])("nim, misere %s", (misere) => {
  test("whoever can win does, at every position of four piles of four", () => {
    const game = createGame({ id: "nim", piles: [4, 4, 4, 4], misere });
    const twin = createTwin(game);
    const policy = game.policies["perfect"]!.create();
    const random = createRandom("nim");
    const state = game.start();
    let won = 0;
    walk(game, state, () => {
      if (twin(state).value < 0) return;
      won++;
      for (const action of [policy.choose(state), policy.choose(state, random)]) {
        const me = state.toMove;
        state.apply(action);
        expect(state.toMove === TERMINAL ? state.returns(me) : 0 - twin(state).value).toBe(1);
        state.undo();
      }
    });
    expect(won).toBeGreaterThan(500);
  });

  test("who cannot win takes one counter, from any pile", () => {
    const game = createGame({ id: "nim", piles: [5, 5], misere });
    const policy = game.policies["perfect"]!.create();
    const random = createRandom("nim");
    const start = game.start();
    const chosen = Array.from({ length: 40 }, () => game.formatAction(policy.choose(start, random), start));
    expect([...new Set(chosen)].toSorted()).toEqual(["1-1", "2-1"]);
  });
});

test("backgammon: pubeval is the turn that pubeval plays", () => {
  const game = createGame("backgammon") as Game<BackgammonState>;
  const policy = game.policies["pubeval"]!.create();
  for (const state of randomPositions(game, 30) as BackgammonState[])
    expect(policy.choose(state, createRandom("any"))).toBe(pubevalTurn(state));
});

test("Bouton's rule is for two: nim with more players has no policy", () => {
  expect(createGame({ id: "nim", players: 3 }).policies).toEqual({});
});
