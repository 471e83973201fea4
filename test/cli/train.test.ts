import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Store } from "../../src/arena/store/store.ts";
import { agon, fixture, startAgon, temporaryFolder, writeInto } from "../support/agon.ts";
import { copyOfAgon, mainOf } from "../support/copy.ts";
import { storedGames } from "../support/stored-games.ts";
import { slowTest, thorough } from "../support/thorough.ts";

const GAMES = thorough(30_000, 1200);
const CHECKPOINTS = thorough(6, 3);
/** Each checkpoint is rated by new threads, and starting them takes longer than their games. */
const ONE_THREAD = ["--workers", "1"];

const config = {
  name: "small",
  game: { id: "pig", target: 40 },
  games: GAMES,
  evaluator: { kind: "linear", features: "race", output: "identity" },
  learner: { rule: "td", lambda: 0.7, stepSize: { from: 0.3, to: 0.01, shape: "exponential" } },
  exploration: { kind: "epsilon-greedy", epsilon: 0.2 },
  checkpoints: CHECKPOINTS,
  rating: { player: { agent: "greedy" }, pool: ["random", "greedy:evaluator=race"], blocks: 10 },
};

const weightsOf = (path: string) => (JSON.parse(readFileSync(path, "utf8")) as { weights: number[] }).weights;

