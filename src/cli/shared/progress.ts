import { sittingNow } from "./version.ts";
import { availableParallelism } from "node:os";
import process from "node:process";
import { describeCrowding, describeShortage } from "../../arena/plan/plan-warnings.ts";
import type { TournamentPlan } from "../../arena/plan/plan.ts";
import { coresOf } from "../../arena/play/run.ts";
import type { RunProgress } from "../../arena/play/standings.ts";
import { playTournament, type TournamentRequest, type TournamentResult } from "../../arena/tournament.ts";
import { escapeControls } from "../../base/errors.ts";
import { formatPace, Pace } from "../../base/pace.ts";
import { counted, formatSeconds } from "../../base/text.ts";
import type { SprtReport } from "../../ratings/sprt/sequential-test.ts";
import { EXIT, note } from "./command.ts";
import { isScreen, widthOf } from "./terminal.ts";

const REDRAW_MS = 100;
/** The time between two plain lines, if standard error is not a screen. */
const LINE_MS = 5000;

/** The progress of a long piece of work. */
interface ProgressState {
  readonly done: number;
  /** At least, where `total` is the most that there may be. Default: `total`. */
  readonly least?: number;
  /** Infinity for work without an end. */
  readonly total: number;
  /** Default: as the display sees it. */
  readonly gamesPerSecond?: number;
  /** Infinity while unknown. Default: by the pace. */
  readonly secondsLeft?: number;
  /** The counted unit. Default: games. */
  readonly unit?: string;
  /** Further parts, such as the leader; the most important first. */
  readonly notes: readonly string[];
}

type PacedState = ProgressState & Required<Pick<ProgressState, "gamesPerSecond" | "secondsLeft">>;

/** Shows progress on standard error: a bar on a terminal, otherwise a plain line every few seconds. */
export class ProgressDisplay {
  private readonly isScreen = isScreen(process.stderr);
  private readonly quiet: boolean;
  private readonly pace = new Pace();
  private shownAt = -Infinity;
  private last: PacedState | undefined;
  private line = "";

  constructor(quiet: boolean) {
    this.quiet = quiet;
  }

  /** Shows the state, unless the last one was shown a moment ago. */
  show(given: ProgressState): void {
    if (this.quiet) return;
    const now = performance.now();
    this.pace.note(given.done, now);
    const secondsLeft = this.pace.secondsFor(given.total - given.done);
    const state = { gamesPerSecond: this.pace.perSecond, secondsLeft, ...given };
    this.last = state;
    if (now - this.shownAt < (this.isScreen ? REDRAW_MS : LINE_MS)) return;
    this.shownAt = now;
    this.draw(state);
  }

  /** Shows the last state again and ends its line. */
  end(): void {
    if (this.last === undefined) return;
    this.draw(this.last);
    if (this.isScreen) process.stderr.write("\n");
    this.last = undefined;
  }

  private draw(state: PacedState): void {
    if (this.isScreen) {
      // A line as long as the screen is wide would move the cursor to the next one.
      process.stderr.write(`\r\u001b[K${formatProgress(state, widthOf(process.stderr) - 1)}`);
      return;
    }
    const line = partsOf(state).join(", ");
    if (line !== this.line) process.stderr.write(`${line}\n`);
    this.line = line;
  }
}

/** The lengths of the bar: the longest that leaves room for the parts is used. */
const BAR_CELLS = [24, 16, 8] as const;

/**
 * The progress as one line of at most `width` characters: a bar, then the parts. If the room is too small, the bar becomes
 * shorter, then less important parts are left out, then the bar.
 * @internal the tests try widths that the terminal of a test has not
 */
export function formatProgress(state: PacedState, width: number): string {
  const parts = partsOf(state);
  if (state.total === Infinity) return parts.join(", ").slice(0, width);
  for (let shown = parts.length; shown > 0; shown--) {
    const text = parts.slice(0, shown).join(", ");
    const cells = BAR_CELLS.find((count) => count + 3 + text.length <= width);
    if (cells !== undefined) return `${drawBar(state, cells)} ${text}`;
    // The time left is more important than the bar.
    if (shown <= 2 && text.length <= width) return text;
  }
  return parts[0]!.slice(0, width);
}

function drawBar({ done, total }: ProgressState, cells: number): string {
  const filled = Math.round((cells * done) / Math.max(1, total));
  return `[${"#".repeat(filled)}${"-".repeat(cells - filled)}]`;
}

