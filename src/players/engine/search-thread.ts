import { parentPort, workerData } from "node:worker_threads";
import type { Agent, Decision } from "../../agents/agent.ts";
import { describeThrown } from "../../base/thrown.ts";
import { createRandom } from "../../base/random.ts";
import type { Game } from "../../games/contract/game.ts";
import {
  LAST_STOPPED,
  type EngineLoader,
  type SearchNews,
  type SearchSetup,
  type SearchTask,
} from "./search.ts";

/*
 * The thread in which an agent decides while its engine listens. Searches look at the clock, so that is how they are
 * stopped: the time leaps.
 */

/** Longer than any limit of time. */
const LEAP_MS = 1e12;

const { loader, game: spec, agent: agentSpec, seed, flags } = workerData as SearchSetup;
const tell = (news: SearchNews) => parentPort!.postMessage(news);
const random = createRandom(seed, "engine");

async function search(agent: Agent, game: Game, task: SearchTask): Promise<void> {
  const { number, played, budget, clocks, ranked } = task;
  const root = played.from === undefined ? game.start() : game.parseState(played.from);
  for (const action of played.actions) root.apply(action);
  // Each look leaps further: a search that is stopped before it begins takes its deadline from the first one.
  let leaps = 0;
  const clock = () =>
    performance.now() + LEAP_MS * (Atomics.load(flags, LAST_STOPPED) >= number ? ++leaps : 0);
  const begun = performance.now();
  const timed = (decision: Decision) => ({ decision, timeMs: performance.now() - begun });
  const decision = await agent.choose(root, {
    random,
    budget,
    clock,
    played: () => played,
    ...(clocks && { clocks }),
    ...(ranked > 1 && { ranked }),
    onIteration: (found) => tell({ type: "iteration", number, ...timed(found) }),
  });
  tell({ type: "decision", number, ...timed(decision) });
}

const { engineLoader } = (await import(loader)) as { engineLoader: EngineLoader };
const game = await engineLoader.loadGame(spec);
const agent = (await engineLoader.prepareAnyBudget(game, agentSpec)).create();
tell({ type: "ready" });
let answered: Promise<unknown> = Promise.resolve();
parentPort!.on("message", (task: SearchTask | "new game") => {
  answered = answered.then(async () => {
    try {
      if (task === "new game") await agent.newGame?.();
      else await search(agent, game, task);
    } catch (error) {
      if (task === "new game") throw error;
      tell({ type: "problem", number: task.number, problem: describeThrown(error) });
    }
  });
});
