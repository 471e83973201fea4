import process from "node:process";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Agent } from "../../../src/agents/agent.ts";
import { createRandom } from "../../../src/base/random.ts";
import { createGame } from "../../../src/games/index.ts";
import { JsonLines } from "../../../src/players/json-lines/dialect.ts";
import { PlayerProcess } from "../../../src/players/player-process.ts";
import { planSpec } from "../../../src/specs/agents.ts";
import { fixture } from "../../support/agon.ts";
import { playGame, seatOf } from "../../support/players.ts";
import { everyFew, slowTest } from "../../support/thorough.ts";

const game = createGame("connect-four");

const specOf = (deed: string) => ({
  agent: "program",
  command: [process.execPath, fixture("engines/bad.mjs"), deed],
});

/** A game of a bad program against random moves. */
async function forfeitOf(deed: string) {
  const program = await seatOf(game, specOf(deed));
  const random = await seatOf(game, { agent: "random" });
  const { ending, detail, forfeitSeat } = await playGame(game, [program, random], { limitMs: 1000 });
  return { ending, detail, forfeitSeat };
}

describe("a program of the user's", () => {
  test("plays a game by the texts of legal actions", async () => {
    expect(await forfeitOf("nothing")).toEqual({ ending: "finished", detail: "", forfeitSeat: -1 });
  });

  test.each(
    everyFew(
      [
        ["illegal", "illegal action", "z9 is not a legal action; legal are 1, 2, 3, 4, 5, 6, 7"],
        [
          "number",
          "illegal action",
          "3 is a number, and actions are sent as texts; legal are 1, 2, 3, 4, 5, 6, 7",
        ],
        ["no action", "illegal action", "nothing is not a legal action; legal are"],
        ["late", "time-out", "no action within 1000 ms"],
        ["prints", "exception", "thinking... is no message"],
        ["error", "exception", "I have lost count"],
        ["dies", "worker died", "its process ended: exit code 1"],
        ["killed", "worker died", "its process ended: SIGKILL"],
        ["throws", "worker died", "TypeError: a fault of mine"],
        ["floods", "exception", "it said a line of more than 1000000 characters"],
        ["early decision", "exception", '{"type":"decision","action":"1"} before it was asked'],
      ],
      5,
    ),
  )("forfeits, and a sentence says why: %s", async (deed, ending, sentence) => {
    const forfeit = await forfeitOf(deed);
    expect(forfeit).toMatchObject({ ending, forfeitSeat: 0, detail: expect.stringContaining(sentence) });
  });

  test("forfeits for a second answer to one question", async () => {
    const { ending, detail } = await forfeitOf("twice");
    expect(ending).toBe("exception");
    expect(detail).toMatch(/^it said \{"type":"decision","action":"7"\} before it was asked/);
  });

  test.each(
    everyFew(
      [
        ["garbage", "Connect Four bot 1.0 ready is no message"],
        ["list", "[1, 2 is no message"],
        ["wrong type", 'it said a message of type greeting where "hello" or "refuse" is due'],
        ["dies at once", "program cannot be started: its process ended: exit code 3"],
        ["old version", "the player speaks version 0 of the protocol; this program speaks 1"],
        ["odd wants", 'the player wants text (did you mean "texts"?); allowed: moves, numbers, texts'],
        ["refuses", "I play chess alone"],
      ],
      3,
    ),
  )("is refused before the first game: %s", async (deed, sentence) => {
    await expect(planSpec(game, specOf(deed), {})).rejects.toThrow(sentence);
  });
});

describe("what a program is told", () => {
  /** A program, and the lines that it is told. */
  async function told(id: string) {
    const at = createGame(id);
    const lines: { readonly type: string; readonly moves?: readonly string[] }[] = [];
    const command = [process.execPath, fixture("engines/last.mjs"), "texts"] as const;
    const player = new PlayerProcess({
      command: [...command] as [string, ...string[]],
      onLine: (line, from) =>
        void (from === "said" && lines.push(JSON.parse(line) as (typeof lines)[number])),
    });
    onTestFinished(() => player.kill());
    const dialect = new JsonLines(player, at);
    await dialect.greet();
    return { at, lines, dialect };
  }

  slowTest("leads from the start to the end of each game", async () => {
    const { at, lines, dialect } = await told("chess");
    const agent: Agent = {
      newGame: async (begun) => dialect.newGame(begun),
      choose: async (state, turn) => dialect.decide(state, turn),
      endGame: (returns, actions) => dialect.endGame(returns, actions),
    };
    const seats = [await seatOf(at, { agent: "random" }), { agent, budget: {} }];
    const played: (readonly number[])[] = [];
    for (const id of ["one", "two"]) played.push((await playGame(at, seats, { id })).actions);
    const games: string[][] = [];
    for (const { type, moves = [] } of lines) {
      if (type === "new-game") games.push([]);
      else games.at(-1)?.push(...moves);
    }
    const read = games.map((moves) => {
      const state = at.start();
      return moves.map((move) => {
        const action = at.parseAction(move, state);
        state.apply(action);
        return action;
      });
    });
    expect(read).toEqual(played);
  });

  slowTest("is a new game where the play is not the one before", async () => {
    const { at, lines, dialect } = await told("connect-four");
    for (const actions of [[3], [3, 3, 3], [0, 1]]) {
      const state = at.start();
      for (const action of actions) state.apply(action);
      const turn = { random: createRandom("told"), budget: {}, clock: () => 0, played: () => ({ actions }) };
      await dialect.decide(state, turn);
    }
    expect(lines.map(({ type, moves }) => [type, moves])).toEqual([
      ["hello", undefined],
      ["decide", ["4"]],
      ["decide", ["4", "4"]],
      ["new-game", undefined],
      ["decide", ["1", "2"]],
    ]);
  });

  test("is no end of a game that has not begun for it", async () => {
    const { lines, dialect } = await told("connect-four");
    dialect.endGame([1, -1], []);
    await dialect.newGame(undefined);
    dialect.endGame([1, -1], [3]);
    dialect.endGame([1, -1], [3]);
    expect(lines.map(({ type }) => type)).toEqual(["hello", "new-game", "end-game"]);
  });
});
