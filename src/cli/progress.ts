import process from "node:process";
import type { RunOptions, RunOutcome } from "../arena/play/run.ts";
import { escapeControls } from "../base/errors.ts";
import { EXIT, note } from "./command.ts";

const BAR_CELLS = 24;
const REDRAW_MS = 100;
/** Between two plain lines, where standard error is no terminal. */
const LINE_MS = 5000;

/** How far a long piece of work is. */
interface ProgressState {
  readonly done: number;
  readonly total: number;
  readonly gamesPerSecond: number;
  /** Infinity while unknown. */
  readonly secondsLeft: number;
  /** Anything else worth seeing, such as the leader. */
  readonly extra: string;
}

/** Shows progress on standard error: a bar on a terminal, otherwise a plain line every few seconds. */
export class ProgressDisplay {
  private readonly terminal = process.stderr.isTTY;
  private shownAt = -Infinity;
  private last: ProgressState | undefined;

  /** Shows the state, unless the last one was shown a moment ago. */
  show(state: ProgressState): void {
    this.last = state;
    const now = performance.now();
    if (now - this.shownAt < (this.terminal ? REDRAW_MS : LINE_MS)) return;
    this.shownAt = now;
    this.draw(state);
  }

  /** Shows the last state again and ends its line. */
  end(): void {
    if (this.last === undefined) return;
    this.draw(this.last);
    if (this.terminal) process.stderr.write("\n");
    this.last = undefined;
  }

  private draw(state: ProgressState): void {
    const text = describe(state);
    if (!this.terminal) {
      process.stderr.write(`${text}\n`);
      return;
    }
    const filled = Math.round((BAR_CELLS * state.done) / Math.max(1, state.total));
    const bar = `[${"#".repeat(filled)}${"-".repeat(BAR_CELLS - filled)}] `;
    process.stderr.write(`\r\u001b[K${(bar + text).slice(0, (process.stderr.columns ?? 100) - 1)}`);
  }
}

function describe({ done, total, gamesPerSecond, secondsLeft, extra }: ProgressState): string {
  const speed = gamesPerSecond >= 100 ? gamesPerSecond.toFixed(0) : gamesPerSecond.toPrecision(2);
  const left = done >= total ? "done" : `${formatSeconds(secondsLeft)} left`;
  const pace = Number.isFinite(secondsLeft) ? `${speed} games/s, ${left}` : "beginning";
  return `${done} of ${total} games, ${pace}${extra === "" ? "" : `, ${extra}`}`;
}

/** `12 s`, `3 min 20 s`, `2 h 5 min`. */
function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/**
 * Runs `work` so that Ctrl-C (or SIGTERM) stops it gently: the first aborts the signal that `work` gets and notes
 * `message`, the second ends the process at once. `finish` is called before the message and at the end.
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

/** Plays a tournament and shows its progress; after Ctrl-C the games that have begun are finished. */
export async function playWithProgress(
  options: Omit<RunOptions, "onProgress" | "signal">,
): Promise<RunOutcome> {
  const { runTournament } = await import("../arena/play/run.ts");
  const display = new ProgressDisplay();
  const onProgress: RunOptions["onProgress"] = ({ leader, forfeits, ...state }) =>
    display.show({
      ...state,
      extra: `leader ${escapeControls(leader)}${forfeits > 0 ? `, ${forfeits} forfeit${forfeits === 1 ? "" : "s"}` : ""}`,
    });
  return interruptible(
    "Finishing the games at hand; once more to stop at once.",
    (signal) => runTournament({ ...options, signal, onProgress }),
    () => display.end(),
  );
}
