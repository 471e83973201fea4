import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { TERMINAL, varyGame, type Game } from "../../../src/games/contract/game.ts";
import type { BridgeState } from "../../../src/games/bridge/state.ts";
import { DoubleDummy } from "../../../src/games/bridge/double-dummy.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { decide } from "../../agents/play.ts";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { slowTest } from "../../support/thorough.ts";

const TRUMPS = ["none", "C", "D", "H", "S"];
const solverOf = (state: BridgeState, trumps: string) =>
  new DoubleDummy(state.pack, state.pack.suitNamed(trumps));

/** The tricks of declarer's side at the end of best play, by the rules alone. */
function bestTricks(game: Game, state: BridgeState): number {
  if (state.toMove === TERMINAL) return state.tricks;
  const values = Array.from(possibleActions(game, state), (action) => {
    state.apply(action);
    const value = bestTricks(game, state);
    state.undo();
    return value;
  });
  return state.toMove === 0 ? Math.max(...values) : Math.min(...values);
}

function randomPosition(game: Game, number: number, plays: number): BridgeState {
  const random = createRandom("double-dummy", number);
  const state = game.start() as BridgeState;
  while (state.seat < 0 || state.plays < plays) {
    const actions = possibleActions(game, state);
    state.apply(actions[random.below(actions.length)]!);
  }
  return state;
}

test.each<GameSpec>([
  ...TRUMPS.map((trumps) => ({ id: "bridge", cards: 3, trumps })),
  { id: "bridge", cards: 4, suits: 2 },
  { id: "bridge", cards: 4, suits: 2, trumps: "S" },
])("%j: the solver, minimax by the rules and paranoid search agree", (spec) => {
  const game = createGame(spec);
  const open = varyGame(game, { hiddenInformation: false, chance: false });
  const solver = solverOf(game.start() as BridgeState, String(game.options["trumps"]));
  for (let number = 0; number < 60; number++) {
    const state = randomPosition(game, number, (game.maxPlies > 12 ? 4 : 0) + (number % 5));
    const tricks = bestTricks(game, state);
    expect(state.tricks + solver.solve(state)).toBe(tricks);
    for (let target = 0; target <= 5; target++)
      expect(solver.reaches(state, target)).toBe(state.tricks + target <= tricks);
    if (number % 6 !== 0) continue;
    // The defenders are a team, so that a defender counts on the other.
    const lead = 2 * tricks - game.maxPlies / 4;
    const { value } = decide(open, "paranoid:depth=16,evaluator=strength", state);
    expect(value).toBe(state.toMove === 0 ? lead : lead / -2);
  }
});

const ENDINGS = readFileSync(new URL("../../fixtures/games/bridge-endings.txt", import.meta.url), "utf8")
  .trim()
  .split("\n");

slowTest("endings of 8 and 10 cards have the tricks that libdds finds", () => {
  const solvers = new Map<string, DoubleDummy>();
  for (const line of ENDINGS) {
    const [trumps, tricks, ...words] = line.split(" ");
    const state = createGame({ id: "bridge", trumps }).parseState(words.join(" ")) as BridgeState;
    const solver = solvers.get(trumps!) ?? solverOf(state, trumps!);
    solvers.set(trumps!, solver);
    expect({ line, tricks: solver.solve(state) }).toEqual({ line, tricks: Number(tricks) });
  }
});

test("the evaluator counts the tricks of best play, and estimates large hands", () => {
  const game = createGame({ id: "bridge", cards: 9, trumps: "H" });
  const { "double-dummy": evaluator, strength } = game.heuristics;
  const deal = randomPosition(game, 1, 3);
  expect(evaluator!.evaluate(deal, 2)).toBe(strength!.evaluate(deal, 2));
  const ending = randomPosition(game, 1, 6);
  const lead = 2 * (ending.tricks + solverOf(ending, "H").solve(ending)) - 9;
  expect([0, 1, 2].map((player) => evaluator!.evaluate(ending, player))).toEqual(
    [lead, lead / -2, lead / -2].map((value) => 0.99 * value),
  );
});

test("who reads all hands is refused: the solver plays in drawn worlds alone", () => {
  const game = createGame({ id: "bridge", cards: 6 });
  const solver = { agent: "greedy", evaluator: "double-dummy" };
  expect(() => prepareAgent(game, solver)).toThrow("greedy cannot play bridge, which has hidden information");
  expect(() => prepareAgent(game, { agent: "determinized", vote: "mean", search: solver })).not.toThrow();
});
