import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ready } from "../../src/queue/worker/kits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The things that were made and closed, in this order. */
function readyOf(most: number) {
  const events: string[] = [];
  const make = async (name: string) => {
    events.push(`make ${name}`);
    await Promise.resolve();
    if (name === "broken") throw new Error("broken");
    return { name, close: () => void events.push(`close ${name}`) };
  };
  return { ready: new Ready(make, most), events };
}

/** Work that ends when it is told to. */
function longWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { end, work: async () => ended };
}

test("is made once for many jobs, and closed a minute after the last", async () => {
  const { ready, events } = readyOf(3);
  const [first, second] = [longWork(), longWork()];
  const both = [ready.using("a", first.work), ready.using("a", second.work)];
  await vi.advanceTimersByTimeAsync(0);
  expect(ready.names).toEqual(["a"]);
  first.end();
  await vi.advanceTimersByTimeAsync(100_000);
  expect(events).toEqual(["make a"]);
  second.end();
  await Promise.all(both);
  expect(ready.names).toEqual([]);
  await vi.advanceTimersByTimeAsync(50_000);
  await ready.using("a", async () => {});
  await vi.advanceTimersByTimeAsync(50_000);
  expect(events).toEqual(["make a"]);
  await vi.advanceTimersByTimeAsync(10_001);
  expect(events).toEqual(["make a", "close a"]);
  await ready.using("a", async () => {});
  expect(events).toEqual(["make a", "close a", "make a"]);
});

test("of more than are kept, the one that was used longest ago is closed, and none at work", async () => {
  const { ready, events } = readyOf(2);
  const busy = longWork();
  const working = ready.using("a", busy.work);
  for (const name of ["b", "c", "b", "d"]) await ready.using(name, async () => {});
  expect(events).toEqual(["make a", "make b", "make c", "close b", "make b", "close c", "make d", "close b"]);
  busy.end();
  await working;
  await ready.using("e", async () => {});
  expect(events.slice(-2)).toEqual(["make e", "close a"]);
});

test("what cannot be made is tried anew", async () => {
  const { ready, events } = readyOf(2);
  const asked = ["broken", "broken"].map(async (name) => ready.using(name, async () => {}));
  for (const one of asked) await expect(one).rejects.toThrow("broken");
  await expect(ready.using("broken", async () => {})).rejects.toThrow("broken");
  expect(events).toEqual(["make broken", "make broken"]);
  await vi.advanceTimersByTimeAsync(100_000);
  expect(ready.names).toEqual([]);
});
