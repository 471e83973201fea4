import { readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Agent, Budget } from "../../../src/agents/agent.ts";
import { createGame } from "../../../src/games/index.ts";
import type { GameSpec } from "../../../src/games/contract/game.ts";
import { JsonLines } from "../../../src/players/json-lines/dialect.ts";
import { PlayerProcess } from "../../../src/players/player-process.ts";
import { fixture, temporaryFolder, writeInto } from "../../support/agon.ts";
import { agonEngine, playGame, seatOf } from "../../support/players.ts";
import { engineTest } from "../../support/engines.ts";
import { everyFew } from "../../support/thorough.ts";

/*
 * The dialogues in docs/protocol.md are those that agon has with programs. Each stands after a comment with its name.
 */

const page = readFileSync(fileURLToPath(new URL("../../../docs/protocol.md", import.meta.url)), "utf8");

/** The block after the comment `<!-- NAME -->`. */
function blockOf(name: string): string {
  const [, block] = new RegExp(`<!-- ${name} -->\\n+\`\`\`\\w*\\n([^]*?)\`\`\``).exec(page) ?? [];
  return block ?? `docs/protocol.md has no block ${name}`;
}

interface Talk {
  readonly game: GameSpec;
  readonly command: readonly string[];
  readonly budget?: Budget;
}

const node = (...args: readonly string[]) => [process.execPath, fixture("engines/last.mjs"), ...args];
const TALKS: Readonly<Record<string, Talk>> = {
  "a whole game": { game: "tic-tac-toe", command: node("texts") },
  "wants texts": { game: "backgammon", command: node("texts") },
  "wants numbers": { game: "connect-four", command: node("numbers"), budget: { simulations: 100 } },
  "wants moves": { game: "tic-tac-toe", command: agonEngine("--agent", "minimax:depth=9") },
  view: { game: "tic-tac-toe", command: node("texts", "view") },
  "hidden information": { game: "phantom-tic-tac-toe", command: node("texts", "view") },
};

/** The lines of a program's first game, in which agon's agent `random` has the first seat. */
async function talk({ game: spec, command, budget = {} }: Talk): Promise<string> {
  const game = createGame(spec);
  const lines: string[] = [];
  const player = new PlayerProcess({
    command: command as [string, ...string[]],
    onLine: (line, from) => void (from !== "error" && lines.push(`${from === "said" ? ">" : "<"} ${line}`)),
  });
  onTestFinished(() => player.kill());
  const dialect = new JsonLines(player, game);
  await dialect.greet();
  const agent: Agent = {
    newGame: async (begun) => dialect.newGame(begun),
    choose: async (state, turn) => dialect.decide(state, turn),
    endGame: (returns, actions) => dialect.endGame(returns, actions),
  };
  await playGame(game, [await seatOf(game, { agent: "random" }), { agent, budget }], { id: "5f0c21d9" });
  return lines.map((line) => `${line}\n`).join("");
}

describe("docs/protocol.md", () => {
  test.each(everyFew(Object.entries(TALKS), 3))("has a dialogue as it is: %s", async (name, one) => {
    const [known, now] = [blockOf(name), await talk(one)];
    // Where the page leaves out lines it has a line of dots.
    const parts = known.split(/^\.\.\.\n/m).filter((part) => part !== "");
    for (const part of parts) expect(now).toContain(part);
    expect(known === now || known.includes("...\n")).toBe(true);
  });

  engineTest("python3")("has a program in a dozen lines that plays", async () => {
    const file = writeInto(temporaryFolder(), "bot.py", blockOf("a program"));
    const game = createGame("backgammon");
    const seats = [
      await seatOf(game, { agent: "program", command: ["python3", file] }),
      await seatOf(game, { agent: "random" }),
    ];
    expect(await playGame(game, seats)).toMatchObject({ ending: "finished" });
  });
});
