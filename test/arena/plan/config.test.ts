import { describe, expect, test } from "vitest";
import { formatOf } from "../../../src/arena/formats/index.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { InputError } from "../../../src/base/errors.ts";
import { createGame } from "../../../src/games/index.ts";
import { fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest } from "../../support/thorough.ts";

const good = {
  name: "t",
  game: "connect-four",
  blocks: 2,
  entrants: ["random", { name: "ab", agent: "alpha-beta", depth: 2 }],
};

async function problemsOf(config: object, baseDir = "."): Promise<string[]> {
  try {
    await planTournament(config, { baseDir });
  } catch (error) {
    if (error instanceof InputError) return error.problems.map(({ path, message }) => `${path}: ${message}`);
    throw error;
  }
  return [];
}

describe("a tournament config", () => {
  test("is filled in: game options, agent options, budgets, names", async () => {
    const plan = await planTournament(
      {
        ...good,
        seed: 7,
        budget: { nodes: 500, simulations: 30 },
        entrants: ["random", "mcts", "alpha-beta:depth=2"],
      },
      { baseDir: "." },
    );
    expect(plan).toMatchObject({
      seed: "7",
      players: 2,
      game: { id: "connect-four", width: 7, height: 6 },
      openings: { randomPlies: 0 },
    });
    expect(plan.entrants.map(({ name }) => name)).toEqual(["random", "mcts", "alpha-beta:depth=2"]);
    expect(plan.entrants[1]!.spec).toMatchObject({
      agent: "mcts",
      nodes: 500,
      simulations: 30,
      maxNodes: 2 ** 20,
    });
    // An entrant with a budget of its own takes nothing of the default one.
    expect(plan.entrants[2]!.spec).not.toHaveProperty("nodes");
    expect(plan.entrants[2]!.spec).toMatchObject({ depth: 2, ordering: "history", evaluator: "none" });
  });

  test("opening lines are read in the game's notation", async () => {
    const plan = await planTournament({ ...good, openings: { lines: ["4 4 3", ""] } }, { baseDir: "." });
    expect(plan.openings).toEqual({ lines: [[3, 3, 2], []] });
  });

  test("a number may name a game", async () => {
    const entrants = ["random", { name: "other", agent: "random" }];
    for (const game of [2048, { id: 2048 }])
      expect((await planTournament({ ...good, game, entrants })).game).toMatchObject({ id: "2048" });
  });

  test("paths are taken from the config's folder", async () => {
    const dir = temporaryFolder();
    writeInto(dir, "mine.json", "{}");
    const problems = await problemsOf(
      { ...good, entrants: ["random", "alpha-beta:depth=2,evaluator=./mine.json"] },
      dir,
    );
    expect(problems.join()).toContain("entrants[1].evaluator");
    expect(problems.join()).toContain("format");
  });

  test.each<[string, object, RegExp[]]>([
    [
      "a wrong key",
      { blockz: 3 },
      [
        /^blockz: unknown key "blockz" \(did you mean "blocks"\?\); allowed: name, title, date, description, game/,
      ],
    ],
    ["a missing key", { blocks: undefined }, [/^blocks: missing; must be a whole number/]],
    ["a wrong type", { blocks: "many" }, [/^blocks: must be a whole number, got "many"/]],
    ["a wrong range", { blocks: 0 }, [/^blocks: must be at least 1, got 0/]],
    ["a fraction", { blocks: 1.5 }, [/^blocks: must be a whole number, got 1.5/]],
    ["half a wish", { thoughts: "no" }, [/^thoughts: must be true or false, got "no"/]],
    ["an unknown game", { game: "quoridor" }, [/^game: unknown game "quoridor"; allowed: .*connect-four/]],
    [
      "a near game",
      { game: "connect-for" },
      [/unknown game "connect-for" \(did you mean "connect-four"\?\)/],
    ],
    [
      "a wrong game option",
      { game: { id: "connect-four", widht: 8 } },
      [/^game.widht: unknown key "widht" \(did you mean "width"\?\); allowed: width, height/],
    ],
    [
      "a game option out of range",
      { game: { id: "connect-four", width: 12 } },
      [/^game.width: must be at most 9, got 12/],
    ],
    [
      "an unknown agent",
      { entrants: ["random", "alfa-beta:depth=3"] },
      [
        /^entrants\[1\].agent: unknown agent "alfa-beta" \(did you mean "alpha-beta"\?\); allowed: random, policy, greedy/,
      ],
    ],
    [
      "a wrong agent option",
      { entrants: ["random", "alpha-beta:depht=3"] },
      [/^entrants\[1\].depht: unknown key "depht" \(did you mean "depth"\?\); alpha-beta takes/],
    ],
    [
      "a wrong agent option's type",
      { entrants: ["random", { agent: "alpha-beta", depth: "six" }] },
      [/^entrants\[1\].depth: must be a whole number, got "six"/],
    ],
    [
      "a budget that is not heeded",
      { entrants: ["random", "mcts:depth=3"] },
      [/^entrants\[1\].depth: mcts does not heed the budget "depth"; it heeds simulations, nodes, timeMs/],
    ],
    [
      "no budget",
      { entrants: ["random", "mcts"] },
      [/^entrants\[1\]: mcts needs a budget: simulations, nodes, timeMs/],
    ],
    [
      "an unknown evaluator",
      { entrants: ["random", "greedy:evaluator=threts"] },
      [/^entrants\[1\].evaluator: unknown evaluator "threts" \(did you mean "threats"\?\)/],
    ],
    [
      "weights that are not there",
      { entrants: ["random", "greedy:evaluator=no/such.json"] },
      [/^entrants\[1\].evaluator: .*cannot be read|^entrants\[1\].evaluator: cannot be read/],
    ],
    [
      "equal names",
      { entrants: ["random", "random"] },
      [/^entrants\[1\].name: "random" is already the name of entrants\[0\]/],
    ],
    ["too few entrants", { entrants: ["random"] }, [/^entrants: 1 given; connect-four needs at least 2/]],
    [
      "an impossible opening",
      { openings: { lines: ["4 4", "4 9"] } },
      [/^openings.lines\[1\]: "9" is not possible here; allowed: 1 2 3 4 5 6 7/],
    ],
    [
      "an opening that ends the game",
      { openings: { lines: ["1 2 1 2 1 2 1"] } },
      [/^openings.lines\[0\]: "1" in ".*" ends the game/],
    ],
    [
      "an unknown anchor",
      { anchor: { entrant: "x", elo: 0 } },
      [/^anchor.entrant: "x" is no entrant; allowed: random, ab/],
    ],
    [
      "an anchor's absurd rating",
      { anchor: { entrant: "random", elo: 1e308 } },
      [/^anchor.elo: must be at most 100000, got 1e\+308/],
    ],
    [
      "luck in a game without chance",
      { luck: "threats" },
      [/^luck: connect-four has no chance events, so there is no luck to take out/],
    ],
    [
      "luck by an evaluator that does not fit",
      { game: "pig", entrants: ["random", "policy:policy=perfect"], luck: "pubeval" },
      [/^luck: unknown evaluator "pubeval"; allowed: none, race, or the path of a weights file/],
    ],
    [
      "an adjusted return without luck",
      { rankBy: "adjusted-return" },
      [/^rankBy: adjusted-return needs `luck`, the evaluator that takes luck out/],
    ],
    [
      "a plugin that is not there",
      { entrants: ["random", "./nobody.ts"] },
      [/^entrants\[1\].agent: .*nobody.ts cannot be loaded/],
    ],
    [
      "a game that the agent does not support",
      { game: "pig", entrants: ["random", "alpha-beta:depth=2"] },
      [
        /^entrants\[1\].agent: alpha-beta cannot play pig, which has chance; agents that fit: random, policy, greedy, expectimax, max-n, mcts/,
      ],
    ],
  ])("refuses %s", async (_, change, expected) => {
    const problems = await problemsOf({ ...good, ...change });
    expect(problems).toHaveLength(expected.length);
    expected.forEach((pattern, index) => expect(problems[index]).toMatch(pattern));
  });

  test("all problems are told in one go", async () => {
    const problems = await problemsOf({
      ...good,
      blocks: "many",
      sed: 1,
      game: { id: "connect-four", width: 2 },
      entrants: ["random", "random", "alpha-beta:depth", "./nobody.ts", { name: "no agent" }],
      anchor: { entrant: "x", elo: 0 },
    });
    expect(problems.map((problem) => problem.split(":")[0])).toEqual([
      "blocks",
      "entrants[4].agent",
      "sed",
      "game.width",
      "entrants[2]",
      "entrants[3].agent",
      "entrants[1].name",
      "anchor.entrant",
    ]);
  });

  slowTest("agents of the user's are loaded, by path", async () => {
    const plan = await planTournament(
      { ...good, entrants: ["random", fixture("agents/throws.ts")] },
      { baseDir: "." },
    );
    expect(plan.entrants[1]!.spec.agent).toBe(fixture("agents/throws.ts"));
  });
});

