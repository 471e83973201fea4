import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { playTournament, type TournamentResult } from "../../src/arena/tournament.ts";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { slowTest } from "../support/thorough.ts";

const base = { name: "grows", game: "tic-tac-toe", seed: "grow", blocks: 3, openings: { randomPlies: 1 } };
const random = { name: "random", agent: "random" };
const search = { name: "search", agent: "alpha-beta", depth: 2 };
const greedy = { name: "greedy", agent: "greedy", evaluator: "open-lines" };
const deep = { name: "deep", agent: "alpha-beta", depth: 4 };

const play = async (config: object, request: object = {}) =>
  playTournament({ ...base, ...config } as Parameters<typeof playTournament>[0], { workers: 0, ...request });
const idsOf = ({ records }: TournamentResult) => records.map(({ id }) => id);

describe("a run that gets more entrants", () => {
  slowTest("plays their games alone, and is then the run that has had them from the beginning", async () => {
    const outDir = temporaryFolder();
    await play({ entrants: [random, search] }, { outDir });
    // The order of the config does not matter, and a known entrant may have another name there.
    const more = { entrants: [greedy, { ...search, name: "another name" }, random, deep] };
    const grown = await play(more, { outDir, grow: true });
    const whole = await play({ entrants: [random, search, greedy, deep] });
    expect(grown.played).toBe(5 * 2 * 3);
    expect(grown.plan.entrants.map(({ name }) => name)).toEqual(["random", "search", "greedy", "deep"]);
    expect(idsOf(grown)).toEqual(idsOf(whole));
    expect(grown.report.entrants.map(({ name, elo, games }) => [name, elo, games])).toEqual(
      whole.report.entrants.map(({ name, elo, games }) => [name, elo, games]),
    );
    expect((await play(more, { outDir, grow: true })).played).toBe(0);
  });

  slowTest("may be a gauntlet, or become a round robin", async () => {
    const outDir = temporaryFolder();
    const format = { type: "gauntlet", challengers: ["search"] };
    await play({ format, entrants: [search, random] }, { outDir });
    const grown = await play({ format, entrants: [search, random, greedy] }, { outDir, grow: true });
    expect(grown.played).toBe(6);
    const round = await play({ entrants: [search, random, greedy] }, { outDir, grow: true });
    expect(round.played).toBe(6);
  });

  const entrants = [random, search, greedy];
  test.each<[string, object, object, RegExp]>([
    [
      "another seed",
      { entrants },
      { seed: "other", entrants },
      /seed: the run was begun with another config/,
    ],
    [
      "a name that is taken",
      { entrants },
      { entrants: [random, { ...deep, name: "search" }] },
      /another entrant that is called "search"/,
    ],
    [
      "a format that draws other pairings",
      { format: { type: "sample", pairings: 2 }, entrants },
      { format: { type: "sample", pairings: 2 }, entrants: [...entrants, deep] },
      /cannot grow: .* have met, and would not meet with the new entrants in the format sample/,
    ],
    [
      "challengers that met others",
      { format: { type: "gauntlet", challengers: ["search"] }, entrants },
      { format: { type: "gauntlet", challengers: ["deep"] }, entrants: [...entrants, deep] },
      /cannot grow: random and search have met/,
    ],
  ])("is refused with %s, and stays as it was", async (_, first, then, message) => {
    const outDir = temporaryFolder();
    const before = await play(first, { outDir });
    await expect(play(then, { outDir, grow: true })).rejects.toThrow(message);
    expect(idsOf(await play(first, { outDir, resume: true }))).toEqual(idsOf(before));
  });
});

slowTest("agon run --into adds entrants to a run; a folder without one is refused and not made", async () => {
  const dir = temporaryFolder();
  const out = join(dir, "run");
  const two = writeInto(dir, "two.json", { ...base, entrants: [random, search] });
  const three = writeInto(dir, "three.json", { ...base, entrants: [random, search, greedy] });
  expect(await agon(["run", three, "--into", out])).toMatchObject({
    code: 2,
    stderr: `${out}: holds no run that could grow\n`,
  });
  await agon(["run", two, "--out", out, "--workers", "1"]);
  const { code, stdout, stderr } = await agon(["run", three, "--into", out, "--workers", "1"]);
  expect(code).toBe(0);
  expect(stdout).toContain("tic-tac-toe: 18 games");
  expect(stderr).toContain("grows: 3 entrants");
  expect((await agon(["run", three, "--into", out, "--resume"])).stderr).toContain(
    "--into or --out, not both",
  );
});
