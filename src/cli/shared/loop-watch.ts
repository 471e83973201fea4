import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The thread of the watch. Through the inspector it stops the main thread, which an endless loop does not. */
const WATCH = `
const { Session } = require("node:inspector");
const { closeSync, writeSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const { beats, limitMs, own, json } = workerData;
const session = new Session();
const urls = new Map();
session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => urls.set(scriptId, url));
session.connectToMainThread();
session.on("Debugger.paused", ({ params: { callFrames } }) => {
  const frames = callFrames.map((frame) => ({ ...frame, url: urls.get(frame.location.scriptId) ?? frame.url }));
  const theirs = frames.find(({ url }) => url !== "" && !url.startsWith("node:") && !url.includes("/node_modules/") && !url.startsWith(own));
  const { functionName, url, location } = theirs ?? frames[0];
  const place = decodeURIComponent(url.replace("file://", "")) + ":" + (location.lineNumber + 1) + ":" + (location.columnNumber + 1);
  const found = "a call has not returned for " + limitMs / 1000 + " s: it stands in " + (functionName || "a function") + " at " + place;
  const demand = "every call returns";
  writeSync(1, json ? JSON.stringify({ findings: [{ check: "returns-at-all", found, demand, thrownAt: place }] }) + "\\n" : "returns-at-all: " + found + "\\n  the contract: " + demand + "\\n");
  // Node would say on standard error that it waits for a debugger.
  closeSync(2);
  session.post("Debugger.evaluateOnCallFrame", { callFrameId: callFrames[0].callFrameId, expression: "process.reallyExit(1)" });
});
session.post("Debugger.enable");

parentPort.once("message", () => {
  session.disconnect();
  process.exit();
});
let last = -1;
let since = Date.now();
const timer = setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now !== last) since = Date.now();
  last = now;
  if (Date.now() - since <= limitMs) return;
  clearInterval(timer);
  session.post("Debugger.pause");
}, 100);
`;

/**
 * Watches this thread. Where `beat` is not called for the limit, it prints the call that the thread stands in as a finding,
 * and ends the process with exit code 1.
 */
export function watchLoops(limitMs: number, json: boolean): { beat(): void; end(): Promise<unknown> } {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const own = new URL("../../", import.meta.url).href;
  const watch = new Worker(WATCH, { eval: true, workerData: { beats, limitMs, own, json } });
  watch.unref();
  return {
    beat: () => void Atomics.add(beats, 0, 1),
    // The process would wait for a debugger at its end.
    end() {
      watch.ref();
      watch.postMessage("end");
      return once(watch, "exit");
    },
  };
}
