import process from "node:process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planTournament } from "../../src/arena/plan/config.ts";
import { RecordCheck } from "../../src/arena/play/record-check.ts";
import { verifyRun } from "../../src/arena/play/verify.ts";
import { exportRun } from "../../src/arena/results/export.ts";
import { formatGame, loadRuns } from "../../src/arena/results/runs.ts";
import { Store } from "../../src/arena/store/store.ts";
import { playTournament } from "../../src/arena/tournament.ts";
import { createGame } from "../../src/games/index.ts";
import type { Game } from "../../src/games/contract/game.ts";
import { loadGame } from "../../src/specs/games.ts";
import { agon, fixture, MAIN, temporaryFolder, writeInto } from "../support/agon.ts";
import { agonEngine } from "../support/players.ts";
import { storedGames } from "../support/stored-games.ts";
import { gamesIn } from "../support/games-in.ts";
import { slowTest } from "../support/thorough.ts";

const LIST = [
  "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
  "4k3/4p3/8/8/8/8/8/4K3 b - - 5 30",
  "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
];

const CONFIG = {
  name: "positions",
  game: "chess",
  blocks: 3,
  openings: { file: "list.epd" },
  adjudicate: { maxPlies: 14 },
  entrants: ["random", "alpha-beta:depth=1"],
};

function folderOf(name: string, lines: readonly string[]): string {
  const dir = temporaryFolder();
  writeInto(dir, name, lines.join("\n"));
  return dir;
}

async function played(change: object = {}, { name = "list.epd", lines = LIST } = {}) {
  const baseDir = folderOf(name, lines);
  const dir = join(baseDir, "run");
  const plan = await planTournament({ ...CONFIG, ...change }, { baseDir });
  await playTournament(plan, { outDir: dir, workers: 0 });
  const store = Store.openExisting(dir);
  const stored = store.requirePlan(dir);
  return { dir, store, plan: stored, records: store.records(), game: await loadGame(stored.game) };
}

/** The position after the opening of a game. */
function beginning(
  game: Game,
  { actions, openingLength }: { actions: readonly number[]; openingLength: number },
) {
  const state = game.start();
  for (const action of actions.slice(0, openingLength)) state.apply(action);
  return game.formatState(state);
}

slowTest(
  "each block begins at its position under both seatings; the run is stored, checked and verified",
  async () => {
    const { dir, store, plan, records, game } = await played();
    expect(records).toHaveLength(6);
    for (const position of LIST)
      expect(
        records
          .filter((record) => beginning(game, record) === position)
          .map(({ seats }) => seats.join())
          .toSorted(),
      ).toEqual(["0,1", "1,0"]);
    const check = new RecordCheck(game, plan);
    for (const record of records) expect(check.problem(record)).toBeUndefined();
    const { verified, differences } = await verifyRun(store, dir, { sample: 6, workers: 0 });
    expect({ verified, differences }).toEqual({ verified: 6, differences: [] });
    expect(formatGame(plan)).toBe("chess, adjudicated");
    store.close();
  },
);

slowTest("PGN has the position of each game, and can be read again; so has JSON", async () => {
  const { dir, store, records, game } = await played();
  const pgn = [...(await exportRun(store, dir, "pgn"))].join("");
  for (const position of LIST) expect(pgn.split(`[FEN "${position}"]`)).toHaveLength(3);
  expect(pgn.match(/\[SetUp "1"\]/g)).toHaveLength(6);
  expect(pgn).not.toContain("OpeningPlies");
  const again = gamesIn(createGame("chess"), "pgn", pgn).games;
  const plain = records.map((record) =>
    [beginning(game, record), record.actions.slice(record.openingLength).join()].join(),
  );
  expect(again.map(({ from, actions }) => [from, actions.join()].join()).toSorted()).toEqual(
    plain.toSorted(),
  );
  const lines = [...(await exportRun(store, dir, "jsonl"))].map(
    (line) => JSON.parse(line) as { from: string },
  );
  expect(new Set(lines.map(({ from }) => from))).toEqual(new Set(LIST));
  store.close();
  const { code, stdout } = await agon(["rate", writeInto(dir, "games.pgn", pgn)]);
  expect({ code, games: /6 games/.test(stdout) }).toEqual({ code: 0, games: true });
});

slowTest("ids depend on the position, not on the file's name; other lists are rated together", async () => {
  const ids = async (...of: Parameters<typeof played>) => {
    const { store, records, dir } = await played(...of);
    store.close();
    return { dir, ids: records.map(({ id }) => id).toSorted() };
  };
  const [first, renamed, other] = [
    await ids(),
    await ids({ openings: { file: "other.fen" } }, { name: "other.fen", lines: LIST }),
    await ids({}, { name: "list.epd", lines: [...LIST.slice(0, 2), "4k3/8/8/8/8/8/8/4K2R w K - 0 1"] }),
  ];
  expect(renamed.ids).toEqual(first.ids);
  expect(new Set([...first.ids, ...other.ids]).size).toBe(12);
  expect(loadRuns([first.dir, other.dir]).entrants).toHaveLength(2);
});

