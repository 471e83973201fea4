import type { Agent, Budget, Decision } from "../agent.ts";
import { createRandom } from "../../base/random.ts";
import type { Game, State } from "../../games/contract/game.ts";
import { possibleActions } from "../../games/contract/notation.ts";
import {
  addFinding,
  fail,
  runChecks,
  type Check,
  type CheckResult,
  type Finding,
  type Located,
} from "../../games/check/finding.ts";
import {
  copyOf,
  describePath,
  GameTrial,
  isOver,
  nameAction,
  replay,
  text,
} from "../../games/check/game-trial.ts";

/** The positions that `checkAgent` asks about. */
export interface AgentCheckOptions {
  /** The positions descend from it: the same seed gives the same positions. */
  readonly seed?: string;
  /** The number of positions of random games that the agent is asked about. */
  readonly positions?: number;
  /** The least number of decisions before such a position. Exact solvers are slow early in a game. */
  readonly minPlies?: number;
}

/** Makes an agent as often as needed, and knows its budget; `prepareAgent` returns one. */
export interface AgentSource {
  readonly budget: Budget;
  create(): Agent;
}

const DEFAULT_POSITIONS = 5;
/** A position is drawn from this many first positions of a random game. */
const LONGEST = 200;

/** A question to an agent, and its answer. */
interface Answer {
  readonly actions: readonly number[];
  readonly state: State;
  readonly decision: Decision;
  /** The decision in the same position with the same generator, by an agent that had other questions before. */
  readonly again: Decision;
}

/** The answers of one agent; `at` is the current one. */
class AgentTrial implements Located {
  readonly game: Game;
  readonly budget: Budget;
  readonly answers: readonly Answer[];
  private at: Answer | undefined;

  constructor(game: Game, budget: Budget, answers: readonly Answer[]) {
    this.game = game;
    this.budget = budget;
    this.answers = answers;
  }

  moves(): string[] | undefined {
    return this.at && describePath(this.game, this.at.actions);
  }

  forEachAnswer(visit: (answer: Answer) => void): void {
    for (const answer of this.answers) {
      this.at = answer;
      visit(answer);
    }
    this.at = undefined;
  }
}

const agentChecks: readonly Check<AgentTrial>[] = [
  {
    name: "legal",
    demand: "an agent decides for a legal action",
    run(trial) {
      trial.forEachAnswer(({ state, decision: { action } }) => {
        const legal = possibleActions(trial.game, state);
        if (!legal.includes(action))
          fail(`the agent chooses action ${text(action)}; legal are ${text([...legal])}`);
      });
    },
  },
  {
    name: "budget",
    demand: "an agent keeps to its budget of nodes, simulations and depth",
    run: checkBudget,
  },
  {
    name: "figures",
    demand:
      "nodes is a whole number of at least 0, depth one or absent, value a number from minReturn to maxReturn or absent",
    run: checkFigures,
  },
  {
    name: "line",
    demand: "the line begins with the decision and holds legal actions of players only, one after the other",
    run: checkLines,
  },
  {
    name: "repeatable",
    demand:
      "a decision depends on the state and the generator alone, not on the decisions before it (newGame is called between)",
    run: checkRepeated,
  },
];

const asking = {
  name: "decides",
  demand: "an agent decides in every position in which a player is to move, whatever happened before",
};

/**
 * Finds faults of an agent of a game by asking it about random positions; the list is empty if there is none. The
 * agent's clock goes on by one millisecond each time the agent reads it, so that even a budget of time gives the same
 * decisions again.
 */
export async function checkAgent(
  game: Game,
  source: AgentSource,
  options: AgentCheckOptions = {},
): Promise<readonly Finding[]> {
  return (await runAgentChecks(game, source, options)).findings;
}

