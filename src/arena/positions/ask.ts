import { seenState } from "../../agents/analysis.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import { createRandom } from "../../base/random.ts";
import type { Game } from "../../games/contract/game.ts";
import type { PositionAnswer } from "../../ratings/positions.ts";
import type { TestPosition } from "./position-file.ts";

/**
 * Asks an agent for its choice in each position. Each is decided as the first of a game, with randomness of its own that
 * descends from the seed and the position.
 */
export async function* askAgent(
  game: Game,
  prepared: PreparedAgent,
  positions: readonly TestPosition[],
  { seed, clock }: { readonly seed: string; readonly clock: () => number },
): AsyncGenerator<PositionAnswer> {
  const agent = prepared.create();
  try {
    for (const { name, text, right, points, value: exact } of positions) {
      const { state, told } = seenState(game, game.parseState(text), seed);
      const view = game.start();
      view.copyFrom(state);
      await agent.newGame?.();
      let solved: PositionAnswer["solution"];
      const begun = clock();
      const decision = await agent.choose(view, {
        random: createRandom(seed, "positions", text),
        budget: prepared.budget,
        clock,
        played: () => ({ from: text, actions: [] }),
        ...told,
        onIteration({ action, nodes }) {
          if (right.includes(action)) solved ??= { nodes, timeMs: clock() - begun };
          else solved = undefined;
        },
      });
      const { action, nodes, value } = decision;
      const timeMs = clock() - begun;
      const isRight = right.includes(action);
      yield {
        name,
        position: text,
        choice: game.formatAction(action, state),
        right: right.map((one) => game.formatAction(one, state)),
        isRight,
        nodes,
        timeMs,
        ...(points && { points: points.get(action) ?? 0, most: Math.max(...points.values()) }),
        ...(exact !== undefined && value !== undefined && { error: Math.abs(value - exact) }),
        ...(isRight && { solution: solved ?? { nodes, timeMs } }),
      };
    }
  } finally {
    agent.close?.();
  }
}
