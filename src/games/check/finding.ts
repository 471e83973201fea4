import { describeError, placesOf, theirPlaceOf } from "../../base/thrown.ts";
import type { Game } from "../contract/game.ts";

/** One thing that a check found wrong with a game, an agent or an evaluator. */
export interface Finding {
  /** The name of the check. */
  readonly check: string;
  /** The fault. */
  readonly found: string;
  /** The demand of the contract. */
  readonly demand: string;
  /** The actions from the start to the position, in the game's notation; absent if the finding is of no position. */
  readonly moves?: readonly string[];
  /** The place where an exception was thrown, as `file:line:column`. */
  readonly thrownAt?: string;
  /** Other checks that the same exception stopped. Their outcome is unknown. */
  readonly alsoStopped?: readonly string[];
}

/** The findings of some checks, and how much they checked. */
export interface CheckResult {
  /** The names of the checks that were run. */
  readonly checks: readonly string[];
  /** The number of random games played. */
  readonly games: number;
  /** The number of positions visited in them. */
  readonly positions: number;
  readonly findings: readonly Finding[];
}

/** Looks for one kind of fault in a game, an agent or an evaluator. */
export interface Check<Trial> {
  readonly name: string;
  /** The demand of the contract. */
  readonly demand: string;
  /** True if the check applies to a game; absent if it applies to every game. */
  readonly applies?: (game: Game) => boolean;
  /** Calls `fail` at the first fault. An exception of the checked code ends it too. */
  run(trial: Trial): void;
}

/** The subject of some checks, which knows the current position. */
export interface Located {
  /** Returns the moves to the current position in notation; undefined if there is none. */
  moves(): readonly string[] | undefined;
}

/** Thrown by `fail`: the contract is broken. Any other exception in a check comes from the checked code. */
class Violation extends Error {}

/** Ends a check with the finding `found`. */
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
  const thrownAt = theirPlaceOf(error) ?? placesOf(error)[0];
  const found = `an exception was thrown: ${describeError(error)}`;
  const at = findings.findIndex((one) => one.found === found && one.thrownAt === thrownAt);
  const known = findings[at];
  if (known === undefined) {
    findings.push({ check: name, found, demand, ...where, ...(thrownAt !== undefined && { thrownAt }) });
  } else {
    findings[at] = { ...known, alsoStopped: [...(known.alsoStopped ?? []), name] };
  }
}

/** The greatest number of moves that are shown; they are the last ones. */
const SHOWN_MOVES = 20;

/** Writes a finding as several lines. */
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
