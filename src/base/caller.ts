import { InputError } from "./errors.ts";

/*
 * Questions to somebody elsewhere, such as a thread. A question travels with a number, and its reply has the same number.
 */

/** A question on its way. */
export interface Call<Question> {
  readonly number: number;
  readonly question: Question;
}

/** The answer to a call, or the reason why there is none. */
export type Reply<Answer> = { readonly number: number } & (
  | { readonly answer: Answer }
  | { readonly failure: { readonly name: string; readonly message: string } }
);

/** The two ends of a question. */
interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** Asks questions. Each is settled once: by its answer, by its failure, or by the end of the other side. */
export class Caller<Question, Answer> {
  private readonly send: (call: Call<Question>) => void;
  private readonly waiting = new Map<number, Waiting<Answer>>();
  private number = 0;
  private ended: Error | undefined;

  constructor(send: (call: Call<Question>) => void) {
    this.send = send;
  }

  /** Asks a question. Rejects with the other side's failure, an InputError as such, or with the reason of its end. */
  async ask(question: Question): Promise<Answer> {
    if (this.ended !== undefined) throw this.ended;
    const number = ++this.number;
    return new Promise<Answer>((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.send({ number, question });
    });
  }

  /** Takes a reply. Replies to questions that are settled count for nothing. */
  hear(reply: Reply<Answer>): void {
    const asked = this.waiting.get(reply.number);
    this.waiting.delete(reply.number);
    if ("answer" in reply) asked?.resolve(reply.answer);
    else asked?.reject(errorOf(reply.failure));
  }

  /** Settles the open questions with an error. */
  fail(error: Error): void {
    for (const asked of this.waiting.values()) asked.reject(error);
    this.waiting.clear();
  }

  /** The other side has ended: open questions and all later ones fail. The first reason counts. */
  end(error: Error): void {
    this.ended ??= error;
    this.fail(this.ended);
  }
}

/** The part of a thread of Node that calls need, or of its port on the inner side. */
interface ThreadEnd {
  postMessage(message: unknown): void;
  // oxlint-disable-next-line typescript/no-explicit-any -- what is heard depends on the event
  on(event: string, hear: (given: any) => void): unknown;
}

/** A caller of a thread that answers by `answerCalls`. It ends with the thread. */
export function callThread<Question, Answer>(thread: ThreadEnd): Caller<Question, Answer> {
  const caller = new Caller<Question, Answer>((call) => thread.postMessage(call));
  thread.on("message", (reply: Reply<Answer>) => caller.hear(reply));
  thread.on("error", (error: unknown) =>
    caller.end(error instanceof Error ? errorOf(error) : new Error(String(error))),
  );
  thread.on("exit", (code: number) => caller.end(new Error(`its thread ended with exit code ${code}`)));
  return caller;
}

/** Answers the calls that arrive at a thread's port. */
export function answerCalls<Question, Answer>(
  port: ThreadEnd,
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  port.on(
    "message",
    (call: Call<Question>) => void replyTo(call, answer).then((made) => port.postMessage(made)),
  );
}

/** The reply to a call: what `answer` gives, or what it throws. */
async function replyTo<Question, Answer>(
  { number, question }: Call<Question>,
  answer: (question: Question) => Answer | Promise<Answer>,
): Promise<Reply<Answer>> {
  try {
    return { number, answer: await answer(question) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { number, failure: { name, message } };
  }
}

/** An error from elsewhere: only its name and its message have travelled. */
function errorOf({ name, message }: { readonly name: string; readonly message: string }): Error {
  return name === "InputError" ? new InputError(message) : new Error(message);
}
