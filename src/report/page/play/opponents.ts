import type { Answer, Question, Setup } from "./worker.ts";

/** The agents of a run, in a worker that is made from the page's own script. */
export class Opponents {
  private readonly worker: Worker;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private asked = 0;

  constructor(setup: Setup) {
    const script = document.querySelector("#program")!.textContent;
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(address);
    URL.revokeObjectURL(address);
    this.worker.addEventListener("message", (event: MessageEvent<Answer>) => {
      this.waiting.get(event.data.number)?.(event.data);
      this.waiting.delete(event.data.number);
    });
    this.worker.addEventListener("error", ({ message }) => {
      for (const [number, give] of this.waiting) give({ number, error: message });
      this.waiting.clear();
    });
    this.worker.postMessage(setup);
  }

  /** What the entrant plays after these actions. */
  ask(entrant: number, actions: readonly number[]): Promise<Answer> {
    const number = ++this.asked;
    const question: Question = { number, entrant, actions };
    return new Promise((resolve) => {
      this.waiting.set(number, resolve);
      this.worker.postMessage(question);
    });
  }

  /** Ends the worker; what it was asked is not answered. */
  close(): void {
    this.worker.terminate();
  }
}
