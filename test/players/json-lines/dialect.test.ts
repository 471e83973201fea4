import process from "node:process";
import { describe, expect, test } from "vitest";
import { createGame } from "../../../src/games/index.ts";
import { planSpec } from "../../../src/specs/agents.ts";
import { fixture } from "../../support/agon.ts";
import { playGame, seatOf } from "../../support/players.ts";

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

  test.each([
    ["illegal", "illegal action", "z9 is not a legal action; legal are 1, 2, 3, 4, 5, 6, 7"],
    ["number", "illegal action", "3 is not a legal action; legal are 1, 2, 3, 4, 5, 6, 7"],
    ["no action", "illegal action", "nothing is not a legal action; legal are"],
    ["late", "time-out", "no action within 1000 ms"],
    ["prints", "exception", "thinking... is no message"],
    ["error", "exception", "I have lost count"],
    ["dies", "worker died", "its process ended: exit code 1"],
    ["killed", "worker died", "its process ended: SIGKILL"],
    ["throws", "worker died", "TypeError: a fault of mine"],
    ["floods", "exception", "it said a line of more than 1000000 characters"],
    ["early decision", "exception", '{"type":"decision","action":"1"} before it was asked'],
  ])("forfeits, and a sentence says why: %s", async (deed, ending, sentence) => {
    const forfeit = await forfeitOf(deed);
    expect(forfeit).toMatchObject({ ending, forfeitSeat: 0, detail: expect.stringContaining(sentence) });
  });

  test("forfeits for a second answer to one question", async () => {
    const { ending, detail } = await forfeitOf("twice");
    expect(ending).toBe("exception");
    expect(detail).toMatch(/^it said \{"type":"decision","action":"7"\} before it was asked/);
  });

  test.each([
    ["garbage", "Connect Four bot 1.0 ready is no message"],
    ["list", "[1, 2 is no message"],
    ["wrong type", 'it said a message of type greeting where "hello" or "refuse" is due'],
    ["dies at once", "program cannot be started: its process ended: exit code 3"],
    ["old version", "the player speaks version 0 of the protocol; this program speaks 1"],
    ["odd wants", 'the player wants text (did you mean "texts"?); allowed: moves, numbers, texts'],
    ["refuses", "I play chess alone"],
  ])("is refused before the first game: %s", async (deed, sentence) => {
    await expect(planSpec(game, specOf(deed), {})).rejects.toThrow(sentence);
  });
});
