import type { Game } from "../games/game.ts";

/** One thing that a check found wrong with a game, an agent or an evaluator. */
export interface Finding {
  /** The name of the check. */
  readonly check: string;
  /** What was found. */
  readonly found: string;
  /** What the contract demands. */
  readonly demand: string;
  /** The actions from the start to the position, in the game's notation; absent where no position matters. */
  readonly moves?: readonly string[];
  /** Where an exception was thrown, as `file:line:column`. */
  readonly thrownAt?: string;
  /** Other checks that the same exception stopped: what they look at is not known to be right. */
  readonly alsoStopped?: readonly string[];
}

/** What was looked at, and what was found. */
export interface CheckResult {
  /** The names of the checks that were run. */
  readonly checks: readonly string[];
  /** Random games that were played, and positions that were visited in them. */
  readonly games: number;
  readonly positions: number;
  readonly findings: readonly Finding[];
}

/** One thing that is checked. */
export interface Check<Trial> {
  readonly name: string;
  /** What the contract demands. */
  readonly demand: string;
  /** Whether a game has what is checked; absent where every game has it. */
  readonly applies?: (game: Game) => boolean;
  /** Looks until something is wrong; then it calls `fail`, or lets the exception of the checked code through. */
  run(trial: Trial): void;
}

/** What all checks of one subject share: it knows which position is being looked at. */
export interface Located {
  /** The moves to the position in notation; undefined where no position matters. */
  moves(): readonly string[] | undefined;
}

/** Thrown by `fail`: the contract is broken. Every other exception in a check is of the checked code. */
class Violation extends Error {}

/** Ends a check: `found` says what is wrong. */
export function fail(found: string): never {
  throw new Violation(found);
}

/** Runs each check up to the first thing that is wrong: at most one finding a check. */
export function runChecks<Trial extends Located>(checks: readonly Check<Trial>[], trial: Trial): Finding[] {
  const findings: Finding[] = [];
  for (const check of checks) {
    try {
      check.run(trial);
    } catch (error) {
      addFinding(findings, check, error, trial.moves());
    }
  }
  return findings;
}

/** Adds what ended a check; an exception that another check has met already is added to that one's finding. */
export function addFinding(
  findings: Finding[],
  { name, demand }: Pick<Check<never>, "name" | "demand">,
  error: unknown,
  moves: readonly string[] | undefined,
): void {
  const where = moves === undefined ? {} : { moves };
  if (error instanceof Violation) {
    findings.push({ check: name, found: error.message, demand, ...where });
    return;
  }
  const thrownAt = sourceOf(error);
  const found = `an exception was thrown: ${describeError(error)}`;
  const at = findings.findIndex((one) => one.found === found && one.thrownAt === thrownAt);
  const known = findings[at];
  if (known === undefined) {
    findings.push({ check: name, found, demand, ...where, ...(thrownAt !== undefined && { thrownAt }) });
  } else {
    findings[at] = { ...known, alsoStopped: [...(known.alsoStopped ?? []), name] };
  }
}

/** `TypeError: x is not a function`, on one line. */
export function describeError(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n")[0]!;
}

/** The folder of agon's own code, as it stands in stack traces. */
const OWN_CODE = decodeURIComponent(new URL("../", import.meta.url).pathname).replace(/^\/(?=[A-Za-z]:)/, "");

/** `file:line:column` of the first call in the user's own code, or of the first call at all. */
function sourceOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const frames = (error.stack ?? "").split("\n").flatMap((line) => {
    const place = /^\s+at (?:.*\()?(.+:\d+:\d+)\)?$/.exec(line)?.[1];
    if (place === undefined || place.startsWith("node:")) return [];
    return [decodeURIComponent(place.replace(/^file:\/\/(?:\/(?=[A-Za-z]:))?/, "")).replaceAll("\\", "/")];
  });
  const isTheirs = (frame: string) => !frame.startsWith(OWN_CODE) && !frame.includes("/node_modules/");
  return frames.find(isTheirs) ?? frames[0];
}

/** How many of the moves are shown: the last ones. */
const SHOWN_MOVES = 20;

/** A finding for people, several lines. */
export function formatFinding({ check, found, demand, moves, thrownAt, alsoStopped }: Finding): string {
  const lines = [`${check}: ${found}${moves === undefined ? "" : ` (moves so far: ${formatMoves(moves)})`}`];
  if (thrownAt !== undefined) lines.push(`  thrown at ${thrownAt}`);
  if (alsoStopped !== undefined) lines.push(`  the same exception stopped: ${alsoStopped.join(", ")}`);
  lines.push(`  the contract: ${demand}`);
  return lines.join("\n");
}

function formatMoves(moves: readonly string[]): string {
  if (moves.length === 0) return "none";
  const shown = moves.slice(-SHOWN_MOVES);
  const separator = shown.some((move) => move.includes(" ")) ? ", " : " ";
  const hidden = moves.length - shown.length;
  return `${hidden > 0 ? `${hidden} more, then ` : ""}${shown.join(separator)}`;
}
