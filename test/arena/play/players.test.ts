import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ChangedOptions } from "../../../src/arena/formats/format.ts";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { runTournament } from "../../../src/arena/play/run.ts";
import { playHere, type Players } from "../../../src/arena/play/worker-pool.ts";
import { schedule } from "../../../src/arena/schedule/rounds.ts";
import { openRun } from "../../../src/arena/store/run-folder.ts";
import { createGame } from "../../../src/games/index.ts";
import { temporaryFolder } from "../../support/agon.ts";

test("an entrant plays a game with the options of its match", async () => {
  const entrants = ["mcts:simulations=5,solver=false", "mcts:simulations=6,solver=false"];
  const plan = await planTournament({ name: "options", game: "tic-tac-toe", blocks: 1, entrants });
  const players = await playHere({ plan, dir: ".", writes: false });
  const [scheduled] = schedule(plan, createGame("tic-tac-toe"));
  const play = async (options?: ChangedOptions) => {
    const [record] = await players.play([{ ...scheduled!, options }]);
    return record!.nodes.map((nodes, seat) => nodes / record!.decisions[seat]!);
  };
  expect(await play()).toEqual([5, 6]);
  expect(await play({ 1: { simulations: 7 } })).toEqual([5, 7]);
  expect(await play({ 0: { simulations: 9 }, 1: { simulations: 8 } })).toEqual([9, 8]);
  expect(await play()).toEqual([5, 6]);
  await players.close();
});

test("results that come together are stored together, each once", async () => {
  const dir = temporaryFolder();
  const config = { name: "together", game: "tic-tac-toe", blocks: 30, entrants: ["random", "random"] };
  const entrants = config.entrants.map((agent, at) => ({ name: `entrant ${at}`, agent }));
  const { plan, store } = openRun(dir, await planTournament({ ...config, entrants }), { resume: false });
  const here = await playHere({ plan, dir });
  let ready: (() => void)[] = [];
  /** Its results come five at a time. */
  const players: Players = {
    ...here,
    tasks: 4,
    async play(games) {
      const records = await here.play(games);
      await new Promise<void>((resolve) => {
        ready.push(resolve);
        void setImmediate().then(async () => {
          for (let turn = 0; turn < 50; turn++) await setImmediate();
          for (const one of ready) one();
          ready = [];
        });
      });
      return records;
    },
  };
  const stored: number[] = [];
  const add = store.add.bind(store);
  store.add = (records) => {
    stored.push(records.length);
    add(records);
  };
  expect(await runTournament({ plan, store, dir, players })).toEqual({
    complete: true,
    played: 60,
    total: 60,
  });
  expect(store.size).toBe(60);
  expect(stored.reduce((sum, count) => sum + count)).toBe(60);
  expect(Math.max(...stored)).toBeGreaterThan(plan.players);
  store.close();
});
