import { describe, expect, test } from "vitest";
import { defineAgent, type Decision, type SeatClock } from "../../src/agents/agent.ts";
import { agents } from "../../src/agents/index.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { createRandom } from "../../src/base/random.ts";
import type { State } from "../../src/games/contract/game.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { createGame } from "../../src/games/index.ts";
import { ask, copyOf, createPlayer, decide, randomPositions } from "./play.ts";
import { everyFew, thorough } from "../support/thorough.ts";

const connectFour = createGame("connect-four");

/** Searches that deepen, on games that they do not finish. */
const SEARCHES = [
  ["minimax:evaluator=threats", connectFour],
  ["alpha-beta:evaluator=threats,table=0.1", connectFour],
  ["alpha-beta:evaluator=threats,table=0,ordering=none", connectFour],
  ["expectimax:evaluator=race", createGame("pig")],
  ["max-n:evaluator=race", createGame({ id: "pig", players: 3 })],
  ["paranoid:evaluator=distance", createGame({ id: "chinese-checkers", players: 3, side: 2 })],
  ["best-reply:evaluator=distance", createGame({ id: "chinese-checkers", players: 3, side: 2 })],
] as const;

describe.each(SEARCHES)("%s", (spec, game) => {
  test("tells of each iteration when it is finished, which changes nothing", () => {
    const [state] = randomPositions(game, 1, { plies: 8 });
    const told: Decision[] = [];
    const { agent, budget } = createPlayer(game, `${spec},depth=4`);
    const turn = { random: createRandom("decide"), budget, clock: () => 0 };
    const decision = agent.choose(copyOf(game, state!), {
      ...turn,
      onIteration: (found) => told.push(found),
    });
    expect(decision).toEqual(decide(game, `${spec},depth=4`, state));
    expect(told).toEqual([1, 2, 3, 4].map((depth) => decide(game, `${spec},depth=${depth}`, state)));
  });

  test("stopped after any number of nodes, has the decision of the deepest finished iteration or a better one", () => {
    const [state] = randomPositions(game, 1, { plies: 8 });
    const iterations = [1, 2, 3, 4].map((depth) => decide(game, `${spec},depth=${depth}`, state));
    expect(iterations.map(({ depth }) => depth)).toEqual([1, 2, 3, 4]);
    const last = iterations.at(-1)!.nodes;
    let better = 0;
    for (let nodes = 1; nodes <= last; nodes += nodes < 40 ? 1 : 1 + Math.floor(last / thorough(60, 15))) {
      const stopped = decide(game, `${spec},depth=4,nodes=${nodes}`, state);
      const finished = iterations.findLast((iteration) => iteration.nodes <= nodes);
      expect(stopped.nodes).toBe(nodes);
      if (finished === undefined) expect([stopped.depth, stopped.value]).toEqual([undefined, undefined]);
      else if (stopped.action === finished.action) expect(stopped).toEqual({ ...finished, nodes });
      else {
        // Alpha-beta has found it in the iteration that was stopped, which goes on to the best of all.
        const stoppedOne = iterations.find((iteration) => iteration.nodes > nodes)!;
        expect(stopped.depth).toBe(finished.depth);
        expect(stopped.value).toBeLessThanOrEqual(stoppedOne.value!);
        better++;
      }
    }
    expect(better > 0).toBe(spec.startsWith("alpha-beta") && !spec.includes("ordering=none"));
  });

  test("stops when the time is over, whatever else is left", () => {
    // The clock advances by a millisecond at each look: after 32 nodes, 64 more and so on up to every 1,024.
    let now = 5;
    const player = createPlayer(game, `${spec},timeMs=10,nodes=1000000000`);
    const { nodes } = ask(player, game, { state: game.start(), clock: () => now++ });
    const looked = 32 + 64 + 128 + 256 + 512 + 5 * 1024;
    expect(nodes).toBeGreaterThan(looked - 1024);
    expect(nodes).toBeLessThan(looked + 1024);
  });

  test("the first limit that is reached stops it", () => {
    expect(decide(game, `${spec},depth=2,nodes=1000000,timeMs=1000`).depth).toBe(2);
    expect(decide(game, `${spec},depth=50,nodes=700,timeMs=1000`).nodes).toBe(700);
  });
});

test("mcts keeps to simulations, nodes and time", () => {
  expect(decide(connectFour, "mcts:simulations=77").nodes).toBe(77);
  expect(decide(connectFour, "mcts:nodes=70,simulations=77").nodes).toBe(70);
  expect(decide(connectFour, "mcts:simulations=1").nodes).toBe(1);
  let now = 5;
  const player = createPlayer(connectFour, "mcts:timeMs=10,simulations=1000000000");
  const { nodes } = ask(player, connectFour, { state: connectFour.start(), clock: () => now++ });
  // Looks after 1 simulation, 2 more, and so on up to every 32.
  expect(nodes).toBe(1 + 2 + 4 + 8 + 16 + 5 * 32);
});

test("without deepening there is one search, to the full depth", () => {
  const once = decide(connectFour, "minimax:depth=3,deepening=false");
  expect([once.depth, once.nodes]).toEqual([3, 1 + 7 + 49 + 343]);
  expect(decide(connectFour, "minimax:depth=3").nodes).toBe(8 + 57 + 400);
  expect(decide(connectFour, "minimax:depth=3,nodes=399,deepening=false").value).toBeUndefined();
});

