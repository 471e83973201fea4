import { cpuUsage } from "node:process";
import { prepareAgent, type PreparedAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../src/games/game.ts";
import { createGame } from "../src/games/index.ts";

/**
 * Expectimax with and without what it leaves out: nodes and processor time of one search to a depth, summed over
 * positions of games in which every player is greedy: `npm run bench -- chance-search [GAME DEPTH EVALUATOR
 * POSITIONS]`.
 */
const USUAL = [
  ["backgammon", "2", "pubeval", "40"],
  ["2048", "3", "order", "40"],
  ["pig", "6", "race", "40"],
];
const KINDS = [
  { pruning: "none", table: 0, ordering: "none" },
  { pruning: "star1", table: 0, ordering: "history" },
  { pruning: "star2", table: 0, ordering: "none" },
  { pruning: "star2", table: 0, ordering: "history" },
  { pruning: "none", table: 2 ** 16, ordering: "none" },
  { pruning: "star1", table: 2 ** 16, ordering: "history" },
  { pruning: "star2", table: 2 ** 16, ordering: "history" },
  { pruning: "none", table: 0, ordering: "none", deepening: true },
  { pruning: "star2", table: 2 ** 16, ordering: "history", deepening: true },
];

raiseInliningBudget();
const given = process.argv.slice(2);
for (const [id = "", depth, evaluator, count] of given.length > 0 ? [given] : USUAL) {
  const game = createGame(id);
  const positions = positionsOf(game, evaluator!, Number(count ?? 40));
  let plain = 0;
  let wanted: number[] = [];
  for (const kind of KINDS) {
    const spec = {
      agent: "expectimax",
      depth: Number(depth),
      evaluator,
      deepening: false,
      ties: "first",
      ...kind,
    };
    const { nodes, ms, values } = search(prepareAgent(game, spec), positions);
    if (plain === 0) {
      plain = nodes;
      wanted = values;
    }
    const apart = Math.max(...values.map((value, at) => Math.abs(value - wanted[at]!)));
    console.log(
      `${id} depth ${depth}: pruning ${kind.pruning}, table ${kind.table}, ordering ${kind.ordering}: ${nodes} nodes ` +
        `(${((100 * nodes) / plain).toFixed(1)}%), ${ms.toFixed(0)} ms, values at most ${apart.toPrecision(1)} apart`,
    );
  }
}

/** One search of each position with a new agent. */
function search(prepared: PreparedAgent, positions: readonly State[]) {
  const agent = prepared.create();
  const values: number[] = [];
  let nodes = 0;
  const before = cpuUsage().user;
  for (const position of positions) {
    const decision = agent.choose(position, {
      random: createRandom("bench"),
      budget: prepared.budget,
      clock: () => 0,
    });
    if (decision instanceof Promise) throw new Error("expectimax decides at once");
    nodes += decision.nodes;
    values.push(decision.value!);
  }
  return { nodes, ms: (cpuUsage().user - before) / 1000, values };
}

/** Positions at random plies of games in which every player takes the action of the highest estimate. */
function positionsOf(game: Game, evaluator: string, count: number): State[] {
  const random = createRandom("chance-search", game.id);
  const greedy = prepareAgent(game, { agent: "greedy", evaluator, epsilon: 0.1 });
  const outcomes = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  return Array.from({ length: count }, () => {
    const seen: State[] = [];
    const state = game.start();
    const agent = greedy.create();
    while (state.toMove !== TERMINAL && seen.length < 300) {
      if (state.toMove === CHANCE) {
        const end = state.chanceOutcomes(outcomes, probabilities, 0);
        state.apply(outcomes[random.weighted(probabilities, 0, end)]);
        continue;
      }
      const copy = game.start();
      copy.copyFrom(state);
      seen.push(copy);
      const decision = agent.choose(state, { random, budget: {}, clock: () => 0 });
      if (decision instanceof Promise) throw new Error("greedy decides at once");
      state.apply(decision.action);
    }
    return seen[random.below(seen.length)]!;
  });
}
