import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { answerCalls, Caller, callThread, type Call } from "../../src/base/caller.ts";
import { InputError } from "../../src/base/errors.ts";

/** Both ends of a thread that there is not: a message to one end is heard at the other. */
function threadEnds() {
  const [outer, inner] = [new EventEmitter(), new EventEmitter()];
  const post = (to: EventEmitter) => (message: unknown) => void to.emit("message", structuredClone(message));
  return [
    Object.assign(outer, { postMessage: post(inner) }),
    Object.assign(inner, { postMessage: post(outer) }),
  ] as const;
}

describe("a caller", () => {
  test("gets the answer to each question, in whatever order they come", async () => {
    const calls: Call<string>[] = [];
    const caller = new Caller<string, string>((call) => calls.push(call));
    const answers = Promise.all([caller.ask("a"), caller.ask("b")]);
    expect(calls).toHaveLength(2);
    for (const { number, question } of calls.toReversed()) caller.hear({ number, answer: `${question}!` });
    expect(await answers).toEqual(["a!", "b!"]);
    // Nobody waits for it.
    caller.hear({ number: 1, answer: "late" });
  });

  test("may ask again after a failure, but not after the end", async () => {
    const calls: Call<string>[] = [];
    const caller = new Caller<string, string>((call) => calls.push(call));
    const first = caller.ask("a");
    caller.fail(new Error("too late"));
    await expect(first).rejects.toThrow("too late");
    const second = caller.ask("b");
    caller.hear({ number: 2, answer: "yes" });
    expect(await second).toBe("yes");
    const third = caller.ask("c");
    caller.end(new Error("it died"));
    caller.end(new Error("exit code 1"));
    await expect(third).rejects.toThrow("it died");
    await expect(caller.ask("d")).rejects.toThrow("it died");
    expect(calls.map(({ question }) => question)).toEqual(["a", "b", "c"]);
  });

  test("of a thread gets what the thread answers or throws, until it ends", async () => {
    const [thread, port] = threadEnds();
    const caller = callThread<number, number>(thread);
    answerCalls(port, (question: number) => {
      if (question < 0) throw new InputError("must be 0 or more");
      if (question === 0) throw new RangeError("zero");
      return 1 / question;
    });
    expect(await caller.ask(4)).toBe(0.25);
    await expect(caller.ask(-1)).rejects.toThrow(InputError);
    await expect(caller.ask(0)).rejects.toThrow(new Error("zero"));
    thread.emit("exit", 3);
    await expect(caller.ask(4)).rejects.toThrow("its thread ended with exit code 3");
  });
});
