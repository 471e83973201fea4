import type { AgentParts } from "../../agents/agent.ts";
import type { AlphaBetaOptions } from "../../agents/alpha-beta/options.ts";
import { RecordedAlphaBeta } from "../../agents/alpha-beta/searched-tree.ts";
import type { Random } from "../../base/random.ts";
import { ObservedGame } from "../../games/contract/privacy.ts";
import type { Learnable } from "../learn/learnable.ts";
import type { Learner } from "../learn/learner.ts";
import type { TrainingPlan } from "../plan/plan.ts";
import { Explorer } from "./explorer.ts";
import type { Opponent } from "./game-settings.ts";
import { HiddenMoves } from "./hidden-moves.ts";
import { OnePly, OnePlyMoves } from "./one-ply.ts";
import { SearchMoves } from "./search.ts";
import { LeafListener, PositionListener, TreeListener, type Listener, type Moves } from "./self-play.ts";
import { SeatedMoves } from "./seated-moves.ts";
import type { StartPositions } from "./start-positions.ts";

/** Worlds that a player of self-play draws for a decision, where the config names no number. */
const WORLDS = 10;

/** The moves of self-play that a plan asks for, with the evaluator that learns, and its opponents. */
export class PlannedMoves extends SeatedMoves {
  private readonly past: Moves | undefined;
  private readonly pool: readonly Moves[];

  /** @param with.past has the older weights of the opponent `past` */
  constructor(
    plan: TrainingPlan,
    learnable: Learnable,
    { past, ...parts }: { starts: StartPositions; random: Random; past?: Learnable | undefined },
  ) {
    const exploration = new Explorer();
    const { game } = plan;
    const observed = game.hiddenInformation ? new ObservedGame(game) : undefined;
    super(createMoves(plan, learnable, { ...parts, exploration, observed }));
    this.past = past && createMoves(plan, past, { ...parts, exploration, observed });
    this.pool = plan.opponents.map(
      ({ prepared }) =>
        new SearchMoves(game, { ...parts, searcher: { agent: prepared.create(), budget: prepared.budget } }),
    );
  }

  /** Seats the opponent of the next game. */
  seat(opponent: Opponent | undefined): void {
    this.opponent = opponent && {
      seat: opponent.seat,
      moves: opponent.by === "past" ? this.past! : this.pool[opponent.by]!,
    };
  }
}

function createMoves(
  { game, search, config: { learner, worlds = WORLDS } }: TrainingPlan,
  { evaluator }: Learnable,
  parts: {
    starts: StartPositions;
    random: Random;
    exploration: Explorer;
    observed: ObservedGame | undefined;
  },
): OnePlyMoves | SearchMoves | HiddenMoves {
  const { random, exploration, observed } = parts;
  if (observed !== undefined) return new HiddenMoves(game, { ...parts, observed, evaluator, worlds });
  if (search === undefined) {
    const chooser = new OnePly(game, evaluator, random);
    chooser.exploration = exploration;
    return new OnePlyMoves({ ...parts, chooser });
  }
  const prepared = search.prepare(evaluator);
  const agent =
    learner.rule === "tree-strap"
      ? new RecordedAlphaBeta(prepared.parts as AgentParts<AlphaBetaOptions>)
      : prepared.create();
  const tellFrom = learner.rule === "expert" ? { visits: learner.nodes, proven: learner.proven } : undefined;
  return new SearchMoves(game, { ...parts, searcher: { agent, budget: prepared.budget }, tellFrom });
}

/** Shows the learner of a plan what its rule learns from. */
export function createListener({ search, config }: TrainingPlan, learner: Learner): Listener {
  const { rule } = config.learner;
  if (rule === "tree-strap" || rule === "expert") return new TreeListener(learner);
  return search === undefined ? new PositionListener(learner) : new LeafListener(learner);
}
