import { TERMINAL, type Game, type State } from "../game/game.ts";
import { possibleActions } from "../game/notation.ts";
import { fail, type Check } from "./finding.ts";
import { isOver, nameAction, text, type GameTrial } from "./game-trial.ts";

/** Checks the decisive moves that a game names by looking two actions ahead. */
export const decisiveMovesCheck: Check<GameTrial> = {
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
};

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

/** Whether the other player wins with the next action. */
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
