import { Caller } from "../../../base/caller.ts";
import { checkAnswer, parseReply } from "./answers.ts";
import type { Kind, Question, Questions, Setup } from "./messages.ts";

/** The time in which rules answer; an agent may think for longer. */
const PATIENCE_MS = 10_000;

/** The questions to agents. */
const THINKS: ReadonlySet<Kind> = new Set(["decision", "analysis", "opinion", "tree"]);

/** A thread with the rules and the agents of a run, made from the page's own script. It starts with the first question. */
export class Thread {
  private readonly setup: Setup;
  private readonly code: string;
  private worker: Worker | undefined;
  private caller: Caller<Question, unknown> | undefined;

  /** @param code the user's code as a script, which runs before the page's own */
  constructor(setup: Setup, code = "") {
    this.setup = setup;
    this.code = code;
  }

  /**
   * Asks a question. Rejects with the reason if there is no answer. A question that is open when the thread is stopped is
   * never answered.
   */
  async ask<K extends Kind>(kind: K, asked: Questions[K]["asked"]): Promise<Questions[K]["answer"]> {
    const caller = (this.caller ??= this.start());
    const late = () => {
      if (caller === this.caller) this.stop();
      caller.fail(new Error(`the game's code has not answered for ${PATIENCE_MS / 1000} s`));
    };
    const timer = THINKS.has(kind) ? undefined : setTimeout(late, PATIENCE_MS);
    try {
      return checkAnswer(kind, await caller.ask({ kind, ...asked } as Question));
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the thread and forgets open questions. The next question starts it again. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.caller = undefined;
  }

  private start(): Caller<Question, unknown> {
    const script = document.querySelector("#program")!.textContent;
    const address = URL.createObjectURL(new Blob([this.code, script], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    const caller = new Caller<Question, unknown>((call) => worker.postMessage(call));
    worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      const reply = parseReply(data);
      if (reply !== undefined) caller.hear(reply);
    });
    worker.addEventListener("error", ({ message }) => caller.fail(new Error(message)));
    worker.postMessage(this.setup);
    this.worker = worker;
    return caller;
  }
}