/** The parts of the line, the most important first. */
function partsOf({
  done,
  total,
  least = total,
  gamesPerSecond,
  secondsLeft,
  notes,
  unit = "games",
}: PacedState): string[] {
  if (total === Infinity) {
    const pace = gamesPerSecond > 0 ? [`${formatPace(gamesPerSecond)} ${unit}/s`] : [];
    return [`${done} ${unit}`, ...pace, ...notes];
  }
  const isRange = least < total;
  const left = done >= total ? "done" : `${isRange ? "at most " : ""}${formatSeconds(secondsLeft)} left`;
  const pace = Number.isFinite(secondsLeft)
    ? [left, `${formatPace(gamesPerSecond)} ${unit}/s`]
    : ["beginning"];
  // More games than the least may be done before the most are known.
  const all = !isRange ? total : done < least ? `${least} to at most ${total}` : `at most ${total}`;
  return [`${done} of ${all} ${unit}`, ...pace, ...notes];
}

/** Signals closer together than this are one press of Ctrl-C. */
const SAME_PRESS_MS = 300;

/**
 * Runs `work` so that Ctrl-C (or SIGTERM) stops it gently: the first aborts the signal that `work` gets and notes
 * `message`, the second ends the process at once. `finish` is called before the message and at the end. Launchers such
 * as npx and timeout pass on a signal that the terminal sent as well, so what follows at once is the same Ctrl-C.
 */
export async function interruptible<T>(
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
  finish: () => void,
): Promise<T> {
  const controller = new AbortController();
  let firstAt = 0;
  const interrupt = () => {
    if (controller.signal.aborted) {
      if (performance.now() - firstAt < SAME_PRESS_MS) return;
      process.exit(EXIT.interrupted);
    }
    firstAt = performance.now();
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
    // After an interrupt the handler stays: the same Ctrl-C may still arrive once more.
    if (!controller.signal.aborted) {
      process.off("SIGINT", interrupt);
      process.off("SIGTERM", interrupt);
    }
  }
}

/** `LLR 1.20 (-2.94 to 2.94)`; nothing without a sequential test. */
function formatRatio(sprt: SprtReport | undefined): string[] {
  if (sprt === undefined) return [];
  const [llr, lower, upper] = [sprt.llr, sprt.lower, sprt.upper].map((value) => value.toFixed(2));
  return [`LLR ${llr} (${lower} to ${upper})`];
}

/** `1. mcts 62%`; in games of one player the mean return in place of the score. */
function formatLeader(
  { name, score }: { name: string; score: number },
  at: number,
  { players }: Pick<TournamentPlan, "players">,
): string {
  const figure = players === 1 ? String(Number(score.toPrecision(3))) : `${Math.round(100 * score)}%`;
  return `${at + 1}. ${escapeControls(name)} ${figure}`;
}

/** The state of a run in words: its test, its forfeits, its leaders. */
export function progressNotes(
  { leaders, forfeits, sprt }: RunProgress,
  plan: Pick<TournamentPlan, "players" | "format">,
): string[] {
  return [
    ...formatRatio(sprt),
    ...(forfeits > 0 ? [counted(forfeits, "forfeit")] : []),
    // Both sides of a tuning are one agent.
    ...(plan.format.type === "tune" ? [] : leaders.map((one, at) => formatLeader(one, at, plan))),
  ];
}

/** Plays a tournament and shows its progress, unless `quiet`; after Ctrl-C the games that have begun are finished. */
export async function playWithProgress(
  plan: TournamentPlan,
  request: Omit<TournamentRequest, "onProgress" | "signal">,
  { quiet }: { quiet: boolean },
): Promise<TournamentResult> {
  const { players, workers = 0, resume = false } = request;
  const { problem, cores: own } = coresOf(plan, request);
  const cores = availableParallelism();
  const crowding =
    players === undefined
      ? describeCrowding(plan.entrants, { workers, cores, pinned: own !== undefined })
      : undefined;
  // A new run is refused.
  const unpinned = resume && problem && `affinity ${problem}; the games go on without it`;
  const onOpen: TournamentRequest["onOpen"] = (run) => {
    request.onOpen?.(run);
    for (const warning of [crowding, unpinned, describeShortage(plan)])
      if (warning) note(`Warning: ${warning}`);
  };
  const display = new ProgressDisplay(quiet);
  const onProgress: TournamentRequest["onProgress"] = (progress) =>
    display.show({ ...progress, notes: progressNotes(progress, plan) });
  const result = await interruptible(
    "Finishing the games at hand; once more to stop at once.",
    (signal) => playTournament(plan, { sitting: sittingNow(), ...request, onOpen, onProgress, signal }),
    () => display.end(),
  );
  if (result.ended !== undefined) note(`The run ends here: ${escapeControls(result.ended)}`);
  return result;
}
