import process from "node:process";

const BAR_CELLS = 24;
const REDRAW_MS = 100;
/** Between two plain lines, where nobody watches a terminal. */
const LINE_MS = 5000;

/** How far a long piece of work is. */
export interface ProgressState {
  readonly done: number;
  readonly total: number;
  readonly gamesPerSecond: number;
  /** Infinity while unknown. */
  readonly secondsLeft: number;
  /** Anything else worth seeing, such as the leader. */
  readonly extra: string;
}

/** Shows progress on standard error: a bar on a terminal, a plain line now and then otherwise. */
export class ProgressDisplay {
  private readonly terminal = process.stderr.isTTY;
  private shownAt = -Infinity;
  private last: ProgressState | undefined;

  show(state: ProgressState): void {
    this.last = state;
    const now = performance.now();
    if (now - this.shownAt < (this.terminal ? REDRAW_MS : LINE_MS)) return;
    this.shownAt = now;
    this.draw(state);
  }

  /** Shows the last state and leaves the line. */
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
export function formatSeconds(seconds: number): string {
  if (!Number.isFinite(seconds)) return "?";
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
