import { deepFreeze, formatPlain, plainDifference, whyNotPlain } from "../../base/plain.ts";
import { theirPlaceOf } from "../../base/thrown.ts";
import { CHANCE, type Game } from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";
import { SimpleState } from "../contract/simple-game.ts";
import { fail, type Check } from "./finding.ts";
import { text, type GameTrial } from "./game-trial.ts";

/** At most this many actions of a position are tried. */
const TRIED_ACTIONS = 20;

/** The functions of a simple game are pure, so that a game can be derived from them. */
export const simpleCheck: Check<GameTrial> = {
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
  const before = formatPlain(position);
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
