import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { TrainingConfig } from "../../../src/training/plan/config.ts";
import { checkMemory } from "../../../src/training/plan/checks.ts";
import { checkpointGames } from "../../../src/training/plan/checkpoints.ts";
import { planTraining } from "../../../src/training/plan/plan.ts";
import { trainFromConfig } from "../../../src/training/run/train.ts";
import { contents, folders, HIDDEN, requestOf, TINY } from "../runs.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const newDir = folders();

const problems = async (parts: object): Promise<string> =>
  planTraining({ ...TINY, ...parts }, { baseDir: "." }).then(
    () => "none",
    (error: Error) => error.message,
  );

describe("what goes with what", () => {
  test("networks and lambda-returns, and neither with anything else", async () => {
    expect(await problems({ learner: { rule: "lambda-returns", lambda: 0, stepSize: 0.1 } })).toMatch(
      /^learner\.rule: networks learn by lambda-returns, expert or fit, .*; this is a linear evaluator$/,
    );
    expect(await problems({ evaluator: { kind: "network", features: "lines", hidden: [3] } })).toMatch(
      /^learner\.rule: networks learn by lambda-returns, expert or fit, .*; this is a network evaluator$/,
    );
  });

  test("TDLeaf, an agent that searches on an evaluator of the training's own, and random moves", async () => {
    const leaf = (search: unknown) => ({ learner: { rule: "td-leaf", lambda: 0.5, stepSize: 0.1, search } });
    expect(await problems(leaf("alpha-beta:depth=2"))).toBe("none");
    expect(await problems(leaf("random"))).toBe(
      "learner.search: random has no evaluator to put the weights into",
    );
    expect(await problems(leaf("alpha-beta:depth=2,evaluator=open-lines"))).toBe(
      "learner.search: the evaluator is the checkpoint's: leave `evaluator` out",
    );
    expect(await problems(leaf("alpha-beta"))).toMatch(/^learner\.search: alpha-beta needs a budget/);
    expect(
      await problems({ ...leaf("minimax:depth=1"), exploration: { kind: "softmax", temperature: 1 } }),
    ).toBe("exploration.kind: TDLeaf explores epsilon-greedily");
    expect(await problems(leaf("alpha-beta:depth=2,threads=2"))).toBe(
      "learner.search.threads: must be 1: TDLeaf needs an agent that decides at once",
    );
  });

  test("TreeStrap and alpha-beta", async () => {
    const strap = (search: unknown) => ({ learner: { rule: "tree-strap", stepSize: 0.1, search } });
    expect(await problems(strap("alpha-beta:nodes=100"))).toBe("none");
    expect(await problems(strap("minimax:depth=2"))).toBe(
      "learner.search.agent: must be alpha-beta, whose trees are learned from, got minimax",
    );
    expect(await problems(strap("alpha-beta:depth=2,threads=2"))).toBe(
      "learner.search.threads: must be 1: TreeStrap needs an agent that decides at once",
    );
    expect(
      await problems({ ...strap("alpha-beta:depth=1"), exploration: { kind: "softmax", temperature: 1 } }),
    ).toBe("exploration.kind: TreeStrap explores epsilon-greedily");
  });

  slowTest("expert iteration, rounds and a policy; a window that fits into memory", async () => {
    const expert = (more: object, evaluator: object = {}) => ({
      game: "connect-four",
      round: 4,
      evaluator: { kind: "network", features: "fours", policy: true, ...evaluator },
      learner: { rule: "expert", stepSize: 0.01, search: "alpha-beta:depth=1", ...more },
    });
    expect(await problems(expert({}))).toBe("none");
    expect(await problems(expert({ search: "mcts:simulations=8,priors=policy", nodes: 3 }))).toBe("none");
    const descent = { search: "descent:simulations=4", nodes: 1 };
    const ordinal = { exploration: { kind: "ordinal", exploitation: 0.5 } };
    expect(await problems({ ...expert(descent, { policy: undefined }), ...ordinal })).toBe("none");
    expect(await problems(expert(descent))).toBe(
      "evaluator.policy: is not taught by descent, which has none: leave it out",
    );
    expect(await problems({ ...expert({}), ...ordinal })).toBe(
      "exploration.kind: ordinal is for the search descent, and this is alpha-beta",
    );
    expect(await problems(ordinal)).toBe(
      "exploration.kind: ordinal is for the rule expert, with the search descent",
    );
    expect(await problems(expert({ nodes: 3 }))).toBe(
      "learner.nodes: needs mcts or descent, which tell of the positions in their trees, and this is alpha-beta: leave it out",
    );
    const proving = { search: "mcts:simulations=8,priors=policy", proven: true };
    expect(await problems(expert(proving))).toBe("none");
    expect(await problems(expert({ ...proving, search: `${proving.search},solver=false` }))).toBe(
      "learner.search.solver: must be true for `proven: true`: nothing is proven without",
    );
    const tables = {
      evaluator: { kind: "linear", features: "tuples", policy: true },
      rating: { player: "greedy", pool: ["random"] },
    };
    expect(await problems({ ...expert(proving), ...tables, game: "2048" })).toBe(
      "learner.proven: mcts proves nothing in 2048, which has rewards along the way: leave it out",
    );
    expect(await problems({ ...expert({}), round: undefined })).toBe(
      "round: the rule expert learns when a round is over: write the games of one, such as 512",
    );
    expect(await problems(expert({ window: 2 ** 24 }))).toMatch(
      /^learner\.window: 16777216 positions of fours take 4\.\d GB; at most 2 GB: at most \d+ positions$/,
    );
    const parts = { ...TINY, ...expert({ window: 2 ** 22 }) };
    const { game, config } = await planTraining(parts, { baseDir: "." });
    expect(() => checkMemory(game, config, 2 ** 31)).not.toThrow();
    expect(() => checkMemory(game, config, 2 ** 29)).toThrow(
      /^learner\.window: 4194304 positions of fours take 1 GB; at most 0\.5 GB: at most \d+ positions$/,
    );
    expect(
      await problems({
        ...expert({}),
        learner: { rule: "lambda-returns", lambda: 0, stepSize: 0.1 },
      }),
    ).toBe("evaluator.policy: is learned by the rule expert alone, and this is lambda-returns: leave it out");
    expect(await problems({ ...expert({}, { features: "tesauro" }), game: "backgammon" })).toMatch(
      /backgammon has no numbers for its actions \(the facet `policyHead`\), which networks need: leave it out, or take `kind: n-tuple` or `linear`, /,
    );
    const search = "mcts:simulations=8,priors=policy";
    const linear = { kind: "linear", features: "samuel" };
    expect(await problems({ ...expert({ search, coherence: true }, linear), game: "checkers" })).toBe("none");
    expect(await problems(expert({ search, window: 5000 }, { kind: "linear", features: "lines" }))).toBe(
      "learner.window: is for networks, and this is a linear evaluator: leave it out",
    );
    expect(await problems(expert({ normalized: false }))).toBe(
      "learner.normalized: is for linear evaluators and n-tuples, and this is a network evaluator: leave it out",
    );
    expect(await problems({ evaluator: { features: "lines", policy: true } })).toBe(
      "evaluator.policy: is learned by the rule expert alone, and this is td: leave it out",
    );
    expect(
      await problems(expert({ search: "mcts:simulations=8,priors=policy" }, { policy: undefined })),
    ).toMatch(/^learner\.search\.priors: .* needs an evaluator that has a policy/);
  });

  test("hidden information: worlds, the start of the game, and an agent that draws worlds", async () => {
    expect(await problems({ worlds: 3 })).toBe("worlds: tic-tac-toe hides nothing: leave it out");
    const hidden = (parts: object) =>
      problems({
        game: "liars-dice",
        evaluator: { features: "hand-and-bid" },
        openings: {},
        ...parts,
        rating: { ...HIDDEN.rating, ...(parts as { rating?: object }).rating },
      });
    expect(await hidden({ worlds: 3 })).toBe("none");
    expect(await hidden({ openings: { randomPlies: 1 } })).toBe(
      "openings: games of hidden information begin at the start: leave it out",
    );
    const search = { agent: "determinized", search: { agent: "greedy" } };
    expect(await hidden({ learner: { rule: "td-leaf", lambda: 0, stepSize: 0.1, search } })).toBe(
      "learner.rule: must be td or lambda-returns in games of hidden information",
    );
    expect(await hidden({ rating: { player: "determinized" } })).toBe(
      "rating.player: determinized needs the agent that evaluates positions in it, such as `search: { agent: greedy }`",
    );
    expect(await hidden({ rating: { player: "greedy" } })).toMatch(
      /^rating\.player\.agent: greedy cannot play liars-dice, which has hidden information/,
    );
  });

  test("n-tuples and boards that have such cells", async () => {
    const tuples = (cells: unknown, game: unknown = "connect-four") => ({
      game,
      evaluator: { kind: "n-tuple", tuples: cells },
    });
    expect(await problems(tuples([[0, 1, 41]]))).toBe("none");
    expect(await problems(tuples([[0, 42]]))).toBe(
      "evaluator.tuples[0]: there is no cell 42; cells are 0 to 41",
    );
    expect(await problems(tuples([[3, 4, 3]]))).toBe("evaluator.tuples[0]: holds a cell twice");
    expect(await problems(tuples([[0, 1]], "tic-tac-toe"))).toBe(
      "evaluator.kind: tic-tac-toe has no board that n-tuples could read",
    );
    expect(await problems(tuples({ count: 1, length: 43 }))).toMatch(/43 cells on a board of 42/);
  });

  test("what is too large", async () => {
    expect(await problems({ games: 9e15 })).toBe("games: must be at most 1000000000, got 9000000000000000");
    expect(await problems({ round: 0 })).toBe("round: must be at least 1, got 0");
    expect(await problems({ games: 1e8, checkpoints: { every: 1 } })).toBe(
      "checkpoints.every: makes 100000000 checkpoints; at most 10000",
    );
    const tuples = { kind: "n-tuple", tuples: { count: 1e8, length: 3 } };
    expect(await problems({ game: "connect-four", evaluator: tuples })).toMatch(
      /^evaluator\.tuples.*: must be at most 10000, got 100000000$/,
    );
    const network = {
      evaluator: { kind: "network", features: "lines", hidden: Array.from({ length: 10 }, () => 4096) },
      learner: { rule: "lambda-returns", lambda: 0, stepSize: 0.1 },
    };
    expect(await problems(network)).toMatch(
      /^evaluator\.hidden: the network would have 15\d{7} weights; at most 33554432$/,
    );
  });

  test("kinds and rules by their names", async () => {
    expect(await problems({ evaluator: { kind: "ntuple", tuples: [[0]] } })).toBe(
      'evaluator.kind: must be one of linear, n-tuple, network, got "ntuple" (did you mean "n-tuple"?)',
    );
    expect(await problems({ learner: { rule: "tdleaf", lambda: 1, stepSize: 1 } })).toBe(
      'learner.rule: must be one of td, td-leaf, tree-strap, lambda-returns, fit, expert, got "tdleaf" (did you mean "td-leaf"?)',
    );
    expect(await problems({ exploration: undefined })).toBe("exploration: missing");
    expect(await problems({ exploration: { epsilon: 0.1, temperature: 1 } })).toBe(
      'exploration.temperature: unknown key "temperature"; allowed: kind, epsilon',
    );
  });
});