describe("what is too large is told before anything is made", () => {
  const random = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ name: `e${at}`, agent: "random" }));
  const six = { id: "nim", piles: [3, 5, 7], players: 6 };

  test.each([
    [{ blocks: 1e12 }, "blocks: must be at most 10000000, got 1000000000000"],
    [{ openings: { randomPlies: 1e6 } }, "openings.randomPlies: must be at most 1000, got 1000000"],
    [
      { budget: { simulations: 1e15 } },
      "budget.simulations: must be at most 100000000000, got 1000000000000000",
    ],
    [
      { entrants: ["random", "mcts:simulations=9,maxNodes=1000000000"] },
      "entrants[1].maxNodes: must be at most 67108864, got 1000000000",
    ],
    [
      { entrants: ["random", "alpha-beta:depth=1000000"] },
      "entrants[1].depth: must be at most 1000, got 1000000",
    ],
    [
      { entrants: ["random", "alpha-beta:depth=2,table=1000000000"] },
      "entrants[1].table: must be at most 8192, got 1000000000",
    ],
    [
      { game: six, entrants: random(40) },
      "entrants: 40 entrants can meet in 3838380 pairings of 6; at most 250000 are played: draw some of them with a format of type sample",
    ],
    [
      { blocks: 9_000_000, entrants: random(100) },
      "blocks: 4950 pairings of 2 with 9000000 blocks are 89100000000 games; at most 1000000000: take fewer blocks, " +
        "or fewer pairings with a format of type sample",
    ],
    [
      { format: { type: "sample", pairings: 3 }, game: "2048", entrants: random(3) },
      "format.pairings: everybody plays alone in a game of one player: leave it out",
    ],
    [
      { format: { type: "sample", pairings: 3 }, entrants: random(9) },
      "format.pairings: must be at least 5, so that all 9 entrants play",
    ],
    [
      { format: { type: "swis" }, entrants: random(9) },
      'format.type: must be one of round-robin, sample, gauntlet, swiss, knockout, sprt, comparison, adaptive, got "swis" (did you mean "swiss"?)',
    ],
    [
      { format: { type: "swiss", rounds: 20 }, entrants: random(9) },
      "format.rounds: must be at most 9, got 20: in more rounds 9 entrants would have to meet again",
    ],
    [
      { format: "knockout", game: six, entrants: random(9) },
      "format: a knockout is for games of two players; this one has 6: take another format",
    ],
    [
      { format: { type: "gauntlet", challengers: ["e2", "other"] }, entrants: random(9) },
      'format.challengers[1]: unknown entrant "other"; allowed: e0, e1, e2, e3, e4, e5, e6, e7, e8',
    ],
    [
      { format: { type: "gauntlet", challengers: ["e0"] }, game: six, entrants: random(40) },
      "entrants: 40 entrants can meet in 575757 pairings of 6; at most 250000 are played: take fewer entrants",
    ],
    [
      { format: { type: "round-robin", pairings: 5 }, entrants: random(9) },
      'format.pairings: unknown key "pairings"; allowed: type',
    ],
  ])("%j", async (change, problem) => {
    expect(await problemsOf({ ...good, ...change })).toEqual([problem]);
  });

  test("40 entrants in games of six can play a sample of their pairings", async () => {
    const format = { type: "sample", pairings: 200 };
    const plan = await planTournament({ ...good, game: six, entrants: random(40), format });
    expect(plan.format).toEqual({ type: "sample", pairings: 200 });
    expect(formatOf(plan).size(plan)).toEqual({ least: 200 * 6 * 2, most: 200 * 6 * 2 });
    const seats = Array.from(schedule(plan, createGame(plan.game)), (game) => game.seats.join());
    expect(new Set(seats).size).toBeGreaterThanOrEqual(200 * 6);
    expect(seats).toHaveLength(200 * 6 * 2);
  });
});
