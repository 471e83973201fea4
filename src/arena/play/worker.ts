import { workerData } from "node:worker_threads";
import type { GameRecord } from "../../ratings/record.ts";
import { GameFault } from "./game-fault.ts";
import { createPlayer, type PlayTask, type WorkerSetup, type WorkerTask } from "./player.ts";

let player: Promise<PlayTask> | undefined;

/** Plays a task in a worker thread that was started with a WorkerSetup. A GameFault comes back as its message. */
export async function playTask(task: WorkerTask): Promise<GameRecord[] | { readonly fault: string }> {
  player ??= createPlayer(workerData as WorkerSetup);
  try {
    return await (
      await player
    )(task);
  } catch (error) {
    if (error instanceof GameFault) return { fault: error.message };
    throw error;
  }
}
