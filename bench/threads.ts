import { performance } from "node:perf_hooks";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom } from "../src/base/random.ts";
import type { AgentSpec } from "../src/agents/agent.ts";
import type { Game, State } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { loadAgent, parseAgentSpec } from "../src/specs/agents.ts";

/**
 * The gain of threads in one decision: `npm run bench -- threads [GAME] [AGENT] [THREADS] [POSITIONS]`. In each of some
 * positions of random play, one thread and several decide in turns. With a budget of time, in which nodes a second are
 * compared; with one of depth, the time to it. A mean over positions is geometric. There must be a core for each
 * thread.
 */
const [, , id = "chess", given = "alpha-beta:timeMs=1000,evaluator=piece-squares", many = "2", count = "10"] =
  process.argv;
const PLIES = 16;

raiseInliningBudget();
const game = createGame(id);
const spec = parseAgentSpec(given);
const alone = await decider({ ...spec, threads: 1 });
const together = await decider({ ...spec, threads: Number(many) });
const random = createRandom("threads", id);
let nodes = 0;
let time = 0;
for (let at = 0; at < Number(count); at++) {
  const state = randomPosition(game);
  const one = await alone(state);
  const all = await together(state);
  const ratios = { nodes: all.nodesPerMs / one.nodesPerMs, time: one.ms / all.ms };
  nodes += Math.log(ratios.nodes);
  time += Math.log(ratios.time);
  console.log(
    `${at + 1}: depth ${one.depth} and ${all.depth}, ${one.ms.toFixed(0)} and ${all.ms.toFixed(0)} ms, ` +
      `${one.nodesPerMs.toFixed(0)} and ${all.nodesPerMs.toFixed(0)} nodes/ms`,
  );
}
const mean = (sum: number) => Math.exp(sum / Number(count)).toFixed(2);
console.log(
  `${many} threads against 1: ${mean(nodes)} times the nodes a second, ${mean(time)} times as fast`,
);

/** Asks one agent again and again; its threads are there before it is asked the first time. */
async function decider(agentSpec: AgentSpec) {
  const prepared = await loadAgent(game, agentSpec);
  const { budget } = prepared;
  const agent = prepared.create();
  const clock = () => performance.now();
  const decide = async (state: State, limits = budget) => {
    agent.newGame?.();
    const view = game.start();
    view.copyFrom(state);
    const begun = clock();
    const decision = await agent.choose(view, { random: createRandom("bench"), budget: limits, clock });
    const ms = clock() - begun;
    return { ms, depth: decision.depth ?? 0, nodesPerMs: decision.nodes / ms };
  };
  await decide(game.start(), { timeMs: 3000 });
  return decide;
}

function randomPosition(of: Game): State {
  for (;;) {
    const state = of.start();
    for (let ply = 0; ply < PLIES && state.toMove >= 0; ply++) {
      const actions = possibleActions(of, state);
      state.apply(actions[random.below(actions.length)]!);
    }
    if (state.toMove >= 0) return state;
  }
}
