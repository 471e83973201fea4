import { expect, test } from "vitest";
import {
  describeError,
  describeGiven,
  describeRefusal,
  describeThrown,
  fileOfPlace,
  placesOf,
  readableThrown,
  theirPlaceOf,
} from "../../src/base/thrown.ts";

/** An error with a stack as V8 writes it. */
function errorAt(...places: readonly string[]): Error {
  const error = new TypeError("no\nmore");
  error.stack = ["TypeError: no", ...places.map((place) => `    at ${place}`)].join("\n");
  return error;
}

const own = new URL("../../src/agents/greedy.ts", import.meta.url);

test("places are paths with line and column, the innermost first; Node's are left out", () => {
  const error = errorAt(
    "Int32Array.set (<anonymous>)",
    "State.apply (file:///home/my%20games/hex.ts:3:4)",
    "node:internal/process/task_queues:95:5",
    "async file:///home/other.ts:10:1",
    "C:\\games\\hex.ts:7:8",
  );
  expect(placesOf(error)).toEqual([
    "/home/my games/hex.ts:3:4",
    "/home/other.ts:10:1",
    "C:/games/hex.ts:7:8",
  ]);
  expect(fileOfPlace("C:/games/hex.ts:7:8")).toBe("C:/games/hex.ts");
});

test("their place is the innermost one that is neither agon's nor a package's", () => {
  const inside = [`f (${own.href}:1:2)`, "g (/x/node_modules/zod/index.js:1:1)"];
  expect(theirPlaceOf(errorAt(...inside, "h (/x/mine.ts:5:6)"))).toBe("/x/mine.ts:5:6");
  expect(theirPlaceOf(errorAt(...inside))).toBeUndefined();
});

test("what is no error has no place, and any of them is one line", () => {
  expect(placesOf("thrown")).toEqual([]);
  expect(theirPlaceOf(undefined)).toBeUndefined();
  expect([describeError("thrown"), describeError(errorAt())]).toEqual(["thrown", "TypeError: no"]);
});

test("whatever is thrown can be described, with its place where it has one", () => {
  expect(describeThrown(errorAt("move (file:///home/hex.ts:3:4)"))).toBe(
    "TypeError: no, at /home/hex.ts:3:4",
  );
  expect(describeThrown("a text")).toBe("a text");
  expect(describeThrown(undefined)).toBe("undefined");
  const trap = () => {
    throw new Error("trap");
  };
  const hostile = [
    Object.create(null) as unknown,
    Object.defineProperty(new Error("x"), "message", { get: trap }),
    Object.defineProperty(new Error("x"), "stack", { value: 3 }),
    new Proxy({}, { getPrototypeOf: trap }),
  ];
  for (const thrown of hostile) {
    expect(describeThrown(thrown)).toBe("something that cannot be described");
    expect(readableThrown(thrown)).toBe("something that cannot be described");
  }
  for (const thrown of ["a text", undefined, new Error("x")]) expect(readableThrown(thrown)).toBe(thrown);
});

test("what the system refuses is said with the file and what to do; from another thread only the message is left", () => {
  const refusal = (message: string, more: object = {}) =>
    describeRefusal(Object.assign(new Error(message), more));
  expect(refusal("ENOSPC: no space left on device, write", { code: "ENOSPC", path: "a/b.json" })).toBe(
    "a/b.json: the disk is full; make room on it (ENOSPC)",
  );
  expect(refusal("EACCES: permission denied, open '/x y/z'")).toBe(
    "/x y/z: permission denied; look at who owns the file or its folder (EACCES)",
  );
  expect(refusal("EPIPE: broken pipe, write", { code: "EPIPE", path: "/dev/stdout" })).toBe(
    "/dev/stdout: the program that reads it has ended (EPIPE)",
  );
  expect(refusal("ENOSPC: no space left on device, write")).toBe(
    "the disk is full; make room on it (ENOSPC)",
  );
  expect(refusal("disk I/O error", { code: "SQLITE_IOERR_WRITE", path: "r" })).toMatch(
    /^r: the disk refused it: .* \(SQLITE_IOERR_WRITE\)$/,
  );
  for (const other of [
    refusal("x"),
    refusal("EX: y"),
    refusal("x", { code: "ERR_WORKER" }),
    refusal("x", { code: 7 }),
    describeRefusal("ENOSPC: thrown"),
  ])
    expect(other).toBeUndefined();
});

test("a text that was given is shown with forty letters at most", () => {
  expect(describeGiven("x".repeat(40))).toBe(`"${"x".repeat(40)}"`);
  expect(describeGiven("x".repeat(41))).toBe(`"${"x".repeat(40)}..."`);
});
