import { describe, expect, test } from "vitest";
import { formatInspection } from "../../../src/explain/weights/format.ts";
import type { Inspection } from "../../../src/explain/weights/inspect.ts";

const small: Inspection = {
  game: { id: "pig", version: 2, options: {} },
  evaluator: {
    kind: "linear",
    features: "race",
    featuresVersion: 1,
    size: 4,
    output: "tanh",
    stages: [],
  } as Inspection["evaluator"],
  features: "where both stand",
  training: { method: "td", games: 12_000, seed: "s", date: "2026-01-02" },
  bytes: 999,
  weights: { count: 4, nonZero: 3, notFinite: 0 },
  stages: [{ stage: 1, weights: 4, nonZero: 3, notFinite: 0, rootMeanSquare: 0.5 }],
  positive: [
    { weight: 1.5, name: "lead", stage: 1, feature: 0 },
    { weight: 0.25, name: "turn", stage: 1, feature: 1 },
  ],
  negative: [],
  heatMaps: [],
  pieces: [],
  groups: [],
  patterns: { liked: [], disliked: [] },
};

const lines = (change: Partial<Inspection>) =>
  formatInspection("w.json", { ...small, ...change }, { colour: false, width: 80 }).split("\n");

/** The text of one line of the header, or nothing where there is no such line. */
const header = (name: string, change: Partial<Inspection> = {}) =>
  lines(change)
    .find((line) => line.startsWith(`  ${name.padEnd(11)}`))
    ?.slice(13);

test("the header says what the weights are, one line each", () => {
  expect(lines({}).slice(0, 7)).toEqual([
    "w.json",
    "  game       pig, version 2",
    "  evaluator  linear over race: where both stand",
    "  output     tanh",
    "  weights    4, 3 of them not zero (75.0%)",
    "  training   td, 12,000 games, seed s, 2026-01-02",
    "  size       999 bytes",
  ]);
  expect(header("game", { game: { id: "nim", version: 1, options: { piles: [3, 5] } } })).toBe(
    'nim {"piles":[3,5]}, version 1',
  );
  expect(header("training", { training: { ...small.training, config: "a.yaml" } })).toMatch(
    /, config a\.yaml$/,
  );
});

test("a position has its value, and the likeliest actions of a policy", () => {
  const position = { state: "0 0", value: 0.25 };
  expect(lines({ position })).toContain(
    "Position 0 0: 0.2500 for the player to move; these weights have no policy",
  );
  const policy = [
    { action: "roll", probability: 0.9375 },
    { action: "hold", probability: 0.0625 },
  ];
  const told = lines({ position: { ...position, policy }, policy: { actions: 2, version: 3 } });
  expect(told.slice(4, 5)).toEqual([
    "  policy     2 logits, one for each number of an action; version 3 of the numbers",
  ]);
  expect(header("policy", { policy: { count: 1200, nonZero: 300 } })).toBe(
    "1,200 more weights for logits, 300 of them not zero (25.0%)",
  );
  expect(told.slice(-9)).toEqual(
    expect.arrayContaining([
      "Position 0 0: 0.2500 for the player to move; its likeliest actions",
      "  93.8%  roll",
      "   6.3%  hold",
    ]),
  );
});

test("weights that are not numbers are told only where there are some", () => {
  expect(header("broken")).toBeUndefined();
  const weights = { count: 4000, nonZero: 2000, notFinite: 1 };
  expect(header("broken", { weights })).toBe("1 weights are NaN or infinite");
});

test.each([
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [1549, "1.5 kB"],
  [999_900, "999.9 kB"],
  [1_000_000, "1.0 MB"],
  [2_500_000, "2.5 MB"],
])("a size of %d bytes is %s", (bytes, text) => {
  expect(header("size", { bytes })).toBe(text);
});

describe("the rating", () => {
  const rated = (rating: unknown) => ({ training: { ...small.training, rating } });

  test("has each figure that the header has", () => {
    const all = { elo: 120, low: 90, high: 150, score: 0.875, meanReturn: 1.5, pool: { random: 0, uct: 40 } };
    expect(header("rating", rated(all))).toBe(
      "120 Elo, 95% interval 90 to 150, score 87.5%, mean return 1.5",
    );
    expect(header("against", rated(all))).toBe("random 0, uct 40");
  });

  test.each([
    [{ elo: 7 }, "7 Elo"],
    [{ elo: 7, low: 5 }, "7 Elo"],
    [{ elo: 7, high: 9 }, "7 Elo"],
    [{ elo: 7, score: 0.5 }, "7 Elo, score 50.0%"],
    [{ elo: 7, meanReturn: -1 }, "7 Elo, mean return -1"],
    [{ elo: 7, pool: null }, "7 Elo"],
    [{ elo: 7, pool: {} }, "7 Elo"],
  ])("leaves out what is missing: %j", (rating, text) => {
    expect(header("rating", rated(rating))).toBe(text);
    expect(header("against", rated(rating))).toBeUndefined();
  });

  test.each([undefined, null, 3, {}, { elo: "7" }])("is left out where it has no Elo: %j", (rating) => {
    expect(header("rating", rated(rating))).toBeUndefined();
  });
});

test("the largest weights stand with their names, aligned; an empty list says so", () => {
  const text = lines({});
  const at = text.indexOf("Largest weights above zero");
  expect(text.slice(at + 1, at + 3).map((line) => line.replace(/0+(?= )/, "").replace("+", ""))).toEqual([
    expect.stringMatching(/^ +1\.5\d* {2}lead$/),
    expect.stringMatching(/^ +0?\.25\d* {2}turn$/),
  ]);
  expect(text[at + 1]!.indexOf("lead")).toBe(text[at + 2]!.indexOf("turn"));
  expect(text).toContain("Furthest below zero: none");
  expect(text.join("\n")).not.toMatch(/stage/i);
});

