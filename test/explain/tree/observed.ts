import { observeSearch } from "../../../src/explain/tree/record/observe.ts";
import type { RecordLimits } from "../../../src/explain/tree/record/observer.ts";
import type { SearchNode, SearchTree } from "../../../src/explain/tree/search-tree.ts";
import { analysePosition, type Analysis } from "../../../src/agents/analysis.ts";
import type { AgentSpec } from "../../../src/agents/agent.ts";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import type { Game, State } from "../../../src/games/contract/game.ts";
import { parseAgentSpec } from "../../../src/specs/agents.ts";
import { watchActions } from "../../agents/watch.ts";

interface Question {
  readonly game: Game;
  readonly spec: string | AgentSpec;
  readonly state?: State;
  readonly seed?: string;
}

const clock = () => 0;
const prepare = ({ game, spec }: Question) =>
  prepareAgent(game, typeof spec === "string" ? parseAgentSpec(spec) : spec);

export function observe(question: Question, limits: RecordLimits = {}): Promise<SearchTree> {
  const { game, state = game.start(), seed = "observe" } = question;
  return observeSearch({ game, prepared: prepare(question), state, seed, clock, limits });
}

/** The agent's decision if nobody observes it, and the positions that it visits, in its order, as notation. */
export async function plain(question: Question): Promise<{ analysis: Analysis; visited: string[] }> {
  const { state = question.game.start(), seed = "observe" } = question;
  const visited: string[] = [];
  let isDeciding = false;
  const after = question.game.start();
  const game = watchActions(question.game, (action, before) => {
    if (!isDeciding) return;
    after.copyFrom(before);
    after.apply(action);
    visited.push(question.game.formatState(after));
  });
  const prepared = prepare({ ...question, game });
  const begun = {
    ...prepared,
    create: () => {
      const agent = prepared.create();
      return {
        choose: async (view: State, turn: Parameters<typeof agent.choose>[1]) => {
          isDeciding = true;
          const decision = await agent.choose(view, turn);
          isDeciding = false;
          return decision;
        },
      };
    },
  };
  return { analysis: await analysePosition({ game, prepared: begun, state, seed, clock }), visited };
}

/** A node and all below it, in the order of the search. */
export function allNodes(node: SearchNode): SearchNode[] {
  return [node, ...node.children.flatMap(allNodes)];
}

/** The positions of an iteration in the order of the search, without its root, as notation. */
export function positionsOf(game: Game, root: SearchNode, from: State): string[] {
  const state = game.start();
  state.copyFrom(from);
  const walk = (node: SearchNode): string[] =>
    node.children.flatMap((child) => {
      state.apply(child.action);
      const found = [game.formatState(state), ...walk(child)];
      state.undo();
      return found;
    });
  return walk(root);
}