describe("positions to begin from", () => {
  const states = (given: unknown) => ({ openings: { states: given } });

  test("are a list, or a file's lines by a path from the config's folder", async () => {
    const dir = newDir();
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "starts.txt"), "x../.../...\n\n  xo./.../...  \n");
    const list = await planTraining({ ...TINY, ...states(["x../.../..."]) }, { baseDir: "." });
    expect(list.starts[0]!.states!.map((state) => list.game.formatState(state))).toEqual(["x../.../..."]);
    const file = await planTraining({ ...TINY, ...states("starts.txt") }, { baseDir: dir });
    expect(file.starts[0]!.states!.map((state) => file.game.formatState(state))).toEqual([
      "x../.../...",
      "xo./.../...",
    ]);
    expect((await planTraining(TINY, { baseDir: "." })).starts[0]!.states).toBeUndefined();
  });

  test("are refused where they are none, or over", async () => {
    expect(await problems(states(["x../.../..."].concat("nonsense")))).toMatch(
      /^openings\.states: .*"nonsense" is not three rows/,
    );
    expect(await problems(states(["xxx/oo./..."]))).toBe(
      'openings.states: the game is over in "xxx/oo./...": player 1 has won',
    );
    expect(await problems(states("/nowhere/starts.txt"))).toMatch(
      /^openings\.states: .*cannot be read: ENOENT/,
    );
    expect(await problems(states([]))).toMatch(/^openings\.states: must have at least 1 entry/);
  });

  test("may be a mixture: shares, paths from the config's folder, and faults by their place", async () => {
    const dir = newDir();
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "starts.txt"), "x../.../...\nxo./.../...\n");
    const mix = (...given: unknown[]) => ({ openings: { mix: given } });
    const plan = await planTraining(
      { ...TINY, ...mix({ share: 3 }, { states: "starts.txt", randomPlies: { from: 1, to: 2 } }) },
      { baseDir: dir },
    );
    expect(
      plan.starts.map(({ share, randomPlies, states: drawn }) => [share, randomPlies, drawn?.length]),
    ).toEqual([
      [3, { from: 0, to: 0 }, undefined],
      [1, { from: 1, to: 2 }, 2],
    ]);
    // The folder's config makes the same plan.
    expect((await planTraining(plan.config, { baseDir: "." })).config).toEqual(plan.config);
    expect(await problems(mix({}, { states: ["nonsense"] }))).toMatch(
      /^openings\.mix\[1\]\.states: .*"nonsense" is not three rows/,
    );
    expect(await problems(mix({ randomPlies: { from: 2, to: 1 } }))).toBe(
      "openings.mix[0].randomPlies: `from` must be at most `to`",
    );
    expect(await problems(mix({ share: 0 }))).toBe("openings.mix[0].share: must be more than 0, got 0");
    expect(await problems(mix())).toMatch(/^openings\.mix: must have at least 1 entry/);
  });

  test("a line of a file may be a comment; a wrong one is told by its number", async () => {
    const dir = newDir();
    mkdirSync(dir, { recursive: true });
    writeFileSync(
      join(dir, "starts.txt"),
      "# the corner\nx../.../...\n\n  # the edge\n.x./.../...\nnonsense\n",
    );
    const failed = await planTraining({ ...TINY, ...states("starts.txt") }, { baseDir: dir }).catch(String);
    expect(failed).toMatch(
      /^InputError: openings\.states: .*starts\.txt: line 6: "nonsense" is not three rows/,
    );
    writeFileSync(join(dir, "starts.txt"), "# the corner\nx../.../...\n\n  # the edge\n.x./.../...\n");
    const { starts: read } = await planTraining({ ...TINY, ...states("starts.txt") }, { baseDir: dir });
    expect(read[0]!.states).toHaveLength(2);
  });

  test("are where a training's games begin", async () => {
    const config: TrainingConfig = {
      ...TINY,
      games: 30,
      // One move is left, which ends the game: the start is all there is to learn from.
      openings: { states: ["xox/oxo/.xo"] },
      learner: { lambda: 0, stepSize: 0.1 },
      checkpoints: 1,
    };
    const { decisions } = await trainFromConfig(requestOf(newDir(), config));
    expect(decisions).toBe(30);
  });
});

