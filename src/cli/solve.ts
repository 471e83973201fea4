import { existsSync } from "node:fs";
import process from "node:process";
import { BestResponder } from "../agents/solve/best-response.ts";
import { buildGameTree, sizeOf } from "../agents/solve/game-tree.ts";
import { MergedSampling, SAMPLINGS } from "../agents/solve/sampling.ts";
import { ALGORITHMS, createSolver, isSampling, type Solver } from "../agents/solve/solver.ts";
import { InputError } from "../base/errors.ts";
import type { Game } from "../games/contract/game.ts";
import { loadStrategy, saveStrategy, type StoredStrategy } from "../specs/files/strategy-file.ts";
import { checkWritable } from "../specs/files/write-file.ts";
import { gameArgument, parseCount } from "./shared/arguments.ts";
import { defineCommand, EXIT, note, print, quiet, show } from "./shared/command.ts";
import { interruptible } from "./shared/progress.ts";

/** The time between two files of a calculation that goes on. */
const SAVE_MS = 10_000;

export const solve = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .option("algorithm", {
        choices: ALGORITHMS,
        default: "cfr+" as const,
        describe: "the way of minimizing regrets",
      })
      .option("iterations", { type: "number", default: 1000, describe: "iterations in all" })
      .option("buckets", {
        type: "number",
        describe: "samples merged information states, with so many steps: for games too large to solve whole",
      })
      .option("out", { type: "string", describe: "file for the strategy, such as kuhn.json.gz" })
      .option("resume", { type: "boolean", default: false, describe: "go on with the strategy in --out" })
      .option("seed", { type: "string", default: "agon", describe: "the seed of sampling" })
      .option("quiet", quiet)
      .option("json", { type: "boolean", default: false, describe: "print JSON" })
      .epilogue(
        "Exploitability is the mean gain of a player who knows the strategy and plays best against it; it is 0 in an equilibrium. " +
          "See docs/hidden-information.md.",
      ),
  examples: [
    ["agon solve kuhn --out kuhn.json.gz", "a strategy that nobody beats by much"],
    ["agon solve kuhn --algorithm cfr --iterations 100000", "the first of the algorithms"],
    ["agon solve kuhn --out kuhn.json.gz --iterations 5000 --resume", "nearer to the equilibrium"],
    [
      "agon solve holdem:limit=true --algorithm external-sampling --buckets 8",
      "a large game: hands of like strength are merged",
    ],
  ],
  async handler(args) {
    const { out, resume, algorithm, seed } = args;
    const iterations = parseCount("iterations", args.iterations);
    const buckets = args.buckets === undefined ? undefined : parseCount("buckets", args.buckets);
    const game = await gameArgument(args.game);
    if (resume && out === undefined)
      throw new InputError("--resume goes on with the strategy in --out FILE: name it");
    if (out !== undefined && !out.endsWith(".json.gz"))
      throw new InputError(`--out must end in .json.gz, got ${out}`);
    if (out !== undefined && !resume && existsSync(out))
      throw new InputError("is there already; go on with --resume, or name another file", out);
    const before = resume ? loadStrategy(out!, game) : undefined;
    if (
      before !== undefined &&
      (before.algorithm !== algorithm || before.seed !== seed || before.buckets !== buckets)
    ) {
      const merged = before.buckets === undefined ? "" : ` --buckets ${before.buckets}`;
      throw new InputError(
        `was begun with --algorithm ${before.algorithm} --seed ${before.seed}${merged}; name these, or another file`,
        out,
      );
    }
    if (buckets !== undefined) {
      if (out !== undefined) checkWritable(out);
      await solveMerged(game, { ...args, buckets, iterations, before });
      return;
    }
    const tree = buildGameTree(game);
    if (out !== undefined) checkWritable(out);
    const size = sizeOf(tree);
    const solver = createSolver(tree, { algorithm, seed, state: before });
    const responder = new BestResponder(tree);
    const found = () => ({ iterations: solver.iterations, ...responder.exploit(solver.averagePolicy()) });
    const save = () => {
      if (out === undefined) return;
      const { exploitability } = found();
      saveStrategy(out, game, { ...solver.state, algorithm, seed, exploitability, sets: tree.sets });
    };
    const rows: ReturnType<typeof found>[] = [];
    const tell = () => {
      const row = found();
      rows.push(row);
      if (!args.json) show(formatRow(row));
    };
    if (!args.json) {
      const { chance, decisions, ends, sets } = size;
      show(
        `${game.id}: ${(chance + decisions + ends).toLocaleString("en")} histories ` +
          `(${chance} chance, ${decisions} decisions, ${ends} ends), information sets ${sets.join(" and ")}\n`,
      );
      show("iterations  exploitability  value\n----------  --------------  ---------");
    }
    const isComplete = await interruptible(
      "Stopping.",
      async (signal) => iterate(solver, { iterations, tell, save, signal }),
      () => {},
    );
    if (solver.iterations > 0) save();
    if (args.json) print(JSON.stringify({ game: game.id, size, algorithm, rows }));
    report(isComplete, out, args.quiet);
  },
});

