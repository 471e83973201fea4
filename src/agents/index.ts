import type { AgentFamily } from "./agent.ts";
import { alphaBeta } from "./alpha-beta/alpha-beta.ts";
import { bestReply } from "./best-reply.ts";
import { expectimax } from "./expectimax.ts";
import { greedy } from "./greedy.ts";
import { maxN } from "./max-n.ts";
import { mcts } from "./mcts/mcts.ts";
import { minimax } from "./minimax.ts";
import { paranoid } from "./paranoid.ts";
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
