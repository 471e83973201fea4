import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { exportRun } from "../../../src/arena/results/export.ts";
import { Store } from "../../../src/arena/store/store.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";

/** A run of three blocks of two games. */
async function playedRun(game: object): Promise<Store> {
  const entrants = ["random", "mcts:simulations=5"];
  const config = { name: "cup", game, blocks: 3, entrants, openings: { randomPlies: 2 } };
  const plan = await planTournament(config, { baseDir: "." });
  const store = Store.inMemory();
  store.savePlan(plan);
  await runTournament({ plan, store, workers: 0 });
  return store;
}

test("each decision of a player is a line: replayed, it leads to the next ones, and to the return", async () => {
  const store = await playedRun({ id: "tic-tac-toe" });
  const [header, ...lines] = [...(await exportRun(store, "dir", "positions"))]
    .join("")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  expect(header).toEqual(["game", "ply", "position", "player", "action", "value", "return", "name"]);
  const game = createGame("tic-tac-toe");
  const records = store.records();
  expect(new Set(lines.map(([name]) => name))).toEqual(new Set(records.map((record) => record.id)));
  let valued = 0;
  for (const record of records) {
    const own = lines.filter(([name]) => name === record.id);
    const state = game.start();
    for (const [ply, action] of record.actions.entries()) {
      const player = state.toMove;
      if (ply >= record.openingLength) {
        const [, at, position, mover, text, value, result, name] = own.shift()!;
        expect(name).toBe(["random", "mcts:simulations=5"][record.seats[player]!]);
        expect([Number(at), Number(mover), Number(result)]).toEqual([ply, player, record.returns[player]]);
        expect(position).toBe(game.formatState(state));
        expect(game.parseAction(text!, state)).toBe(action);
        if (value !== "") valued++;
      }
      state.apply(action);
    }
    expect(state.toMove).toBe(TERMINAL);
    expect(own).toEqual([]);
  }
  // Random play tells no values.
  expect(valued).toBeGreaterThan(5);
  expect(valued).toBeLessThan(lines.length);
  store.close();
});

test("positions with commas are quoted, and chance events have no line", async () => {
  const store = await playedRun({ id: "pig", target: 20 });
  const [, ...lines] = [...(await exportRun(store, "dir", "positions"))].join("").trimEnd().split("\n");
  for (const line of lines)
    expect(line).toMatch(/^[^,]+,\d+,"[^"]*",[01],(roll|hold),[^,]*,-?1,(random|mcts:simulations=5)$/);
  store.close();
});
