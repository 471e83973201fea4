import type { Agent, Decision, NewGame, Turn } from "../agents/agent.ts";
import type { State } from "../games/contract/game.ts";
import type { Dialect } from "./dialect.ts";
import { DialogueLog } from "./dialogue-log.ts";
import { PlayerFault, PlayerProcess, type PlayerCommand } from "./player-process.ts";
import { measureProcesses } from "./processor-time.ts";

/** The parts that a player in a process is made from. */
export interface Hosting {
  readonly command: PlayerCommand;
  /** Makes the protocol's side of agon for the process, which has just been started. */
  speak(process: PlayerProcess): Dialect;
  /** When its process is started again: after it has died, or for each game [on-crash]. */
  readonly restart?: "on-crash" | "always" | undefined;
  /** True if the dialogues of games are kept in the folder of the run [false]. */
  readonly log?: boolean | undefined;
  /** True if a forfeit shows the end of the dialogue. */
  readonly showsDialogue: boolean;
}

/** A player may take so long to say hello, or longer if its decisions may. */
export const GREETING_MS = 10_000;
/** The processes of players that a thread keeps if a plan does not say, besides those of the game at hand. */
export const DEFAULT_HOSTS = 8;
/** The limit of a decision that nobody waits for: an hour. */
const NO_LIMIT_MS = 3_600_000;

/** An agent that decides in a process of its own, which is started when it is first needed. */
export class HostedAgent implements Agent {
  readonly isHosted = true;
  effort: Agent["effort"];
  readonly hosting: Hosting;
  private session: { readonly process: PlayerProcess; readonly dialect: Dialect } | undefined;

  private readonly log: DialogueLog | undefined;

  constructor(hosting: Hosting) {
    this.hosting = hosting;
    this.log = hosting.log === true ? new DialogueLog(hosting.command.command) : undefined;
  }

  /** Starts the process, if there is none, and says hello. Throws InputError and PlayerFault. */
  async start(limitMs = NO_LIMIT_MS): Promise<void> {
    if (this.session?.process.isAlive === true) return;
    const { command } = this.hosting;
    const { log } = this;
    const onLine: PlayerCommand["onLine"] = log ? (line, from) => log.add(line, from) : command.onLine;
    const process = new PlayerProcess({ ...command, onLine });
    const dialect = this.hosting.speak(process);
    this.session = { process, dialect };
    live.add(this);
    await this.ask(Math.max(limitMs, GREETING_MS), "it did not say hello", async () => dialect.greet());
  }

  async newGame(game?: NewGame): Promise<void> {
    if (this.hosting.restart === "always") this.close();
    live.use(this);
    this.log?.begin(game);
    await this.start(game?.limitMs);
    await this.ask(game?.limitMs, "it was not ready for a game", async ({ dialect }) =>
      dialect.newGame(game),
    );
  }

  async choose(state: State, turn: Turn): Promise<Decision> {
    if (this.session === undefined) await this.newGame();
    const { pid } = this.session!.process;
    this.effort = turn.clocks === undefined || pid === undefined ? undefined : measureProcesses(pid);
    return this.ask(turn.limitMs, "no action", async ({ dialect }) => dialect.decide(state, turn));
  }

  endGame(returns: readonly number[], actions: readonly number[], from?: string): void {
    live.release(this);
    if (this.session?.process.isAlive === true) this.session.dialect.endGame?.(returns, actions, from);
    this.log?.end();
  }

  /** Ends the process. The next game starts another one. */
  close(): void {
    this.session?.process.kill();
    this.session = undefined;
    this.log?.end();
    live.forget(this);
  }

  /** Work that needs the player's answers. The process of a player with a fault is ended. */
  private async ask<T>(
    limitMs: number | undefined,
    missing: string,
    work: (session: { readonly dialect: Dialect }) => Promise<T>,
  ): Promise<T> {
    const session = this.session!;
    try {
      return await session.process.within(limitMs ?? NO_LIMIT_MS, missing, async () => work(session));
    } catch (error) {
      this.close();
      const shows = this.hosting.showsDialogue && error instanceof PlayerFault;
      throw shows ? error.with(session.process.lastWords) : error;
    }
  }
}

/** The processes of players that live in this thread. The one that was used longest ago ends first. */
class LiveAgents {
  /** In the order of their use. */
  private readonly agents = new Set<HostedAgent>();
  private readonly atPlay = new Set<HostedAgent>();
  most = DEFAULT_HOSTS;

  add(agent: HostedAgent): void {
    this.agents.add(agent);
    for (const one of this.agents) {
      if (this.agents.size <= this.most) break;
      if (one !== agent && !this.atPlay.has(one)) one.close();
    }
  }

  use(agent: HostedAgent): void {
    this.atPlay.add(agent);
    if (this.agents.delete(agent)) this.agents.add(agent);
  }

  release(agent: HostedAgent): void {
    this.atPlay.delete(agent);
  }

  forget(agent: HostedAgent): void {
    this.agents.delete(agent);
    this.atPlay.delete(agent);
  }
}

const live = new LiveAgents();

/** Limits the processes of players that this thread keeps, besides those of the game at hand. */
export function limitHosts(most: number): void {
  live.most = most;
}
