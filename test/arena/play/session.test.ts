import { expect, test } from "vitest";
import { prepareAgent } from "../../../src/agents/prepare.ts";
import { playAgainst } from "../../../src/arena/play/session.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";

/** Plays a session in which the person types these lines; returns all that was written. */
async function playTyping(
  lines: readonly string[],
  { spec, seat = 0, position }: { spec: GameSpec; seat?: number; position?: string },
): Promise<string> {
  const game = createGame(spec);
  const typed = [...lines];
  const written: string[] = [];
  await playAgainst({
    game,
    prepared: prepareAgent(game, { agent: "random" }),
    state: position === undefined ? game.start() : game.parseState(position),
    draw: (state) => `[${game.formatState(state)}]`,
    seat,
    seed: "session",
    clock: () => 0,
    write: (text) => void written.push(text),
    read: async () => typed.shift(),
  });
  return written.join("");
}

test("a game goes on until it is over, and the result is said", async () => {
  const won = await playTyping(["c3"], { spec: { id: "tic-tac-toe" }, position: "oo./.../xx." });
  expect(won).toContain("The game is over: player 1 has won. You win.\n");
});

test("undo goes back to the person's last decision, past the agent's reply", async () => {
  const text = await playTyping(["b2", "undo", "undo", "quit"], { spec: { id: "tic-tac-toe" } });
  const boards = text.match(/\[.*\]/g)!;
  // The start, after b2, after the reply, and the start again.
  expect(boards).toHaveLength(4);
  expect(boards[3]).toBe(boards[0]);
  expect(text).toContain("there is nothing to take back\n");
  expect(text.endsWith("The game is left unfinished.\n")).toBe(true);
});

test("chance is played and shown, and the same seed gives the same dice", async () => {
  const spec = { id: "pig", target: 20 };
  const typed = Array.from({ length: 200 }, () => "roll");
  const text = await playTyping(typed, { spec });
  expect(text).toMatch(/chance: \S+\n/);
  expect(await playTyping(typed, { spec })).toBe(text);
});