describe("agon train", () => {
  slowTest(
    "without TensorFlow.js trains with agon's own code, and says how to install what `engine: tensorflow` needs",
    async () => {
      const main = mainOf(copyOfAgon({ without: ["@tensorflow"] }));
      const dir = temporaryFolder();
      const train = async (engine: string) => {
        const path = writeInto(dir, `${engine}.json`, {
          ...config,
          games: 20,
          evaluator: { kind: "network", features: "race", hidden: [4] },
          learner: { rule: "lambda-returns", lambda: 0.7, stepSize: 0.01, engine },
          checkpoints: 1,
          rating: { ...config.rating, blocks: 1 },
        });
        return agon(["train", path, "--out", join(dir, engine), ...ONE_THREAD], { main });
      };
      expect(await train("plain")).toMatchObject({ code: 0 });
      expect(await train("tensorflow")).toEqual({
        code: 2,
        stdout: "",
        stderr:
          "`engine: tensorflow` needs TensorFlow.js, which is not installed; say: " +
          "npm install @tensorflow/tfjs-core @tensorflow/tfjs-layers @tensorflow/tfjs-backend-wasm\n",
      });
      expect(existsSync(join(dir, "tensorflow"))).toBe(false);
    },
  );

  slowTest(
    "trains; killed and resumed it gives the same weights to the last bit, which agents can use",
    async () => {
      const dir = temporaryFolder();
      const path = writeInto(dir, "small.json", config);
      const whole = join(dir, "whole");
      const { code, stdout, stderr } = await agon(["train", path, "--out", whole, ...ONE_THREAD]);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`Games trained .*\\n.*\\n\\| 0 .*\\n\\| ${GAMES / CHECKPOINTS} `));
      expect(stderr).toContain(`Weights: ${join(whole, "weights.json")}`);
      expect(stderr).toMatch(/^Best: .*best\.json, after \d+ games, -?\d+ Elo$/m);
      expect(stderr).not.toContain("Stopped early");
      expect(readFileSync(join(whole, "curve.csv"), "utf8").trim().split("\n")).toHaveLength(2 + CHECKPOINTS);

      const broken = join(dir, "broken");
      const { child, outcome } = startAgon(["train", path, "--out", broken, ...ONE_THREAD]);
      while (!existsSync(join(broken, "checkpoints", `${GAMES / 3}.json`))) await sleep(5);
      child.kill("SIGKILL");
      await outcome;
      expect(existsSync(join(broken, "weights.json"))).toBe(false);
      expect((await agon(["train", path, "--out", broken, "--resume", ...ONE_THREAD])).code).toBe(0);
      expect(weightsOf(join(broken, "weights.json"))).toEqual(weightsOf(join(whole, "weights.json")));

      const spec = `greedy:evaluator=${join(whole, "weights.json")}`;
      const refused = await agon(["analyze", "pig", "--agent", spec]);
      expect(refused.code).toBe(2);
      expect(refused.stderr).toMatch(
        /game options: the weights are for .*"target":40.*, wanted is .*"target":100/,
      );
      expect((await agon(["analyze", "pig:target=40", "--agent", spec])).code).toBe(0);
    },
  );

  slowTest("with patience it says that it stopped early, and why; --quiet says that alone", async () => {
    const dir = temporaryFolder();
    // Steps that are far too large spoil what was learnt.
    const learner = { ...config.learner, stepSize: { from: 0.1, to: 20, shape: "exponential" } };
    const spoilt = { ...config, games: 3000, learner, patience: 1, checkpoints: 12 };
    const path = writeInto(dir, "spoilt.json", {
      ...spoilt,
      evaluator: { kind: "linear", features: "race", output: "tanh" },
    });
    const { code, stderr } = await agon(["train", path, "--out", join(dir, "run"), "--quiet"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^Stopped early, after \d+ games: no later checkpoint was as strong as the one after \d+ games \(patience\)\.\n$/,
    );
  });

  slowTest("Ctrl-C saves and prints the command that goes on", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "long.json", { ...config, games: 3_000_000 });
    const out = join(dir, "run");
    const { child, outcome } = startAgon(["train", path, "--out", out]);
    while (!existsSync(join(out, "checkpoints", "0.json"))) await sleep(20);
    child.kill("SIGINT");
    const { code, stderr } = await outcome;
    expect(code).toBe(130);
    expect(stderr).toContain(`agon train ${path} --out ${out} --resume`);
    expect(existsSync(join(out, "state.json"))).toBe(true);
  });

  /*
   * Pig to 30 points, one ply on the weights against random play: a trained one wins nearly every game. The
   * interval over 200 blocks is 95%, and the figure is so far above 0 that it never fails by chance.
   */
  const inRounds = {
    ...config,
    name: "in-rounds",
    game: { id: "pig", target: 30 },
    games: 6000,
    round: 250,
    checkpoints: 3,
    opponents: { past: 0.3 },
    rating: { player: { agent: "greedy" }, pool: ["random"], blocks: 200 },
  };

  slowTest("rounds: 1 and 3 workers, and a killed one, leave the same weights and curve", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "rounds.json", inRounds);
    const [one, three, broken] = ["one", "three", "broken"].map((name) => join(dir, name));
    expect((await agon(["train", path, "--out", one!, "--workers", "1"])).code).toBe(0);
    expect((await agon(["train", path, "--out", three!, "--workers", "3"])).code).toBe(0);
    const { child, outcome } = startAgon(["train", path, "--out", broken!, "--workers", "2"]);
    while (!existsSync(join(broken!, "checkpoints", "2000.json"))) await sleep(5);
    child.kill("SIGKILL");
    await outcome;
    expect((await agon(["train", path, "--out", broken!, "--resume", "--workers", "3"])).code).toBe(0);
    for (const name of ["weights.json", "curve.csv"])
      for (const other of [three, broken])
        expect(readFileSync(join(other!, name), "utf8")).toBe(readFileSync(join(one!, name), "utf8"));
    const { training } = JSON.parse(readFileSync(join(one!, "weights.json"), "utf8")) as {
      training: { games: number; round: number; decisions: number };
    };
    expect(training).toMatchObject({ games: 6000, round: 250 });
    expect(training.decisions).toBeGreaterThan(4 * 6000);
    const [, untrained, ...trained] = readFileSync(join(one!, "curve.csv"), "utf8").trim().split("\n");
    const low = (line: string) => Number(line.split(",")[2]);
    const high = (line: string) => Number(line.split(",")[3]);
    expect(trained).toHaveLength(3);
    expect(low(trained.at(-1)!)).toBeGreaterThan(Math.max(0, high(untrained!)));
  });

  slowTest("diverging weights end it with the step, the last good checkpoint and a hint", async () => {
    const dir = temporaryFolder();
    for (const round of [undefined, 50]) {
      const wild = {
        ...inRounds,
        round,
        evaluator: { kind: "linear", features: "race", output: "identity" },
        learner: { rule: "td", lambda: 0.9, stepSize: { from: 0.01, to: 50 } },
        checkpoints: { every: 100 },
        rating: { ...inRounds.rating, blocks: 1 },
      };
      const path = writeInto(dir, `wild-${round}.json`, wild);
      const out = join(dir, `run-${round}`);
      const { code, stderr } = await agon(["train", path, "--out", out, ...ONE_THREAD]);
      expect(code).not.toBe(0);
      const told =
        /diverged at step \d+ after game \d+; the last good checkpoint is (\S+)\. Try a smaller/.exec(stderr);
      expect(told).not.toBeNull();
      expect(weightsOf(told![1]!).every(Number.isFinite)).toBe(true);
      expect(stderr).not.toMatch(/\n {4}at /);
    }
  });

  test("a wrong config writes nothing and says everything", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "wrong.json", { ...config, game: "pigg", opennings: 3, checkpoints: 0 });
    const { code, stderr } = await agon(["train", path], { cwd: dir });
    expect(code).toBe(2);
    const said = stderr.replaceAll(/json:1:\d+:/g, "json:1:COLUMN:");
    expect(said).toContain(`${path}:1:COLUMN: opennings: unknown key "opennings" (did you mean "openings"?)`);
    expect(said).toContain(`${path}:1:COLUMN: checkpoints: must be`);
    expect(readdirSync(dir)).toEqual(["wrong.json"]);
  });
});