test("where there are stages, each has a row and each weight its stage", () => {
  const text = lines({
    evaluator: { ...small.evaluator, stages: [4] } as Inspection["evaluator"],
    stages: [
      {
        stage: 1,
        unit: "plies",
        from: 0,
        to: 3,
        weights: 2000,
        nonZero: 500,
        notFinite: 0,
        rootMeanSquare: 0.5,
      },
      {
        stage: 2,
        unit: "plies",
        from: 4,
        to: 9,
        weights: 2000,
        nonZero: 2000,
        notFinite: 0,
        rootMeanSquare: 1.25,
      },
    ],
    positive: [{ weight: 2, name: "lead", stage: 2, feature: 0 }],
  });
  const cells = text.map((line) => line.trim().split(/ {2,}/));
  expect(cells).toContainEqual(["Stage", "plies", "weights", "not zero", "root mean square"]);
  expect(cells).toContainEqual(["1", "0 to 3", "2,000", "25.0%", expect.stringMatching(/^0\.50*$/)]);
  expect(cells).toContainEqual(["2", "4 to 9", "2,000", "100.0%", expect.stringMatching(/^1\.250*$/)]);
  const row = text.findIndex((line) => line.trim().startsWith("Stage"));
  expect(new Set(text.slice(row, row + 3).map((line) => line.length)).size).toBe(1);
  expect(text.join("\n")).toMatch(/2\S* {2}stage 2: lead/);
});

test("a network's layers, heaviest inputs and dead units", () => {
  const text = lines({
    evaluator: { kind: "network", head: "value", features: "race" } as Inspection["evaluator"],
    positive: [],
    network: {
      layers: [
        { inputs: 10, units: 4, activation: "relu" },
        { inputs: 4, units: 3, activation: "relu" },
        { inputs: 3, units: 1, activation: "linear" },
      ],
      inputs: [
        { name: "lead", totalWeight: 12.5 },
        { name: "turn", totalWeight: 3 },
      ],
      unreadInputs: 2,
      deadUnits: [[], [0, 2]],
      positions: 1000,
    } as unknown as NonNullable<Inspection["network"]>,
  });
  expect(text).toContain("  output     value from layers 10 -> 4 relu -> 3 relu -> 1 linear");
  expect(text).toContain("Inputs that nothing reads: 2 of 10");
  expect(text).toContain("Dead units, whose output was the same in 1,000 positions of random games");
  expect(text).toContain("  hidden layer 1: 0 of 4");
  expect(text).toContain("  hidden layer 2: 2 of 3: 0, 2");
  const lead = text.find((line) => line.endsWith("  lead"))!;
  expect(lead.trim()).toMatch(/^12\.50* {2}lead$/);
  expect(text.find((line) => line.endsWith("  turn"))).toHaveLength(lead.length);
  expect(text.join("\n")).not.toContain("Largest weights");
});

test("pieces are columns, with a line for each stage; where a pawn is worth nothing, nothing is said in pawns", () => {
  const piece = (name: string, stage: number, weight: number, pawns?: number) => ({
    name,
    stage,
    weight,
    pawns,
  });
  const text = lines({
    pieces: [
      piece("man", 1, 0.2, 1),
      piece("king", 1, 0.3, 1.5),
      piece("man", 2, -0.1),
      piece("king", 2, 0.4),
    ],
  });
  const from = text.indexOf("Pieces, a man being 1, by their weights alone");
  expect(text.slice(from + 2, from + 5).map((line) => line.trim().split(/ {2,}/))).toEqual([
    ["Stage", "man", "king", "weight of a man"],
    ["1", "1.00", "1.50", "+0.200"],
    ["2", "-", "-", "-0.100"],
  ]);
});

test("patterns are boards, in which names are as short as they can be, and are explained", () => {
  const pattern = { weight: -0.5, stage: 1, tuple: 7, share: 0.125, context: "turn: x" };
  const text = lines({
    patterns: {
      liked: [],
      disliked: [
        {
          ...pattern,
          rows: [
            ["own", undefined],
            ["other", "."],
          ],
        },
      ],
    },
  });
  const from = text.findIndex((line) => line.startsWith("Least liked patterns"));
  expect(text[from]).toMatch(/; ow: own, ot: other$/);
  expect(text.slice(from + 2, from + 7).map((line) => line.trimEnd())).toEqual([
    "-0.500 in 12.5%",
    "tuple 7",
    "turn: x",
    "|ow   |",
    "|ot  .|",
  ]);
  expect(text.some((line) => line.startsWith("Most liked"))).toBe(false);
});

test("agreement is a line of the header", () => {
  const heuristics = [
    { name: "material", correlation: 0.953 },
    { name: "none", correlation: undefined },
  ];
  expect(header("agreement", { agreement: { positions: 2000, heuristics } })).toBe(
    "material 0.95, none - (rank correlation, 2,000 positions of random games)",
  );
});

test("groups are listed by their effect, the largest first", () => {
  const groups = [
    { name: "pawns", features: 12, effect: 0.01 },
    { name: "king safety", features: 1234, effect: 0.25 },
  ];
  const text = lines({ groups }).join("\n");
  expect(text).toContain(
    "positions of random games\n  0.250  king safety  1,234 features\n  0.010  pawns        12 features",
  );
});
