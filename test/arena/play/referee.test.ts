import { describe, expect, test } from "vitest";
import type { Agent } from "../../../src/agents/agent.ts";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { parseAgentSpec } from "../../../src/specs/agents.ts";
import { planTime } from "../../../src/arena/plan/time-control.ts";
import { forfeitReturns, Referee, type Seat } from "../../../src/arena/play/referee.ts";
import { CHANCE, TERMINAL, varyGame, type Game, type State } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { expectFrequencies } from "../../support/frequencies.ts";
import type { TreeNode } from "../../../src/games/tree/schema.ts";
import { slowTest } from "../../support/thorough.ts";

const connectFour = createGame("connect-four");
const setup = { id: "game", seed: "seed", block: "block", opening: [] };

function seat(spec: string, game = connectFour): Seat {
  const prepared = prepareAgent(game, parseAgentSpec(spec));
  return { agent: prepared.create(), budget: prepared.budget };
}

function scripted(choose: Agent["choose"]): Seat {
  return { agent: { choose }, budget: {} };
}

const decide = (action: number) => ({ action, nodes: 3, line: [action] });

/** A clock that goes on by one millisecond each time it is looked at. */
function tickingClock(): () => number {
  let now = 0;
  return () => now++;
}

describe("a game at a table", () => {
  test("is played from the opening to its end and accounts for both seats", async () => {
    const referee = new Referee(connectFour, tickingClock());
    const result = await referee.play(
      [scripted(() => decide(0)), scripted(() => Promise.resolve(decide(1)))],
      {
        ...setup,
        opening: [6, 6],
      },
    );
    expect(result).toEqual({
      actions: [6, 6, 0, 1, 0, 1, 0, 1, 0],
      returns: [1, -1],
      ending: "finished",
      forfeitSeat: -1,
      detail: "",
      decisions: [4, 3],
      nodes: [12, 9],
      timeMs: [4, 3],
      thoughts: Array.from({ length: 7 }, () => ({ nodes: 3, timeMs: 1, line: [] })),
    });
  });

  test("tells each agent the play that led to its position, with the dice", async () => {
    const pig = createGame({ id: "pig", target: 30 });
    let asked = 0;
    const replaying = scripted((state, { random, played }) => {
      const copy = pig.start();
      for (const action of played!().actions) copy.apply(action);
      expect(pig.formatState(copy)).toBe(pig.formatState(state));
      asked++;
      // Changes of the list have no effect.
      (played!().actions as number[]).length = 0;
      const actions = possibleActions(pig, state);
      return decide(actions[random.below(actions.length)]!);
    });
    const { decisions } = await new Referee(pig, tickingClock()).play([replaying, replaying], setup);
    expect(decisions[0]! + decisions[1]!).toBe(asked);
    expect(asked).toBeGreaterThan(5);
  });

  test("is determined by its seed and id", async () => {
    const play = async (change: object) =>
      (
        await new Referee(connectFour, tickingClock()).play([seat("random"), seat("random")], {
          ...setup,
          ...change,
        })
      ).actions;
    const first = await play({});
    expect(await play({})).toEqual(first);
    expect(await play({ id: "other" })).not.toEqual(first);
    expect(await play({ seed: "other" })).not.toEqual(first);
  });

  test("chance is the block's: the same dice for the same line of play", async () => {
    const pig = createGame("pig");
    const roll = () => scripted(() => decide(1));
    const play = async (id: string, block: string) =>
      (await new Referee(pig, tickingClock()).play([roll(), roll()], { ...setup, id, block })).actions;
    expect(await play("one", "a")).toEqual(await play("two", "a"));
    expect(await play("one", "a")).not.toEqual(await play("one", "b"));
  });

  test("the record has all that happened, chance events too: played again it leads to the same end", async () => {
    const pig = createGame({ id: "pig", target: 30 });
    const seats = [seat("random", pig), seat("random", pig)];
    const { actions, returns, decisions } = await new Referee(pig, tickingClock()).play(seats, setup);
    const state = pig.start();
    const decided = [0, 0];
    for (const action of actions) {
      if (state.toMove >= 0) decided[state.toMove]!++;
      state.apply(action);
    }
    expect(state.toMove).toBe(TERMINAL);
    expect([state.returns(0), state.returns(1)]).toEqual(returns);
    expect(decided).toEqual(decisions);
  });

  slowTest("chance events come as often as they should", async () => {
    const outcomes = ["1/2", "1/3", "1/6"].map((probability, node) => ({ probability, node }));
    const tree = createGame({ id: "tree", players: 2, root: { player: 0, actions: [{ chance: outcomes }] } });
    const referee = new Referee(tree, tickingClock());
    const seats = [scripted(() => decide(0)), scripted(() => decide(0))];
    const counts = [0, 0, 0];
    for (let game = 0; game < 23_000; game++) {
      const { returns } = await referee.play(seats, { ...setup, block: String(game) });
      counts[returns[0]!]!++;
    }
    expectFrequencies(counts, [1 / 2, 1 / 3, 1 / 6]);
  });

  test("any legal action may be played, the first and the last of the list too", async () => {
    const takes = (pick: (actions: Int32Array) => number) =>
      scripted((state) => decide(pick(possibleActions(connectFour, state))));
    const seats = [takes((actions) => actions.at(-1)!), takes((actions) => actions[0]!)];
    const { ending } = await new Referee(connectFour, tickingClock()).play(seats, setup);
    expect(ending).toBe("finished");
  });

  test("agents are told that a game begins, before their first decision", async () => {
    const told: string[] = [];
    const agent = (name: string, action: number): Seat => ({
      agent: {
        newGame: () => told.push(`${name} begins`),
        choose: () => {
          told.push(name);
          return decide(action);
        },
      },
      budget: {},
    });
    const referee = new Referee(connectFour, tickingClock());
    const seats = [agent("one", 0), agent("two", 1)];
    await referee.play(seats, setup);
    expect(told.slice(0, 4)).toEqual(["one begins", "two begins", "one", "two"]);
    await referee.play(seats, setup);
    expect(told.filter((text) => text.endsWith("begins"))).toHaveLength(4);
  });

  test.each<[string, Agent["choose"], string, RegExp]>([
    ["an illegal action", () => decide(7), "illegal action", /^7 is not a legal action in 7\/7/],
    ["a fraction", () => decide(0.5), "illegal action", /^0.5 is not a legal action/],
    ["no decision", () => undefined as never, "illegal action", /^nothing is not a legal action/],
    [
      "an exception",
      () => {
        throw new TypeError("oops");
      },
      "exception",
      /^TypeError: oops, at .*referee\.test\.ts:\d+:\d+$/,
    ],
    [
      "a rejection",
      () => Promise.reject(new Error("late")),
      "exception",
      /^Error: late, at .*referee\.test\.ts:\d+:\d+$/,
    ],
  ])("%s forfeits", async (_, choose, ending, detail) => {
    const referee = new Referee(connectFour, tickingClock());
    const result = await referee.play([scripted(() => decide(3)), scripted(choose)], setup);
    expect(result).toMatchObject({ ending, forfeitSeat: 1, returns: [1, -1], actions: [3] });
    expect(result.detail).toMatch(detail);
  });

  describe("what the agents thought", () => {
    /** The thoughts of a game in which the second seat says these things with its decisions. */
    const thoughtsWith = async (said: object, first: object = {}) => {
      const seats = [
        scripted(() => ({ ...decide(0), nodes: 0, ...first })),
        scripted(() => ({ ...decide(1), nodes: 0, ...said })),
      ];
      return (await new Referee(connectFour, tickingClock()).play(seats, setup)).thoughts;
    };
    const silent = { nodes: 0, timeMs: 1, line: [] };

    test("has an entry for each decision of both", async () => {
      const said = { value: -0.25, depth: 4, nodes: 9, line: [1, 0, 1] };
      const thought = { ...said, timeMs: 1 };
      expect(await thoughtsWith(said)).toEqual([silent, thought, silent, thought, silent, thought, silent]);
    });

    test("is nothing where nobody said anything, or where it is not asked for", async () => {
      expect(await thoughtsWith({})).toEqual([]);
      expect(await thoughtsWith({ line: [] })).toEqual([]);
      const options = { thoughts: false };
      const seats = [scripted(() => ({ ...decide(0), value: 1 })), scripted(() => decide(1))];
      expect((await new Referee(connectFour, tickingClock(), options).play(seats, setup)).thoughts).toEqual(
        [],
      );
    });

    test.each<[string, object, object | undefined]>([
      ["a value of NaN", { value: NaN }, undefined],
      ["an infinite value", { value: Infinity }, undefined],
      ["a text as value", { value: "0.5", depth: 1 }, { depth: 1 }],
      ["null as value", { value: null, depth: 0 }, { depth: 0 }],
      ["a negative depth", { value: 0.5, depth: -1 }, { value: 0.5 }],
      ["half a depth", { value: 0.5, depth: 1.5 }, { value: 0.5 }],
      ["a text as line", { value: 0.5, line: "1 0 1" }, { value: 0.5 }],
      ["nothing as line", { value: 0.5, line: undefined }, { value: 0.5 }],
      ["half an action in the line", { value: 0.5, line: [1, 0.5] }, { value: 0.5 }],
      ["a hole in the line", { value: 0.5, line: [1, , 2] }, { value: 0.5 }], // oxlint-disable-line no-sparse-arrays
      ["an illegal line", { line: [1, -7, 99] }, { line: [1, -7, 99] }],
      ["a line of another action", { line: [2] }, { line: [2] }],
      [
        "a long line",
        { line: Array.from({ length: 99 }, () => 1) },
        { line: Array.from({ length: 16 }, () => 1) },
      ],
      ["a negative zero", { value: -0, depth: -0, line: [-0] }, { value: 0, depth: 0, line: [0] }],
      ["nodes alone", { nodes: 7 }, { nodes: 7 }],
    ])("of %s what can be read is kept", async (_, said, kept) => {
      const thoughts = await thoughtsWith(said);
      expect(thoughts[1]).toEqual(kept && { ...silent, ...kept });
    });

    test("numbers are short, and no estimate becomes a proof", async () => {
      const valueOf = async (value: number) => (await thoughtsWith({ value }))[1]!.value;
      expect(await valueOf(1 / 3)).toBe(0.333333);
      expect(await valueOf(-1 / 3e9)).toBe(-3.33333e-10);
      expect(await valueOf(123456789)).toBe(123456789);
      expect(await valueOf(1)).toBe(1);
      expect(await valueOf(0.99999999)).toBe(0.99999999);
      expect(await valueOf(-0.99999999)).toBe(-0.99999999);
      const times = [0.0123456, 1.23456, 12.3456, 123.456];
      let now = 0;
      let looks = 0;
      const clock = () => (now += looks++ % 2 === 0 ? 0 : (times[(looks >> 1) - 1] ?? 0));
      const talks = (action: number) => scripted(() => ({ ...decide(action), value: 0.5 }));
      const { thoughts } = await new Referee(connectFour, clock).play([talks(0), talks(1)], setup);
      expect(thoughts.slice(0, 4).map(({ timeMs }) => timeMs)).toEqual([0.012, 1.23, 12.3, 123]);
    });

    test("what was thought before a forfeit is kept", async () => {
      const seats = [scripted(() => ({ ...decide(0), value: 0.5 })), scripted(() => decide(9))];
      const result = await new Referee(connectFour, tickingClock()).play(seats, setup);
      expect(result.thoughts).toEqual([{ value: 0.5, nodes: 3, timeMs: 1, line: [] }]);
    });

    test("openings and chance have none", async () => {
      const pig = createGame({ id: "pig", target: 20 });
      const seats = [seat("expectimax:depth=1,evaluator=race", pig), seat("random", pig)];
      const { decisions, thoughts } = await new Referee(pig, tickingClock()).play(seats, {
        ...setup,
        opening: [1, 3],
      });
      expect(thoughts).toHaveLength(decisions[0]! + decisions[1]!);
      expect(thoughts[0]).toMatchObject({ value: expect.any(Number) as number, depth: 1 });
    });
  });

  describe("a game that does not keep its contract is told as such, not as an agent's fault", () => {
    /** Pig to 20 points, its states changed by `change`. */
    function broken(change: (state: State) => PropertyDescriptorMap, traits: Partial<Game> = {}): Game {
      const pig = createGame({ id: "pig", target: 20 });
      const start = () => {
        const state = pig.start();
        return Object.defineProperties(state, change(state));
      };
      return varyGame(pig, { start, ...traits });
    }
    const method = (value: unknown) => ({ value });
    const always = (value: unknown) => ({ get: () => value, set() {} });

    test.each<[string, Game, RegExp]>([
      ["returns NaN", broken(() => ({ returns: method(() => NaN) })), /RangeError: the returns are NaN, NaN/],
      ["returns nothing", broken(() => ({ returns: method(() => undefined) })), /the returns are ,/],
      ["returns infinity", broken(() => ({ returns: method(() => Infinity) })), /the returns are Infinity/],
      [
        "goes on for ever",
        broken(() => ({ apply: method(() => {}), toMove: always(1) }), { maxPlies: 30 }),
        /the game goes on after maxPlies, 30/,
      ],
      [
        "rolls dice for ever",
        broken(() => ({ apply: method(() => {}), toMove: always(CHANCE) })),
        /100000 chance events follow each other/,
      ],
      [
        "has chance where it says there is none",
        broken(() => ({}), { chance: false }),
        /there is a chance event, but `chance` is false/,
      ],
      [
        "has an event without an outcome",
        broken(() => ({ chanceOutcomes: method(() => 0) })),
        /a chance event has 0 outcomes/,
      ],
      ["has no action", broken(() => ({ legalActions: method(() => 0) })), /there is no legal action in/],
      ["has a third player", broken(() => ({ toMove: always(2) })), /toMove is 2, which is no player/],
      ["has half a player", broken(() => ({ toMove: always(0.5) })), /toMove is 0.5, which is no player/],
    ])("%s", async (_, game, message) => {
      const seats = [scripted(() => decide(1)), scripted(() => decide(1))];
      const play = new Referee(game, tickingClock()).play(seats, setup);
      await expect(play).rejects.toThrow(message);
      await expect(play).rejects.toThrow(
        /^the game pig failed with .*this is a fault of the game, not of an agent/,
      );
    });
  });

  test("plies count from the first one of the opening, without chance events", async () => {
    const chain = (node: TreeNode, links: readonly ("ply" | "roll")[]) =>
      links.reduceRight<TreeNode>(
        (next, link) =>
          link === "ply" ? { player: 0, actions: [next] } : { chance: [{ probability: 1, node: next }] },
        node,
      );
    const root = chain(0, ["roll", "ply", "roll", "ply", "roll", "roll", "ply", "ply", "roll"]);
    const play = async (maxPlies: number, openingLength: number) => {
      const tree = varyGame(createGame({ id: "tree", players: 2, root }), { maxPlies });
      const seats = [scripted(() => decide(0)), scripted(() => decide(0))];
      const opening = Array.from({ length: openingLength }, () => 0);
      return new Referee(tree, tickingClock()).play(seats, { ...setup, opening });
    };
    for (const length of [0, 1, 2, 3, 4, 6]) {
      expect((await play(4, length)).actions).toHaveLength(9);
      await expect(play(3, length)).rejects.toThrow("the game goes on after maxPlies, 3");
    }
  });

  test("100,000 chance events may lie between two decisions, however many there are in all", async () => {
    const pig = createGame({ id: "pig", target: 20 });
    let [rolls, decisions] = [0, 0];
    const start = () =>
      Object.defineProperties(pig.start(), {
        toMove: { get: () => (rolls > 0 ? CHANCE : decisions < 3 ? 0 : TERMINAL), set() {} },
        returns: { value: () => 0 },
        apply: {
          value() {
            if (rolls > 0) rolls--;
            else [rolls, decisions] = [60_000, decisions + 1];
          },
        },
      });
    const seats = [scripted(() => decide(1)), scripted(() => decide(1))];
    const { actions } = await new Referee(varyGame(pig, { start }), tickingClock()).play(seats, setup);
    expect(actions).toHaveLength(3 * 60_001);
  });

  test("an agent cannot touch the referee's state", async () => {
    const vandal = scripted((state) => {
      state.apply(0);
      state.apply(1);
      return decide(2);
    });
    const result = await new Referee(connectFour, tickingClock()).play([vandal, seat("random")], setup);
    expect(result.ending).toBe("finished");
    expect(result.actions.filter((_, ply) => ply % 2 === 0).every((action) => action === 2)).toBe(true);
  });

  test("the watcher sees who is thinking", async () => {
    const seen: string[] = [];
    const watcher = { thinking: (who: number) => seen.push(`+${who}`), idle: () => seen.push("-") };
    await new Referee(connectFour, tickingClock(), { watcher }).play(
      [scripted(() => decide(0)), scripted(() => decide(1))],
      setup,
    );
    expect(seen).toEqual(["+0", "-", "+1", "-", "+0", "-", "+1", "-", "+0", "-", "+1", "-", "+0", "-"]);
  });

  test("who forfeits gets the worst, the others share what it leaves", () => {
    const returns = (game: Game, seat: number) =>
      forfeitReturns(game, game.start(), { seat, ending: "time-out" });
    expect(returns(connectFour, 0)).toEqual([-1, 1]);
    expect(returns(createGame({ id: "nim", players: 3 }), 1)).toEqual([0.25, -0.5, 0.25]);
    const bridge = createGame("bridge");
    expect([0, 1, 2].map((seat) => returns(bridge, seat))).toEqual([
      [-13, 6.5, 6.5],
      [13, -6.5, -6.5],
      [13, -6.5, -6.5],
    ]);
  });

  /* Material and who can win: python-chess has the same rule (has_insufficient_material). */
  test.each([
    ["4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", [true, false]],
    ["4k3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, false]],
    ["3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, true]],
    ["3rk3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, true]],
    ["4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", [true, false]],
    ["4kb2/8/8/8/8/8/8/4K1B1 w - - 0 1", [false, false]],
    ["2b1k3/8/8/8/8/8/8/4K1B1 w - - 0 1", [true, true]],
    ["4k3/4p3/8/8/8/8/8/4K1B1 w - - 0 1", [true, true]],
    ["3rk3/8/8/8/8/8/8/4K1B1 w - - 0 1", [false, true]],
  ])("a flag against a side that cannot mate is a draw: %s", (fen, canWin) => {
    const chess = createGame({ id: "chess", insufficientMaterial: false });
    const state = chess.parseState(fen);
    expect([0, 1].map((player) => chess.canWin!(state, player))).toEqual(canWin);
    for (const player of [0, 1]) {
      const lost = player === 0 ? [-1, 1] : [1, -1];
      const drawn = [0, 0];
      const returns = forfeitReturns(chess, state, { seat: player, ending: "time-out" });
      expect(returns).toEqual(canWin[1 - player]! ? lost : drawn);
      expect(forfeitReturns(chess, state, { seat: player, ending: "exception" })).toEqual(lost);
    }
  });
});

describe("with a time control", () => {
  /** A game of scripted agents that take so many ms for their decisions, in turn. */
  const playTimed = async (short: string, times: readonly (readonly number[])[]) => {
    let now = 0;
    const told: unknown[][] = [[], []];
    const seats = times.map((ofSeat, at) => {
      let decisions = 0;
      return scripted((_, { clocks }) => {
        told[at]!.push(clocks);
        now += ofSeat[decisions++] ?? 0;
        return decide(at);
      });
    });
    const referee = new Referee(connectFour, () => now, { time: planTime(short) });
    return { told, result: await referee.play(seats, setup) };
  };

  test("a flag that falls loses, with its reason, and its action does not count", async () => {
    const { result } = await playTimed("1+0.1", [
      [600, 501],
      [1000, 0],
    ]);
    expect(result).toMatchObject({
      ending: "time-out",
      forfeitSeat: 0,
      returns: [-1, 1],
      detail: "the flag fell: the decision took 0.501 s with 0.5 s left, time control 1+0.1",
      actions: [0, 1],
      decisions: [2, 1],
      timeMs: [1101, 1000],
    });
  });

  test("players are told all clocks as they stand before their decision", async () => {
    const { told, result } = await playTimed("1+0.1", [
      [600, 500, 100],
      [1000, 50],
    ]);
    expect(result).toMatchObject({ ending: "finished", returns: [1, -1] });
    const clocks = (...left: readonly number[]) => left.map((leftMs) => ({ leftMs, incrementMs: 100 }));
    expect(told[0]).toEqual([clocks(1000, 1000), clocks(500, 100), clocks(100, 150), clocks(100, 250)]);
    expect(told[1]).toEqual([clocks(500, 1000), clocks(100, 100), clocks(100, 150)]);
  });

  test("each game begins with new clocks", async () => {
    let now = 0;
    const slow = scripted(() => {
      now += 300;
      return decide(0);
    });
    const referee = new Referee(connectFour, () => now, { time: planTime("4/1.2") });
    const seats = [slow, scripted(() => decide(1))];
    for (let game = 0; game < 3; game++)
      expect(await referee.play(seats, setup)).toMatchObject({ ending: "finished", timeMs: [1200, 0] });
  });
});
