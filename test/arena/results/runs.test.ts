import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planTournament, type TournamentConfig } from "../../../src/arena/plan/config.ts";
import { formatGame, loadRuns } from "../../../src/arena/results/runs.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { parseAnchor } from "../../../src/ratings/elo/scale.ts";
import { temporaryFolder } from "../../support/agon.ts";
import { fillRun } from "../../support/made-up-run.ts";

test.each([
  ["go", "go"],
  [{ id: "go", size: 5 }, 'go {"size":5}'],
  // An option that follows from others is left out, unless it has another value.
  [{ id: "go", size: 5, moveLimit: 60 }, 'go {"size":5,"moveLimit":60}'],
  [{ id: "nim", players: 3 }, 'nim {"players":3}'],
  [{ id: "tree", root: { player: 0, actions: [2, 7] } }, /^tree \{"root/],
] as const)("the name of the game %j", async (game, name) => {
  const players = typeof game === "object" && "players" in game ? 3 : 2;
  const entrants = Array.from({ length: players }, (_, at) => ({ name: `${at}`, agent: "random" }));
  const plan = await planTournament({ name: "t", game, blocks: 1, entrants });
  const found = formatGame(plan);
  if (typeof name === "string") expect(found).toBe(name);
  else expect(found).toMatch(name);
});

test("the name of a game has the time control", async () => {
  const entrants = ["random", "greedy:evaluator=none"];
  const plan = await planTournament({
    name: "t",
    game: "go",
    blocks: 1,
    entrants,
    time: { main: 10, increment: 0.1 },
  });
  expect(formatGame(plan)).toBe("go at 10+0.1");
});

test("an anchor is a name and a rating of at most 100,000", () => {
  const names = ["random", "a=b"];
  expect(parseAnchor("random=1200.5", names)).toEqual({ entrant: 0, elo: 1200.5 });
  expect(parseAnchor("a=b=-100000", names)).toEqual({ entrant: 1, elo: -100_000 });
  for (const elo of ["1e308", "-1e9", "100001"])
    expect(() => parseAnchor(`random=${elo}`, names)).toThrow(
      `"random=${elo}": the Elo of an anchor must be from -100000 to 100000`,
    );
  for (const text of ["random", "random=", "=5", "random=many", "random=Infinity"])
    expect(() => parseAnchor(text, names)).toThrow(
      `"${text}" is no anchor; write NAME=ELO, such as random=0`,
    );
  expect(() => parseAnchor("randon=0", names)).toThrow('unknown entrant "randon" (did you mean "random"?)');
});

describe("several runs", () => {
  const run = async (
    entrants: TournamentConfig["entrants"],
    rest: Partial<Omit<TournamentConfig, "entrants">> = {},
  ): Promise<string> => {
    const dir = temporaryFolder();
    await fillRun(dir, { name: "t", game: "tic-tac-toe", blocks: 4, entrants, ...rest });
    return dir;
  };

  test("two entrants of one name that play differently are two, with names of their own and a note", async () => {
    const [one, two] = [
      await run(["random", { name: "mine", agent: "mcts", simulations: 5 }]),
      await run([{ name: "mine", agent: "mcts", simulations: 6 }, "random"]),
    ];
    const both = loadRuns([one, two]);
    expect(both.entrants).toEqual(["random", "mine", "mine (2)"]);
    const { entrants, crossTable, warnings } = createReport(both);
    expect(entrants.map(({ name, games }) => `${name} ${games}`).toSorted()).toEqual([
      "mine (2) 8",
      "mine 8",
      "random 16",
    ]);
    expect(crossTable.flat().filter((cell) => cell !== null)).toHaveLength(4);
    expect(warnings).toContain(`mine (2) is mine of ${two}, which plays otherwise than the other mine`);
  });

  test("one way of playing under two names is one entrant, with the first name and a note", async () => {
    const dir = temporaryFolder();
    const weights = join(dir, "copy.json");
    copyFileSync("weights/tic-tac-toe/linear.json", weights);
    const player = (name: string, evaluator: string) => ({ name, agent: "greedy", evaluator });
    const [one, two] = [
      await run(["random", player("first", "weights/tic-tac-toe/linear.json")]),
      await run([player("second", weights), { name: "random", agent: "random" }]),
    ];
    const both = loadRuns([one, two]);
    expect(both.entrants).toEqual(["random", "first"]);
    expect(both.warnings).toEqual(["first is also called second: they play the same way"]);
    const { entrants, games } = createReport(both);
    expect([games, ...entrants.map((entrant) => entrant.games)]).toEqual([16, 16, 16]);
    // Without its weights nobody can tell that they are the same.
    rmSync(join(two, "weights"), { recursive: true });
    expect(loadRuns([one, two]).entrants).toEqual(["random", "first", "second"]);
  });

  test("entrants of one run stay apart though they play the same way; each name meets itself in the next run", async () => {
    const same = (...names: string[]) => names.map((name) => ({ name, agent: "random" }));
    const [one, two] = [await run(same("a", "b")), await run(same("c", "b"))];
    expect(loadRuns([one]).entrants).toEqual(["a", "b"]);
    const both = loadRuns([one, two]);
    expect(both.entrants).toEqual(["a", "b"]);
    expect(both.warnings).toEqual(["a is also called c: they play the same way"]);
    expect(loadRuns([two, one, await run(same("x", "y", "a"))]).entrants).toEqual(["c", "b", "y"]);
  });

  test("of different games, or by different rules, are refused; the message says what differs", async () => {
    const entrants = ["random", "alpha-beta:depth=1"];
    const one = await run(entrants);
    const refusal = async (rest: Parameters<typeof run>[1]) => {
      const dir = await run(entrants, rest);
      return () => loadRuns([one, dir]);
    };
    expect(await refusal({ game: "connect-four" })).toThrow(
      `game.id: "tic-tac-toe" in ${one}, "connect-four" here`,
    );
    expect(await refusal({ moveTimeoutMs: 200 })).not.toThrow();
    expect(await refusal({ adjudicate: { maxPlies: 4 } })).toThrow("adjudicate: none in");
    expect(await refusal({ time: "10+1" })).toThrow(
      "only runs of one game by the same rules are rated together",
    );
    const small = await run(["random", "greedy:evaluator=none"], { game: { id: "go", size: 5 } });
    const large = await run(["random", "greedy:evaluator=none"], { game: { id: "go", size: 7 } });
    expect(() => loadRuns([small, large])).toThrow(`${large}: game.size: 5 in ${small}, 7 here`);
  });
});
