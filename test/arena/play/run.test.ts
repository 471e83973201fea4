import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import type { LinearEvaluator } from "../../../src/evaluators/linear.ts";
import { createGame } from "../../../src/games/index.ts";
import type { RunReport } from "../../../src/ratings/format-results.ts";
import type { Report } from "../../../src/ratings/report.ts";
import { loadHeader, loadWeights, saveWeights } from "../../../src/specs/files/weights-file.ts";
import { agon, agonProcess, fixture, startAgon, temporaryFolder, writeInto } from "../../support/agon.ts";
import { storedGames } from "../../support/stored-games.ts";
import { slowTest } from "../../support/thorough.ts";

/** Small, but with every kind of randomness: openings, ties, playouts, chance. */
const pigConfig = {
  name: "small",
  game: { id: "pig", target: 30 },
  seed: "test",
  blocks: 6,
  openings: { randomPlies: 2 },
  entrants: [
    "random",
    { name: "uct", agent: "mcts", simulations: 60 },
    { name: "exp", agent: "expectimax", depth: 2, evaluator: "race" },
  ],
};
const boardConfig = {
  name: "board",
  game: "connect-four",
  blocks: 40,
  openings: { randomPlies: 3 },
  entrants: [
    "random",
    { name: "ab", agent: "alpha-beta", nodes: 3000, evaluator: "threats" },
    "mcts:simulations=200",
  ],
};

/** For tests in which the number of threads is no matter: starting one takes longer than these games. */
const ONE_THREAD = ["--workers", "1"];

/** Everything that was written, but for measured times and what played when. */
function reportOf(dir: string): Report {
  const { played: _, ...report } = JSON.parse(readFileSync(join(dir, "report.json"), "utf8")) as RunReport;
  return { ...report, entrants: report.entrants.map((entrant) => ({ ...entrant, msPerMove: 0 })) };
}

