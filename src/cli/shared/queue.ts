import process from "node:process";
import type { Players } from "../../arena/play/worker-pool.ts";
import type { QueuedTraining } from "../../queue/coordinator/queued-actors.ts";
import type { QueuedRun } from "../../queue/coordinator/queued-players.ts";
import { parseQueueUrl, type QueueAddress } from "../../queue/redis.ts";
import { InputError } from "../../base/errors.ts";
import type { Actors } from "../../training/rounds/actors.ts";

/** The option of commands that give work to other machines. */
export const queueOption = {
  type: "string",
  describe: "have other machines play: redis://HOST[:PORT][/DATABASE] (agon worker)",
} as const;

/** The environment variables that name a queue. */
const VARIABLES = ["AGON_QUEUE", "AGON_QUEUE_USER", "AGON_QUEUE_PASSWORD"];

/**
 * The queue that an argument or the environment (AGON_QUEUE) names. User and password may come from AGON_QUEUE_USER and
 * AGON_QUEUE_PASSWORD, so that they are in no list of processes. They are then taken out of the environment, which code of
 * a run's could read in the processes that play. Throws InputError.
 */
export function queueArgument(text: string | undefined): QueueAddress {
  const { AGON_QUEUE, AGON_QUEUE_USER: username, AGON_QUEUE_PASSWORD: password } = process.env;
  for (const name of VARIABLES) delete process.env[name];
  const url = text ?? AGON_QUEUE;
  if (url === undefined || url === "")
    throw new InputError("no queue: name it, as in agon worker redis://localhost/0, or set AGON_QUEUE");
  return parseQueueUrl(url, { username, password });
}

/** Opens the players of a run on other machines; only then loads the queue's modules. */
export async function openPlayers(run: QueuedRun): Promise<Players> {
  const { openQueuedPlayers } = await import("../../queue/coordinator/queued-players.ts");
  return openQueuedPlayers(run);
}

/** Opens the actors of a training on other machines. */
export async function openActors(training: QueuedTraining): Promise<Actors> {
  const { openQueuedActors } = await import("../../queue/coordinator/queued-actors.ts");
  return openQueuedActors(training);
}
