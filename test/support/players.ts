import process from "node:process";
import { onTestFinished } from "vitest";
import type { AgentSpec } from "../../src/agents/agent.ts";
import { Referee, type GameResult, type Seat } from "../../src/arena/play/referee.ts";
import type { Game } from "../../src/games/contract/game.ts";
import { loadAgent } from "../../src/specs/agents.ts";
import { MAIN } from "./agon.ts";

/** The command of one of agon's agents as a player of its own protocol. */
export const agonEngine = (...args: readonly string[]): string[] => [
  process.execPath,
  MAIN,
  "engine",
  ...args,
];

/** An agent with a seat in games. Its process ends with the test. */
export async function seatOf(game: Game, spec: AgentSpec): Promise<Seat> {
  const prepared = await loadAgent(game, spec);
  const agent = prepared.create();
  onTestFinished(() => agent.close?.());
  return { agent, budget: prepared.budget };
}

/** Plays a game; its times are 0. */
export async function playGame(
  game: Game,
  seats: readonly Seat[],
  { id = "game", limitMs = 20_000 }: { id?: string; limitMs?: number } = {},
): Promise<GameResult> {
  const referee = new Referee(game, () => 0, { limitMs });
  return referee.play(seats, { id, block: id, opening: [], seed: "players" });
}
