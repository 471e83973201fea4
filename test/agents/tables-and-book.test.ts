import { describe, expect, test } from "vitest";
import type { Agent } from "../../src/agents/agent.ts";
import { prepareAgent } from "../../src/agents/prepare.ts";
import { createRandom, type Random } from "../../src/base/random.ts";
import { TERMINAL, type Game, type State } from "../../src/games/contract/game.ts";
import { parseAgentSpec } from "../../src/specs/agents.ts";
import { endgamesOf } from "../../src/games/endgames/retrograde.ts";
import { type EndgameTables, UNKNOWN } from "../../src/games/endgames/endgame-tables.ts";
import { buildEndgames, chess } from "../games/endgames/build.ts";

const { tables: kings } = buildEndgames(chess, ["KRK", "KQK"]);

/** An agent that knows the tables. */
function knowing(game: Game, tables: EndgameTables, text: string): { agent: Agent; budget: object } {
  const spec = { ...parseAgentSpec(text), tables: "some.agon" };
  const prepared = prepareAgent(game, spec, { loadTables: () => tables });
  return { agent: prepared.create(), budget: prepared.budget };
}

async function choose({ agent, budget }: { agent: Agent; budget: object }, state: State, random: Random) {
  return agent.choose(state, { random, budget, clock: () => 0 });
}

/** A random position of a class, with a player to move, whose distance passes. */
function randomPosition(game: Game, name: string, random: Random, passes: (distance: number) => boolean) {
  const of = endgamesOf(game).classNamed(name);
  const state = endgamesOf(game).createState();
  for (;;) {
    if (!of.place(state, random.below(of.size)) || state.toMove === TERMINAL) continue;
    const real = game.parseState(game.formatState(state));
    if (real.toMove !== TERMINAL && passes(kings.probe(real))) return real;
  }
}

describe("an agent with tables", () => {
  test.each([
    "random",
    "greedy:evaluator=material",
    "alpha-beta:depth=2,evaluator=material",
    "mcts:simulations=20",
  ])("%s mates with rook or queen as soon as can be, against the longest defence", async (text) => {
    const random = createRandom("mates", text);
    const player = knowing(chess, kings, text);
    for (const name of ["KQK", "KRK"]) {
      const state = randomPosition(chess, name, random, (distance) => distance > 9 && distance !== UNKNOWN);
      const me = state.toMove;
      const plies = kings.probe(state);
      const first = await choose(player, state, random);
      expect(first).toMatchObject({ value: 1, depth: plies });
      expect(first.line.length).toBe(plies);
      let played = 0;
      for (; state.toMove !== TERMINAL; played++) state.apply((await choose(player, state, random)).action);
      expect(state.returns(me)).toBe(1);
      expect(played).toBe(plies);
    }
  });

  test("tells of the best actions if asked: wins first, the soonest before", async () => {
    const state = chess.parseState("8/8/8/8/8/8/k1K5/7Q w - - 0 1");
    const { agent, budget } = knowing(chess, kings, "random");
    const turn = { random: createRandom("rank"), budget, clock: () => 0, ranked: 40 };
    const { action, ranking } = await agent.choose(state, turn);
    expect(ranking![0]!.action).toBe(action);
    expect(ranking!.length).toBeGreaterThan(20);
    expect(ranking!.map(({ value }) => value)).toEqual(
      ranking!.map(({ value }) => value).toSorted((a, b) => b - a),
    );
  });

  test("searches as without them where they do not know the position, and ends at what they know", async () => {
    // Black's rook can be taken, which leaves queen against king; nothing else is known of the position.
    const state = chess.parseState("8/8/8/3k4/8/8/5r2/K4Q2 w - - 0 1");
    const decision = await choose(knowing(chess, kings, "alpha-beta:depth=3"), state, createRandom("x"));
    expect(chess.formatAction(decision.action, state)).toBe("Qxf2");
    expect(decision).toMatchObject({ value: 1, depth: 1 });
    const plain = prepareAgent(chess, { agent: "alpha-beta", depth: 3 }).create();
    expect(
      await plain.choose(state, { random: createRandom("x"), budget: { depth: 3 }, clock: () => 0 }),
    ).toMatchObject({ value: 0 });
  });

  test("of its own kind with a family's own option of that name keeps that option", () => {
    expect(() => prepareAgent(chess, { agent: "random", tables: "some.agon" })).toThrow(
      /tables: files cannot be read here/,
    );
    expect(() => prepareAgent(chess, { agent: "random", tables: "some.json" })).toThrow(
      /tables: must be a file of tables/,
    );
  });
});
