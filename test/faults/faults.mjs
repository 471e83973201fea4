/*
 * Does agon keep its promises when things go wrong? Injects faults into the built program, case after case until the
 * time is up, and looks at what comes of it (docs/reliability.md).
 *
 *   npm run faults -- [--minutes N] [--seed S] [--only KINDS] [--case KIND:NUMBER[:AT]] [--out FOLDER]
 *
 * --minutes  how long; a case that has begun is ended [5]
 * --seed     of all random choices [agon]
 * --only     some of kills, queues, entrants, inputs, files, separated by commas [all; queues if there is a redis-server]
 * --case     one case alone, or of a case of inputs one input, to repeat a finding
 * --out      folder for what belongs to findings [agon-faults in the system's temporary folder]
 *
 * Prints each finding and at the end a line of counts; exit code 1 if there was a finding. What a case does depends on
 * the seed, its kind and its number alone. The folder of a case with a finding is kept, with the finding in finding.json.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { parseArgs } from "node:util";
import { entrantsCase } from "./entrants.mjs";
import { filesCase } from "./files.mjs";
import { inputsCase } from "./inputs.mjs";
import { killsCase } from "./kills.mjs";
import { hasRedis, queuesCase } from "./queues.mjs";
import { Dice } from "./support.mjs";

/** By kind: runs one case and returns how many faults it injected. */
const KINDS = {
  kills: killsCase,
  queues: queuesCase,
  entrants: entrantsCase,
  inputs: inputsCase,
  files: filesCase,
};
const POSSIBLE = Object.keys(KINDS).filter((kind) => kind !== "queues" || hasRedis());

const { values: options } = parseArgs({
  options: {
    minutes: { type: "string", default: "5" },
    seed: { type: "string", default: "agon" },
    only: { type: "string", default: POSSIBLE.join() },
    case: { type: "string" },
    out: { type: "string", default: join(tmpdir(), "agon-faults") },
  },
});
const { seed } = options;
const minutes = Number(options.minutes);
const one = options.case?.split(":");
const kinds = one === undefined ? options.only.split(",") : [one[0]];
if (!(minutes > 0)) refuse(`--minutes must be a number above 0, got ${options.minutes}`);
for (const kind of kinds)
  if (!Object.hasOwn(KINDS, kind))
    refuse(`unknown kind "${kind}"; allowed: ${Object.keys(KINDS).join(", ")}`);

function refuse(message) {
  console.error(message);
  process.exit(2);
}

const out = resolve(options.out);
mkdirSync(out, { recursive: true });
/** The findings, by the text that tells them apart. */
const findings = new Map();
const counts = Object.fromEntries(kinds.map((kind) => [kind, { cases: 0, faults: 0, timeMs: 0 }]));

async function runCase(kind, number, at) {
  const dir = mkdtempSync(join(tmpdir(), `agon-faults-${kind}-`));
  let found = 0;
  const report = (message, { kind: sort = message, ...more } = {}) => {
    const key = `${kind} ${sort}`;
    const times = findings.get(key) ?? 0;
    findings.set(key, times + 1);
    if (times > 0) return;
    found++;
    const repeat = `${kind}:${number}${more.at === undefined ? "" : `:${more.at}`}`;
    const kept = join(out, `${seed}-${repeat}-${found}`.replaceAll(/[^\w.-]/g, "-"));
    mkdirSync(kept, { recursive: true });
    writeFileSync(
      join(kept, "finding.json"),
      `${JSON.stringify({ seed, case: repeat, message, ...more }, null, 2)}\n`,
    );
    console.log(
      `! ${kind}: ${message}\n  repeat: npm run faults -- --seed ${seed} --case ${repeat}\n  kept: ${kept}, ${dir}`,
    );
  };
  const count = counts[kind];
  const begun = performance.now();
  try {
    count.faults += await KINDS[kind]({ seed, number, dir, at, dice: new Dice(seed, kind, number), report });
  } catch (error) {
    report(`the case itself failed: ${error.stack}`);
  }
  count.cases++;
  count.timeMs += performance.now() - begun;
  if (found === 0) rmSync(dir, { recursive: true, force: true });
}

const end = performance.now() + 60_000 * minutes;
if (one !== undefined) {
  await runCase(one[0], Number(one[1]), one[2] === undefined ? undefined : Number(one[2]));
} else {
  while (performance.now() < end) {
    // The kind that has had the least time.
    const kind = kinds.toSorted((a, b) => counts[a].timeMs - counts[b].timeMs)[0];
    await runCase(kind, counts[kind].cases);
  }
}

const told = kinds
  .map((kind) => `${kind} ${counts[kind].cases} cases, ${counts[kind].faults} faults`)
  .join("; ");
console.log(`faults: ${told}; ${findings.size} findings; seed ${seed}`);
for (const [key, times] of findings) if (times > 1) console.log(`  ${times} times: ${key.split("\n")[0]}`);
process.exitCode = findings.size === 0 ? 0 : 1;
