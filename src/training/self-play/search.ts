import type { Agent, Budget, Decision, TellFrom } from "../../agents/agent.ts";
import { RecordedAlphaBeta, type SearchedTree } from "../../agents/alpha-beta/searched-tree.ts";
import { writeReport, type SearchReport } from "../../agents/search-report.ts";
import { InputError } from "../../base/errors.ts";
import type { Random } from "../../base/random.ts";
import { CHANCE, type Game, type State } from "../../games/contract/game.ts";
import { Explorer } from "./explorer.ts";
import type { Moves } from "./self-play.ts";
import type { StartPositions } from "./start-positions.ts";

/** An agent and its budget. */
interface Searcher {
  readonly agent: Agent;
  readonly budget: Budget;
}

/**
 * The moves of an agent, which may search with the evaluator that learns (TDLeaf; Baxter, Tridgell and Weaver 2000). The last position of its principal
 * variation is kept for each decision, because the estimate of that position is the value of the decision. If the line
 * comes to a chance event, it ends there: the position before the event stands for the mean over its outcomes.
 */
export class SearchMoves implements Moves {
  explored = false;
  readonly holds = false;
  readonly leaf: State;
  line: readonly number[] = [];
  readonly exploration: Explorer;
  private readonly copy: State;
  private readonly searcher: Searcher;
  private readonly starts: StartPositions;
  private readonly random: Random;
  private readonly actions: Int32Array;
  private readonly tellFrom: TellFrom | undefined;
  private report: SearchReport = new Int32Array();

  /** @param tellFrom what each search found is kept for the learner, see Turn */
  constructor(
    game: Game,
    {
      searcher,
      starts,
      random,
      exploration = new Explorer(),
      tellFrom,
    }: {
      searcher: Searcher;
      starts: StartPositions;
      random: Random;
      exploration?: Explorer;
      tellFrom?: TellFrom | undefined;
    },
  ) {
    this.copy = game.start();
    this.leaf = game.start();
    this.searcher = searcher;
    this.exploration = exploration;
    this.starts = starts;
    this.random = random;
    this.actions = new Int32Array(game.maxActions);
    this.tellFrom = tellFrom;
  }

  get tree(): SearchedTree | SearchReport | undefined {
    const { agent } = this.searcher;
    if (this.tellFrom !== undefined) return this.report;
    return agent instanceof RecordedAlphaBeta ? agent.tree : undefined;
  }

  begin(): void {
    this.searcher.agent.newGame?.();
  }

  next(state: State): number {
    this.explored = false;
    if (state.toMove === CHANCE) return this.starts.draw(state);
    const { exploration, random } = this;
    const { action, ranking } = this.search(state);
    if (exploration.exploitation !== undefined && ranking !== undefined) {
      const ranked = ranking.toSorted((one, other) => other.value - one.value);
      return ranked[exploration.drawRank(ranked.length, random)]!.action;
    }
    this.explored = exploration.explores(random);
    return this.explored ? this.anyAction(state) : action;
  }

  /** Returns the agent's decision, and sets `line` to its principal variation and `leaf` to the end of it. */
  private search(state: State): Decision {
    const { copy, leaf, random, searcher, exploration, actions } = this;
    copy.copyFrom(state);
    const decision = searcher.agent.choose(copy, {
      random,
      budget: searcher.budget,
      clock: () => 0,
      ...(exploration.exploitation !== undefined && { ranked: actions.length }),
      ...(this.tellFrom !== undefined && { tellFrom: this.tellFrom }),
    });
    if (decision instanceof Promise) throw new InputError("self-play needs agents that decide at once");
    leaf.copyFrom(state);
    let plies = 0;
    for (const action of decision.line) {
      if (leaf.toMove < 0) break;
      leaf.apply(action);
      plies++;
    }
    this.line = decision.line.slice(0, plies);
    if (this.tellFrom !== undefined) this.report = reportOf(decision);
    return decision;
  }

  private anyAction(state: State): number {
    const { actions, random } = this;
    return actions[random.below(state.legalActions(actions, 0))];
  }
}

/** The report of a search; of one that does not tell its policy, the action that it decided for. */
function reportOf({ action, value = 0, pliesToEnd, found }: Decision): SearchReport {
  const isProven = pliesToEnd !== undefined;
  const choice = { actions: Int32Array.of(action), policy: Float64Array.of(1) };
  return writeReport(found ?? [{ depth: 0, action: 0, value, isProven, ...choice }]);
}
