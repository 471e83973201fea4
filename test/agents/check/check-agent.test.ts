import { expect, test } from "vitest";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import type { Agent, Budget, Decision, Turn } from "../../../src/agents/agent.ts";
import { checkAgent, runAgentChecks } from "../../../src/agents/check/check-agent.ts";
import type { State } from "../../../src/games/contract/game.ts";
import { createTiny, TinyState } from "../../games/check/tiny.ts";

const game = createTiny();

/** Plays the first action; what `choose` adds is broken. */
function source(
  choose: (state: State, turn: Turn) => Partial<Decision>,
  budget: Budget = { depth: 2, nodes: 50 },
) {
  const create = (): Agent => ({
    choose: (state, turn) => ({ action: 1, nodes: 0, line: [1], ...choose(state, turn) }),
  });
  return { budget, create };
}

test("nothing is wrong with a good agent, also with one that decides later", async () => {
  expect(
    await checkAgent(game, prepareAgent(game, { agent: "expectimax", depth: 3, evaluator: "nearness" })),
  ).toEqual([]);
  expect(await checkAgent(game, prepareAgent(game, { agent: "mcts", timeMs: 5 }))).toEqual([]);
  expect(
    await checkAgent(
      game,
      source(() => ({})),
    ),
  ).toEqual([]);
  const later: Agent = { choose: async () => ({ action: 2, nodes: 0, line: [2] }) };
  expect(await checkAgent(game, { budget: {}, create: () => later })).toEqual([]);
});

test("it is asked about as many positions, as late as is wished", async () => {
  const counts: number[] = [];
  const { create } = source((state) => {
    counts.push((state as TinyState).count);
    return {};
  });
  const result = await runAgentChecks(game, { budget: {}, create }, { positions: 7 });
  expect(result).toMatchObject({ games: 7, positions: 7, findings: [] });
  // Once by a new agent, twice by another.
  expect(counts).toHaveLength(21);
  counts.length = 0;
  await runAgentChecks(game, { budget: {}, create }, { positions: 7, minPlies: 2 });
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
});

let decisions = 0;

test.each([
  ["legal", /^the agent chooses action 4; legal are \[1, 2, 3\]/, () => ({ action: 4, line: [4] })],
  ["legal", /^the agent chooses action undefined/, () => ({ action: undefined as unknown as number })],
  ["budget", /^the agent visits 51 nodes; its budget is nodes = 50/, () => ({ nodes: 51 })],
  ["budget", /^the agent searches 3 plies; its budget is depth = 2/, () => ({ depth: 3 })],
  ["figures", /^nodes is NaN/, () => ({ nodes: Number.NaN })],
  ["figures", /^depth is -1/, () => ({ depth: -1 })],
  ["figures", /^value is 1\.5; returns are from -1 to 1/, () => ({ value: 1.5 })],
  ["figures", /^value is NaN/, () => ({ value: Number.NaN })],
  ["line", /^the decision is 1, and the line begins with 2/, () => ({ line: [2] })],
  ["line", /^action 2 of the line \[1, 1\] is played where chance is to move/, () => ({ line: [1, 1] })],
  ["line", /^line is undefined, not a list/, () => ({ line: undefined as unknown as number[] })],
  [
    "repeatable",
    /^a new agent decides for "\+\d"; after other positions it decides for "\+\d"/,
    () => {
      const action = 1 + (decisions++ % 3);
      return { action, line: [action] };
    },
  ],
  [
    "repeatable",
    /^a new agent gives nodes = \d+; after other positions it gives \d+/,
    () => ({ nodes: decisions++ % 50 }),
  ],
  [
    "decides",
    /^an exception was thrown: Error: no idea/,
    () => {
      throw new Error("no idea");
    },
  ],
] as const)("%s: %s", async (check, found, choose) => {
  decisions = 0;
  const findings = await checkAgent(game, source(choose));
  const one = findings.find((finding) => finding.check === check);
  expect(one?.found).toMatch(found);
  expect(one?.moves).toBeInstanceOf(Array);
});

test("an exception names the place in the user's code", async () => {
  const [finding] = await checkAgent(
    game,
    source(() => {
      throw new Error("no idea");
    }),
  );
  expect(finding!.thrownAt).toMatch(/test\/agents\/check\/check-agent\.test\.ts:\d+:\d+$/);
});