test("checkpoints: so many in equal parts, or every so many games; first and last always", async () => {
  const games = async (parts: Partial<TrainingConfig>) =>
    checkpointGames((await planTraining({ ...TINY, ...parts }, { baseDir: "." })).config);
  expect(await games({ games: 100, checkpoints: 4 })).toEqual([0, 25, 50, 75, 100]);
  expect(await games({ games: 2, checkpoints: 4 })).toEqual([0, 1, 2]);
  expect(await games({ games: 100, checkpoints: { every: 30 } })).toEqual([0, 30, 60, 90, 100]);
  expect(await games({ games: 100, checkpoints: { every: 500 } })).toEqual([0, 100]);
});

slowTest("a seed of the request takes the place of the config's, also when a training goes on", async () => {
  const [written, requested] = [newDir(), newDir()];
  await trainFromConfig(requestOf(written, { ...TINY, seed: "b" }));
  await trainFromConfig(requestOf(requested, TINY, { seed: "b" }));
  expect(contents(requested)).toEqual(contents(written));
  await expect(trainFromConfig(requestOf(requested, TINY, { resume: true }))).rejects.toThrow(
    'seed: the training was begun with another config: "b" there, "test" now',
  );
  const { finished } = await trainFromConfig(requestOf(requested, TINY, { resume: true, seed: "b" }));
  expect(finished).toBe(true);
});

