import { describeError, placesOf, theirPlaceOf } from "../base/thrown.ts";
import type { Game } from "../game/game.ts";

/** One thing that a check found wrong with a game, an agent or an evaluator. */
export interface Finding {
  /** The name of the check. */
  readonly check: string;
  /** What was found. */
  readonly found: string;
  /** What the contract demands. */
  readonly demand: string;
  /** The actions from the start to the position, in the game's notation; absent if the finding is of no position. */
  readonly moves?: readonly string[];
  /** Where an exception was thrown, as `file:line:column`. */
  readonly thrownAt?: string;
  /** Other checks that the same exception stopped; what they look at may be right or wrong. */
  readonly alsoStopped?: readonly string[];
}

/** What the checks looked at, and what they found. */
export interface CheckResult {
  /** The names of the checks that were run. */
  readonly checks: readonly string[];
  /** How many random games were played. */
  readonly games: number;
  /** How many positions were visited in them. */
  readonly positions: number;
  readonly findings: readonly Finding[];
}

/** Looks for one kind of fault in a game, an agent or an evaluator. */
export interface Check<Trial> {
  readonly name: string;
  /** What the contract demands. */
  readonly demand: string;
  /** Whether a game has what this check looks at; absent if every game has it. */
  readonly applies?: (game: Game) => boolean;
  /** Calls `fail` at the first fault. An exception of the checked code ends it too. */
  run(trial: Trial): void;
}

/** What the checks of one subject share. It knows which position they are looking at. */
export interface Located {
  /** The moves to that position in notation; undefined if they are looking at no position. */
  moves(): readonly string[] | undefined;
}

/** Thrown by `fail`: the contract is broken. Any other exception in a check comes from the checked code. */
class Violation extends Error {}

/** Ends a check: `found` says what is wrong. */
export function fail(found: string): never {
  throw new Violation(found);
}

/** Runs the checks. Each ends at its first fault, so it gives at most one finding. */
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

/**
 * Adds a finding for the error that ended a check. If an earlier check was ended by the same exception, the name of
 * this check is added to the earlier finding instead.
 */
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

/** `file:line:column` of the first call in the user's own code, or of the first call at all. */
function sourceOf(error: unknown): string | undefined {
  return theirPlaceOf(error) ?? placesOf(error)[0];
}

/** The greatest number of moves that are shown; they are the last ones. */
const SHOWN_MOVES = 20;

/** A finding as a text of several lines. */
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
