import { parentPort, workerData } from "node:worker_threads";
import { createHelper } from "../agents/index.ts";
import type { Helper } from "../agents/agent.ts";
import { answerCalls } from "../base/caller.ts";
import { createRandom } from "../base/random.ts";
import type { Game, State } from "../games/contract/game.ts";
import { OVER, type HelperSetup, type Loader, type NumberedTask } from "./helper-threads.ts";

/*
 * A thread that helps an agent to decide. It makes the same agent, and searches the position of each task until the
 * decision is made.
 */

class HelperInThread {
  private readonly setup: HelperSetup;
  private readonly game: Game;
  private readonly helper: Helper;
  /** The position in which the search begins. With endgame tables it belongs to the game that ends at them. */
  private readonly view: State;

  constructor(setup: HelperSetup, game: Game, { helper, view }: { helper: Helper; view: State }) {
    this.setup = setup;
    this.game = game;
    this.helper = helper;
    this.view = view;
  }

  /** The helper's report of a task. */
  help({ played, hash, budget, seed, number }: NumberedTask): unknown {
    const { game, helper, setup, view } = this;
    Atomics.store(setup.tasks, setup.number, number);
    const root = played.from === undefined ? game.start() : game.parseState(played.from);
    for (const action of played.actions) root.apply(action);
    if (root.hashLow !== hash[0] || root.hashHigh !== hash[1])
      throw new Error("it came to another position, as not all that led to it is known");
    view.copyFrom(root);
    // The clock stands still until the decision is made.
    let now = 0;
    const clock = () => (Atomics.load(setup.tasks, OVER) >= number ? ++now : now);
    const random = createRandom("helper", seed, setup.number);
    return helper.help(view, { random, budget: { ...budget, timeMs: 1 }, clock });
  }
}

async function start(setup: HelperSetup): Promise<HelperInThread> {
  const { prepareFromSpecs } = (await import(setup.loader)) as Loader;
  const { threads: _, ...alone } = setup.agent;
  const { game, prepared } = await prepareFromSpecs(setup.game, alone as typeof setup.agent);
  const helper = createHelper(prepared, setup);
  return new HelperInThread(setup, game, { helper, view: prepared.parts.game.start() });
}

const helper = await start(workerData as HelperSetup);
answerCalls(parentPort!, (task: NumberedTask) => helper.help(task));