test("a search ends when nothing was cut off, and when the result is proven", () => {
  const nim = createGame({ id: "nim", piles: [1, 2] });
  expect(decide(nim, "minimax:nodes=1000000")).toMatchObject({ value: 1, depth: 3 });
  const lost = createGame({ id: "nim", piles: [2, 2] });
  expect(decide(lost, "minimax:nodes=1000000")).toMatchObject({ value: -1, depth: 4 });
  // Three empty cells, and a draw whatever is played: depth 3 of the 9 that the game allows.
  const ticTacToe = createGame("tic-tac-toe");
  const drawn = ticTacToe.parseState("xox/xo./o..");
  for (const agent of ["minimax", "alpha-beta", "expectimax", "max-n", "paranoid", "best-reply"])
    expect(decide(ticTacToe, `${agent}:nodes=1000000`, drawn)).toMatchObject({ value: 0, depth: 3 });
  // A win in one is found at depth 1, and nothing more is searched.
  const win = connectFour.parseState("112233");
  expect(decide(connectFour, "alpha-beta:nodes=1000000", win)).toMatchObject({
    action: 3,
    value: 1,
    depth: 1,
  });
});

test.each(["minimax", "alpha-beta", "expectimax", "paranoid", "best-reply"])(
  "%s delays a proven loss",
  (agent) => {
    // The second player must block column 1; then the first makes an open three in the bottom row.
    const state = connectFour.parseState("7/7/7/x6/x2oo1o/x2xx1o");
    for (let seed = 0; seed < 10; seed++) {
      const { action, value, depth } = decide(connectFour, `${agent}:depth=6`, state, `seed ${seed}`);
      expect([action, value]).toEqual([0, -1]);
      // Alpha-beta foresees the last of the four plies.
      expect(depth).toBe(agent === "alpha-beta" ? 3 : 4);
    }
  },
);

describe("with a clock instead of a budget", () => {
  const clocked = (spec: string, game = connectFour) =>
    prepareAgent(game, parseAgentSpec(spec), { hasClocks: true });
  /** The decision, and the time it took on a clock that goes on by 1 ms at each look. */
  const timed = (spec: string, state: State, clock: SeatClock, game = connectFour) => {
    const prepared = clocked(spec, game);
    let now = 0;
    const decision = prepared.create().choose(copyOf(game, state), {
      random: createRandom("clock"),
      budget: prepared.budget,
      clock: () => ++now,
      clocks: [clock, clock],
    }) as Decision;
    return { decision, ms: now };
  };
  const SHARING = [
    ...SEARCHES.map(([spec, game]) => [spec, game] as const),
    ["mcts", connectFour] as const,
    ["descent:evaluator=threats", connectFour] as const,
  ];

  test.each(everyFew(SHARING, 3))(
    "%s needs no budget, and takes more time where there is more",
    (spec, game) => {
      expect(clocked(spec, game).budget).toEqual({});
      const [state] = randomPositions(game, 1, { plies: 8 });
      const much = timed(spec, state!, { leftMs: 800, incrementMs: 0 }, game);
      const little = timed(spec, state!, { leftMs: 60, incrementMs: 0 }, game);
      expect(much.decision.nodes).toBeGreaterThan(little.decision.nodes);
      expect(much.ms).toBeLessThan(800);
      expect(little.ms).toBeLessThan(40);
    },
  );

  test.each(SHARING)("%s ends before its flag falls, whatever its own budget is", (spec, game) => {
    const [state] = randomPositions(game, 1, { plies: 8 });
    for (const budget of spec === "mcts" ? ["simulations=1e9", "timeMs=1e9"] : ["nodes=1e9", "timeMs=1e9"]) {
      const text = spec.includes(":") ? `${spec},${budget}` : `${spec}:${budget}`;
      expect(timed(text, state!, { leftMs: 50, incrementMs: 0 }, game).ms).toBeLessThanOrEqual(35);
    }
  });

  test("without clocks a budget is still asked for; and an agent that does not heed clocks needs one", () => {
    expect(() => prepareAgent(connectFour, parseAgentSpec("mcts"))).toThrow("mcts needs a budget");
    const other = defineAgent({ ...agents["mcts"]!, id: "other", heedsClocks: false });
    const families = { other };
    expect(() => prepareAgent(connectFour, { agent: "other" }, { families, hasClocks: true })).toThrow(
      "other needs a budget",
    );
  });

  test.each(["alpha-beta:evaluator=piece-squares", "mcts", "descent:evaluator=piece-squares"])(
    "%s takes the only legal action at once",
    (spec) => {
      // The king has one square, and the game goes on.
      const chess = createGame("chess");
      const state = chess.parseState("7k/8/8/8/8/8/r7/7K w - - 0 1");
      for (const clock of [
        { leftMs: 100_000, incrementMs: 0 },
        { leftMs: 0, incrementMs: 0, periods: 1, periodMs: 100_000 },
      ]) {
        const { decision, ms } = timed(spec, state, clock, chess);
        expect(chess.formatAction(decision.action, state)).toBe("Kg1");
        expect(ms).toBeLessThan(10);
      }
    },
  );
});