interface Merged {
  readonly algorithm: string;
  readonly buckets: number;
  readonly iterations: number;
  readonly seed: string;
  readonly before: StoredStrategy | undefined;
  readonly out: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Solves a game with merged information states. Nobody knows how much a best response gains: a match tells. */
async function solveMerged(
  game: Game,
  { algorithm, buckets, iterations, seed, before, out, json, quiet: isQuiet }: Merged,
): Promise<void> {
  if (!isSampling(algorithm))
    throw new InputError(`--buckets needs --algorithm ${SAMPLINGS.join(" or ")}, got ${algorithm}`);
  if (game.abstraction === undefined)
    throw new InputError(`--buckets: ${game.id} has no abstraction, which merges information states`);
  const solver = new MergedSampling(game, game.abstraction.create(buckets), {
    algorithm,
    seed,
    state: before,
  });
  const save = () => {
    if (out !== undefined) saveStrategy(out, game, { ...solver.state, algorithm, seed, buckets });
  };
  const rows: { iterations: number; sets: number }[] = [];
  if (!json)
    show(
      `${game.id}: ${game.abstraction.summary}\n\niterations  information sets\n----------  ----------------`,
    );
  const tell = () => {
    const row = { iterations: solver.iterations, sets: solver.sets.length };
    rows.push(row);
    if (!json) show(`${String(row.iterations).padStart(10)}  ${String(row.sets).padStart(16)}`);
  };
  const isComplete = await interruptible(
    "Stopping.",
    async (signal) => iterate(solver, { iterations, tell, save, signal }),
    () => {},
  );
  if (solver.iterations > 0) save();
  if (json) print(JSON.stringify({ game: game.id, algorithm, buckets, rows }));
  report(isComplete, out, isQuiet);
}

/** Says how to go on, or what was written. */
function report(isComplete: boolean, out: string | undefined, isQuiet: boolean): void {
  if (!isComplete) {
    note(out === undefined ? "Stopped early." : "Stopped early: go on with the same command and --resume.");
    process.exitCode = EXIT.interrupted;
  } else if (out !== undefined && !isQuiet) note(`Written to ${out}.`);
}

function formatRow({
  iterations,
  exploitability,
  values,
}: {
  readonly iterations: number;
  readonly exploitability: number;
  readonly values: readonly number[];
}): string {
  const figure = exploitability === 0 ? "0" : exploitability.toPrecision(6);
  return `${String(iterations).padStart(10)}  ${figure.padStart(14)}  ${values[0]!.toFixed(6).padStart(9)}`;
}

/** Iterates until as many are done, and tells at 1, 2, 5, 10, 20, 50 and so on, and at the end. False if it was stopped. */
async function iterate(
  solver: Pick<Solver, "iterations" | "iterate">,
  {
    iterations,
    tell,
    save,
    signal,
  }: {
    readonly iterations: number;
    readonly tell: () => void;
    readonly save: () => void;
    readonly signal: AbortSignal;
  },
): Promise<boolean> {
  let saved = performance.now();
  let looked = saved;
  while (solver.iterations < iterations) {
    solver.iterate();
    const digits = String(solver.iterations);
    if (solver.iterations === iterations || /^[125]0*$/.test(digits)) tell();
    const now = performance.now();
    if (now - saved > SAVE_MS) {
      save();
      saved = performance.now();
    }
    if (now - looked > 50) {
      // Signals arrive between two iterations.
      await new Promise((resolve) => setImmediate(resolve));
      looked = performance.now();
    }
    if (signal.aborted) return solver.iterations === iterations;
  }
  return true;
}
