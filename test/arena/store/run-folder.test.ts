import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import type { TournamentPlan } from "../../../src/arena/plan/plan.ts";
import { freezeFiles, newestRun, openRun } from "../../../src/arena/store/run-folder.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";

const shipped = fileURLToPath(new URL("../../../weights", import.meta.url));

async function planOf(change: object = {}): Promise<TournamentPlan> {
  const config = {
    name: "t",
    game: "tic-tac-toe",
    blocks: 2,
    entrants: ["random", { name: "ab", agent: "alpha-beta", depth: 2 }],
    ...change,
  };
  return planTournament(config, { baseDir: "." });
}

/** Opens the run and closes its store; the plan that is stored. */
function open(dir: string, plan: TournamentPlan, resume = false): TournamentPlan | undefined {
  const { store, plan: frozen } = openRun(dir, plan, { resume });
  const stored = store.loadPlan();
  store.close();
  expect(stored).toEqual(JSON.parse(JSON.stringify(frozen)));
  return stored;
}

describe("a run's folder", () => {
  test("gets the plan, and is opened again only to go on", async () => {
    const dir = join(temporaryFolder(), "new", "run");
    const plan = await planOf();
    expect(open(dir, plan)).toMatchObject({ name: "t", blocks: 2 });
    expect(() => open(dir, plan)).toThrow(`${dir}: holds a run already; go on with --resume`);
    expect(open(dir, plan, true)).toMatchObject({ blocks: 2 });
  });

  test("may get more blocks, another order of the table and no more thoughts, but not fewer blocks", async () => {
    const dir = temporaryFolder();
    const plan = await planOf();
    open(dir, plan);
    expect(open(dir, { ...plan, blocks: 5 }, true)).toMatchObject({ blocks: 5 });
    expect(open(dir, { ...plan, blocks: 5, rankBy: "return" }, true)).toMatchObject({ rankBy: "return" });
    expect(open(dir, { ...plan, blocks: 5, thoughts: false }, true)).toMatchObject({ thoughts: false });
    expect(() => open(dir, { ...plan, blocks: 4 }, true)).toThrow(
      `${dir}: blocks: the run was begun with another config: 5 there, fewer now: 4`,
    );
    const store = Store.openExisting(dir);
    expect(store.loadPlan()).toMatchObject({ blocks: 5 });
    store.close();
  });

  test.each<[string, object, string]>([
    ["the seed", { seed: "b" }, 'seed: the run was begun with another config: "0" there, "b" now'],
    [
      "an option of an agent",
      { entrants: ["random", { name: "ab", agent: "alpha-beta", depth: 3 }] },
      "entrants[1].spec.depth: the run was begun with another config: 2 there, 3 now",
    ],
    [
      "one entrant more",
      { entrants: ["random", { name: "ab", agent: "alpha-beta", depth: 2 }, "minimax:depth=1"] },
      "entrants[2]: the run was begun with another config: none there, {",
    ],
    [
      "the openings",
      { openings: { randomPlies: 1 } },
      "openings.randomPlies: the run was begun with another config: 0 there, 1 now",
    ],
  ])("is not gone on with after a change of %s, which is told alone", async (_, change, message) => {
    const dir = temporaryFolder();
    const plan = { ...(await planOf()), seed: "0" };
    open(dir, plan);
    const changed = await planOf({ seed: "0", ...change });
    let said = "";
    try {
      open(dir, changed, true);
    } catch (error) {
      said = (error as Error).message;
    }
    expect(said).toContain(`${dir}: ${message}`);
    expect(said.split("\n")).toHaveLength(1);
  });
});

describe("the newest run of a name", () => {
  test("is the one with the latest stamp", () => {
    const parent = temporaryFolder();
    const begin = (name: string) => {
      mkdirSync(join(parent, name));
      writeInto(join(parent, name), "results.sqlite", "");
    };
    for (const name of ["a.b-20260102-030405", "a.b-20260102-030406", "a.b-20251231-235959"]) begin(name);
    // Other names, and no stamp.
    for (const name of ["axb-20270101-000000", "a.b-c-20270101-000000", "a.b-2027", "a.b-20270101-000000x"])
      begin(name);
    expect(newestRun(parent, "a.b")).toBe(join(parent, "a.b-20260102-030406"));
    // Others that began in the same second, and one that never began to play.
    for (const name of ["a.b-20260102-030406-2", "a.b-20260102-030406-10"]) begin(name);
    mkdirSync(join(parent, "a.b-20280101-000000"));
    expect(newestRun(parent, "a.b")).toBe(join(parent, "a.b-20260102-030406-10"));
  });

  test("is missed where there is none", () => {
    const parent = temporaryFolder();
    const message = `${parent}: no run of "x" to go on with; name its folder with --out`;
    expect(() => newestRun(parent, "x")).toThrow(message);
    expect(() => newestRun(join(parent, "nowhere"), "x")).toThrow('no run of "x"');
  });
});

describe("weights in a run's folder", () => {
  const entrantOf = (evaluator: string) => ({ name: "e", spec: { agent: "greedy", evaluator } });
  const evaluatorOf = (entrant: { spec: object }) => (entrant.spec as { evaluator: string }).evaluator;

  test("are copied under the hash of their content", () => {
    const dir = temporaryFolder();
    const text = readFileSync(join(shipped, "tic-tac-toe/linear.json"), "utf8");
    const original = writeInto(dir, "mine.json", text);
    const first = freezeFiles(entrantOf(original), dir);
    expect(first).toMatchObject({ name: "e", spec: { agent: "greedy" } });
    expect(evaluatorOf(first)).toMatch(/^weights[/\\]mine-[0-9a-f]{8}\.json$/);
    expect(readFileSync(join(dir, evaluatorOf(first)), "utf8")).toBe(text);
    expect(freezeFiles(entrantOf(original), dir)).toEqual(first);

    writeInto(dir, "mine.json", `${text}\n`);
    const second = freezeFiles(entrantOf(original), dir);
    expect(evaluatorOf(second)).not.toBe(evaluatorOf(first));
    expect(readFileSync(join(dir, evaluatorOf(first)), "utf8")).toBe(text);
  });

  test("of several files keep their names, in a folder of their own", () => {
    const dir = temporaryFolder();
    const original = join(shipped, "othello/n-tuple.json");
    const frozen = evaluatorOf(freezeFiles(entrantOf(original), dir));
    expect(frozen).toMatch(/^weights[/\\][0-9a-f]{8}[/\\]n-tuple\.json$/);
    for (const name of ["n-tuple.json", "n-tuple.f32.gz"]) {
      const copy = join(dir, frozen, "..", name);
      expect(readFileSync(copy).equals(readFileSync(join(shipped, "othello", name)))).toBe(true);
    }
    expect(basename(frozen)).toBe("n-tuple.json");
  });

  test("are nobody's where an evaluator is a heuristic, or there is none", () => {
    const dir = temporaryFolder();
    for (const entrant of [entrantOf("threats"), { name: "r", spec: { agent: "random" } }])
      expect(freezeFiles(entrant, dir)).toEqual(entrant);
    expect(existsSync(join(dir, "weights"))).toBe(false);
  });
});
