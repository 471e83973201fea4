import { writeSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { parentPort, workerData } from "node:worker_threads";
import { InputError } from "../../base/errors.ts";
import { describeThrown, theirPlaceOf } from "../../base/thrown.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { createPlayer, PAST, type Player } from "./player.ts";
import { GAME, GROWTH, IDLE, MAKING, RSS_KB, RUNNING, SEAT, TURN, WAITING } from "./watch.ts";
import { packRecords, TRAIL_FD, type Answer, type Fault, type Order } from "./worker-messages.ts";

/*
 * The second thread of a worker's process. It plays, and here the agents' code runs. watchdog.ts watches it.
 */

/** Finished games wait at most this long before they are sent. */
const FLUSH_MS = 20;

const { status, careful } = workerData as { status: SharedArrayBuffer; careful: boolean };
const ints = new Int32Array(status);
const port = parentPort!;
const exit = process.exit.bind(process);
let player: Player | undefined;
let beginning: Promise<Player>;
let finished: GameRecord[] = [];
let flushedAt = 0;

function tell(answer: Answer): void {
  port.postMessage(answer);
}

function flush({ done }: { done: boolean }): void {
  if (finished.length > 0 || done) tell({ kind: "records", packed: packRecords(finished), done });
  finished = [];
  flushedAt = performance.now();
}

function keep(record: GameRecord): void {
  finished.push(record);
  if (performance.now() - flushedAt > FLUSH_MS) flush({ done: false });
}

port.on("message", (order: Order) => {
  if (order.kind === "setup") {
    beginning = createPlayer(order.setup, careful ? { trail: leaveTrail } : {});
    // The first task reports the error.
    beginning.catch(() => {});
  } else if (order.kind === "task") {
    void playTask(order.games);
  } else if (order.kind === "dry run") {
    void dryRun(order);
  }
});
tell({ kind: "ready" });

async function playTask(games: Extract<Order, { kind: "task" }>["games"]): Promise<void> {
  try {
    flushedAt = performance.now();
    player = await beginning;
    await player.play({ games, status }, keep);
    flush({ done: true });
  } catch (error) {
    flush({ done: false });
    fail(error);
  }
}

function fail(error: unknown): void {
  const known = error instanceof Error && ["GameFault", "InputError"].includes(error.name);
  const name = known ? error.name : "Error";
  const message = known ? error.message : ((error as Error).stack ?? String(error));
  tell({ kind: "failure", name, message });
}

/** Checks a config. The code in it is loaded here, and its agents are made here. */
async function dryRun({ what, config, baseDir, source }: Extract<Order, { kind: "dry run" }>): Promise<void> {
  const make = async (entrant: number, work: () => Promise<unknown>) => {
    Atomics.store(ints, SEAT, entrant);
    Atomics.store(ints, MAKING, 1);
    Atomics.add(ints, TURN, 1);
    await work();
    Atomics.store(ints, MAKING, 0);
    Atomics.store(ints, SEAT, IDLE);
  };
  try {
    const { planAgents, planTournament } = await import("../plan/config.ts");
    const { agentSchema, loadAgent, locateAgent } = await import("../../specs/agents.ts");
    const { loadGame } = await import("../../specs/games.ts");
    const { agentFamilies } = await import("../../specs/families.ts");
    const { entrants = [] } = config as { entrants?: readonly unknown[] };
    for (const [at, entrant] of Array.isArray(entrants) ? entrants.entries() : []) {
      const { data } = agentSchema.safeParse(entrant);
      // A mistake in a file is told below, with all mistakes in the config.
      const load = async () => agentFamilies([locateAgent(data!, baseDir).agent]);
      if (data !== undefined) await make(at, () => load().catch(() => {}));
    }
    const plan = what === "tournament" ? await planTournament(config, { baseDir, source }) : undefined;
    const checked = plan ?? (await planAgents(config, { baseDir }));
    const game = await loadGame(checked.game);
    for (const [at, { name, spec, code }] of checked.entrants.entries()) {
      const create = async () => {
        const prepared = await loadAgent(game, spec);
        try {
          prepared.create();
        } catch (error) {
          const message = `${name} cannot be made: ${describeThrown(error)}`;
          throw new InputError([{ path: `entrants[${at}]`, message }], source);
        }
      };
      if (code !== undefined) await make(at, create);
    }
    tell({ kind: "checked", plan });
  } catch (error) {
    fail(error);
  }
}

/** Writes down whose code runs from now on, at once, so that it is known even if the process ends. */
function leaveTrail(seat: number): void {
  const rssKb = Math.ceil(process.memoryUsage.rss() / 1024);
  const before = Atomics.load(ints, RUNNING);
  if (before !== IDLE) Atomics.add(ints, GROWTH + before, rssKb - Atomics.load(ints, RSS_KB));
  Atomics.store(ints, RSS_KB, rssKb);
  Atomics.store(ints, RUNNING, seat);
  writeSync(TRAIL_FD, `${Atomics.load(ints, GAME)} ${seat}\n`);
}

/** Tells that the game at hand has failed, and whose fault it is. */
function blame(
  seat: number,
  fault: Pick<Fault, "ending" | "detail">,
  { certain }: { certain: boolean },
): void {
  flush({ done: false });
  tell({ kind: "fault", game: Atomics.load(ints, GAME), seat, ...fault, certain: careful || certain });
}

/** The seat whose code runs, when nobody knows better. */
function likelySeat(): number {
  const running = careful ? Atomics.load(ints, RUNNING) : IDLE;
  return running === IDLE ? Atomics.load(ints, SEAT) : running;
}

// A timer or a promise that an agent left behind has thrown.
process.on("uncaughtException", (error: unknown) => {
  const owner = player?.ownerOf(error);
  if (owner === PAST) return;
  if (owner !== undefined) player?.interrupt(owner, error);
  else blame(likelySeat(), { ending: "exception", detail: describeThrown(error) }, { certain: false });
});

process.exit = (code) => {
  const owner = player?.ownerOf(undefined);
  const seat = owner === PAST ? IDLE : (owner ?? likelySeat());
  const place = theirPlaceOf(new Error("exit"));
  const detail = `called process.exit(${String(code ?? "")})${place === undefined ? "" : `, at ${place}`}`;
  const certain = owner !== undefined || Atomics.load(ints, WAITING) === 0;
  blame(seat, { ending: "worker died", detail }, { certain });
  return exit(code);
};
// Code that imports `exit` from node:process gets this one too.
syncBuiltinESMExports();
