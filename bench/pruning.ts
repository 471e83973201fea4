import { cpuUsage } from "node:process";
import { prepareAgent, type PreparedAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { parseGameSpec } from "../src/specs/games.ts";

/**
 * Searches with and without pruning: nodes and processor time of one search to a depth, summed over positions of games
 * in which every player is greedy: `npm run bench -- pruning [AGENT [POSITIONS]]`.
 */
const ALL_OFF = "pruning=none,table=0,ordering=none";
const EXPECTIMAX = [
  `${ALL_OFF},deepening=false`,
  ALL_OFF,
  "pruning=star1,table=0",
  "pruning=star2,table=0,ordering=none",
  "pruning=star2,table=0",
  "pruning=none",
  "pruning=star2",
];
const MAX_N = [
  "pruning=none,ordering=none,deepening=false",
  "pruning=none,ordering=none",
  "pruning=shallow",
  "pruning=speculative,ordering=none",
  "pruning=speculative",
];
const AGAINST_ME = [
  "table=0,ordering=none,deepening=false",
  "table=0,ordering=none",
  "table=0",
  "ordering=none",
  "",
];
const STAR = "chinese-checkers:side=2,players=";
const SEARCHES = [
  ["backgammon", "expectimax:depth=2,evaluator=pubeval", EXPECTIMAX],
  ["backgammon", "expectimax:depth=2,evaluator=pip-count", EXPECTIMAX],
  ["2048", "expectimax:depth=3,evaluator=order", EXPECTIMAX],
  ["2048", "expectimax:depth=4,evaluator=order", EXPECTIMAX],
  ["pig", "expectimax:depth=6,evaluator=race", EXPECTIMAX],
  [`${STAR}3`, "max-n:depth=3,evaluator=distance", MAX_N],
  [`${STAR}3`, "max-n:depth=4,evaluator=distance", MAX_N],
  [`${STAR}4`, "max-n:depth=4,evaluator=distance", MAX_N],
  ["pig:players=3", "max-n:depth=5,evaluator=race", MAX_N],
  ["nim:players=3", "max-n:depth=6,evaluator=exact", MAX_N],
  [`${STAR}3`, "paranoid:depth=5,evaluator=distance", AGAINST_ME],
  [`${STAR}4`, "paranoid:depth=5,evaluator=distance", AGAINST_ME],
  [`${STAR}3`, "best-reply:depth=5,evaluator=distance", AGAINST_ME],
  [`${STAR}4`, "best-reply:depth=5,evaluator=distance", AGAINST_ME],
] as const;

raiseInliningBudget();
const [only, count = "40"] = process.argv.slice(2);
for (const [gameText, base, kinds] of SEARCHES) {
  if (only !== undefined && !base.startsWith(`${only}:`)) continue;
  const game = createGame(parseGameSpec(gameText, "."));
  const evaluator = parseAgentSpec(base)["evaluator"] as string;
  const positions = positionsOf(game, evaluator, Number(count));
  console.log(`${gameText} ${base}`);
  let plain = 0;
  let wanted: number[] = [];
  for (const kind of kinds) {
    const spec = parseAgentSpec(kind === "" ? `${base},ties=first` : `${base},ties=first,${kind}`);
    const { nodes, ms, values } = search(prepareAgent(game, spec), positions);
    if (plain === 0) {
      plain = nodes;
      wanted = values;
    }
    const apart = Math.max(...values.map((value, at) => Math.abs(value - wanted[at]!)));
    console.log(
      `  ${kind || "default"}: ${nodes} nodes (${((100 * nodes) / plain).toFixed(1)}%), ${ms.toFixed(0)} ms, ` +
        `values at most ${apart.toPrecision(1)} apart`,
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
    if (decision instanceof Promise) throw new Error("this agent decides later");
    nodes += decision.nodes;
    values.push(decision.value!);
  }
  return { nodes, ms: (cpuUsage().user - before) / 1000, values };
}

/** Positions at random plies of games in which every player takes the action of the highest estimate. */
function positionsOf(game: Game, evaluator: string, count: number): State[] {
  const random = createRandom("pruning", game.id);
  const greedy = prepareAgent(game, { agent: "greedy", evaluator, epsilon: 0.1 });
  const outcomes = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  return Array.from({ length: count }, () => {
    const seen: State[] = [];
    const state = game.start();
    const agent = greedy.create();
    while (state.toMove !== TERMINAL && seen.length < 300) {
      if (state.toMove === CHANCE) {
        const end = state.chanceOutcomes!(outcomes, probabilities, 0);
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
