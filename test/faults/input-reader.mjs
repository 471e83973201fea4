/*
 * The process that reads wrong input for inputs.mjs: input after input until the time is up, each drawn from the seed,
 * the case and its number. Before an input is read it is written to the file `current`, so that it is known when the
 * process hangs or dies. Findings and, at the end, the number of inputs are lines of JSON on standard output.
 */
import { writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { createReaders } from "./readers.mjs";
import { Dice } from "./support.mjs";

/** An input takes at most this time of the processor, or its reader's own; where it took more, the second time counts. */
const MAX_MS = 1000;
const MAX_GROWTH_BYTES = 1e9;

const { dir, seed, number, seconds, only } = JSON.parse(process.argv[2]);
const readers = await createReaders(dir);
const weights = Float64Array.from(Object.values(readers), ({ weight = 1 }) => weight);
const total = weights.reduce((sum, weight) => sum + weight, 0);
const shares = weights.map((weight) => weight / total);
const counts = {};
/** A pipe may take a part of what is written to it. */
function tell(line) {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}
const memory = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** The mistake in reading the input; undefined if there is none. */
async function tryInput(reader, input) {
  const before = memory();
  const begun = process.cpuUsage();
  let rejected = false;
  try {
    await reader.read(input);
  } catch (error) {
    if (!(error instanceof Error) || error.name !== "InputError")
      return { error: error?.stack ?? String(error) };
    if (error.message.trim() === "") return { error: "InputError without a message" };
    rejected = true;
  }
  const { user, system } = process.cpuUsage(begun);
  const timeMs = (user + system) / 1000;
  if (timeMs > (reader.maxMs ?? MAX_MS)) return { slow: true, error: `took ${Math.round(timeMs)} ms` };
  const grown = memory() - before;
  if (grown > MAX_GROWTH_BYTES) return { error: `took ${Math.round(grown / 2 ** 20)} MB` };
  return { rejected };
}

let rejected = 0;
const end = performance.now() + 1000 * seconds;
for (let at = only ?? 0; performance.now() < end && (only === undefined || at === only); at++) {
  const dice = new Dice(seed, "inputs", number, at);
  const name = Object.keys(readers)[dice.random.weighted(shares, 0, shares.length)];
  const reader = readers[name];
  const input = reader.make(dice);
  writeFileSync(join(dir, "current"), JSON.stringify({ at, name, input }));
  let result = await tryInput(reader, input);
  if (result.slow === true) result = await tryInput(reader, input);
  counts[name] = (counts[name] ?? 0) + 1;
  if (result.error !== undefined) tell({ at, name, input, error: result.error });
  else if (result.rejected) rejected++;
}
tell({ counts, rejected });
process.exit(0);
