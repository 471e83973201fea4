import { takeBest, type PolicyFamily } from "../contract/facets.ts";
import { TERMINAL } from "../contract/rules.ts";
import { ConnectFourSolver } from "./solver/solver.ts";
import type { ConnectFourState } from "./state.ts";

/** On the usual board exactly one of the seven first moves wins: the middle column (Allis 1988). */
const USUAL_CELLS = 42;
const FIRST_COLUMN = 3;

/** Perfect play on boards that the solver can handle: the fastest win, the slowest loss. */
export function perfect(width: number, height: number): PolicyFamily<ConnectFourState> {
  return {
    summary: "solves the position: the fastest win, the slowest loss; slow with few stones on the board",
    create() {
      const solver = new ConnectFourSolver(width, height);
      let score = 0;
      const policy = takeBest<ConnectFourState>(width, (state, column) => {
        state.apply(column);
        const reaches =
          state.toMove !== TERMINAL
            ? solver.isAtMost(state, 0 - score)
            : score === (state.winner < 0 ? 0 : solver.winAfter(state.stones));
        state.undo();
        return reaches ? 1 : 0;
      });
      return {
        choose(state, random) {
          if (state.stones === 0 && state.width === 7 && state.cells === USUAL_CELLS) return FIRST_COLUMN;
          score = solver.solve(state);
          return policy.choose(state, random);
        },
      };
    },
  };
}
