import type { Random } from "../../base/random.ts";
import { readAgent } from "../../specs/agents.ts";
import type { Learnable } from "../learn/learnable.ts";
import type { Learner } from "../learn/learner.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { HiddenMoves } from "./hidden-moves.ts";
import { OnePly, OnePlyMoves } from "./one-ply.ts";
import { SearchMoves } from "./search.ts";
import { LeafListener, PositionListener, type Listener } from "./self-play.ts";
import type { StartPositions } from "./start-positions.ts";

/** Worlds that a player of self-play draws for a decision, where the config names no number. */
const WORLDS = 10;

/**
 * The moves of self-play that a plan asks for, with the evaluator that learns.
 * @param past has the older weights of the player `pastSeat`, which is set for each game
 */
export function createMoves(
  { game, search, families, config: { worlds = WORLDS } }: TrainingPlan,
  learnable: Learnable,
  { starts, random, past }: { starts: StartPositions; random: Random; past?: Learnable | undefined },
): OnePlyMoves | SearchMoves | HiddenMoves {
  if (game.hiddenInformation)
    return new HiddenMoves(game, {
      evaluator: learnable.evaluator,
      past: past?.evaluator,
      worlds,
      starts,
      random,
    });
  if (search === undefined) {
    const chooserOf = ({ evaluator }: Learnable) => new OnePly(game, evaluator, random);
    return new OnePlyMoves({ chooser: chooserOf(learnable), past: past && chooserOf(past), starts });
  }
  const searcherOf = ({ evaluator }: Learnable) => {
    const prepared = readAgent(game, { ...search, evaluator: "none" }, { families, evaluator });
    return { agent: prepared.create(), budget: prepared.budget };
  };
  return new SearchMoves(game, {
    searcher: searcherOf(learnable),
    past: past && searcherOf(past),
    starts,
    random,
  });
}

/** Shows the learner of a plan what its rule learns from. */
export function createListener({ search }: TrainingPlan, learner: Learner): Listener {
  return search === undefined ? new PositionListener(learner) : new LeafListener(learner);
}
