import { statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { check, Problems } from "../../src/base/check.ts";
import { InputError } from "../../src/base/errors.ts";
import { createGame } from "../../src/games/index.ts";
import {
  agentSchema,
  entrantSchema,
  formatAgentSpec,
  locateAgent,
  parseAgentSpec,
  planEntrants,
  readAgent,
} from "../../src/specs/agents.ts";
import { TablesFile } from "../../src/specs/files/tables-file.ts";
import { solved } from "../games/endgames/solved.ts";
import { temporaryFolder } from "../support/agon.ts";

describe("short form", () => {
  test.each([
    ["random", { agent: "random" }],
    ["alpha-beta:depth=6", { agent: "alpha-beta", depth: 6 }],
    [" alpha-beta : depth = 6 , ties = first ", { agent: "alpha-beta", depth: 6, ties: "first" }],
    ["alpha-beta:deepening=false,table=0", { agent: "alpha-beta", deepening: false, table: 0 }],
    ["alpha-beta:deepening=true,ties=", { agent: "alpha-beta", deepening: true, ties: "" }],
    ["mcts:exploration=0.7,nodes=1e4", { agent: "mcts", exploration: 0.7, nodes: 10_000 }],
    ["greedy:evaluator=../w/a=b.json", { agent: "greedy", evaluator: "../w/a=b.json" }],
    ["./my-agent.ts:depth=2", { agent: "./my-agent.ts", depth: 2 }],
  ])("%s", (text, spec) => {
    expect(parseAgentSpec(text)).toEqual(spec);
    expect(parseAgentSpec(formatAgentSpec(spec))).toEqual(spec);
  });

  test.each([
    [
      "alpha-beta:",
      '"" in "alpha-beta:" is not key=value; write it like alpha-beta:depth=6,evaluator=threats',
    ],
    [
      "mcts:fast",
      '"fast" in "mcts:fast" is not key=value; write it like alpha-beta:depth=6,evaluator=threats',
    ],
    ["mcts:=3", '"=3" in "mcts:=3" is not key=value; write it like alpha-beta:depth=6,evaluator=threats'],
    ["mcts:nodes=1,nodes=2", '"nodes" is given twice in "mcts:nodes=1,nodes=2"'],
    [
      "expectimax:opponent=best,opponent.agent=x",
      '"opponent.agent" is given twice in "expectimax:opponent=best,opponent.agent=x"',
    ],
    [
      "expectimax:opponent.agent=x,opponent=best",
      '"opponent" is given twice in "expectimax:opponent.agent=x,opponent=best"',
    ],
    ["mcts:agent=random", '"agent" is given twice in "mcts:agent=random"'],
  ])("%s is refused", (text, message) => {
    expect(() => parseAgentSpec(text)).toThrow(new InputError(message));
  });

  test("what begins with a brace is YAML", () => {
    const spec = { agent: "gtp", command: ["gnugo", "--level", "1"], commands: ["level 3"] };
    const text = ' { agent: gtp, command: [gnugo, --level, "1"], commands: [level 3] }';
    expect(parseAgentSpec(text)).toEqual(spec);
    for (const wrong of ["{ agent: [", "{ command: [gnugo] }", "{ agent: 3 }", "{}"]) {
      const message = `"${wrong}" is no agent; write it like { agent: gtp, command: [gnugo, --mode, gtp] }`;
      expect(() => parseAgentSpec(wrong)).toThrow(new InputError(message));
    }
  });

  test("a key with a point belongs to an object, there and back", () => {
    const text = "expectimax:depth=2,opponent.agent=greedy,opponent.epsilon=0.5";
    const spec = { agent: "expectimax", depth: 2, opponent: { agent: "greedy", epsilon: 0.5 } };
    expect(parseAgentSpec(text)).toEqual(spec);
    expect(formatAgentSpec(spec)).toBe(text);
    expect(parseAgentSpec("x:__proto__.y=1")).not.toHaveProperty("constructor.prototype.y");
    expect({}).not.toHaveProperty("y");
  });

  test("without an agent the keys are read all the same", () => {
    expect(parseAgentSpec(":depth=3")).toEqual({ agent: "", depth: 3 });
  });

  test("formatting leaves out what is undefined", () => {
    expect(formatAgentSpec({ agent: "mcts", nodes: undefined })).toBe("mcts");
    expect(formatAgentSpec({ agent: "x", list: [1, 2], on: true })).toBe("x:list=[1,2],on=true");
  });
});

test("a located agent has its files as absolute paths; ids and the game's heuristics stay as they are", () => {
  const base = join("/", "configs");
  expect(locateAgent("./mine.ts:depth=2,evaluator=../w.json", base)).toEqual({
    agent: join(base, "mine.ts"),
    depth: 2,
    evaluator: join("/", "w.json"),
  });
  expect(locateAgent({ agent: "alpha-beta", depth: 2, evaluator: "threats" }, base)).toEqual({
    agent: "alpha-beta",
    depth: 2,
    evaluator: "threats",
  });
  expect(locateAgent("random", base)).toEqual({ agent: "random" });
});

test("configs give agents and entrants as a text or as an object, no part of which is empty", () => {
  for (const schema of [agentSchema, entrantSchema]) {
    for (const given of ["x", { agent: "x" }, { agent: "x", depth: 1 }])
      expect(schema.parse(given)).toEqual(given);
    for (const given of ["", { agent: "" }, { depth: 1 }, 3, null])
      expect(schema.safeParse(given).success).toBe(false);
  }
  expect(entrantSchema.parse({ agent: "x", name: "y" })).toEqual({ agent: "x", name: "y" });
  expect(entrantSchema.safeParse({ agent: "x", name: "" }).success).toBe(false);
});

test("an agent as a key of an entrant is refused with the form that is meant", () => {
  const refusal = (given: unknown) => {
    expect(() => check(entrantSchema, given)).toThrow(InputError);
    try {
      check(entrantSchema, given);
    } catch (error) {
      return (error as InputError).message;
    }
    throw new Error("the value was not refused");
  };
  const meant: readonly (readonly [unknown, string])[] = [
    [{ greedy: { evaluator: "material" } }, "{ agent: greedy, evaluator: material }"],
    [{ mcts: { simulations: 10 }, name: "few" }, "{ name: few, agent: mcts, simulations: 10 }"],
    [{ random: null }, "{ agent: random }"],
    [{ "./mine.ts": {} }, "{ agent: ./mine.ts }"],
    [{ "alpha-beta": "depth=6,ties=first" }, "alpha-beta:depth=6,ties=first"],
  ];
  for (const [given, form] of meant) {
    expect(refusal(given)).toBe(`has the agent as a key; write ${form}`);
    // The form is right.
    expect(entrantSchema.safeParse(parse(form)).success).toBe(true);
  }
  expect(refusal({ depth: 3 })).toBe("agent: missing; must be a text");
  expect(refusal({ random: {}, greedy: {} })).toBe("agent: missing; must be a text");
});

test("all agents of a process share endgame tables, until the file changes", () => {
  const path = join(temporaryFolder(), "all.agon");
  const game = createGame({ id: "nim", piles: [1, 2] });
  TablesFile.empty(path, game, { isWhole: true }).addWhole(solved(game));
  utimesSync(path, 1000, 1000);
  const spec = { agent: "random", tables: path };
  const first = readAgent(game, spec);
  // A second reader would get no tables out of the file.
  writeFileSync(path, Buffer.alloc(statSync(path).size));
  utimesSync(path, 1000, 1000);
  expect(readAgent(game, spec).parts.game.id).toBe(first.parts.game.id);
  expect(() => readAgent(createGame({ id: "nim", piles: [1, 1] }), spec)).toThrow(/^tables: /);
  utimesSync(path, 1000, 2000);
  expect(() => readAgent(game, spec)).toThrow(/^tables: /);
});

describe("entrants", () => {
  async function plan(given: Parameters<typeof planEntrants>[0], { withGame = true } = {}) {
    const problems = new Problems();
    const entrants = await planEntrants(given, {
      game: withGame ? createGame("connect-four") : undefined,
      baseDir: "/",
      limits: { budget: { nodes: 500 } },
      path: ["entrants"],
      problems,
    });
    let said = "";
    try {
      problems.throwIfAny();
    } catch (error) {
      said = (error as InputError).message;
    }
    return { entrants, said };
  }

  test("are named by the text that gave them, or else by the short form", async () => {
    const { entrants, said } = await plan([
      "greedy: evaluator=threats",
      { agent: "alpha-beta", depth: 3 },
      { name: "mine", agent: "random" },
    ]);
    expect(said).toBe("");
    expect(entrants.map(({ name }) => name)).toEqual([
      "greedy: evaluator=threats",
      "alpha-beta:depth=3",
      "mine",
    ]);
  });

  test("have the defaults of the agent, and the default budget only where they have none", async () => {
    const { entrants } = await plan(["minimax", "minimax:depth=3"]);
    const filled = { agent: "minimax", evaluator: "none", deepening: true, ties: "random" };
    expect(entrants.map(({ spec }) => spec)).toEqual([
      { ...filled, nodes: 500 },
      { ...filled, depth: 3 },
    ]);
  });

  test("stay as given where the game is unknown", async () => {
    const { entrants, said } = await plan(["minimax:dept=3"], { withGame: false });
    expect(entrants).toEqual([{ name: "minimax:dept=3", spec: { agent: "minimax", dept: 3 } }]);
    expect(said).toBe("");
  });

  test("must have different names; those found wrong before have none", async () => {
    const { entrants, said } = await plan(["random", undefined, undefined, "minimax:depth=1", "random"]);
    expect(said).toBe('entrants[4].name: "random" is already the name of entrants[0]; names must differ');
    expect(entrants[1]).toEqual({ name: "", spec: { agent: "" } });
    expect(entrants).toHaveLength(5);
  });

  test("that are wrong keep their name and place", async () => {
    const { entrants, said } = await plan([
      "minimax:depth",
      "nobody:x=1",
      { name: "n", agent: "minimax", dept: 1 },
    ]);
    expect(said.split("\n").map((line) => line.split(":")[0])).toEqual([
      "entrants[0]",
      "entrants[1].agent",
      "entrants[2].dept",
    ]);
    expect(entrants.map(({ name }) => name)).toEqual(["", "nobody:x=1", "n"]);
  });
});
