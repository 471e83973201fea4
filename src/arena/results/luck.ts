import { InputError } from "../../base/errors.ts";
import {
  CHANCE,
  TERMINAL,
  type Evaluator,
  type Game,
  type State,
  isDuel,
} from "../../games/contract/game.ts";
import type { LuckSource } from "../../ratings/luck.ts";
import { loadEvaluator } from "../../specs/evaluators.ts";
import { locateName } from "../../specs/references.ts";
import { loadPlannedGame, type TournamentPlan } from "../plan/plan.ts";

/**
 * Measures the luck of played games: at each chance event the value of the position that came, less the mean value of all
 * positions that could come. Its expectation is 0 for every evaluator, so return less luck has the expectation of the
 * return (Zinkevich et al. 2006, "Optimal unbiased estimators for evaluating agent performance"; Burch et al. 2018,
 * "AIVAT"). A closer evaluator leaves less variance.
 *
 * The evaluator sees positions after an action. So the value of a position with a player to move is the one after that
 * player's best action, as the agent `greedy` finds it.
 */
export class LuckMeter {
  private readonly players: number;
  private readonly isDuel: boolean;
  private readonly evaluator: Evaluator;
  private readonly start: State;
  private readonly state: State;
  private readonly outcomes: Int32Array;
  private readonly probabilities: Float64Array;
  private readonly actions: Int32Array;
  /** By seat: the value of the position looked at last. */
  private readonly values: Float64Array;

  /** Throws InputError for a game without chance events. */
  constructor(game: Game, evaluator: Evaluator) {
    if (!game.chance)
      throw new InputError(`${game.id} has no chance events, so there is no luck to take out`);
    this.players = game.players;
    this.isDuel = isDuel(game);
    this.evaluator = evaluator;
    this.start = game.start();
    this.state = game.start();
    this.outcomes = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
    this.actions = new Int32Array(game.maxActions);
    this.values = new Float64Array(game.players);
  }

  /**
   * The luck of each seat in a game, in the units of returns. Chance events of the opening are left out: a config may
   * have chosen them. Throws InputError if an action is no outcome of its chance event, or a value is no number.
   * @param actions every action from the start on, with the chance outcomes; the game may end by a forfeit
   */
  measure(actions: readonly number[], openingLength = 0): number[] {
    const { state } = this;
    const luck = Array.from({ length: this.players }, () => 0);
    state.copyFrom(this.start);
    for (let at = 0; at < actions.length; at++) {
      if (state.toMove === CHANCE && at >= openingLength && !this.addEvent(actions[at], luck))
        throw new InputError(`action ${at + 1} of a game, ${actions[at]}, is no outcome of its chance event`);
      state.apply(actions[at]);
    }
    if (!luck.every(Number.isFinite)) throw new InputError("the evaluator gives values that are no numbers");
    return luck;
  }

  /** Adds the luck of a chance event; false if `outcome` is none of its outcomes. */
  private addEvent(outcome: number, luck: number[]): boolean {
    const { state, outcomes, probabilities, values, players } = this;
    const count = state.chanceOutcomes!(outcomes, probabilities, 0);
    let isPossible = false;
    for (let at = 0; at < count; at++) {
      state.apply(outcomes[at]);
      this.lookAhead();
      state.undo();
      const came = outcomes[at] === outcome;
      const weight = came ? 1 - probabilities[at] : -probabilities[at];
      for (let seat = 0; seat < players; seat++) luck[seat] += weight * values[seat];
      isPossible ||= came;
    }
    return isPossible;
  }

  /** Writes the value of the position for each seat into `values`, after the best action of a player to move. */
  private lookAhead(): void {
    const { state, actions } = this;
    const player = state.toMove;
    if (player < 0) {
      this.evaluateAll();
      return;
    }
    const count = state.legalActions(actions, 0);
    let most = -Infinity;
    let best = actions[0];
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      const value = this.valueFor(player);
      state.undo();
      if (value <= most) continue;
      most = value;
      best = actions[at];
    }
    if (this.isDuel) {
      this.values[player] = most;
      this.values[1 - player] = 0 - most;
      return;
    }
    state.apply(best);
    this.evaluateAll();
    state.undo();
  }

  /** Writes the evaluator's value, or the return of a game that is over, for each seat into `values`. */
  private evaluateAll(): void {
    for (let seat = 0; seat < this.players; seat++) this.values[seat] = this.valueFor(seat);
  }

  private valueFor(player: number): number {
    const { state } = this;
    return state.toMove === TERMINAL ? state.returns(player) : this.evaluator.evaluate(state, player);
  }
}

/**
 * Makes the meter for an evaluator by its name: `none`, a heuristic of the game, or a weights file, whose relative path is
 * taken from `dir`. Throws InputError if the game has no chance events or the evaluator does not fit it.
 */
export function createLuckMeter(game: Game, name: string, dir = "."): LuckMeter {
  return new LuckMeter(game, loadEvaluator(game, locateName("evaluator", name, dir)));
}

/**
 * The luck of the games of the run in `dir`, told by the evaluator of that name. Throws InputError as `createLuckMeter`
 * does.
 * @param from the folder of a relative path of a weights file [the current one]
 */
export async function loadLuck(
  plan: TournamentPlan,
  name: string,
  { dir, from = "." }: { dir: string; from?: string },
): Promise<LuckSource> {
  const meter = createLuckMeter(await loadPlannedGame(plan, dir), name, from);
  return {
    evaluator: name,
    of: ({ line, openingLength }) => {
      if (line === undefined)
        throw new InputError("the moves of a game are not known, so its luck is not either");
      return meter.measure(line === "" ? [] : line.split(",").map(Number), openingLength);
    },
  };
}

/** The luck of the games of the run in `dir`, told by the evaluator that its plan names; undefined if it names none. */
export async function luckOfRun(plan: TournamentPlan, dir: string): Promise<LuckSource | undefined> {
  return plan.luck === undefined ? undefined : loadLuck(plan, plan.luck, { dir, from: dir });
}
