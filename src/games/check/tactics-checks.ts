import { TERMINAL, type Foresight, type Game, type State, type Tactics } from "../contract/game.ts";
import { possibleActions } from "../contract/notation.ts";
import { fail, type Check } from "./finding.ts";
import { copyOf, difference, isOver, nameAction, observe, text, type GameTrial } from "./game-trial.ts";

/** Gains are less than this, either way. */
const MOST_GAIN = 2 ** 20;

/** The checks of the facets that searches ask: `tactics`, `solving`, `decisiveMoves`. */
export const tacticsChecks: readonly Check<GameTrial>[] = [
  {
    name: "tactics",
    demand:
      "noisy actions are legal, there is one where a player is forced, and what gains is among them; a passed turn is " +
      "taken back, and tactics leaves the state as it was",
    applies: (game) => game.tactics !== undefined,
    run(trial) {
      const { game } = trial;
      const tactics = game.tactics!;
      forEachDecision(trial, "tactics", (state) => {
        checkNoisy(game, tactics, state);
        checkPass(game, tactics, state);
      });
    },
  },
  {
    name: "solving",
    demand:
      "a foreseen win in one ply is there; where nothing is foreseen some legal actions are candidates; `value` of the " +
      "finish is a return; solving leaves the state as it was",
    applies: (game) => game.solving !== undefined,
    run(trial) {
      const { game } = trial;
      const { foresight, finish } = game.solving!;
      forEachDecision(trial, "solving", (state) => {
        if (foresight !== undefined) checkForesight(game, foresight, state);
        if (finish === undefined || !finish.isNear(state)) return;
        const value = finish.value(state, game.minReturn, game.maxReturn);
        if (!(value >= game.minReturn && value <= game.maxReturn))
          fail(`finish.value is ${text(value)}; a return is from ${game.minReturn} to ${game.maxReturn}`);
      });
    },
  },
  {
    name: "decisive-moves",
    demand:
      "`keep` keeps legal actions, at least one, in their order; where some win at once only such, else it leaves out " +
      "only what loses at once",
    applies: (game) => game.decisiveMoves !== undefined,
    run(trial) {
      const { game } = trial;
      trial.forEachPosition("decisive-moves", 1 / 8, (state) => {
        if (!isOver(state)) checkKept(game, state);
      });
    },
  },
];

/** Visits positions where a player is to move; `visit` must leave them as they were. */
function forEachDecision(trial: GameTrial, facet: string, visit: (state: State) => void): void {
  const { game } = trial;
  trial.forEachPosition(facet, 1 / 4, (state) => {
    if (state.toMove < 0) return;
    const before = observe(game, state);
    visit(state);
    const changed = difference(observe(game, state), before, `before ${facet} was asked`);
    if (changed !== undefined) fail(`${facet} changes the state: ${changed}`);
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

function checkForesight(game: Game, foresight: Foresight, state: State): void {
  const legal = Array.from(possibleActions(game, state));
  const plies = foresight.foresee(state);
  if (plies === 1 && !legal.some((action) => winsAtOnce(game, state, action)))
    fail("foresee tells of a win in 1 ply, and no action wins at once");
  if (plies !== 0) return;
  const found = written(game, legal, "candidates", (out) => foresight.candidates(state, out, 1));
  if (found.length === 0) fail("foresee is 0, and candidates writes nothing");
}

/** Returns the actions that a method writes from index 1 on: some of the legal ones, each once. */
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
    // The later moves must be taken back as well.
    passed.apply(possibleActions(game, passed)[0]!);
    passed.undo();
  }
  pass.undo(passed);
  const changed = difference(observe(game, passed), observe(game, state), "before the pass");
  if (changed !== undefined) fail(`pass.undo does not take pass.apply back: ${changed}`);
}

function checkKept(game: Game, state: State): void {
  const legal = [...possibleActions(game, state)];
  const actions = Int32Array.from(legal);
  const kept = [...actions.subarray(0, game.decisiveMoves!.keep(state, actions, legal.length))];
  if (kept.length === 0 || text(kept) !== text(legal.filter((action) => kept.includes(action))))
    fail(`keep leaves ${text(kept)} of the legal actions ${text(legal)}`);
  if (kept.length === legal.length) return;
  const wins = legal.filter((action) => winsAtOnce(game, state, action));
  for (const action of legal) {
    const isKept = kept.includes(action);
    const name = nameAction(game, action, state);
    if (wins.length > 0 && isKept && !wins.includes(action))
      fail(`keep keeps ${name}, which does not win at once as others do`);
    if (wins.length === 0 && !isKept && !losesAtOnce(game, state, action))
      fail(`keep leaves out ${name}, which does not lose at once`);
  }
}

function winsAtOnce(game: Game, state: State, action: number): boolean {
  const player = state.toMove;
  state.apply(action);
  const wins = state.toMove === TERMINAL && state.returns(player) >= game.maxReturn;
  state.undo();
  return wins;
}

/** True if the other player wins with the next action. */
function losesAtOnce(game: Game, state: State, action: number): boolean {
  const player = state.toMove;
  state.apply(action);
  const loses =
    state.toMove === TERMINAL
      ? state.returns(player) <= game.minReturn
      : state.toMove === 1 - player &&
        [...possibleActions(game, state)].some((reply) => winsAtOnce(game, state, reply));
  state.undo();
  return loses;
}
