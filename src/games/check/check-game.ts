import { check as checkInput } from "../../base/check.ts";
import type { Game, GameFamily } from "../contract/game.ts";
import { facetChecks } from "./facet-checks.ts";
import { fail, runChecks, type Check, type CheckResult, type Finding } from "./finding.ts";
import { isOver, GameTrial, text, type TrialOptions } from "./game-trial.ts";
import { notationChecks } from "./notation-checks.ts";
import { privacyChecks } from "./privacy-checks.ts";
import { ruleChecks } from "./rule-checks.ts";
import { simpleCheck } from "./simple-check.ts";
import { tacticsChecks } from "./tactics-checks.ts";

/** Options of `checkGame`. */
export interface GameCheckOptions extends TrialOptions {
  /**
   * Names of the checks to run; all if absent. Traits and pure functions are always checked: the other checks rely on them.
   */
  readonly only?: readonly string[];
  /** The family that made the game. If given, the options of the game must make the same game again. */
  readonly family?: GameFamily;
}

const traits: Check<GameTrial> = {
  name: "traits",
  demand:
    "players, maxActions and maxPlies are whole numbers of at least 1, minReturn is less than maxReturn and both are finite, " +
    "the flags are true or false, and start makes a new state",
  run: checkTraits,
};

/** The checks that all others rely on. */
const FOUNDATIONS = [traits, simpleCheck];

/**
 * Every check of a game, in the order in which they are run.
 * @internal tests run each check by its name, and compare the list with docs/checks.md.
 */
export const GAME_CHECKS: readonly Check<GameTrial>[] = [
  ...FOUNDATIONS,
  ...ruleChecks,
  ...notationChecks,
  ...facetChecks,
  ...tacticsChecks,
  ...privacyChecks,
];

/**
 * Finds faults of a game by random play; the list is empty if there is none. Each check ends at its first fault. If a
 * foundation is wrong, nothing else is checked.
 */
export function checkGame(game: Game, options: GameCheckOptions = {}): readonly Finding[] {
  return runGameChecks(game, options).findings;
}

/** Does what `checkGame` does, and tells how much was checked. */
export function runGameChecks(game: Game, { only, family, ...options }: GameCheckOptions): CheckResult {
  const trial = new GameTrial(game, options);
  const applies = (check: Check<GameTrial>) => check.applies?.(game) ?? true;
  const checks: Check<GameTrial>[] = [];
  const findings: Finding[] = [];
  for (const check of FOUNDATIONS) {
    if (findings.length > 0 || !applies(check)) continue;
    checks.push(check);
    findings.push(...runChecks([check], trial));
  }
  if (findings.length === 0) {
    const others = GAME_CHECKS.filter(
      (check) => !FOUNDATIONS.includes(check) && (only?.includes(check.name) ?? true) && applies(check),
    );
    if (family !== undefined && (only?.includes("options") ?? true)) others.push(optionsCheck(family));
    checks.push(...others);
    findings.push(...runChecks(others, trial));
  }
  return {
    checks: checks.map(({ name }) => name),
    games: trial.gamesPlayed,
    positions: trial.positionsVisited,
    findings,
  };
}

function checkTraits({ game }: GameTrial): void {
  const wrong: string[] = [];
  for (const name of ["players", "maxActions", "maxPlies", "version"] as const) {
    const value: unknown = game[name];
    if (!Number.isSafeInteger(value) || (value as number) < 1)
      wrong.push(`${name} is ${text(value)}, not a whole number of at least 1`);
  }
  for (const name of ["chance", "dealt", "hiddenInformation", "zeroSum", "rewardsAlongTheWay"] as const) {
    const value: unknown = game[name];
    if (typeof value !== "boolean") wrong.push(`${name} is ${text(value)}, not true or false`);
  }
  const { minReturn, maxReturn, players, teams } = game;
  if (teams !== undefined && teams.length !== players)
    wrong.push(`teams has ${teams.length} members, not one for each of ${players} players`);
  for (const [name, value] of [
    ["minReturn", minReturn],
    ["maxReturn", maxReturn],
  ] as const)
    if (!Number.isFinite(value)) wrong.push(`${name} is ${text(value)}, not a finite number`);
  if (minReturn >= maxReturn)
    wrong.push(`minReturn = ${minReturn} is not less than maxReturn = ${maxReturn}`);
  if (typeof game.id !== "string" || game.id === "") wrong.push(`id is ${text(game.id)}`);
  if (wrong.length > 0) fail(wrong.join("; "));
  const state = game.start();
  if (game.start() === state) fail("start returns the same state twice, instead of a new one each time");
  if (isOver(state)) fail("the game is over at the start");
}

function optionsCheck(family: GameFamily): Check<GameTrial> {
  return {
    name: "options",
    demand: "options are the checked options, defaults filled in: they make the same game again",
    run({ game }) {
      const again = family.create(checkInput(family.options, game.options));
      const [first, second] = [game, again].map(({ options }) => JSON.stringify(options));
      if (first !== second) fail(`the options ${first} make a game with the options ${second}`);
    },
  };
}
