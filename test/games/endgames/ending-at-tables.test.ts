import { describe, expect, test } from "vitest";
import { alphaBeta } from "../../../src/agents/alpha-beta/agent.ts";
import { AlphaBeta } from "../../../src/agents/alpha-beta/alpha-beta.ts";
import { createRandom } from "../../../src/base/random.ts";
import { checkGame } from "../../../src/games/check/check-game.ts";
import { noEvaluator } from "../../../src/evaluators/index.ts";
import { TERMINAL, varyGame, type Game, type State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { endgamesOf } from "../../../src/games/endgames/retrograde.ts";
import { endingAtTables, type EndgameTables, UNKNOWN } from "../../../src/games/endgames/endgame-tables.ts";
import { buildEndgames, checkers } from "./build.ts";
import { solved } from "./solved.ts";
import { slowTest } from "../../support/thorough.ts";

/** The value of a position, with all lines to their ends. */
function exactValue(game: Game, position: State): number {
  const options = alphaBeta.options.parse({ ties: "first" });
  const agent = new AlphaBeta({ game, options, evaluator: noEvaluator });
  const state = game.start();
  state.copyFrom(position);
  return agent.choose(state, { random: createRandom("exact"), budget: { depth: 128 }, clock: () => 0 })
    .value!;
}

describe("a game that ends at its tables", () => {
  const ticTacToe = createGame("tic-tac-toe");
  const all = solved(ticTacToe);
  /** Knows positions with five stones and more. */
  const late: EndgameTables = {
    probe: (state) =>
      ticTacToe.formatState(state).replaceAll(/[^xo]/g, "").length > 4 ? all.probe(state) : UNKNOWN,
  };

  test("keeps the contract of games", () => {
    const ending = endingAtTables(ticTacToe, late);
    const only = ["to-move", "legal-actions", "looking", "undo", "take-back", "copy", "returns", "end"];
    expect(checkGame(ending, { only, seed: "tables" })).toEqual([]);
  });

  slowTest("has the same value in every position of tic-tac-toe", () => {
    const ending = endingAtTables(ticTacToe, late);
    const random = createRandom("values");
    for (let sample = 0; sample < 50; sample++) {
      const state = ticTacToe.start();
      const actions = new Int32Array(9);
      for (let ply = random.below(5); ply > 0; ply--)
        state.apply(actions[random.below(state.legalActions(actions, 0))]!);
      expect(exactValue(ending, state)).toBe(exactValue(ticTacToe, state));
      expect(all.probe(state) === 0 ? 0 : Math.sign(all.probe(state))).toBe(exactValue(ending, state));
    }
  });

  slowTest(
    "has the same value under rules that draw by counting, though the tables know nothing of them",
    () => {
      const { tables } = buildEndgames(checkers, ["KK-M", "KM-K"]);
      const random = createRandom("counted");
      let decided = 0;
      for (let sample = 0; sample < 300; sample++) {
        const drawAfter = 4 + random.below(5);
        const game = createGame({ id: "checkers", drawAfter });
        const ending = endingAtTables(game, tables);
        const of = endgamesOf(game).classNamed(["KK-M", "KM-K", "KK-K"][sample % 3]!);
        const placed = endgamesOf(game).createState();
        if (!of.place(placed, random.below(of.size)) || placed.toMove === TERMINAL) continue;
        const state = game.parseState(`${game.formatState(placed)}:H${random.below(drawAfter)}`);
        const value = exactValue(game, state);
        expect(exactValue(ending, state), game.formatState(state)).toBe(value);
        if (value !== 0) decided++;
      }
      expect(decided).toBeGreaterThan(5);
    },
  );

  test("is refused where states are not objects of a class", () => {
    const odd = varyGame(ticTacToe, { start: () => ({ ...ticTacToe.start(), apply: () => {} }) });
    expect(() => endingAtTables(odd, late)).toThrow(/cannot be played with tables/);
  });
});
