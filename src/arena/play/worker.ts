import { workerData } from "node:worker_threads";
import type { GameRecord } from "../../ratings/record.ts";
import { createPlayer, type PlayTask, type WorkerSetup, type WorkerTask } from "./player.ts";

let player: Promise<PlayTask> | undefined;

/** Plays a task in a worker thread that was started with a WorkerSetup. */
export async function playTask(task: WorkerTask): Promise<GameRecord[]> {
  player ??= createPlayer(workerData as WorkerSetup);
  return (await player)(task);
}
