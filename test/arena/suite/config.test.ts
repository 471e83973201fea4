import { describe, expect, test } from "vitest";
import { loadTuning } from "../../../src/arena/plan/tuning.ts";
import { loadAblation, planAblation } from "../../../src/arena/suite/ablation.ts";
import { loadSuite, planSuite } from "../../../src/arena/suite/config.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";

const from = { baseDir: ".", source: "" };

const SUITE = {
  name: "s",
  blocks: 4,
  seed: "x",
  games: ["nim", { id: "nim", piles: [2, 3] }, { game: "connect-four", blocks: 2, name: "four" }],
  entrants: ["random", { name: "ab", agent: "alpha-beta", depth: 2 }],
};

describe("a suite", () => {
  test("is a tournament for each game, with the keys of the suite but for those that the game changes", async () => {
    const { name, tournaments } = await planSuite(SUITE, from);
    expect(name).toBe("s");
    expect(
      tournaments.map(({ label, plan }) => [label, plan.name, plan.game.id, plan.blocks, plan.seed]),
    ).toEqual([
      ["nim", "s-nim", "nim", 4, "x"],
      ["nim-2", "s-nim-2", "nim", 4, "x"],
      ["four", "s-four", "connect-four", 2, "x"],
    ]);
    expect(tournaments[1]!.plan.game).toMatchObject({ piles: [2, 3] });
  });

  test("has the same entrants in every game, whose options a game may change", async () => {
    const four = { game: "connect-four", entrants: { ab: { evaluator: "threats", depth: 3 } } };
    const { tournaments } = await planSuite({ ...SUITE, games: ["nim", four] }, from);
    const specs = tournaments.map(({ plan }) => plan.entrants.find(({ name }) => name === "ab")!.spec);
    expect(specs.map(({ depth, evaluator }) => [depth, evaluator])).toEqual([
      [2, "none"],
      [3, "threats"],
    ]);
    for (const { plan } of tournaments)
      expect(plan.entrants.map(({ name }) => name)).toEqual(["random", "ab"]);
  });

  test.each([
    [{ games: [] }, /^games: /],
    [
      { games: ["nim", { game: "nim", name: "nim" }] },
      /^games\[1\]: "nim" is the name of another game; give it a name$/,
    ],
    [{ games: ["nim", { game: "nim", name: "../x" }] }, /games\[1\]/],
    [
      { games: [{ game: "nim", entrants: { abc: { depth: 3 } } }] },
      /^games\[0\]\.entrants\.abc: is no entrant; allowed: random, ab$/,
    ],
    [{ blockz: 3 }, /^blockz: unknown key.*blocks/],
    [{ games: ["nim", { game: "connect-four", blokcs: 3 }] }, /^games\[1\]: blokcs: unknown key/],
    // All games have the first problem, one the second.
    [
      { blocks: 0, games: ["nim", { game: "connect-four", entrants: { ab: { evaluator: "thraets" } } }] },
      /^blocks: .*\ngames\[1\]: entrants\[1\]\.evaluator: unknown evaluator "thraets"/,
    ],
  ])("%j is refused", async (change, message) => {
    await expect(planSuite({ ...SUITE, ...change }, from)).rejects.toThrow(message);
  });
});

const ABLATION = {
  name: "a",
  agent: "alpha-beta:evaluator=threats",
  vary: { table: [0, 1], quiescence: [false] },
  games: ["connect-four", { game: "nim", agent: { evaluator: "none" }, openings: { randomPlies: 1 } }],
  budgets: [{ nodes: 100 }, { timeMs: 2 }],
  openings: { randomPlies: 2 },
};

describe("an ablation", () => {
  test("is a suite of comparisons of the agent with variants in which one option is changed", async () => {
    const { tournaments } = await planAblation(ABLATION, from);
    expect(tournaments.map(({ label }) => label)).toEqual([
      "connect-four-nodes-100",
      "connect-four-timeMs-2",
      "nim-nodes-100",
      "nim-timeMs-2",
    ]);
    for (const { plan } of tournaments) {
      expect(plan.format).toEqual({ type: "comparison", margin: 20 });
      const [base, ...variants] = plan.entrants;
      expect(base!.name).toBe("base");
      expect(variants.map(({ name }) => name)).toEqual(["table=0", "table=1", "quiescence=false"]);
      const changed = variants.map(({ spec }) =>
        Object.keys(spec).filter((key) => JSON.stringify(spec[key]) !== JSON.stringify(base!.spec[key])),
      );
      expect(changed).toEqual([["table"], ["table"], ["quiescence"]]);
    }
    const [four, , nim, timed] = tournaments.map(({ plan }) => plan);
    expect([four!.entrants[1]!.spec["evaluator"], nim!.entrants[1]!.spec["evaluator"]]).toEqual([
      "threats",
      "none",
    ]);
    expect([four!.openings, nim!.openings]).toEqual([{ randomPlies: 2 }, { randomPlies: 1 }]);
    expect([nim!.entrants[2]!.spec["nodes"], timed!.entrants[2]!.spec["timeMs"]]).toEqual([100, 2]);
  });

  test.each([
    [{ vary: {} }, /^vary: must name at least one option/],
    [
      { vary: { tabel: [0] } },
      /^games\[0\]: entrants\[1\]\.tabel: unknown key.*did you mean table\?|entrants\[1\]\.tabel/,
    ],
    [{ budgets: [{ nodes: 100 }, { nodes: 100 }] }, /^budgets\[1\]: is there already$/],
    [{ games: [{ game: "nim", entrants: {} }] }, /games\[0\]\.entrants: is for tournaments/],
    [{ game: "nim" }, /^game: unknown key/],
  ])("%j is refused", async (change, message) => {
    await expect(planAblation({ ...ABLATION, ...change }, from)).rejects.toThrow(message);
  });
});

test("what is passed over in files is told", async () => {
  const dir = temporaryFolder();
  writeInto(dir, "lines.txt", "4 4\n9\n");
  const config =
    "name: s\nblocks: 1\nopenings: { file: lines.txt }\nentrants: [random, { name: r, agent: random }]\n";
  const notes: string[] = [];
  for (const game of ["game: connect-four", "games: [connect-four]"])
    await loadSuite(writeInto(dir, "s.yaml", `${config}${game}\n`), { note: (text) => notes.push(text) });
  const shared = { name: "a", openings: { file: "lines.txt" }, agent: "mcts" };
  const vary = { vary: { exploration: [1] }, budgets: [{ simulations: 1 }, { simulations: 2 }] };
  const ablation = writeInto(dir, "a.json", { ...shared, ...vary, games: ["connect-four"] });
  await loadAblation(ablation, { note: (text) => notes.push(text) });
  const parameters = { exploration: { start: 1, max: 2, step: 0.1 } };
  const one = { game: "connect-four", agent: "mcts:simulations=1", parameters };
  const tuning = writeInto(dir, "t.json", { ...shared, ...one });
  await loadTuning(tuning, { note: (text) => notes.push(text) });
  expect(notes).toEqual(Array(4).fill(expect.stringMatching(/lines\.txt: 1 fault passed over: line 2/)));
});
