import { describe, expect, test } from "vitest";
import { agon, temporaryFolder, writeInto } from "../support/agon.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const T3 = { player: 0, actions: { left: 20, right: { player: 1, actions: [10, 99, 98] } } };
const AGENT = ["--agent", "alpha-beta:depth=2,table=0,ordering=none,deepening=false"];

describe("agon tree", () => {
  test("prints the tree of a config's game", async () => {
    const dir = temporaryFolder();
    writeInto(dir, "t3.json", { name: "t3", game: { id: "tree", root: T3 } });
    const { code, stdout, stderr } = await agon(["tree", "t3.json", ...AGENT], { cwd: dir });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("   └─ ✂ cut: 10 <= alpha 20; not looked at: 2, 3\n");
  });

  test("a search goes through a drawn world where something is hidden", async () => {
    const question = ["tree", "kuhn", "--state", "Q K check bet", "--agent"];
    const { stdout } = await agon([...question, "mcts:simulations=30"]);
    expect(stdout).toMatch(/^a world drawn .*: Q [JK] check bet\n[^]*player 1 30 visits[^]* fold [^]* call /);
    const { code, stderr } = await agon([...question, "ismcts:simulations=30"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^ismcts has no search that could be shown/);
  });

  slowTest("as JSON it has every iteration, and the decision of analyze", async () => {
    const question = [
      "tic-tac-toe",
      "--agent",
      "alpha-beta:depth=4,evaluator=open-lines",
      "--seed",
      "3",
      "--json",
    ];
    const tree = JSON.parse((await agon(["tree", ...question])).stdout) as {
      decision: object;
      iterations: { depth: number; nodes: number }[];
    };
    const { timeMs, ...analysis } = JSON.parse((await agon(["analyze", ...question])).stdout) as Record<
      string,
      unknown
    >;
    expect(timeMs).toBeGreaterThan(0);
    expect(tree.decision).toEqual(analysis);
    expect(tree.iterations.map(({ depth }) => depth)).toEqual([1, 2, 3, 4]);
    expect(tree.iterations.reduce((sum, { nodes }) => sum + nodes, 0)).toBe(analysis["nodes"]);
  });

  const MINIMAX = ["--agent", "minimax:depth=2"];
  const WRONG: [string[], RegExp][] = [
    [
      ["nim", "--agent", "random"],
      /^random has no search that could be shown; agents that have one: minimax, /,
    ],
    [["nim", "--agent", "minimax"], /^minimax: minimax needs a budget: depth, nodes, timeMs\n$/],
    [["pig", ...MINIMAX], /^minimax:depth=2: agent: minimax cannot play pig, which has chance/],
    [["nim", ...MINIMAX, "--state", "9"], /"9"/],
    [["tic-tac-toe", ...MINIMAX, "--state", "xxx/oo./..."], /^the game is over in /],
    [
      ["nim", ...MINIMAX, "--iteration", "0"],
      /^--iteration must be a whole number of at least 1, or all, got "0"\n$/,
    ],
    [["nim", ...MINIMAX, "--iteration", "3"], /^--iteration must be at most 2 here, got 3\n$/],
    [["nim", ...MINIMAX, "--depth", "1.5"], /^--depth must be a whole number of at least 1, got 1.5\n$/],
    [["none.yaml", ...MINIMAX], /^none\.yaml: cannot be read/],
    [["bad.json", ...MINIMAX], /^bad\.json:1:29: game\.root: /],
    [["empty.json", ...MINIMAX], /^empty\.json:1:1: game: missing/],
  ];

  test.each(everyFew(WRONG, 8))("%j: exit code 2 and what is wrong", async (args, message) => {
    const dir = temporaryFolder();
    writeInto(dir, "bad.json", { game: { id: "tree", root: 3 } });
    writeInto(dir, "empty.json", {});
    const { code, stdout, stderr } = await agon(["tree", ...args], { cwd: dir });
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});
