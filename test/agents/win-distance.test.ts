import { describe, expect, test } from "vitest";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { createGame, type GameSpec } from "../../src/games/index.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import { ask, createPlayer, decide, randomPositions } from "./play.ts";
import { slowTest } from "../support/thorough.ts";

interface Ending {
  readonly value: number;
  readonly plies: number;
}

/** The result for the player to move and its distance, by direct recursion: wins come soon, losses late. */
function endingOf(game: Game, state: State): Ending {
  const me = state.toMove;
  const endings = Array.from(possibleActions(game, state), (action) => {
    state.apply(action);
    const isOver = state.toMove === TERMINAL;
    const { value, plies } = isOver ? { value: state.returns(me), plies: 0 } : endingOf(game, state);
    const sign = isOver || state.toMove === me ? 1 : -1;
    state.undo();
    return { value: sign * value, plies: plies + 1 };
  });
  const worth = ({ value, plies }: Ending) => value * 1000 - Math.sign(value) * plies;
  return endings.reduce((best, one) => (worth(one) > worth(best) ? one : best));
}

const GAMES: readonly GameSpec[] = [
  { id: "nim", piles: [3, 2, 2] },
  { id: "nim", piles: [2, 3, 1], misere: true },
  { id: "tic-tac-toe" },
  { id: "connect-four", width: 4, height: 4 },
];

describe("a proven result comes with the plies to the end, the same as by direct recursion", () => {
  slowTest.each(GAMES)("%j", (spec) => {
    const game = createGame(spec);
    const { phase } = game;
    const late = randomPositions(game, 40).filter(
      (state) => phase === undefined || phase.of(state) >= phase.max - 7,
    );
    expect(late.length).toBeGreaterThan(10);
    for (const state of late) {
      const { value, plies } = endingOf(game, state);
      for (const how of [
        "table=0",
        "table=0.0001",
        "table=1",
        "table=1,ordering=table",
        "table=1,deepening=false",
        "table=1,solve=true",
        "table=0.001,solve=true",
      ]) {
        const found = decide(game, `alpha-beta:depth=20,${how}`, state);
        const wanted = Math.abs(value) === 1 ? plies : undefined;
        expect([how, found.value, found.pliesToEnd]).toEqual([how, value + 0, wanted]);
      }
    }
  });
});

describe("a mate is brought home", () => {
  const game = createGame("chess");

  test("rook and king against king", () => {
    for (const memory of ["decision", "game"]) {
      const player = createPlayer(game, `alpha-beta:depth=7,memory=${memory},evaluator=material`);
      const state = game.parseState("8/8/8/8/1R6/3K4/8/2k5 w - - 0 1");
      let left = ask(player, game, { state }).pliesToEnd!;
      expect(left % 2).toBe(1);
      for (; state.toMove !== TERMINAL; left--) {
        const { action, pliesToEnd } = ask(player, game, { state });
        expect(pliesToEnd).toBe(left);
        state.apply(action);
      }
      expect([left, state.returns(0)]).toEqual([0, 1]);
    }
  });
});

slowTest("what is kept from move to move saves nodes, and a new game begins without it", () => {
  const game = createGame("connect-four");
  const nodes = { decision: 0, game: 0 };
  for (const memory of ["decision", "game"] as const) {
    const player = createPlayer(game, `alpha-beta:depth=8,evaluator=threats,ties=first,memory=${memory}`);
    const play = () => {
      const state = game.start();
      const line: number[] = [];
      player.agent.newGame?.();
      for (let ply = 0; ply < 10; ply++) {
        const decision = ask(player, game, { state });
        nodes[memory] += decision.nodes;
        line.push(decision.action, decision.nodes);
        state.apply(decision.action);
      }
      return line;
    };
    expect(play()).toEqual(play());
  }
  expect(nodes.game).toBeLessThan(0.9 * nodes.decision);
});
