import { createRandom } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../game/game.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { forfeitReturns } from "./referee.ts";

/**
 * Replays records by the rules, to find those that are no games: a sender may be wrong, or lie. What agents decided is not
 * played again; verify.ts does that.
 */
export class RecordCheck {
  private readonly game: Game;
  private readonly seed: string;
  private readonly state: State;
  private readonly start: State;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  /** @param seed of the run, from which chance descends */
  constructor(game: Game, seed: string) {
    this.game = game;
    this.seed = seed;
    this.state = game.start();
    this.start = game.start();
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** The first thing in a record that the rules do not give; undefined if it is a game. */
  problem(record: GameRecord): string | undefined {
    const { game, state } = this;
    const { actions, openingLength, decisions, nodes, thoughts, forfeitSeat, returns } = record;
    const chance = createRandom(this.seed, "chance", record.block);
    const decided = decisions.map(() => 0);
    state.copyFrom(this.start);
    for (const [at, action] of actions.entries()) {
      const { toMove } = state;
      const isOpening = at < openingLength;
      if (toMove === TERMINAL) return `action ${at + 1} comes after the end of the game`;
      if (toMove >= 0 && !isOpening) decided[toMove]!++;
      if (!this.isPossible(action, isOpening ? undefined : chance))
        return `action ${at + 1}, ${action}, is not possible in ${game.formatState(state)}`;
      state.apply(action);
    }
    // The decision for which a player forfeits is counted, and is no action.
    const isCounted = decided.every((count, seat) =>
      [count, seat === forfeitSeat ? count + 1 : count].includes(decisions[seat]!),
    );
    if (!isCounted) return `its decisions are ${decisions.join(", ")}, its moves ${decided.join(", ")}`;
    if (!nodes.every((count) => Number.isSafeInteger(count) && count >= 0))
      return `its nodes are ${nodes.join(", ")}`;
    const moves = decided.reduce((sum, count) => sum + count, 0);
    if (thoughts.length !== 0 && thoughts.length !== moves)
      return `it has ${thoughts.length} thoughts for ${moves} moves`;
    const isOver = state.toMove === TERMINAL;
    if (forfeitSeat < 0 && !isOver) return `it ends before its end, in ${game.formatState(state)}`;
    if (forfeitSeat >= 0 && isOver) return `player ${forfeitSeat + 1} forfeits after the end of the game`;
    const expected =
      forfeitSeat < 0 ? returns.map((_, seat) => state.returns(seat)) : forfeitReturns(game, forfeitSeat);
    return returns.every((value, seat) => value === expected[seat])
      ? undefined
      : `its returns are ${returns.join(", ")}; the rules give ${expected.join(", ")}`;
  }

  private isPossible(action: number, chance: ReturnType<typeof createRandom> | undefined): boolean {
    const { state, actions, probabilities } = this;
    if (state.toMove !== CHANCE) return actions.subarray(0, state.legalActions(actions, 0)).includes(action);
    const count = state.chanceOutcomes(actions, probabilities, 0);
    // Outcomes of an opening are drawn elsewhere.
    return chance === undefined
      ? actions.subarray(0, count).includes(action)
      : actions[chance.weighted(probabilities, 0, count)] === action;
  }
}