describe("agon run", () => {
  slowTest("the same config and seed give the same games and table with 1, 2 and 4 workers", async () => {
    const dir = temporaryFolder();
    const config = writeInto(dir, "small.json", pigConfig);
    for (const workers of ["1", "2", "4"]) {
      const { code } = await agon(["run", config, "--out", join(dir, workers), "--workers", workers]);
      expect(code).toBe(0);
    }
    expect(storedGames(join(dir, "1"))).toHaveLength(36);
    // They include what the agents thought.
    expect(storedGames(join(dir, "1")).filter(({ thoughts }) => thoughts.length > 0)).toHaveLength(36);
    for (const workers of ["2", "4"]) {
      expect(storedGames(join(dir, workers))).toEqual(storedGames(join(dir, "1")));
      expect(reportOf(join(dir, workers))).toEqual(reportOf(join(dir, "1")));
    }
    const other = join(dir, "other-seed");
    await agon(["run", config, "--out", other, "--seed", "other"]);
    expect(storedGames(other)).not.toEqual(storedGames(join(dir, "1")));
  });

  slowTest("killed at any moment, it goes on with the missing games and ends the same", async () => {
    const dir = temporaryFolder();
    const config = writeInto(dir, "board.json", { ...boardConfig, blocks: 40 });
    const whole = join(dir, "whole");
    expect((await agon(["run", config, "--out", whole])).code).toBe(0);

    const broken = join(dir, "broken");
    let killed = 0;
    for (let attempt = 0; attempt < 6; attempt++) {
      const { child, outcome } = startAgon(["run", config, "--out", broken, "--resume"]);
      // Later and later: while it starts, opens the store, plays, writes.
      await Promise.race([outcome, sleep(200 + 350 * attempt)]);
      if (child.kill("SIGKILL")) killed++;
      await outcome;
      const stored = existsSync(join(broken, "results.sqlite")) ? storedGames(broken) : [];
      expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
    }
    expect(killed).toBeGreaterThan(0);
    expect((await agon(["run", config, "--out", broken, "--resume"])).code).toBe(0);
    expect(storedGames(broken)).toEqual(storedGames(whole));
    expect(reportOf(broken)).toEqual(reportOf(whole));
  });

  const seeds: [string[], string][] = [
    [["--seed", "mine"], " --seed mine"],
    [[], ""],
  ];
  slowTest.each(seeds)(
    "Ctrl-C finishes the games at hand and prints the command that goes on: %j",
    async (given, seed) => {
      const dir = temporaryFolder();
      const config = writeInto(dir, "long.json", { ...boardConfig, blocks: 2000 });
      const out = join(dir, "run");
      const { child, outcome } = startAgon(["run", config, "--out", out, ...given]);
      while (!existsSync(join(out, "results.sqlite")) || storedGames(out).length === 0) await sleep(50);
      child.kill("SIGINT");
      // A launcher passes on what the terminal sent as well.
      await sleep(20);
      child.kill("SIGINT");
      const { code, stderr } = await outcome;
      expect(code).toBe(130);
      expect(stderr).toContain(`agon run ${config} --out ${out}${seed} --resume`);
      const stored = storedGames(out);
      expect(stored.length).toBeGreaterThan(0);
      expect(stored.every(({ ending }) => ending === "finished")).toBe(true);
      expect(existsSync(join(out, "report.json"))).toBe(false);
    },
  );

  slowTest("more blocks go on from the games that are there", async () => {
    const dir = temporaryFolder();
    const out = join(dir, "run");
    const config = writeInto(dir, "small.json", pigConfig);
    expect((await agon(["run", config, "--out", out, ...ONE_THREAD])).code).toBe(0);
    const before = storedGames(out);
    writeFileSync(config, JSON.stringify({ ...pigConfig, blocks: 8 }));
    expect((await agon(["run", config, "--out", out, "--resume", ...ONE_THREAD])).code).toBe(0);
    const after = storedGames(out);
    expect(after).toHaveLength(48);
    expect(after).toEqual(expect.arrayContaining(before));
  });

  slowTest("a run is not overwritten, nor resumed with another config", async () => {
    const dir = temporaryFolder();
    const out = join(dir, "run");
    const config = writeInto(dir, "small.json", pigConfig);
    expect((await agon(["run", config, "--out", out, ...ONE_THREAD])).code).toBe(0);
    const again = await agon(["run", config, "--out", out, ...ONE_THREAD]);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toMatch(/holds a run already; go on with --resume/);
    writeFileSync(config, JSON.stringify({ ...pigConfig, seed: "changed" }));
    const changed = await agon(["run", config, "--out", out, "--resume", ...ONE_THREAD]);
    expect(changed.code).toBe(2);
    expect(changed.stderr).toMatch(
      /seed: the run was begun with another config: "test" there, "changed" now/,
    );
  });

  slowTest("bad agents forfeit their games, with the reason; the others go on", async () => {
    const dir = temporaryFolder();
    const BLOCKS = 2;
    const TIMEOUT_MS = 4000;
    const bad = ["throws", "illegal", "hangs", "exits"];
    const config = writeInto(dir, "bad.json", {
      name: "bad",
      game: "connect-four",
      blocks: BLOCKS,
      openings: { randomPlies: 2 },
      moveTimeoutMs: TIMEOUT_MS,
      entrants: ["random", ...bad.map((name) => ({ name, agent: fixture(`agents/${name}.ts`) }))],
    });
    const out = join(dir, "run");
    const { code, stdout } = await agon(["run", config, "--out", out, "--workers", "2"]);
    expect(code).toBe(0);
    const records = storedGames(out);
    expect(records).toHaveLength(10 * 2 * BLOCKS);
    const reasons = (entrant: number) =>
      new Set(
        records
          .filter(({ forfeitSeat, seats }) => seats[forfeitSeat] === entrant)
          // Columns differ between versions of Node.
          .map(({ ending, detail }) => `${ending}: ${detail.replace(/:\d+$/, "")}`),
      );
    expect(reasons(0)).toEqual(new Set());
    expect(reasons(1)).toEqual(
      new Set([`exception: Error: no more ideas, at ${fixture("agents/throws.ts")}:4`]),
    );
    expect(
      [...reasons(2)].every((reason) => reason.startsWith("illegal action: 99 is not a legal action in")),
    ).toBe(true);
    expect(reasons(3)).toEqual(new Set([`time-out: no action within ${TIMEOUT_MS} ms`]));
    expect(reasons(4)).toEqual(new Set([`worker died: its process ended: exit code 3`]));
    // `hangs` only hangs as the second player, `exits` only as the first, `illegal` always.
    const forfeits = (entrant: number) =>
      records.filter(({ forfeitSeat, seats }) => seats[forfeitSeat] === entrant).length;
    expect(forfeits(2)).toBe(records.filter(({ seats }) => seats.includes(2)).length);
    for (const { seats, forfeitSeat } of records) {
      if (seats[forfeitSeat] === 3) expect(forfeitSeat).toBe(1);
      if (seats[forfeitSeat] === 4) expect(forfeitSeat).toBe(0);
    }
    for (const name of bad) expect(stdout).toMatch(new RegExp(`! ${name}: \\d+ `));
    // The forfeiting entrant does not depend on the number of workers.
    const single = join(dir, "single");
    await agon(["run", config, "--out", single, "--workers", "1"]);
    expect(storedGames(single)).toEqual(records);
  });

  slowTest("time in which all processes are stopped is no agent's", async () => {
    const dir = temporaryFolder();
    const slow = { agent: fixture("agents/bad.ts") };
    const config = writeInto(dir, "slow.json", {
      name: "slow",
      game: "connect-four",
      blocks: 1000,
      moveTimeoutMs: 1000,
      entrants: ["one", "two"].map((name) => ({ name, ...slow })),
    });
    const out = join(dir, "run");
    const { child, outcome } = startAgon(["run", config, "--out", out], { detached: true });
    const all = (signal: NodeJS.Signals) => process.kill(-child.pid!, signal);
    while (!existsSync(join(out, "results.sqlite")) || storedGames(out).length === 0) await sleep(50);
    all("SIGSTOP");
    await sleep(2500);
    const before = storedGames(out).length;
    all("SIGCONT");
    while (storedGames(out).length < before + 4) await sleep(50);
    all("SIGINT");
    expect((await outcome).code).toBe(130);
    expect(storedGames(out).filter(({ ending }) => ending !== "finished")).toEqual([]);
  });

  slowTest("an agent that was edited is not mixed into the games of the one before", async () => {
    const dir = temporaryFolder();
    const out = join(dir, "run");
    const agent = writeInto(dir, "mine.ts", readFileSync(fixture("agents/illegal.ts"), "utf8"));
    const plain = { name: "own", game: "tic-tac-toe", blocks: 1, entrants: ["random", { agent }] };
    const config = writeInto(dir, "own.json", plain);
    expect((await agon(["run", config, "--out", out])).code).toBe(0);
    expect((await agon(["verify", out])).stdout).toBe("2 of 2 games verified, 0 differ\n");
    writeInto(dir, "mine.ts", readFileSync(agent, "utf8").replaceAll("99", "98"));
    writeInto(dir, "own.json", { ...plain, blocks: 2 });
    const { code, stderr } = await agon(["run", config, "--out", out, "--resume"]);
    expect(stderr).toMatch(/mine\.ts, or a file that it imports, has changed since the run was begun/);
    expect(code).toBe(2);
    // The run has a copy of the file as it was.
    expect((await agon(["verify", out])).stdout).toBe("2 of 2 games verified, 0 differ\n");
    expect((await agon(["verify", out, "--files", dir])).stderr).toMatch(/mine\.ts, .* has changed since/);
    expect(storedGames(out)).toHaveLength(2);
  });

  slowTest("what agents print is not in the result", async () => {
    const dir = temporaryFolder();
    const entrants = ["", "prints"].map((deed) => ({ agent: fixture("agents/bad.ts"), deed }));
    const config = writeInto(dir, "own.json", { name: "own", game: "tic-tac-toe", blocks: 1, entrants });
    const { code, stdout, stderr } = await agonProcess(["run", config, "--json"], { cwd: dir });
    expect(code).toBe(0);
    expect((JSON.parse(stdout) as Report).games).toBe(2);
    expect(stderr).toContain("printed with console.log\n");
    expect(stderr).toContain("printed to standard output\n");
  });

  slowTest("what an agent leaves behind keeps no command from its end", async () => {
    const dir = temporaryFolder();
    const spec = { agent: fixture("agents/bad.ts"), deed: "leaves a timer" };
    const config = { name: "own", game: "tic-tac-toe", blocks: 1, entrants: ["random", spec] };
    const path = writeInto(dir, "own.json", config);
    expect(await agonProcess(["run", path, "--out", join(dir, "run")])).toMatchObject({ code: 0 });
    const verified = await agonProcess(["verify", join(dir, "run")]);
    expect(verified).toMatchObject({ code: 0, stdout: "2 of 2 games verified, 0 differ\n" });
    const asked = await agonProcess([
      "analyze",
      "tic-tac-toe",
      "--agent",
      `${spec.agent}:deed=${spec.deed}`,
      "--json",
    ]);
    expect(asked).toMatchObject({ code: 0 });
    expect(JSON.parse(asked.stdout)).toMatchObject({ nodes: 0 });
  });

  slowTest("nobody needs to read standard error", async () => {
    const dir = temporaryFolder();
    const { child, outcome } = startAgon(["run", writeInto(dir, "small.json", pigConfig)], { cwd: dir });
    child.stderr!.destroy();
    const { code, stdout } = await outcome;
    expect(code).toBe(0);
    expect(stdout).toContain("uct");
  });

  test("a wrong config writes nothing and says everything", async () => {
    const dir = temporaryFolder();
    const config = writeInto(
      dir,
      "wrong.yaml",
      "name: wrong\ngame: connect-four\nblocks: none\nentrants: [random]\nsed: 3\n",
    );
    const { code, stderr, stdout } = await agon(["run", config], { cwd: dir });
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(`${config}:3:9: blocks: must be a whole number, got "none"`);
    expect(stderr).toContain(`${config}:5:6: sed: unknown key "sed" (did you mean "seed"?)`);
    expect(readdirSync(dir)).toEqual(["wrong.yaml"]);
    const broken = writeInto(dir, "broken.yaml", "name: [x\n");
    expect((await agon(["run", broken], { cwd: dir })).stderr).toMatch(/broken.yaml:2:1: /);
  });

  slowTest(
    "weights go into the run's folder, so that it can be verified after the original has changed",
    async () => {
      const dir = temporaryFolder();
      const shipped = fileURLToPath(new URL("../../../weights/tic-tac-toe/linear.json", import.meta.url));
      const values = (loadWeights(shipped, createGame("tic-tac-toe")) as LinearEvaluator).weights;
      saveWeights(
        join(dir, "mine.json"),
        loadHeader(shipped),
        values.map((weight) => -weight),
      );
      const config = writeInto(
        dir,
        "own.yaml",
        [
          "name: own",
          "game: tic-tac-toe",
          "blocks: 3",
          "openings: { randomPlies: 2 }",
          "entrants: [random, { name: mine, agent: greedy, evaluator: ./mine.json }]",
        ].join("\n"),
      );
      const out = join(dir, "run");
      expect((await agon(["run", config, "--out", out, ...ONE_THREAD])).code).toBe(0);
      rmSync(join(dir, "mine.json"));
      const { code, stdout } = await agon(["verify", out]);
      expect(stdout).toContain("6 of 6 games verified, 0 differ");
      expect(code).toBe(0);
    },
  );
});

