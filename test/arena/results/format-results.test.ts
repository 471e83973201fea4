import { describe, expect, test } from "vitest";
import type { FormatPlan } from "../../../src/arena/formats/format.ts";
import { formatReport } from "../../../src/ratings/sections/format-report.ts";
import { formatResults } from "../../../src/arena/results/format-results.ts";
import { formatSections } from "../../../src/ratings/sections/formats.ts";
import type { Section } from "../../../src/ratings/sections/section.ts";
import type { AdaptiveResults } from "../../../src/ratings/format-results.ts";
import { createReport } from "../../../src/ratings/report.ts";
import { gameRecord } from "../../ratings/records.ts";
import { planFor, playOut } from "../formats/play-out.ts";

/** A report of games between the first two of the plan, whose figures the results of rounds do not need. */
function reportOf({ entrants }: FormatPlan) {
  const records = [gameRecord({ block: "a", seats: [0, 1], returns: [1, -1] })];
  return createReport({ game: "a game", entrants: entrants.map(({ name }) => name), records });
}

const textsOf = ({ rows }: Section) => rows.map((row) => row.map(({ text }) => text));

function resultsOf(plan: FormatPlan, scoreOf: Parameters<typeof playOut>[1]) {
  return formatResults(plan, { report: reportOf(plan), past: playOut(plan, scoreOf) })!;
}

describe("the results of a knockout", () => {
  const plan = planFor({ type: "knockout", thirdPlace: true }, 5);
  // The match of seeds 2 and 3 is level to the end.
  const results = resultsOf(plan, ([one, other]) => (one === 1 && other === 2 ? [0.5, 0.5] : [0.75, 0.25]));

  test("are its rounds, with who went on", () => {
    const match = (place: number, one: number, other: number) => ({
      place,
      entrants: [`e${one - 1}`, `e${other - 1}`],
      seeds: [one, other],
      blocks: 2,
      scores: [1.5, 0.5],
      winner: `e${one - 1}`,
    });
    expect(results).toEqual({
      type: "knockout",
      rounds: [
        { name: "quarter-finals", byes: ["e0", "e1", "e2"], matches: [match(1, 4, 5)] },
        {
          name: "semi-finals",
          byes: [],
          matches: [match(0, 1, 4), { ...match(1, 2, 3), blocks: 14, scores: [7, 7] }],
        },
        { name: "third place", byes: [], matches: [match(0, 3, 4)] },
        { name: "final", byes: [], matches: [match(0, 1, 2)] },
      ],
    });
  });

  test("are a table for each round below the ratings", () => {
    const text = formatReport({ ...reportOf(plan), format: results }, "table");
    expect(text).toContain(`Knockout: quarter-finals

#  Entrant  Seed  Score  Blocks  Result
-  -------  ----  -----  ------  -------
1  e3          4    1.5       2  goes on
   e4          5    0.5
   e0                            bye
   e1                            bye
   e2                            bye

Knockout: semi-finals

#  Entrant  Seed  Score  Blocks  Result
-  -------  ----  -----  ------  --------------------------
1  e0          1    1.5       2  goes on
   e3          4    0.5
2  e1          2      7      14  goes on as the higher seed
   e2          3      7

Knockout: third place
`);
    expect(text.indexOf("First seat")).toBeLessThan(text.indexOf("Knockout: quarter-finals"));
    expect(text.indexOf("Knockout: final")).toBeLessThan(text.indexOf("Score % of row"));
    expect(formatReport({ ...reportOf(plan), format: results }, "markdown")).toContain(
      "## Knockout: final\n\n| # | Entrant | Seed | Score | Blocks | Result |\n| ---: | --- | ---: | ---: | ---: | --- |\n" +
        "| 1 | e0 | 1 | 1.5 | 2 | wins |\n",
    );
  });

  test("are in the JSON; names with control characters are escaped in tables alone", () => {
    const bell = JSON.parse(JSON.stringify(results).replaceAll("e0", "\\u0007")) as typeof results;
    const report = { ...reportOf(plan), format: bell };
    expect(JSON.parse(formatReport(report, "json"))).toMatchObject({ format: bell });
    expect(formatReport(report, "table")).not.toContain("\u0007");
    expect(formatReport(report, "table")).toContain("\\u0007");
  });
});

