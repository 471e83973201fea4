import { checkAnswer, parseReply } from "./answers.ts";
import type { Kind, Question, Questions, Reply, Setup } from "./messages.ts";

/** The time in which rules answer; an agent may think for longer. */
const PATIENCE_MS = 10_000;

/** A thread with the rules and the agents of a run, made from the page's own script. It starts with the first question. */
export class Thread {
  private readonly setup: Setup;
  private readonly code: string;
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private asked = 0;

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
    const number = ++this.asked;
    const worker = (this.worker ??= this.start());
    const reply = await new Promise<Reply>((resolve) => {
      const isPatient = kind === "decision" || kind === "analysis";
      const late = () => {
        if (!this.waiting.has(number)) return;
        this.stop();
        resolve({ number, error: `the game's code has not answered for ${PATIENCE_MS / 1000} s` });
      };
      const timer = isPatient ? undefined : setTimeout(late, PATIENCE_MS);
      this.waiting.set(number, (given) => {
        clearTimeout(timer);
        resolve(given);
      });
      worker.postMessage({ number, kind, ...asked } as Question);
    });
    if (reply.answer === undefined) throw new Error(reply.error);
    return checkAnswer(kind, reply.answer);
  }

  /** Ends the thread and forgets open questions. The next question starts it again. */
  stop(): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.waiting.clear();
  }

  private start(): Worker {
    const script = document.querySelector("#program")!.textContent;
    const address = URL.createObjectURL(new Blob([this.code, script], { type: "text/javascript" }));
    const worker = new Worker(address);
    URL.revokeObjectURL(address);
    worker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
      const reply = parseReply(data);
      if (reply === undefined) return;
      this.waiting.get(reply.number)?.(reply);
      this.waiting.delete(reply.number);
    });
    worker.addEventListener("error", ({ message }) => {
      for (const [number, give] of this.waiting) give({ number, error: message });
      this.waiting.clear();
    });
    worker.postMessage(this.setup);
    return worker;
  }
}
