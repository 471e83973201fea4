import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { planTournament } from "../src/arena/plan/config.ts";
import { runTournament } from "../src/arena/play/run.ts";
import { WorkerPool, type Players } from "../src/arena/play/worker-pool.ts";
import { openRun } from "../src/arena/store/run-folder.ts";
import type { ScheduledGame } from "../src/arena/schedule/schedule.ts";
import { createGame } from "../src/games/index.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";

/**
 * One run with two workers against two runs with one worker each, which play every second block of the same games:
 * `npm run bench -- two-workers [GAME [AGENT [BLOCKS [ROUNDS]]]]`. The two sides take turns of SLICE_MS, in which the other
 * side is stopped, so that other load of the machine slows both alike. Each side has the machine's cores for itself in
 * its turns. Their time is the sum of their turns, from the start of Node to the last game.
 */
const [, , game = "connect-four", agent = "alpha-beta:depth=8,evaluator=threats", ...rest] = process.argv;
const [blocks = 200, rounds = 3] = rest.slice(0, 2).map(Number);
/** The blocks that this process plays, "all" or those of one half; undefined in the process that compares. */
const part = rest[2];

const SLICE_MS = 200;

/** Processes that run at the same time, all in one process group, so that they are stopped together with their workers. */
class Side {
  /** The times for which they ran, in ms, in the order in which they ended. */
  readonly times: number[] = [];
  private readonly group: ChildProcess;
  private readonly count: number;
  private ran = 0;
  private resumedAt = 0;

  constructor(parts: readonly string[]) {
    const main = fileURLToPath(new URL("../../bench/start.mjs", import.meta.url));
    this.count = parts.length;
    const script = parts.map((own) => `"$0" "$@" ${own} &`).join(" ");
    const args = [
      "-c",
      `${script} wait`,
      process.execPath,
      main,
      "two-workers",
      game,
      agent,
      String(blocks),
      "1",
    ];
    this.group = spawn("sh", args, { stdio: ["ignore", "pipe", 2], detached: true });
    // Each tells its end by one byte.
    this.group.stdout!.on("data", ({ length }: Buffer) => {
      const time = this.ran + performance.now() - this.resumedAt;
      this.times.push(...Array.from({ length }, () => time));
    });
    this.signal("SIGSTOP");
    process.on("exit", () => this.signal("SIGKILL"));
  }

  get isOver(): boolean {
    return this.times.length === this.count;
  }

  /** Lets the processes run for a while. */
  async run(): Promise<void> {
    if (this.isOver) return;
    this.resumedAt = performance.now();
    this.signal("SIGCONT");
    await setTimeout(SLICE_MS);
    this.ran += performance.now() - this.resumedAt;
    // A stopped process would keep this one from its end.
    this.signal(this.isOver ? "SIGKILL" : "SIGSTOP");
    if (this.group.exitCode !== null && !this.isOver) throw new Error("a run has failed");
  }

  private signal(name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void {
    if (this.group.exitCode === null) process.kill(-this.group.pid!, name);
  }
}

async function compare(): Promise<void> {
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const together = new Side(["all"]);
    const apart = new Side(["0", "1"]);
    while (!together.isOver || !apart.isOver) {
      await together.run();
      await apart.run();
    }
    // A half may have the longer games, so the mean counts, not the later end.
    const mean = apart.times.reduce((sum, time) => sum + time, 0) / apart.times.length;
    const ratio = mean / together.times[0]!;
    ratios.push(ratio);
    const seconds = (times: readonly number[]) => times.map((time) => (time / 1000).toFixed(1)).join(" and ");
    console.log(
      `one run ${seconds(together.times)} s, two runs ${seconds(apart.times)} s: ${percent(ratio)} of their speed`,
    );
  }
  console.log(`median ${percent(ratios.toSorted((a, b) => a - b)[ratios.length >> 1]!)}`);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

async function play(own: string): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "agon-bench-"));
  const entrants = [agent, { ...parseAgentSpec(agent), name: "other" }];
  const config = { name: "bench", game, blocks, openings: { randomPlies: 4 }, entrants };
  const { plan, store } = openRun(dir, await planTournament(config), { resume: false });
  const pool = new WorkerPool(createGame(game), { plan, dir }, own === "all" ? 2 : 1);
  await runTournament({ plan, store, dir, players: own === "all" ? pool : new Half(pool, Number(own)) });
  store.close();
  rmSync(dir, { recursive: true });
  process.stdout.write(".");
}

/** Plays every second block. */
class Half implements Players {
  readonly tasks: number;
  readonly taskMs: number;
  private readonly pool: WorkerPool;
  private readonly half: number;
  private readonly blocks = new Map<string, number>();

  constructor(pool: WorkerPool, half: number) {
    this.pool = pool;
    this.half = half;
    this.tasks = pool.tasks;
    this.taskMs = pool.taskMs;
  }

  async play(games: readonly ScheduledGame[]) {
    for (const { block } of games) if (!this.blocks.has(block)) this.blocks.set(block, this.blocks.size);
    return this.pool.play(games.filter(({ block }) => this.blocks.get(block)! % 2 === this.half));
  }

  stop(): void {
    this.pool.stop();
  }

  async close(): Promise<void> {
    await this.pool.close();
  }
}

await (part === undefined ? compare() : play(part));