describe("agon verify", () => {
  slowTest("finds a stored game that was tampered with", async () => {
    const dir = temporaryFolder();
    const out = join(dir, "run");
    expect(
      (await agon(["run", writeInto(dir, "small.json", pigConfig), "--out", out, ...ONE_THREAD])).code,
    ).toBe(0);
    expect(await agon(["verify", out])).toMatchObject({
      code: 0,
      stdout: "36 of 36 games verified, 0 differ\n",
    });
    const [first, ...rest] = storedGames(out);
    rmSync(join(out, "results.sqlite"));
    for (const suffix of ["-wal", "-shm"]) rmSync(join(out, `results.sqlite${suffix}`), { force: true });
    // The plan is frozen again, the games are put back, one of them changed.
    expect((await agon(["run", join(dir, "small.json"), "--out", out, "--resume", ...ONE_THREAD])).code).toBe(
      0,
    );
    const { default: Database } = await import("libsql");
    const database = new Database(join(out, "results.sqlite"));
    database
      .prepare("update games set returns = ? where id = ?")
      .run(first!.returns.toReversed().join(), first!.id);
    database.close();
    const { code, stdout } = await agon(["verify", out, "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      sampled: rest.length + 1,
      verified: rest.length,
      differences: [{ id: first!.id }],
    });
  });
});

describe("agon rate", () => {
  slowTest("rates stored games again as the run did, and several runs together", async () => {
    const dir = temporaryFolder();
    const config = writeInto(dir, "small.json", pigConfig);
    const [one, two] = [join(dir, "one"), join(dir, "two")];
    const run = await agon(["run", config, "--out", one, ...ONE_THREAD]);
    await agon(["run", config, "--out", two, "--seed", "second", ...ONE_THREAD]);
    expect((await agon(["rate", one])).stdout).toBe(run.stdout);
    const both = JSON.parse(
      (await agon(["rate", one, two, "--format", "json", "--anchor", "random=0"])).stdout,
    ) as Report;
    expect(both.games).toBe(72);
    expect(both.entrants.map(({ name }) => name).toSorted()).toEqual(["exp", "random", "uct"]);
    expect(both.entrants.find(({ name }) => name === "random")!.elo).toBe(0);
    expect((await agon(["rate", join(dir, "nowhere")])).code).toBe(2);
    expect((await agon(["rate", one, "--anchor", "randm=0"])).stderr).toMatch(
      /unknown entrant "randm" \(did you mean "random"\?\)/,
    );
  });
});