slowTest("a run is the same at two workers", async () => {
  const dir = folderOf("list.epd", LIST);
  const path = writeInto(dir, "config.json", CONFIG);
  const runs = await Promise.all(
    ["1", "2"].map(async (workers) => {
      const out = join(dir, workers);
      const { code, stderr } = await agon(["run", path, "--out", out, "--workers", workers, "-q"]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return storedGames(out).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    }),
  );
  expect(runs[0]).toHaveLength(6);
  expect(runs[1]).toEqual(runs[0]);
});

describe("players in processes", () => {
  slowTest("programs, engines and agents from files are told the position, and play from it", async () => {
    const entrants = [
      { name: "file", agent: fixture("agents/certain.ts"), value: 0 },
      {
        name: "program",
        agent: "program",
        command: agonEngine("--agent", "alpha-beta:depth=1,evaluator=material"),
      },
      {
        name: "uci",
        agent: "uci",
        command: [process.execPath, MAIN, "uci", "--agent", "alpha-beta:depth=1,evaluator=material"],
        depth: 1,
      },
    ];
    const { store, records } = await played({ entrants, blocks: 2 });
    store.close();
    expect(records).toHaveLength(12);
    expect(
      records.map(({ detail, ending }) => [
        ending,
        ending === "adjudicated" || ending === "finished" ? "" : detail,
      ]),
    ).toEqual(records.map(({ ending }) => [ending, ""]));
  });
});

describe("is refused before the first game", () => {
  test.each<[string, object, string, readonly string[], RegExp]>([
    [
      "nonsense",
      { openings: { file: "list.epd", strict: true } },
      "list.epd",
      ["4k3/8/8/8/8/8/4P3/4K3 w - -", "nonsense"],
      /openings\.file: .*list\.epd: line 2: "nonsense" is no EPD/,
    ],
    [
      "plies of positions",
      { openings: { file: "list.epd", plies: 2 } },
      "list.epd",
      LIST,
      /openings\.plies: is for files of moves/,
    ],
    [
      "setups as an option",
      { game: { id: "chess", setups: LIST } },
      "list.epd",
      LIST,
      /game\.setups: is no option; .* openings: \{ file: list\.fen \}/,
    ],
    [
      "GTP for othello",
      {
        game: "othello",
        openings: { file: "list.fen" },
        entrants: ["random", { name: "e", agent: "gtp", command: "x" }],
      },
      "list.fen",
      [createGame("othello").formatState(createGame("othello").start())],
      /positions to begin at, which GTP cannot set up/,
    ],
  ])("%s", async (_, change, name, lines, message) => {
    await expect(
      planTournament({ ...CONFIG, ...change }, { baseDir: folderOf(name, lines) }),
    ).rejects.toThrow(message);
  });

  slowTest("the choice of the position is no ply of the limit", async () => {
    const { store, records } = await played({ ...CONFIG, blocks: 1, adjudicate: { maxPlies: 6 } });
    for (const { actions, openingLength, ending } of records)
      expect([actions.length - openingLength, ending]).toEqual([6, "adjudicated"]);
    store.close();
  });

  slowTest("SGF of such games", async () => {
    const go = createGame({ id: "go", size: 5 });
    const state = go.start();
    state.apply(3);
    const change = {
      game: { id: "go", size: 5 },
      openings: { file: "list.fen" },
      blocks: 1,
      adjudicate: { maxPlies: 6 },
      entrants: ["random", "mcts:simulations=2"],
    };
    const { store, dir, records, game } = await played(change, {
      name: "list.fen",
      lines: [go.formatState(state)],
    });
    for (const record of records) expect(beginning(game, record)).toBe(go.formatState(state));
    await expect(exportRun(store, dir, "sgf")).rejects.toThrow(
      "games that begin at positions cannot be written as sgf; allowed: jsonl",
    );
    store.close();
  });
});

describe("openings of all starts", () => {
  const chess960 = {
    game: { id: "chess", chess960: true },
    openings: { starts: true },
    adjudicate: { maxPlies: 4 },
  };

  test("are positions of Chess960, each the same for both colours", async () => {
    const { records, game, plan } = await played({ ...chess960, blocks: 4 });
    expect(game.setups).toHaveLength(960);
    expect(plan.openings).toMatchObject({ order: "random" });
    const begun = records.map((record) => beginning(game, record));
    expect(begun).toHaveLength(8);
    expect(new Set(begun).size).toBe(4);
    expect(game.setups).toEqual(expect.arrayContaining(begun));
    expect(new Set(records.map((record) => `${record.block} ${beginning(game, record)}`)).size).toBe(4);
  });

  test("are refused where a game has one start", async () => {
    await expect(planTournament({ ...CONFIG, openings: { starts: true } })).rejects.toThrow(
      "openings.starts: chess has one start here; chess has 960 with chess960: true",
    );
  });
});
