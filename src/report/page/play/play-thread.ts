import { createRandom } from "../../../base/random.ts";
import type { Agent, Budget } from "../../../agents/agent.ts";
import { prepareAgent } from "../../../agents/prepare.ts";
import { namedEvaluator } from "../../../evaluators/index.ts";
import { unflatten } from "../../../evaluators/models.ts";
import { createStored } from "../../../evaluators/stored-weights.ts";
import type { Evaluator, Game } from "../../../game/game.ts";
import { createGame } from "../../../games/index.ts";
import type { PageData, TournamentData } from "../data.ts";
import { stateAfter } from "../game-text.ts";

/*
 * The agents of a run, in a thread of their own, with the same code as in tournaments.
 */

/** The first message to the thread: everything that an agent is made from. */
export interface Setup {
  readonly game: TournamentData["game"];
  readonly entrants: TournamentData["entrants"];
  readonly weights: PageData["weights"];
}

/** A question for the action of an entrant after these actions. */
interface Question {
  readonly number: number;
  readonly entrant: number;
  readonly actions: readonly number[];
}

/** The answer: an action, or an `error`. */
export interface Answer {
  readonly number: number;
  readonly action?: number;
  readonly value?: number;
  readonly depth?: number;
  readonly nodes?: number;
  readonly error?: string;
}

/** The page's side: asks the agents of a run, in a thread that is made from the page's own script. */
export class Opponents {
  private readonly thread: Worker;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  constructor(setup: Setup) {
    const script = document.querySelector("#program")!.textContent;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.thread = new Worker(address);
    URL.revokeObjectURL(address);
    this.thread.addEventListener("message", (event: MessageEvent<Answer>) => {
      this.waiting.get(event.data.number)?.(event.data);
      this.waiting.delete(event.data.number);
    });
    this.thread.addEventListener("error", ({ message }) => {
      for (const [number, give] of this.waiting) give({ number, error: message });
      this.waiting.clear();
    });
    this.thread.postMessage(setup);
  }

  /** Asks what the entrant plays after these actions. */
  ask(entrant: number, actions: readonly number[]): Promise<Answer> {
    const number = ++this.asked;
    const question: Question = { number, entrant, actions };
    return new Promise((resolve) => {
      this.waiting.set(number, resolve);
      this.thread.postMessage(question);
    });
  }

  /** Ends the thread; open questions are not answered. */
  close(): void {
    this.thread.terminate();
  }
}

/** Thinks about questions, one after the other. */
class Thinker {
  private readonly setup: Setup;
  private readonly game: Game;
  private readonly agents = new Map<number, Promise<{ agent: Agent; budget: Budget }>>();

  constructor(setup: Setup) {
    this.setup = setup;
    this.game = createGame(setup.game);
  }

  async answer({ number, entrant, actions }: Question): Promise<Answer> {
    try {
      const { agent, budget } = await this.agent(entrant);
      const state = stateAfter(this.game, actions, actions.length);
      // The same position gives the same move in every browser.
      const random = createRandom("page", String(entrant), actions.join());
      const { action, value, depth, nodes } = await agent.choose(state, {
        random,
        budget,
        clock: () => performance.now(),
      });
      return {
        number,
        action,
        nodes,
        ...(value !== undefined && { value }),
        ...(depth !== undefined && { depth }),
      };
    } catch (error) {
      return { number, error: error instanceof Error ? error.message : String(error) };
    }
  }

  private agent(entrant: number): Promise<{ agent: Agent; budget: Budget }> {
    const known = this.agents.get(entrant);
    if (known !== undefined) return known;
    const made = this.make(entrant);
    this.agents.set(entrant, made);
    return made;
  }

  private async make(entrant: number): Promise<{ agent: Agent; budget: Budget }> {
    const { game } = this;
    const { spec, weights } = this.setup.entrants[entrant]!;
    const stored = weights === undefined ? undefined : await this.evaluator(weights);
    // A page starts no threads for an agent: here it decides alone.
    const { threads: _, ...alone } = spec;
    const prepared = prepareAgent(game, alone as typeof spec, {
      loadEvaluator: (_, name) => stored ?? namedEvaluator(game, name),
      // The page does not carry tables: here the agent plays without them.
      loadTablesAndBook: () => ({}),
    });
    return { agent: prepared.create(), budget: prepared.budget };
  }

  /** The evaluator of weights that the page carries. */
  private async evaluator(name: string): Promise<Evaluator> {
    const { game } = this;
    const found = this.setup.weights[name]!;
    const bytes = Uint8Array.from(atob(found.data), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const weights = new Float32Array(await new Response(stream).arrayBuffer());
    const { model } = found;
    return createStored(
      game,
      model.kind === "network" ? { model, network: unflatten(game, model, weights) } : { model, weights },
    );
  }
}

/** The thread's side: answers the page's questions. The first message is the setup. */
export function startPlayThread(): void {
  let thinker: Thinker | undefined;
  addEventListener("message", (event: MessageEvent<Setup | Question>) => {
    const { data } = event;
    if ("game" in data) thinker = new Thinker(data);
    else void thinker!.answer(data).then((answer) => postMessage(answer));
  });
}
