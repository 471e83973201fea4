import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { loadDeeds } from "../../../src/arena/results/deeds.ts";
import { reportRun } from "../../../src/arena/results/runs.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
import { parseLegal } from "../../../src/games/contract/notation.ts";
import { formatReport } from "../../../src/ratings/sections/format-report.ts";
import { gameRecord } from "../../ratings/records.ts";

const game = createGame({ id: "conquest", map: "tiny", battles: "exchange" });

/** The actions with these texts from the start. */
function actionsOf(text: string): number[] {
  const state = game.start();
  return text.split(" ").map((word) => {
    const action = parseLegal(game, word, state);
    state.apply(action);
    return action;
  });
}

async function storeOf(name: string, actions: readonly (readonly number[])[], openingLength: number) {
  const plan = await planTournament({
    name: "deeds",
    game: name === "conquest" ? { id: "conquest", map: "tiny", battles: "exchange" } : name,
    blocks: 1,
    entrants: ["random", "greedy:evaluator=none", "mcts:simulations=2"],
  });
  const store = Store.inMemory();
  store.savePlan(plan);
  store.add(
    actions.map((own, at) => ({
      ...gameRecord({ block: "a", seats: at === 0 ? [0, 1, 2] : [2, 0, 1], returns: [0, 0, 0] }),
      id: String(at),
      actions: own,
      openingLength,
    })),
  );
  return { plan, store };
}

test("offers, answers and breaks are counted for who made them, without the opening", async () => {
  // A offers B an alliance, B accepts; in the second game B declines.
  const games = [actionsOf("ally-B accept"), actionsOf("ally-B decline")];
  const { plan, store } = await storeOf("conquest", games, 0);
  const counts = { offers: 0, accepts: 0, declines: 0, breaks: 0 };
  const deeds = await loadDeeds(plan, "", store);
  expect(deeds).toEqual([
    { name: plan.entrants[0]!.name, games: 2, counts: { ...counts, offers: 1, declines: 1 } },
    { name: plan.entrants[1]!.name, games: 2, counts: { ...counts, accepts: 1 } },
    { name: plan.entrants[2]!.name, games: 2, counts: { ...counts, offers: 1 } },
  ]);
  const report = reportRun(plan, store, { deeds });
  expect(report.deeds!.map(({ name }) => name)).toEqual(report.entrants.map(({ name }) => name));
  const text = formatReport(report, "table");
  expect(text).toMatch(/^Actions a game, by kind\n\n# +Entrant +Offers +Accepts +Declines +Breaks$/m);
  expect(text).toMatch(/^\d +random +0\.500 +0 +0\.500 +0$/m);
  const later = await storeOf("conquest", games, 1);
  expect((await loadDeeds(later.plan, "", later.store))![0]!.counts["offers"]).toBe(0);
});

test("a game that names no kinds of actions has none", async () => {
  const { plan, store } = await storeOf("chinese-checkers", [], 0);
  expect(await loadDeeds(plan, "", store)).toBeUndefined();
});
