import { performance } from "node:perf_hooks";
import { isDeepStrictEqual } from "node:util";
import type { GameRecord } from "../../ratings/record.ts";
import { DEFAULT_HOSTS, limitHosts } from "../../players/hosted-agent.ts";
import { loadAgent, withNumbers } from "../../specs/agents.ts";
import { ranMs, waitedMs } from "../../players/processor-time.ts";
import { hostAgent, isHosted } from "../../specs/hosts.ts";
import { checkAgentCode } from "../../specs/references.ts";
import { loadAdjudicationTables } from "../plan/adjudication.ts";
import type { ChangedOptions } from "../formats/format.ts";
import { loadPlannedGame, OBJECTS, resolvePlan, type TournamentPlan } from "../plan/plan.ts";
import type { ScheduledGame } from "../schedule/schedule.ts";
import { GameSign } from "./at-play.ts";
import { raiseInliningBudget } from "./inlining.ts";
import { Referee, type Seat, type Watcher } from "./referee.ts";
import { GAME, HOSTED, IDLE, SEAT, STATUS_BYTES, STOP, TURN } from "./watch.ts";

/** The plan that a worker plays, and its folder. */
export interface WorkerSetup {
  readonly plan: TournamentPlan;
  /** Folder that the plan's relative paths are taken from. */
  readonly dir: string;
  /** False if nothing is written into the folder: no dialogues, no games at play [true]. */
  readonly writes?: boolean;
  /** True if the games of the folder are played again: servers are not asked, but what they answered is read [false]. */
  readonly replays?: boolean;
}

/** Games to play one after the other, and where to say which one is being played; see watch.ts. */
interface WorkerTask {
  readonly games: readonly ScheduledGame[];
  readonly status: SharedArrayBuffer;
}

/** Plays the games of one plan. */
export interface Player {
  /** Plays the games of one task and tells of each one when it is finished. */
  play(task: WorkerTask, onFinished: (record: GameRecord) => void): Promise<void>;
  /** Ends the processes of its agents. */
  close(): void;
}

/** Makes what plays the games of one plan. Agents are made when they are first needed, and told of each new game. */
export async function createPlayer({
  plan,
  dir,
  writes = true,
  replays = false,
}: WorkerSetup): Promise<Player> {
  raiseInliningBudget();
  limitHosts(plan.hosts ?? DEFAULT_HOSTS);
  const objects = plan[OBJECTS];
  const resolved = resolvePlan(plan, dir);
  const [gameFile] = resolved.game.code;
  const game = await loadPlannedGame(plan, dir);
  let status: Int32Array<ArrayBufferLike> = new Int32Array(STATUS_BYTES / 4);
  const watcher: Watcher = {
    thinking: (seat, isHosted) => {
      Atomics.store(status, SEAT, isHosted ? HOSTED : seat);
      Atomics.add(status, TURN, 1);
    },
    idle: () => void Atomics.store(status, SEAT, IDLE),
  };
  const clock = () => performance.now();
  // Nobody watches a game while it hides something.
  const sign = writes && !game.hiddenInformation ? new GameSign(dir, clock) : undefined;
  const referee = new Referee(game, clock, {
    watcher,
    gameFile,
    thoughts: plan.thoughts,
    limitMs: plan.moveTimeoutMs,
    run: { ...(writes && { folder: dir }), ...(replays && { replayed: dir }), maxCost: plan.maxCost },
    onDecision: sign && ((actions, clocks) => sign.show(actions, clocks)),
    time: plan.time,
    adjudicate: plan.adjudicate,
    tables: loadAdjudicationTables(game, plan.adjudicate, dir),
    times: plan.time?.charge === "own" ? { waitedMs, ranMs } : undefined,
  });

  /** By entrant: its agents, one for each seat that it has in one game. All are of games with these options. */
  const agents = new Map<number, Seat[]>();
  let options: ChangedOptions | undefined;
  const closeAgents = () => {
    for (const { agent } of [...agents.values()].flat()) agent.close?.();
    agents.clear();
  };
  const seatOf = (scheduled: ScheduledGame, seat: number): Seat | Promise<Seat> => {
    const entrant = scheduled.seats[seat]!;
    const known = agents.get(entrant) ?? [];
    agents.set(entrant, known);
    const earlier = scheduled.seats.slice(0, seat).filter((other) => other === entrant).length;
    const { time } = plan.entrants[entrant]!;
    return known[earlier] ?? createSeat(entrant).then((made) => (known[earlier] = { ...made, time }));
  };
  const createSeat = async (entrant: number): Promise<Seat> => {
    const agent = resolved.agents[entrant]!;
    const spec = withNumbers(agent.located, options?.[entrant] ?? {});
    checkAgentCode(agent, plan.entrants[entrant]!.code);
    const isObject = Object.hasOwn(objects?.agents ?? {}, spec.agent);
    if (!isObject && isHosted(game, spec)) return hostAgent(game, spec, plan);
    const prepared = await loadAgent(game, spec, {
      families: objects?.agents ?? {},
      hasClocks: plan.time !== undefined,
    });
    const made = prepared.create();
    return { agent: made, budget: prepared.budget, isBuiltIn: !isObject && made.isHosted !== true };
  };
  const playOne = async (scheduled: ScheduledGame): Promise<GameRecord> => {
    const { id, block, seats: entrants, opening } = scheduled;
    const seats: Seat[] = [];
    if (!isDeepStrictEqual(scheduled.options, options)) closeAgents();
    options = scheduled.options;
    for (const at of entrants.keys()) {
      const seat = seatOf(scheduled, at);
      seats.push(seat instanceof Promise ? await seat : seat);
    }
    const setup = { id, block, opening, seed: plan.seed };
    let result = await referee.play(seats, setup);
    // Somebody else may have ended the process of a player. The second time counts.
    if (referee.fault?.byForeignSignal === true) result = await referee.play(seats, setup);
    return { id, block, seats: entrants, openingLength: opening.length, ...result };
  };

  return {
    async play(task, onFinished) {
      status = new Int32Array(task.status);
      for (const [index, scheduled] of task.games.entries()) {
        if (Atomics.load(status, STOP) !== 0) break;
        Atomics.store(status, GAME, index);
        sign?.begin(scheduled);
        onFinished(await playOne(scheduled));
        sign?.end();
      }
    },
    close() {
      sign?.end();
      closeAgents();
    },
  };
}
