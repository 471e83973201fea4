import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { exportRun } from "../../../src/arena/results/export.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { createGame } from "../../../src/games/index.ts";
import { gameRecord } from "../../ratings/records.ts";

/** A run of three blocks of two games, of which the third game is missing. */
async function someGames(game: string): Promise<Store> {
  const entrants = ["random", "mcts:simulations=5"];
  const plan = await planTournament({ name: "cup", game, blocks: 3, entrants }, { baseDir: "." });
  const store = Store.inMemory();
  store.savePlan(plan);
  const records = [...schedule(plan, createGame(game))]
    .filter((_, at) => at !== 2)
    .map(({ id, block, seats, opening }) =>
      gameRecord({ id, block, seats, actions: [...opening], returns: [1, -1] }),
    );
  // The store does not keep the order of the schedule.
  store.add(records.toReversed());
  return store;
}

test("games are exported in the order of the schedule and numbered from 1, without gaps", async () => {
  const store = await someGames("chess");
  const text = [...(await exportRun(store, "dir", { as: "pgn" }))].join("");
  expect([...text.matchAll(/\[Round "(.*)"\]/g)].map(([, round]) => round)).toEqual([
    "1",
    "2",
    "3",
    "4",
    "5",
  ]);
  const white = [...text.matchAll(/\[White "(.*)"\]/g)].map(([, name]) => name);
  const mcts = "mcts:simulations=5";
  expect(white).toEqual(["random", mcts, mcts, "random", mcts]);
  store.close();
});

test("what the agents thought stands beside the moves that they chose", async () => {
  const entrants = ["random", "mcts:simulations=5"];
  const config = { name: "cup", game: { id: "pig", target: 20 }, blocks: 2, entrants };
  const plan = await planTournament({ ...config, openings: { randomPlies: 1 } }, { baseDir: "." });
  const store = Store.inMemory();
  store.savePlan(plan);
  await runTournament({ plan, store, workers: 0 });
  type Told = { nodes: number; line: string[]; value?: number } | null;
  const lines = [...(await exportRun(store, "dir", { as: "jsonl" }))];
  expect(lines).toHaveLength(4);
  for (const line of lines) {
    const game = JSON.parse(line) as { moves: string[]; names: string[]; thoughts: Told[] };
    expect(game.thoughts).toHaveLength(game.moves.length);
    expect(game.thoughts[0]).toBeNull();
    expect(game.thoughts.some((thought) => thought?.nodes === 5)).toBe(true);
    for (const [at, thought] of game.thoughts.entries()) {
      // The opening is one decision with its die; later every decision has an entry, and no die has one.
      if (at > 1) expect(thought !== null).toBe(/^(roll|hold)$/.test(game.moves[at]!));
      if (thought !== null && thought.line.length > 0) expect(thought.line[0]).toBe(game.moves[at]);
    }
  }
  store.close();
});

test("any game as JSON, one a line; formats that it does not have are refused by name", async () => {
  const store = await someGames("connect-four");
  const lines = [...(await exportRun(store, "dir", { as: "jsonl" }))].join("").trimEnd().split("\n");
  const games = lines.map((line) => JSON.parse(line) as { round: number; event: string });
  expect(games.map(({ round, event }) => [event, round])).toEqual(
    [1, 2, 3, 4, 5].map((round) => ["cup", round]),
  );
  await expect(exportRun(store, "dir", { as: "pgn" })).rejects.toThrow(
    'unknown format of connect-four "pgn"',
  );
  await expect(exportRun(Store.inMemory(), "dir", { as: "jsonl" })).rejects.toThrow("dir: has no plan");
  store.close();
});
