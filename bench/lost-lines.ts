import { prepareAgent } from "../src/agents/prepare.ts";
import { createRandom } from "../src/base/random.ts";
import { TERMINAL, type State } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { parseGameSpec } from "../src/specs/games.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";

/**
 * The lines of play that an agent loses from the start, on each seat, if the others play whatever they can. Each position is asked for
 * once: `npm run bench -- lost-lines AGENT [GAME]`, such as greedy:evaluator=FILE and a game as small as tic-tac-toe.
 */
const [, , text = "greedy", id = "tic-tac-toe"] = process.argv;
const game = createGame(parseGameSpec(id, process.cwd()));
const prepared = prepareAgent(game, parseAgentSpec(text), { loadEvaluator });
const agent = prepared.create();
const seats = Array.from({ length: game.players }, (_, seat) => {
  const { lines, lost } = follow(game.start(), seat, new Map());
  return `${lost} of ${lines} as player ${seat + 1}`;
});
console.log(`${text} in ${id}: lost lines of play: ${seats.join(", ")}`);
agent.close?.();

interface Lines {
  readonly lines: number;
  readonly lost: number;
}

/** The lines from a position that end, and those that the seat loses; equal positions have equal ones. */
function follow(state: State, seat: number, known: Map<string, Lines>): Lines {
  if (state.toMove === TERMINAL) return { lines: 1, lost: state.returns(seat) < 0 ? 1 : 0 };
  const key = game.formatState(state);
  const before = known.get(key);
  if (before) return before;
  const sum = { lines: 0, lost: 0 };
  for (const action of state.toMove === seat ? [choice(state, key)] : possibleActions(game, state)) {
    state.apply(action);
    const below = follow(state, seat, known);
    state.undo();
    sum.lines += below.lines;
    sum.lost += below.lost;
  }
  known.set(key, sum);
  return sum;
}

function choice(state: State, key: string): number {
  const view = game.start();
  view.copyFrom(state);
  const decision = agent.choose(view, {
    random: createRandom("lost lines", key),
    budget: prepared.budget,
    clock: () => performance.now(),
  });
  if (decision instanceof Promise) throw new Error("agents of agon decide at once");
  return decision.action;
}
