import { bestReply, paranoid } from "./against-me.ts";
import type { AgentFamily } from "./agent.ts";
import { alphaBeta } from "./alpha-beta/agent.ts";
import { expectimax } from "./expectimax/expectimax.ts";
import { greedy } from "./greedy.ts";
import { maxN } from "./max-n.ts";
import { mcts } from "./mcts/mcts.ts";
import { minimax } from "./minimax.ts";
import { policy } from "./policy.ts";
import { random } from "./random.ts";

/** Every agent, by id. */
export const agents: Readonly<Record<string, AgentFamily>> = {
  random,
  policy,
  greedy,
  minimax,
  "alpha-beta": alphaBeta,
  expectimax,
  "max-n": maxN,
  paranoid,
  "best-reply": bestReply,
  mcts,
};
