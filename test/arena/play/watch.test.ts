import { expect, test } from "vitest";
import { HOSTED, IDLE, SEAT, STATUS_BYTES, TURN, WorkClock } from "../../../src/arena/play/watch.ts";

const limits = { moveMs: 1000, idleMs: 20_000 };

function begin(seat: number): { clock: WorkClock; status: Int32Array } {
  const status = new Int32Array(STATUS_BYTES / 4);
  status[SEAT] = seat;
  return { clock: new WorkClock(limits), status };
}

/** Looks every 50 ms; the time of the look that finds a limit passed, and that limit. */
function passes(
  { clock, status }: ReturnType<typeof begin>,
  untilMs = 100_000,
): [number, number] | undefined {
  for (let now = 0; now < untilMs; now += 50) {
    const limit = clock.look(status, now);
    if (limit !== undefined) return [now, limit];
  }
  return undefined;
}

test("each kind of work has its own limit", () => {
  expect(passes(begin(1))).toEqual([1050, 1000]);
  expect(passes(begin(IDLE))).toEqual([20_050, 20_000]);
  expect(passes(begin(HOSTED))).toBeUndefined();
});

test("other work begins at nothing", () => {
  const { clock, status } = begin(0);
  for (let now = 0; now < 60_000; now += 50) {
    if (now % 900 === 0) status[TURN]!++;
    expect(clock.look(status, now)).toBeUndefined();
  }
});

test("a machine that slept, or a stopped process, is no agent's fault", () => {
  const { clock, status } = begin(0);
  expect(clock.look(status, 0)).toBeUndefined();
  expect(clock.look(status, 50)).toBeUndefined();
  expect(clock.look(status, 3_600_000)).toBeUndefined();
  expect(clock.look(status, 3_600_050)).toBeUndefined();
  // A clock that is set back is none either.
  expect(clock.look(status, 10)).toBeUndefined();
});

test("an agent that hangs is found even where every look is late", () => {
  const { clock, status } = begin(0);
  let looks = 0;
  while (clock.look(status, looks * 400) === undefined) looks++;
  expect(looks).toBe(11);
});
