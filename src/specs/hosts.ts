import { availableParallelism } from "node:os";
import { extname } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- hosts are processes
import process from "node:process";
import { fileURLToPath } from "node:url";
import { InputError, type Problem } from "../base/errors.ts";
import type { Agent, AgentSpec, Budget } from "../agents/agent.ts";
import { BUDGET_KEYS } from "../agents/agent.ts";
import type { Game, GameSpec } from "../games/contract/game.ts";
import { engines } from "../players/engines.ts";
import { HostedAgent } from "../players/hosted-agent.ts";
import { JsonLines } from "../players/json-lines/dialect.ts";
import { PlayerFault, PlayerProcess, type PlayerCommand } from "../players/player-process.ts";
import { gameIdOf } from "./games.ts";
import { referTo, ResolvedAgent } from "./references.ts";

/*
 * Agents with code of the user's play in a process of their own, which is agon's: specs/host-process.ts. Code in the file
 * of the game belongs to the game.
 */

/** The order to fill in specs, and its answer. */
export interface PlanMessage {
  readonly type: "plan";
  readonly game: GameSpec;
  readonly agents: readonly AgentSpec[];
  readonly limits: Limits;
}
/** The limits that a tournament gives its entrants. */
export interface Limits {
  /** The budget of entrants that name none [no limits]. */
  readonly budget?: Budget;
  /** True if players have clocks [false]. */
  readonly hasClocks?: boolean;
}
export interface PlannedMessage {
  readonly type: "planned";
  /** One for each agent. */
  readonly results: readonly Planned[];
}
/** A spec with its defaults and its budget, or what is wrong with it; paths are relative to the spec. */
export type Planned = { readonly spec: AgentSpec } | { readonly problems: readonly Problem[] };

/** The longest time that the files of a user may take to load, and their agents to be made. */
const PLAN_MS = 20_000;

/**
 * True if an agent decides in a process of its own: it is code of the user's, or uses such code that is not in the file of the
 * game. A game that was given as an object is known in this thread alone. Throws InputError.
 */
export function isHosted({ spec: game }: Game, spec: AgentSpec): boolean {
  if (game === undefined) return false;
  const reference = referTo("game", gameIdOf(game));
  const ofGame = reference.kind === "code" ? reference.path : undefined;
  return new ResolvedAgent(spec).files.some(({ key, code }) =>
    code.some((path) => key === "agent" || path !== ofGame),
  );
}

/** True if an agent is a program that a command starts. */
export function isProgram({ agent }: AgentSpec): boolean {
  return Object.hasOwn(engines, agent);
}

/** An agent of code of the user's, which is made in its process, and the budget in its spec. */
export function hostAgent(
  game: Game,
  spec: AgentSpec,
  { memoryMb }: { memoryMb?: number | undefined } = {},
): { agent: Agent; budget: Budget } {
  const budget = Object.fromEntries(BUDGET_KEYS.flatMap((key) => (key in spec ? [[key, spec[key]]] : [])));
  const agent = new HostedAgent({
    command: commandOfHost(memoryMb),
    speak: (player) => new JsonLines(player, game, spec),
    showsDialogue: false,
  });
  return { agent, budget };
}

/** Fills in specs; those with the same code share a process. The results are in the order of the specs. */
export async function planHosted(
  game: GameSpec,
  specs: readonly AgentSpec[],
  limits: Limits,
): Promise<readonly Planned[]> {
  const groups = new Map<string, number[]>();
  for (const [at, spec] of specs.entries()) {
    const code = new ResolvedAgent(spec).code.join("\n");
    groups.set(code, [...(groups.get(code) ?? []), at]);
  }
  const results: Planned[] = [];
  const left = [...groups.values()];
  const work = async () => {
    for (let group = left.shift(); group !== undefined; group = left.shift()) {
      const agents = group.map((at) => specs[at]!);
      const planned = await planTogether({ type: "plan", game, agents, limits });
      for (const [index, at] of group.entries()) results[at] = planned[index]!;
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}

async function planTogether(message: PlanMessage): Promise<readonly Planned[]> {
  const { agents } = message;
  try {
    const { results } = await order(message);
    return agents.map((_, at) => readPlanned(results[at]));
  } catch (error) {
    if (error instanceof InputError) return agents.map(() => ({ problems: error.problems }));
    if (!(error instanceof PlayerFault)) throw error;
    const problem = { path: "", message: `${agents[0]!.agent} cannot be made: ${error.message}` };
    if (agents.length === 1) return [{ problems: [problem] }];
    // One of them may be at fault, or all.
    const alone: Planned[] = [];
    for (const agent of agents) alone.push(...(await planTogether({ ...message, agents: [agent] })));
    return alone;
  }
}

/** Loads a user's game in a process of its own; throws InputError where that fails, hangs or ends the process. */
export async function tryGame(game: GameSpec): Promise<void> {
  try {
    await order({ type: "plan", game, agents: [], limits: {} });
  } catch (error) {
    if (!(error instanceof PlayerFault)) throw error;
    throw new InputError(`${gameIdOf(game)} cannot be loaded: ${error.message}`);
  }
}

/** Has a new process carry out an order. */
async function order(message: PlanMessage): Promise<PlannedMessage> {
  const host = new PlayerProcess(commandOfHost(undefined));
  try {
    return await host.within(PLAN_MS, "it was not loaded", async () => {
      host.say(JSON.stringify(message));
      const answer = JSON.parse(await host.hear()) as PlannedMessage | { type: "refuse"; reason: unknown };
      if (answer.type === "refuse") throw new InputError(String(answer.reason));
      return answer;
    });
  } catch (error) {
    if (error instanceof SyntaxError) throw new PlayerFault("exception", "its answer is no JSON");
    throw error;
  } finally {
    host.kill();
  }
}

/** Reads a process's answer about a spec. The process may have said anything. */
function readPlanned(given: Planned | undefined): Planned {
  if (given !== undefined && "spec" in given && typeof given.spec?.agent === "string") return given;
  if (given !== undefined && "problems" in given && Array.isArray(given.problems)) {
    const problems = (given.problems as readonly Partial<Problem>[]).map(({ path, message }) => ({
      path: String(path ?? ""),
      message: String(message),
    }));
    return { problems };
  }
  return { problems: [{ path: "", message: "cannot be made: its process gave no answer" }] };
}

/** The compiled program of a host. */
const HOST = fileURLToPath(
  new URL(`${extname(import.meta.url) === ".ts" ? "../../dist/specs/" : ""}host-process.js`, import.meta.url),
);

function commandOfHost(memoryMb: number | undefined): PlayerCommand {
  const limit = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`];
  return {
    command: [process.execPath, ...limit, HOST],
    memoryMb,
    // The agent's own output is shown to the user.
    onLine: (line, from) => void (from === "error" && process.stderr.write(`${line}\n`)),
  };
}