describe("the rating in agon train", () => {
  const BLOCKS = thorough(40, 20);
  /** The pool's two agents play two games a block; each of three checkpoints plays as many with either. */
  const rated = {
    ...config,
    name: "rated",
    games: 2000,
    checkpoints: 2,
    rating: {
      player: { agent: "greedy" },
      pool: ["random", { name: "uct", agent: "mcts", simulations: 60 }],
      blocks: BLOCKS,
    },
  };

  slowTest(
    "with 1 and 3 workers, and killed in the middle, plays the same games, a run like any other",
    async () => {
      const dir = temporaryFolder();
      const path = writeInto(dir, "rated.json", rated);
      const one = join(dir, "one");
      expect((await agon(["train", path, "--out", one, "--workers", "1"])).code).toBe(0);
      const games = storedGames(one);
      expect(games).toHaveLength(2 * BLOCKS + 3 * 4 * BLOCKS);
      expect(games.every(({ ending }) => ending === "finished")).toBe(true);

      const three = join(dir, "three");
      // A seed that the config has already.
      expect((await agon(["train", path, "--out", three, "--workers", "3", "--seed", "agon"])).code).toBe(0);
      expect(storedGames(three)).toEqual(games);

      const broken = join(dir, "broken");
      const { child, outcome } = startAgon(["train", path, "--out", broken, "--workers", "2"]);
      while (!Store.exists(broken) || storedGames(broken).length < BLOCKS / 2) await sleep(5);
      child.kill("SIGKILL");
      await outcome;
      expect(storedGames(broken).length).toBeLessThan(2 * BLOCKS + 4 * BLOCKS);
      expect((await agon(["train", path, "--out", broken, "--resume"])).code).toBe(0);
      expect(storedGames(broken)).toEqual(games);
      for (const file of ["curve.csv", "curve.md", "curve.svg"])
        expect(readFileSync(join(broken, file), "utf8")).toBe(readFileSync(join(one, file), "utf8"));

      const table = await agon(["rate", one]);
      expect(table.code).toBe(0);
      for (const name of ["random", "uct", "0 games", "1000 games", "2000 games"])
        expect(table.stdout).toContain(` ${name} `);
      const verified = await agon(["verify", one, "--sample", "50"]);
      expect(verified).toMatchObject({
        code: 0,
        stdout: `50 of 50 games verified, 0 differ; a sample of ${games.length} stored games (--sample ${games.length} plays all)\n`,
      });
      const exported = await agon(["export", one, "--format", "jsonl"]);
      expect(exported.code).toBe(0);
      expect(exported.stdout.trim().split("\n")).toHaveLength(games.length);
    },
  );

  slowTest("an agent of the pool that hangs or throws forfeits, and the training says so", async () => {
    const dir = temporaryFolder();
    const agents = ["hangs", "throws"].map((name) => ({ name, agent: fixture(`agents/${name}.ts`) }));
    const path = writeInto(dir, "wayward.json", {
      ...rated,
      checkpoints: 1,
      rating: { ...rated.rating, pool: ["random", ...agents], blocks: 2, moveTimeoutMs: 400 },
    });
    const out = join(dir, "run");
    const { code, stderr } = await agon(["train", path, "--out", out]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^! hangs: \d+ time-outs/m);
    expect(stderr).toMatch(/^! throws: \d+ exceptions \("Error: no more ideas, at .*throws\.ts:4:\d+"\)/m);
    const forfeits = storedGames(out).filter(({ forfeitSeat }) => forfeitSeat >= 0);
    // The pool, in the order of the config: 1 hangs in the second seat, 2 throws.
    for (const { ending, seats, forfeitSeat } of forfeits)
      expect([ending, seats[forfeitSeat]]).toEqual(
        ending === "time-out" ? ["time-out", 1] : ["exception", 2],
      );
    const verified = await agon(["verify", out]);
    expect(verified.code).toBe(0);
    expect(verified.stdout).toMatch(/\d+ games skipped: time-out, which depends on the machine/);
  });

  test("--workers is checked", async () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "rated.json", rated);
    const { code, stderr } = await agon(["train", path, "--workers", "0"], { cwd: dir });
    expect(code).toBe(2);
    expect(stderr).toContain("--workers must be a whole number from 1 to 256, got 0");
    expect(readdirSync(dir)).toEqual(["rated.json"]);
  });
});
