import { check as checkInput } from "../../base/check.ts";
import { type Game, type GameFamily, CHANCE } from "../contract/game.ts";
import { facetChecks } from "./facet-checks.ts";
import { fail, runChecks, type Check, type CheckResult, type Finding } from "./finding.ts";
import { isOver, GameTrial, text, type TrialOptions } from "./game-trial.ts";
import { membersCheck } from "./member-checks.ts";
import { notationChecks } from "./notation-checks.ts";
import { privacyChecks } from "./privacy-checks.ts";
import { ruleChecks } from "./rule-checks.ts";
import { tacticsChecks } from "./tactics-checks.ts";
import { deepFreeze, canonicalJson, plainDifference, whyNotPlain } from "../../base/plain.ts";
import { theirPlaceOf } from "../../base/thrown.ts";
import { possibleActions } from "../contract/notation.ts";
import { SimpleState } from "../contract/simple-game.ts";

/** At most this many actions of a position are tried. */
const TRIED_ACTIONS = 20;

/** The functions of a simple game are pure, so that a game can be derived from them. */
const simpleCheck: Check<GameTrial> = {
  name: "pure-functions",
  demand:
    "the functions of a simple game change no position, and give the same answer for the same position; a position is " +
    "made of finite numbers, texts, true, false, null, arrays and plain objects; result gives a number for each player",
  applies: (game) => game.start() instanceof SimpleState,
  run(trial) {
    trial.forEachPosition("pure-functions", 1 / 2, (state) => inspect(trial.game, state as SimpleState));
  },
};

function inspect(game: Game, state: SimpleState): void {
  const { position, rules } = state;
  const { definition, options, players } = rules;
  const begins = plainDifference(definition.start(options), definition.start(options), "position");
  if (begins !== undefined) fail(`start makes two different positions: ${begins} the second time`);
  checkPlain(position);
  const returns = ask("result", position, (given) => definition.result(given, options));
  if (returns !== undefined) {
    const areNumbers = Array.isArray(returns) && returns.length === players && returns.every(Number.isFinite);
    if (!areNumbers) fail(`result gives ${text(returns)} in a game of ${players} players`);
    return;
  }
  ask("toMove", position, (given) => definition.toMove(given, options));
  // The state's own error describes the fault of the list.
  const actions = possibleActions(game, state);
  if (state.toMove === CHANCE) ask("chance", position, (given) => definition.chance?.(given, options));
  else ask("legalActions", position, (given) => definition.legalActions(given, options));
  for (const action of actions.slice(0, TRIED_ACTIONS)) {
    const call = `apply(position, ${action})`;
    const next = ask(call, position, (given) => definition.apply(given, action, options));
    if (next === undefined) fail(`${call} returns undefined, not the next position`);
    checkPlain(next);
  }
}

function checkPlain(position: unknown): void {
  const why = whyNotPlain(position, "position");
  if (why !== undefined) fail(`a position is not plain: ${why}`);
}

/** Asks a function twice; fails if the position changes, or the answer. */
function ask<Answer>(name: string, position: unknown, answer: (position: unknown) => Answer): Answer {
  const before = canonicalJson(position);
  const first = answer(position);
  const changed = plainDifference(JSON.parse(before), position, "position");
  if (changed !== undefined) {
    const place = placeOfChange(() => answer(deepFreeze(JSON.parse(before))));
    fail(
      `${name} changes the position that it is given${place}: ${changed}; ` +
        "make a new one, as by [...list] or { ...position }",
    );
  }
  const again = plainDifference(first ?? null, answer(position) ?? null, "the answer");
  if (again !== undefined)
    fail(`${name} gives two answers for one position: ${again}; no Math.random, no clock, no memory`);
  return first;
}

/** The place where code writes to a frozen value, as ` at file:line:column`; empty if unknown. */
function placeOfChange(write: () => unknown): string {
  try {
    write();
  } catch (error) {
    const place = theirPlaceOf(error);
    if (place !== undefined) return ` at ${place}`;
  }
  return "";
}

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
const FOUNDATIONS = [traits, membersCheck, simpleCheck];

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
