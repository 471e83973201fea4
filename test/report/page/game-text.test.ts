import { expect, test } from "vitest";
import { collect } from "../../../src/report/collect.ts";
import { endingOf, outcomeOf } from "../../../src/report/page/game-text.ts";
import { playedRun } from "../../support/reports.ts";

test("a resignation is told with the names of both", async () => {
  const dir = await playedRun({
    name: "resigns",
    game: "connect-four",
    blocks: 1,
    adjudicate: { resign: { value: 0.9, plies: 1, both: false } },
    entrants: [
      { name: "ann", agent: "alpha-beta", depth: 8, evaluator: "threats" },
      { name: "bob", agent: "alpha-beta", depth: 6, evaluator: "none" },
    ],
  });
  const [run = expect.fail()] = (await collect([dir], { version: "0", games: 9 })).tournaments;
  const [game = expect.fail()] = run.games;
  expect(game.detail).toMatch(/^player \d resigns: /);
  const [winner, loser] = game.returns[0] === 1 ? game.seats : game.seats.toReversed();
  const names = run.entrants.map(({ name }) => name);
  expect(outcomeOf(run, game, undefined)).toBe(`${names[winner!]} won: ${names[loser!]} resigns`);
  // An engine that says so by its protocol forfeits.
  const detail = "it resigned, which is a loss here; GNU Go plays on with --never-resign";
  const forfeited = { ...game, ending: "illegal action" as const, forfeitSeat: 0, detail, returns: [-1, 1] };
  expect(endingOf(run, forfeited)).toBe(`${names[game.seats[0]!]} resigns`);
  expect(endingOf(run, { ...game, detail: "" })).toBe("adjudicated");
  expect(endingOf(run, { ...game, ending: "finished", detail: "" })).toBeUndefined();
});
