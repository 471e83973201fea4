import { describe, expect, onTestFinished, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import type { Decision } from "../../../src/agents/agent.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import { MARK, SCRIPT, setUp } from "../../../src/players/gnubg/dialect.ts";
import { findProgram, PlayerProcess } from "../../../src/players/player-process.ts";
import { parseAgentSpec, planSpec } from "../../../src/specs/agents.ts";
import { randomPositions } from "../../agents/play.ts";
import { engineTest, scriptedEngine } from "../../support/engines.ts";
import { playGame, seatOf } from "../../support/players.ts";
import { slow } from "../../support/thorough.ts";

const backgammon = createGame("backgammon");
const singlePoint = createGame({ id: "backgammon", gammons: false });
const gnubgTest = engineTest("gnubg");

/** Asks GNU Backgammon about positions. */
async function createAdviser(game: Game, spec = "gnubg") {
  const { agent } = await seatOf(game, parseAgentSpec(spec));
  const random = createRandom("unused");
  return async (state: State, ranked?: number): Promise<Decision> => {
    const copy = game.start();
    copy.copyFrom(state);
    const turn = { random, budget: {}, clock: () => 0, ...(ranked !== undefined && { ranked }) };
    return agent.choose(copy, turn);
  };
}

describe("GNU Backgammon", () => {
  gnubgTest("opens as books say", async () => {
    const ask = await createAdviser(backgammon);
    const book = { "3-1": "8/5 6/5", "4-2": "8/4 6/4", "5-3": "8/3 6/3", "6-1": "13/7 8/7", "6-5": "24/13" };
    for (const [dice, turn] of Object.entries(book)) {
      for (const player of ["x", "o"]) {
        const state = backgammon.parseState(`4HPwATDgc/ABMA:${player}:${dice}`);
        const { action, value } = await ask(state);
        expect(backgammon.formatAction(action, state)).toBe(turn);
        expect(Math.abs(value!)).toBeLessThan(0.3);
        // Its cubeless equity; with a cube it would be 0.2.
        if (dice === "3-1") expect(value).toBeCloseTo(0.159, 3);
      }
    }
  });

  slow(gnubgTest)("knows the legal turns of random positions, and no others", async () => {
    const ask = await createAdviser(backgammon);
    let asked = 0;
    for (const state of randomPositions(backgammon, 200, { plies: 120 })) {
      if (state.toMove === CHANCE || state.toMove === TERMINAL) continue;
      const legal = possibleActions(backgammon, state);
      if (legal.length === 1) continue;
      const { ranking = [], action, value } = await ask(state, 4000);
      expect(ranking.map((one) => one.action).toSorted((a, b) => a - b)).toEqual([...legal]);
      expect([ranking[0]!.action, ranking[0]!.value]).toEqual([action, value]);
      expect(Math.abs(value!)).toBeLessThanOrEqual(3);
      asked++;
    }
    expect(asked).toBeGreaterThan(10);
  });

  slow(gnubgTest)("values the end of a race as it is", async () => {
    // The player on roll has men on 6 and 2, two on 3, on 4 and 3, on 6 and 5; the other one has one or two on 1 or 2.
    const ends = ["AQAACAEAAAAAAA", "AwAAYAAAAAAAAA", "BQAAoAAAAAAAAA", "AwAAgAIAAAAAAA"];
    for (const game of [backgammon, singlePoint]) {
      const ask = await createAdviser(game);
      for (const id of ends) {
        for (const dice of ["2-1", "4-3", "1-1"]) {
          const state = game.parseState(`${id}:x:${dice}`);
          if (possibleActions(game, state).length === 1) continue;
          const { value } = await ask(state);
          expect([id, dice, value]).toEqual([id, dice, expect.closeTo(exactValue(state, game), 3)]);
        }
      }
    }
  });

  slow(gnubgTest)("counts gammons, or not, as the game does", async () => {
    const [points, single] = [await createAdviser(backgammon), await createAdviser(singlePoint)];
    // The player on roll has three men left, the other one all: twelve on its 18, three on the first one's ace point.
    const id = "AAD+HzhYAAAAAA";
    const money = await points(backgammon.parseState(`${id}:x:2-1`));
    const oneGame = await single(singlePoint.parseState(`${id}:x:2-1`));
    expect(money.value).toBeGreaterThan(2);
    expect(oneGame.value).toBeCloseTo(1, 2);
  });

  slow(gnubgTest)("plays the same game again", async () => {
    const seats = await Promise.all(
      ["gnubg", "greedy:evaluator=pubeval"].map(async (spec) => seatOf(backgammon, parseAgentSpec(spec))),
    );
    const game = await playGame(backgammon, seats, { id: "one" });
    expect(game.ending).toBe("finished");
    const fresh = [await seatOf(backgammon, parseAgentSpec("gnubg:restart=always")), seats[1]!];
    expect(await playGame(backgammon, fresh, { id: "one" })).toEqual(game);
  });

  slow(gnubgTest)("comes to our positions by our turns", async () => {
    const child = new PlayerProcess({ command: [findProgram("gnubg")!, "-t", "-q", "-r"] });
    onTestFinished(() => child.kill());
    for (const line of [...setUp({ plies: 0, gammons: true }), `>exec(${JSON.stringify(SCRIPT)}, globals())`])
      child.say(line);
    const hear = async () => {
      for (;;) {
        const line = await child.hear();
        if (line.startsWith(MARK)) return JSON.parse(line.slice(MARK.length)) as unknown;
      }
    };
    expect(await hear()).toEqual({ ready: true });
    const random = createRandom("gnubg");
    let turns = 0;
    for (const state of randomPositions(backgammon, 200, { plies: 120 })) {
      if (state.toMove === CHANCE || state.toMove === TERMINAL) continue;
      const [id, , dice = ""] = backgammon.formatState(state).split(":");
      const legal = possibleActions(backgammon, state);
      const action = legal[random.below(legal.length)]!;
      const turn = backgammon.formatAction(action, state);
      state.apply(action);
      if (turn === "pass" || state.toMove === TERMINAL) continue;
      for (const line of [
        "set turn 1",
        `set board ${id}`,
        `set dice ${dice.replace("-", " ")}`,
        `move ${turn}`,
      ])
        child.say(line);
      child.say(">agon_write(gnubg.positionid())");
      expect([id, turn, await hear()]).toEqual([id, turn, backgammon.formatState(state).split(":")[0]]);
      turns++;
    }
    expect(turns).toBeGreaterThan(10);
  });
});

/** The expected points of the player to move under best play, by all lines of play. */
function exactValue(state: State, game: Game): number {
  if (state.toMove === TERMINAL) return state.returns(0);
  const actions = new Int32Array(game.maxActions);
  if (state.toMove === CHANCE) {
    const probabilities = new Float64Array(game.maxActions);
    const count = state.chanceOutcomes!(actions, probabilities, 0);
    let sum = 0;
    for (let at = 0; at < count; at++) sum += probabilities[at]! * valueAfter(state, actions[at]!, game);
    return sum;
  }
  const sign = 1 - 2 * state.toMove;
  const values = [...actions.subarray(0, state.legalActions(actions, 0))].map(
    (action) => sign * valueAfter(state, action, game),
  );
  return sign * Math.max(...values);
}

function valueAfter(state: State, action: number, game: Game): number {
  state.apply(action);
  const value = exactValue(state, game);
  state.undo();
  return value;
}

describe("a program in its place", () => {
  const play = async (deed: string) => {
    const bad = await seatOf(backgammon, { agent: "gnubg", command: scriptedEngine("gnubg-engine", deed) });
    const other = await seatOf(backgammon, parseAgentSpec("random"));
    const { ending, detail } = await playGame(backgammon, [bad, other]);
    return [ending, detail.split(";")[0]];
  };

  test.each([
    ["illegal", "illegal action", '"24/12" is not possible here'],
    ["error", "exception", "ValueError(1)"],
    ["garbage", "exception", "its answer is no JSON: {]"],
    ["silent", "exception", "it has no hint"],
  ])("forfeits: %s", async (deed, ending, detail) => {
    const found = await play(deed);
    expect(found).toEqual([ending, expect.stringContaining(detail)]);
  });

  test("is refused before the first game", async () => {
    const refusal = async (game: Game, options: object) => {
      try {
        await planSpec(game, { agent: "gnubg", ...options }, {});
      } catch (error) {
        return (error as Error).message;
      }
      return undefined;
    };
    const command = scriptedEngine("gnubg-engine", "without-python");
    expect(await refusal(backgammon, { command })).toContain("GNU Backgammon was built without Python");
    expect(await refusal(backgammon, { command: ["no-gnubg"] })).toContain("there is no program no-gnubg");
    expect(await refusal(createGame("chess"), { command })).toContain(
      "gnubg cannot play chess, which has other rules than backgammon",
    );
  });
});
