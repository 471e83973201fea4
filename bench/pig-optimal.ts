import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { locateName } from "../src/specs/references.ts";
import { TERMINAL, type Game } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { OptimalPig } from "../src/games/pig/judge.ts";
import { HOLD, ROLL, type PigState, firstWins, type PigDecision } from "../src/games/pig/state.ts";

/**
 * Pig: the exact share of games that one ply on an evaluator wins against optimal play, computed by
 * dynamic programming, nothing sampled: `npm run bench -- pig-optimal WEIGHTS [TARGET]`. Equal values hold.
 */
const [, , evaluatorName = "race", given = "100"] = process.argv;
const target = Number(given);

raiseInliningBudget();
const game = createGame({ id: "pig", target }) as Game<PigState>;
const evaluator = loadEvaluator(game, locateName("evaluator", evaluatorName, "."));
const state = game.start();

/** The decision of a greedy player in this seat. */
function greedy(seat: number): PigDecision {
  const worth = (action: number) => {
    state.apply(action);
    const value = state.toMove === TERMINAL ? state.returns(seat) : evaluator.evaluate(state, seat);
    state.undo();
    return value;
  };
  return (own, other, total) => {
    state.place(seat === 0 ? [own, other] : [other, own], { turnTotal: total, turns: seat });
    return worth(ROLL) > worth(HOLD);
  };
}

const optimal = new OptimalPig(target);
const first = firstWins(greedy(0), optimal.rolls, target);
const second = 1 - firstWins(optimal.rolls, greedy(1), target);
const share = (first + second) / 2;
const percent = (part: number) => `${(100 * part).toFixed(3)}%`;
console.log(
  `${evaluatorName}: wins ${percent(share)} against optimal play, ${percent(1 - 2 * share)} less than half of the games ` +
    `(${percent(first)} when it begins, where optimal play wins ${percent(optimal.wins(0, 0, 0))}; ` +
    `${percent(second)} when it follows, where optimal play wins ${percent(1 - optimal.wins(0, 0, 0))})`,
);