test.each(everyFew(["greedy", "minimax:depth=1", "max-n:depth=1", { agent: "expectimax", depth: 1 }], 2))(
  "TDLeaf plays with %j",
  async (search) => {
    const config: TrainingConfig = {
      ...TINY,
      games: 20,
      learner: { rule: "td-leaf", lambda: 0.5, stepSize: 0.05, search },
      checkpoints: 1,
    };
    const result = await trainFromConfig(requestOf(newDir(), config));
    expect(result.finished).toBe(true);
    expect(result.decisions).toBeGreaterThan(80);
  },
);

test("wrong keys, wrong values and what the right parts refer to are told together", async () => {
  const config = {
    ...TINY,
    gmaes: 3,
    checkpoints: 0,
    evaluator: { features: "line" },
    rating: { ...TINY.rating, blocks: 0, pool: ["random", { agent: "mctz" }], player: "random" },
  };
  const message = await planTraining(config, { baseDir: ".", source: "my.yaml" }).then(String, String);
  for (const problem of [
    /my\.yaml: gmaes: unknown key "gmaes" \(did you mean "games"\?\)/,
    /my\.yaml: checkpoints: must be at least 1, got 0/,
    /my\.yaml: rating\.blocks: must be at least 1, got 0/,
    /my\.yaml: evaluator\.features: unknown feature set "line" \(did you mean "lines"\?\)/,
    /my\.yaml: rating\.pool\[1\]\.agent: unknown agent "mctz" \(did you mean "mcts"\?\)/,
    /my\.yaml: rating\.player: random has no evaluator/,
  ])
    expect(message).toMatch(problem);
});