describe("the results of a Swiss tournament", () => {
  test("are its standings, with opponents by rank", () => {
    const plan = planFor({ type: "swiss", rounds: 2 }, 5);
    const results = resultsOf(plan, ([one]) => (one === 2 ? [0.5, 0.5] : [1, 0]));
    const [table] = formatSections(results);
    expect(table!.title).toBe("Swiss: standings after 2 rounds");
    const heads = table!.columns.map(({ head }) => head);
    expect(heads).toEqual(["#", "Entrant", "Points", "Buchholz", "Score%", "R1", "R2"]);
    // Entrants e0 and e4 do not meet in the second round, because e2 and e3 would meet again.
    expect(textsOf(table!)).toEqual([
      ["1", "e0", "2", "1.5", "100.0", "3+", "5+"],
      ["2", "e3", "1.5", "1.5", "75.0", "5=", "4+"],
      ["3", "e1", "1", "2", "0.0", "1-", "bye"],
      ["4", "e4", "1", "1.5", "0.0", "bye", "2-"],
      ["5", "e2", "0.5", "3.5", "25.0", "2=", "1-"],
    ]);
  });

  test("of games of three name both opponents", () => {
    const plan = planFor({ type: "swiss", rounds: 1 }, 3, { players: 3 });
    const results = resultsOf(plan, () => [1, 0.5, 0]);
    expect(textsOf(formatSections(results)[0]!)).toEqual([
      ["1", "e0", "1", "0.5", "100.0", "1 (2 3)"],
      ["2", "e1", "0.5", "1", "50.0", "0.5 (1 3)"],
      ["3", "e2", "0", "1.5", "0.0", "0 (1 2)"],
    ]);
  });
});

test("the results of an adaptive tournament are each two neighbours of the ranking", () => {
  const plan = planFor({ type: "adaptive", confidence: 0.95, share: 1 }, 3);
  const won = (block: string, seats: [number, number]) => gameRecord({ block, seats, returns: [1, -1] });
  const records = [won("a", [0, 1]), won("b", [1, 0]), won("c", [1, 2]), won("d", [1, 2]), won("e", [2, 0])];
  const report = createReport({ game: "a game", entrants: ["e0", "e1", "e2"], records });
  const results = formatResults(plan, { report, past: undefined }) as AdaptiveResults;
  expect(report.entrants.map(({ name }) => name)).toEqual(["e1", "e0", "e2"]);
  expect(results).toMatchObject({ type: "adaptive", confidence: 0.95 });
  const [e1, e0, e2] = report.entrants;
  expect(results.neighbours).toEqual([
    {
      names: ["e1", "e0"],
      games: 2,
      eloDifference: e1!.elo - e0!.elo,
      superiority: report.superiority[0]![1],
    },
    {
      names: ["e0", "e2"],
      games: 1,
      eloDifference: e0!.elo - e2!.elo,
      superiority: report.superiority[1]![2],
    },
  ]);
  expect(textsOf(formatSections(results)[0]!).map((row) => row.slice(0, 4))).toEqual([
    ["1", "e1", "e0", "2"],
    ["2", "e0", "e2", "1"],
  ]);
});

test("the results of a gauntlet are those of each challenger against the field, from the ratings", () => {
  const plan = planFor({ type: "gauntlet", challengers: ["e1"] }, 3);
  const record = (block: string, seats: [number, number], won: boolean) =>
    gameRecord({ block, seats, returns: won ? [1, -1] : [-1, 1] });
  const records = [
    record("a", [0, 1], true),
    record("a", [1, 0], true),
    record("b", [1, 2], true),
    record("b", [2, 1], false),
    record("c", [1, 2], true),
    record("c", [2, 1], true),
  ];
  const report = createReport({ game: "a game", entrants: ["e0", "e1", "e2"], records });
  const results = formatResults(plan, { report, past: undefined });
  const eloOf = (name: string) => report.entrants.find((entrant) => entrant.name === name)!.elo;
  const opponent = (name: string, games: number, score: number) => ({
    name,
    elo: eloOf(name),
    games,
    score,
    eloDifference: eloOf("e1") - eloOf(name),
    superiority: expect.any(Number) as number,
  });
  expect(results).toEqual({
    type: "gauntlet",
    challengers: [{ name: "e1", opponents: [opponent("e0", 2, 0.5), opponent("e2", 4, 0.75)] }],
  });
  expect(textsOf(formatSections(results!)[0]!).map((row) => row.slice(0, 5))).toEqual([
    ["1", "e0", String(Math.round(eloOf("e0"))), "2", "50.0"],
    ["2", "e2", String(Math.round(eloOf("e2"))), "4", "75.0"],
  ]);
});

test("a round robin has no results of its own", () => {
  const plan = planFor({ type: "round-robin" }, 3);
  expect(formatResults(plan, { report: reportOf(plan), past: undefined })).toBeUndefined();
});
