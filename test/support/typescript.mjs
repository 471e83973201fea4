/*
 * Lets Node import TypeScript, where it cannot do so by itself: Node 20. Tests are ordinary modules then. What vitest makes of a
 * module reads every import anew at each use, which makes searches and tables several times slower.
 */
import { register } from "node:module";
import process from "node:process";

const done = Symbol.for("agon strips types");
if (process.features.typescript === undefined && globalThis[done] === undefined) {
  register("./strip-types.mjs", import.meta.url);
  globalThis[done] = true;
}