/** Does what `checkAgent` does, and tells how much was checked. */
export async function runAgentChecks(
  game: Game,
  source: AgentSource,
  options: AgentCheckOptions,
): Promise<CheckResult> {
  const { seed = "checks" } = options;
  const { budget } = source;
  const findings: Finding[] = [];
  const answers: Answer[] = [];
  const paths = randomPaths(game, options);
  let asked: readonly number[] = [];
  const ask = async (agent: Agent, at: number): Promise<Decision> => {
    asked = paths[at]!;
    let now = 0;
    const turn = { random: createRandom(seed, "decision", at), budget, clock: () => now++ };
    return agent.choose(replay(game, asked), turn);
  };
  try {
    const first = await inOrder([...paths.keys()], (at) => ask(source.create(), at));
    const agent = source.create();
    const backwards = await inOrder([...paths.keys()].toReversed(), (at) => ask(agent, at));
    agent.newGame?.();
    const again = await inOrder([...paths.keys()], (at) => ask(agent, at));
    for (const [at, actions] of paths.entries()) {
      const state = replay(game, actions);
      for (const other of [backwards.toReversed()[at]!, again[at]!])
        answers.push({ actions, state, decision: first[at]!, again: other });
    }
  } catch (error) {
    addFinding(findings, asking, error, describePath(game, asked));
  }
  findings.push(...runChecks(agentChecks, new AgentTrial(game, budget, answers)));
  return {
    checks: [asking, ...agentChecks].map(({ name }) => name),
    games: paths.length,
    positions: paths.length,
    findings,
  };
}

/**
 * Draws positions with a player to move, each from another random game, and returns the actions that lead to them.
 */
function randomPaths(
  game: Game,
  { seed = "checks", positions = DEFAULT_POSITIONS, minPlies = 0 }: AgentCheckOptions,
): number[][] {
  const random = createRandom(seed, game.id, "positions");
  const trial = new GameTrial(game, { seed, games: positions, maxPositions: LONGEST * positions });
  return Array.from({ length: positions }, (_, number) => {
    const paths: number[][] = [];
    trial.playGame("agent", number, (state) => {
      if (state.toMove >= 0) paths.push(trial.actions());
    });
    const late = paths.slice(minPlies);
    return late[random.below(late.length)];
  }).filter((path) => path !== undefined);
}

/** Returns the results of `run` for the items; each call waits for the one before. */
async function inOrder<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}

function checkBudget(trial: AgentTrial): void {
  const { nodes, simulations, depth } = trial.budget;
  trial.forEachAnswer(({ decision }) => {
    for (const [name, limit] of Object.entries({ nodes, simulations }))
      if (limit !== undefined && decision.nodes > limit)
        fail(`the agent visits ${decision.nodes} nodes; its budget is ${name} = ${limit}`);
    if (depth !== undefined && (decision.depth ?? 0) > depth)
      fail(`the agent searches ${decision.depth} plies; its budget is depth = ${depth}`);
  });
}

function checkFigures(trial: AgentTrial): void {
  const { minReturn, maxReturn } = trial.game;
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
  trial.forEachAnswer(({ decision: { nodes, depth, value } }) => {
    if (!isCount(nodes)) fail(`nodes is ${text(nodes)}`);
    if (depth !== undefined && !isCount(depth)) fail(`depth is ${text(depth)}`);
    // Written so that NaN fails.
    if (value !== undefined && !(value >= minReturn && value <= maxReturn))
      fail(`value is ${text(value)}; returns are from ${minReturn} to ${maxReturn}`);
  });
}

function checkLines(trial: AgentTrial): void {
  const { game } = trial;
  trial.forEachAnswer(({ state, decision: { action, line } }) => {
    if (!Array.isArray(line)) fail(`line is ${text(line)}, not a list of actions`);
    if (line[0] !== action)
      fail(`the decision is ${text(action)}, and the line begins with ${text(line[0])}`);
    const copy = copyOf(game, state);
    for (const [at, next] of line.entries()) {
      const here = `action ${at + 1} of the line ${text([...line])}`;
      if (isOver(copy)) fail(`${here} comes after the end of the game`);
      if (copy.toMove < 0) fail(`${here} is played where chance is to move`);
      if (!possibleActions(game, copy).includes(next)) fail(`${here} is not legal`);
      copy.apply(next);
    }
  });
}

function checkRepeated(trial: AgentTrial): void {
  const { game } = trial;
  const compare = (key: string, equal: boolean, [one, two]: readonly [unknown, unknown]) => {
    if (!equal) fail(`a new agent gives ${key} = ${text(one)}; after other positions it gives ${text(two)}`);
  };
  trial.forEachAnswer(({ state, decision, again }) => {
    if (decision.action !== again.action) {
      const [one, two] = [decision, again].map(({ action }) => nameAction(game, action, state));
      fail(`a new agent decides for "${one}"; after other positions it decides for "${two}"`);
    }
    for (const key of ["value", "depth", "nodes"] as const)
      compare(key, Object.is(decision[key], again[key]), [decision[key], again[key]]);
    compare("line", String(decision.line) === String(again.line), [decision.line, again.line]);
  });
}
