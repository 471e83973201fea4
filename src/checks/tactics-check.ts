import { TERMINAL, type Game, type State, type Tactics } from "../game/game.ts";
import { possibleActions } from "../game/notation.ts";
import { fail } from "./finding.ts";
import { copyOf, difference, nameAction, observe, text, type GameTrial } from "./game-trial.ts";

/** Gains are less than this, either way. */
const MOST_GAIN = 2 ** 20;

/** Finds what is wrong with the tactics of a game. */
export function checkTactics(trial: GameTrial): void {
  const { game } = trial;
  const tactics = game.tactics!;
  trial.forEachPosition("tactics", 1 / 4, (state) => {
    if (state.toMove < 0) return;
    const before = observe(game, state);
    checkNoisy(game, tactics, state);
    checkCandidates(game, tactics, state);
    checkPass(game, tactics, state);
    const changed = difference(observe(game, state), before, "before tactics was asked");
    if (changed !== undefined) fail(`tactics changes the state: ${changed}`);
  });
}

function checkNoisy(game: Game, tactics: Tactics, state: State): void {
  const legal = Array.from(possibleActions(game, state));
  const noisy = written(game, legal, "noisyActions", (out) => tactics.noisyActions(state, out, 1));
  const isForced = tactics.isForced(state);
  if (isForced && noisy.length === 0) fail("isForced is true, and noisyActions writes nothing");
  for (const action of legal) {
    const gain = tactics.gain(state, action);
    const name = nameAction(game, action, state);
    if (!Number.isInteger(gain) || Math.abs(gain) >= MOST_GAIN)
      fail(`gain of ${name} is ${text(gain)}; it must be a whole number within ${MOST_GAIN}`);
    if (gain > 0 && !noisy.includes(action))
      fail(`${name} gains ${gain}, and noisyActions does not write it`);
  }
}

function checkCandidates(game: Game, tactics: Tactics, state: State): void {
  if (tactics.candidates === undefined || (tactics.foresee?.(state) ?? 0) !== 0) return;
  const legal = Array.from(possibleActions(game, state));
  const found = written(game, legal, "candidates", (out) => tactics.candidates!(state, out, 1));
  if (found.length === 0) fail("foresee is 0, and candidates writes nothing");
}

/** What a method of the tactics writes from index 1 on: some of the legal actions, each once. */
function written(
  game: Game,
  legal: readonly number[],
  method: string,
  write: (out: Int32Array) => number,
): number[] {
  const out = new Int32Array(game.maxActions + 1);
  const count = write(out);
  if (!Number.isInteger(count) || count < 0 || count > legal.length)
    fail(`${method} returns ${text(count)}; ${legal.length} actions are legal`);
  const found = Array.from(out.subarray(1, 1 + count));
  const illegal = found.find((action) => !legal.includes(action));
  if (illegal !== undefined) fail(`${method} writes ${illegal}, which is not legal`);
  if (new Set(found).size < count) fail(`${method} writes an action twice: ${text(found)}`);
  return found;
}

function checkPass(game: Game, { pass }: Tactics, state: State): void {
  if (pass === undefined || !pass.isSafe(state)) return;
  const passed = copyOf(game, state);
  pass.apply(passed);
  if (passed.toMove === state.toMove) fail("after pass.apply the same player is to move");
  if (passed.toMove !== TERMINAL) {
    // What follows must be taken back as well.
    passed.apply(possibleActions(game, passed)[0]!);
    passed.undo();
  }
  pass.undo(passed);
  const changed = difference(observe(game, passed), observe(game, state), "before the pass");
  if (changed !== undefined) fail(`pass.undo does not take pass.apply back: ${changed}`);
}
