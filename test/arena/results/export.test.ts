import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { exportRun } from "../../../src/arena/results/export.ts";
import { loadResults } from "../../../src/arena/result-files/load.ts";
import { reportRun } from "../../../src/arena/results/runs.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { createReport, type RankedEntrant } from "../../../src/ratings/report.ts";
import { temporaryFolder } from "../../support/agon.ts";
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

test("games are exported in the order of the schedule, in PGN with their block and their number in it", async () => {
  const store = await someGames("chess");
  const text = [...(await exportRun(store, "dir", "pgn"))].join("");
  expect([...text.matchAll(/\[Round "(.*)"\]/g)].map(([, round]) => round)).toEqual([
    "1.1",
    "1.2",
    "2.2",
    "3.1",
    "3.2",
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
  const lines = [...(await exportRun(store, "dir", "jsonl"))];
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
  const lines = [...(await exportRun(store, "dir", "jsonl"))].join("").trimEnd().split("\n");
  const games = lines.map((line) => JSON.parse(line) as { round: number; event: string });
  expect(games.map(({ round, event }) => [event, round])).toEqual(
    [1, 2, 3, 4, 5].map((round) => ["cup", round]),
  );
  await expect(exportRun(store, "dir", "pgn")).rejects.toThrow('unknown format of connect-four "pgn"');
  await expect(exportRun(Store.inMemory(), "dir", "jsonl")).rejects.toThrow("dir: has no plan");
  store.close();
});

/** The tags of each game of a PGN file. */
function tagsOf(text: string): Record<string, string>[] {
  return text
    .split(/^(?=\[Event )/m)
    .map((game) =>
      Object.fromEntries(
        Array.from(game.matchAll(/^\[(\w+) "(.*)"\]$/gm), ([, name, value]) => [name!, value!]),
      ),
    );
}

test("the tags of a PGN say how a game was played, and its games can be read and rated again", async () => {
  const dir = join(temporaryFolder(), "run");
  const config = {
    name: "cup",
    game: "chess",
    blocks: 4,
    openings: { randomPlies: 3 },
    time: "60+1",
    entrants: ["random", "greedy:evaluator=piece-squares"],
  };
  const { plan, store } = openRun(dir, await planTournament(config, { baseDir: "." }), { resume: false });
  await runTournament({ plan, store, workers: 0 });
  const records = new Map([...store.records()].map((record) => [record.id, record]));
  const text = [...(await exportRun(store, dir, "pgn"))].join("");
  const tags = tagsOf(text);
  const played = [...createGame("chess").transcripts["pgn"]!.read!(text)];
  const ids = [...schedule(plan, createGame("chess"))].map(({ id }) => id);
  expect(tags).toHaveLength(8);
  for (const [at, game] of tags.entries()) {
    const record = records.get(ids[at]!)!;
    const white = record.returns[0]!;
    expect(played[at]).toEqual({
      actions: record.actions,
      returns: record.returns,
      values: expect.any(Array) as unknown,
    });
    expect(game).toEqual({
      Event: "cup",
      Site: "?",
      Date: expect.stringMatching(/^\d{4}\.\d\d\.\d\d$/) as string,
      UTCDate: new Date().toISOString().slice(0, 10).replaceAll("-", "."),
      Round: `${(at >> 1) + 1}.${(at % 2) + 1}`,
      White: plan.entrants[record.seats[0]!]!.name,
      Black: plan.entrants[record.seats[1]!]!.name,
      Result: white > 0 ? "1-0" : white < 0 ? "0-1" : "1/2-1/2",
      OpeningPlies: "3",
      PlyCount: String(record.actions.length),
      Termination: "normal",
      TimeControl: "60+1",
    });
  }
  const path = join(temporaryFolder(), "cup.pgn");
  writeFileSync(path, text);
  const again = createReport(await loadResults([path]));
  const report = reportRun(plan, store);
  const figures = ({ name, elo, low, high, wins }: RankedEntrant) => ({ name, elo, low, high, wins });
  expect(again.entrants.map(figures)).toEqual(report.entrants.map(figures));
  store.close();
});
