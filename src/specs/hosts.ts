import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
// oxlint-disable-next-line no-restricted-imports -- hosts are processes
import process from "node:process";
import { dirname, extname, join, parse } from "node:path";
import { fileURLToPath } from "node:url";
import { InputError, type Problem } from "../base/errors.ts";
import type { Agent, AgentSpec, Budget } from "../agents/agent.ts";
import { BUDGET_KEYS } from "../agents/agent.ts";
import type { Game, GameSpec } from "../games/contract/game.ts";
import { chat } from "../players/chat/agent.ts";
import { engines } from "../players/engines.ts";
import { HostedAgent } from "../players/hosted-agent.ts";
import { JsonLines } from "../players/json-lines/dialect.ts";
import { PlayerFault, PlayerProcess, type PlayerCommand } from "../players/player-process.ts";
import { inSandbox } from "../players/sandbox.ts";
import { gameIdOf } from "./games.ts";
import { codeFiles } from "./plugins/portable-code.ts";
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

/** True if an agent asks a server. */
export function isChat({ agent }: AgentSpec): boolean {
  return agent === chat.id;
}

/** The names of variables of the environment that an agent gets. */
export function variablesOf(spec: AgentSpec): readonly string[] {
  if (isProgram(spec)) return (spec["environment"] as readonly string[] | undefined) ?? [];
  return isChat(spec) && typeof spec["key"] === "string" ? [spec["key"]] : [];
}

/** An agent of code of the user's, which is made in its process, and the budget in its spec. Throws InputError without a sandbox. */
export function hostAgent(
  game: Game,
  spec: AgentSpec,
  { memoryMb }: { memoryMb?: number | undefined } = {},
): { agent: Agent; budget: Budget } {
  const budget = Object.fromEntries(BUDGET_KEYS.flatMap((key) => (key in spec ? [[key, spec[key]]] : [])));
  const { own, shown } = shutIn(game.spec!, spec);
  const agent = new HostedAgent({
    command: commandOfHost(memoryMb, shown),
    speak: (player) => new JsonLines(player, game, own),
    showsDialogue: shown !== undefined,
  });
  return { agent, budget };
}

/**
 * The spec that an agent's own process gets, and the files that it may read in a sandbox; undefined without `sandbox: true`. The
 * text of a file decides what it imports: so one called `agent` reads what it imports from its own folder, and others themselves.
 */
function shutIn(game: GameSpec, spec: AgentSpec): { own: AgentSpec; shown: readonly string[] | undefined } {
  const { sandbox, ...own } = spec;
  if (sandbox === undefined || sandbox === false) return { own, shown: undefined };
  if (sandbox !== true) throw new InputError([{ path: "sandbox", message: "must be true or false" }]);
  const { files, code } = new ResolvedAgent(own);
  const imported = code.flatMap((path) => {
    const { dir, name } = parse(path);
    return name === "agent" ? codeFiles([path]).filter((file) => file.startsWith(`${dir}/`)) : [];
  });
  const rules = codeFiles(referTo("game", gameIdOf(game)).code);
  return { own, shown: [...new Set([...code, ...imported, ...files.map(({ path }) => path), ...rules])] };
}

/** Fills in specs; those with the same code share a process. The results are in the order of the specs. */
export async function planHosted(
  game: GameSpec,
  specs: readonly AgentSpec[],
  limits: Limits,
): Promise<readonly Planned[]> {
  const groups = new Map<string, number[]>();
  for (const [at, spec] of specs.entries()) {
    const code = [String(spec["sandbox"] === true), ...new ResolvedAgent(spec).code].join("\n");
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
  const { agents, game } = message;
  try {
    const shut = agents.map((spec) => shutIn(game, spec));
    // Agents with the same code are all shut in, or none is.
    const shown = shut[0]?.shown && shut.flatMap((one) => one.shown ?? []);
    const { results } = await order({ ...message, agents: shut.map(({ own }) => own) }, shown);
    return agents.map((spec, at) => {
      const planned = readPlanned(results[at]);
      return "spec" in planned && spec["sandbox"] === true ? filledIn(spec, planned.spec) : planned;
    });
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

/** A spec with what a process in a sandbox, which is not trusted, fills in: options, and no files. */
function filledIn(spec: AgentSpec, planned: AgentSpec): Planned {
  const filled = { ...planned, ...spec };
  const count = (one: AgentSpec) => new ResolvedAgent(one).files.length;
  if (count(filled) === count(spec)) return { spec: filled };
  return { problems: [{ path: "", message: "cannot be made: in a sandbox it may name no other files" }] };
}

/** Has a new process carry out an order. @param shown the files that it may read in a sandbox [it has none] */
async function order(message: PlanMessage, shown?: readonly string[]): Promise<PlannedMessage> {
  const host = new PlayerProcess(commandOfHost(undefined, shown));
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

/** The parts of agon that a host reads: the program, what says that it is made of modules, and the packages that it may load. */
function partsOfHost(): string[] {
  const dist = dirname(dirname(HOST));
  const jiti = dirname(createRequire(HOST).resolve("jiti/package.json"));
  return [dist, join(dist, "../package.json"), jiti].map((path) => realpathSync(path));
}

function commandOfHost(memoryMb: number | undefined, shown?: readonly string[]): PlayerCommand {
  const limit = memoryMb === undefined ? [] : [`--max-old-space-size=${memoryMb}`];
  const player: PlayerCommand = { command: [process.execPath, ...limit, HOST], memoryMb };
  if (shown !== undefined) return inSandbox(player, [...shown, ...partsOfHost()]);
  // The agent's own output is shown to the user.
  return { ...player, onLine: (line, from) => void (from === "error" && process.stderr.write(`${line}\n`)) };
}
