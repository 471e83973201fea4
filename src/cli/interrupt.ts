import process from "node:process";
import { EXIT, note } from "./command.ts";

/**
 * Runs `work` with a signal that the first Ctrl-C (or SIGTERM) aborts, saying `message`; the second
 * stops the process at once. `finish` is called before the message and at the end.
 */
export async function interruptible<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
  finish: () => void,
): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    finish();
    note(message);
    controller.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  try {
    return await work(controller.signal);
  } finally {
    finish();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
}
