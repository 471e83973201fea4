import { createRandom } from "../../base/random.ts";
import type { EndgameTables } from "../../games/endgames/endgame-tables.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import type { ForfeitEnding, GameRecord } from "../../ratings/record.ts";
import type { TournamentPlan } from "../plan/plan.ts";
import { Adjudicator, type Verdict } from "./adjudicator.ts";
import { forfeitReturns } from "./referee.ts";

/** The parts of a plan that a record is checked by. */
export type CheckRules = Pick<TournamentPlan, "seed" | "adjudicate" | "thoughts">;

/**
 * Replays records by the rules, to find those that are no games: a sender may be wrong, or lie. What agents decided is not
 * played again; verify.ts does that.
 */
export class RecordCheck {
  private readonly game: Game;
  private readonly rules: CheckRules;
  private readonly adjudicator: Adjudicator | undefined;
  private readonly state: State;
  private readonly start: State;
  private readonly actions: Int32Array;
  private readonly probabilities: Float64Array;

  /** @param tables those of the rules' adjudication */
  constructor(game: Game, rules: CheckRules, tables?: EndgameTables) {
    this.game = game;
    this.rules = rules;
    this.adjudicator = rules.adjudicate && new Adjudicator(game, rules.adjudicate, tables);
    this.state = game.start();
    this.start = game.start();
    this.actions = new Int32Array(game.maxActions);
    this.probabilities = new Float64Array(game.maxActions);
  }

  /** The first thing in a record that the rules do not give; undefined if it is a game. */
  problem(record: GameRecord): string | undefined {
    const { game, state } = this;
    const { actions, openingLength, decisions, nodes, thoughts, forfeitSeat, returns } = record;
    const chance = createRandom(this.rules.seed, "chance", record.block);
    const decided = decisions.map(() => 0);
    let verdict: Verdict | undefined;
    let plies = 0;
    let decision = 0;
    this.adjudicator?.begin();
    state.copyFrom(this.start);
    for (const [at, action] of actions.entries()) {
      const { toMove } = state;
      const isOpening = at < openingLength;
      if (toMove === TERMINAL) return `action ${at + 1} comes after the end of the game`;
      if (verdict !== undefined) return `action ${at + 1} comes after the adjudication: ${verdict.detail}`;
      if (toMove >= 0 && !isOpening) decided[toMove]!++;
      if (!this.isPossible(action, isOpening ? undefined : chance))
        return `action ${at + 1}, ${action}, is not possible in ${game.formatState(state)}`;
      state.apply(action);
      if (toMove < 0) continue;
      plies++;
      if (isOpening) continue;
      const { value } = thoughts[decision++] ?? {};
      verdict = this.adjudicator?.after(state, { player: toMove, value, plies });
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
    const isAdjudicated = record.ending === "adjudicated";
    if (verdict !== undefined && !isAdjudicated)
      return `it goes on after its adjudication: ${verdict.detail}`;
    if (isAdjudicated && isOver) return "it is adjudicated after the end of the game";
    if (forfeitSeat < 0 && !isOver && !isAdjudicated)
      return `it ends before its end, in ${game.formatState(state)}`;
    if (forfeitSeat >= 0 && isOver) return `player ${forfeitSeat + 1} forfeits after the end of the game`;
    if (isAdjudicated && verdict === undefined) return this.unfounded(record);
    const expected =
      verdict !== undefined
        ? verdict.returns
        : forfeitSeat < 0
          ? returns.map((_, seat) => state.returns(seat))
          : forfeitReturns(game, state, { seat: forfeitSeat, ending: record.ending as ForfeitEnding });
    return returns.every((value, seat) => value === expected[seat])
      ? undefined
      : `its returns are ${returns.join(", ")}; the rules give ${expected.join(", ")}`;
  }

  /**
   * The fault of an adjudication that no value in the record founds. A run that keeps no thoughts keeps no values either:
   * there a verdict is believed if some rule of the run can give it.
   */
  private unfounded({ returns }: GameRecord): string | undefined {
    const { adjudicate, thoughts = true } = this.rules;
    const possible: (readonly number[])[] = [];
    if (!thoughts && adjudicate?.resign !== undefined)
      possible.push(this.adjudicator!.resigned(0), this.adjudicator!.resigned(1));
    if (!thoughts && adjudicate?.draw !== undefined) possible.push([0, 0]);
    return possible.some((list) => list.join() === returns.join())
      ? undefined
      : "it is adjudicated, and no rule of the run does so";
  }

  private isPossible(action: number, chance: ReturnType<typeof createRandom> | undefined): boolean {
    const { state, actions, probabilities } = this;
    if (state.toMove !== CHANCE) return actions.subarray(0, state.legalActions(actions, 0)).includes(action);
    const count = state.chanceOutcomes!(actions, probabilities, 0);
    // Outcomes of an opening are drawn elsewhere.
    return chance === undefined
      ? actions.subarray(0, count).includes(action)
      : actions[chance.weighted(probabilities, 0, count)] === action;
  }
}
