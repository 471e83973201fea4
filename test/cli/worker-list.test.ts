import { expect, test } from "vitest";
import { formatLook } from "../../src/cli/worker.ts";

const build = { version: "1.2.3", node: "20.19.0", code: "0123456789abcdef" };

test("workers and runs are two tables", () => {
  const worker = { ...build, host: "a", pid: 7, plugins: false, silentSeconds: 0 };
  const look = {
    workers: [
      { ...worker, id: "1", workers: 16, runs: ["chess", "go"], games: 1200, gamesPerSecond: 123.4 },
      { ...worker, id: "2", workers: 2, runs: [], games: 0, gamesPerSecond: 0, plugins: true, pid: 8123 },
    ],
    runs: [
      {
        ...build,
        id: "3",
        host: "b",
        pid: 9,
        name: "chess",
        plugins: false,
        done: 5,
        total: 1000,
        silentSeconds: 61.3,
        interrupted: true,
        stopped: false,
      },
    ],
    jobs: { waiting: 4, active: 18 },
  };
  expect(formatLook(look)).toBe(`\
2 workers for 18 games at once, 123 games/s; 18 jobs at work, 4 waiting

worker  at once  games/s  games  agon               node  does
------  -------  -------  -----  --------------  -------  ----
a:7          16      123   1200  1.2.3 01234567  20.19.0  chess, go
a:8123        2        0      0  1.2.3 01234567  20.19.0  waits, takes plug-ins

run    done  games  agon               node  from  state
-----  ----  -----  --------------  -------  ----  -----
chess     5   1000  1.2.3 01234567  20.19.0  b:9   not heard of for 61 s`);
  expect(formatLook({ workers: [], runs: [], jobs: { waiting: 0, active: 0 } })).toBe(
    "0 workers for 0 games at once, 0 games/s; 0 jobs at work, 0 waiting",
  );
});
