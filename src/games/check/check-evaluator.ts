import { type Evaluator, type Game, type State, isDuel } from "../contract/game.ts";
import { fail, runChecks, type Check, type CheckResult, type Finding } from "./finding.ts";
import { copyOf, difference, isOver, observe, text, GameTrial, type TrialOptions } from "./game-trial.ts";

/** An evaluator, and the random games for it. */
class EvaluatorTrial extends GameTrial {
  readonly evaluator: Evaluator;

  constructor(game: Game, evaluator: Evaluator, options: TrialOptions) {
    super(game, options);
    this.evaluator = evaluator;
  }

  /** Calls `visit` at the positions of a third of the games, but not at their ends, which are never evaluated. */
  forEachEstimate(purpose: string, visit: (state: State) => void): void {
    this.forEachPosition(purpose, 1 / 3, (state) => {
      if (!isOver(state)) visit(state);
    });
  }
}

const SELF = "the evaluator";

const evaluatorChecks: readonly Check<EvaluatorTrial>[] = [
  {
    name: "range",
    demand:
      "a value is a number strictly between minReturn and maxReturn: its ends are kept for proven results",
    run(trial) {
      trial.forEachEstimate("range", (state) => checkRange(trial.game, state, trial.evaluator, SELF));
    },
  },
  {
    name: "negation",
    demand: "in duels the values of the two players negate exactly",
    run(trial) {
      trial.forEachEstimate("negation", (state) => checkNegation(trial.game, state, trial.evaluator, SELF));
    },
  },
  {
    name: "position-alone",
    demand: "a value depends on the position and the player alone, not on what was looked at before",
    run: checkPositionAlone,
  },
  {
    name: "at-most",
    demand: "no position that follows within `plies` plies is worth more than `atMost`, returns included",
    run: checkAtMost,
  },
  {
    name: "state-kept",
    demand: "an evaluator leaves the state as it was",
    run(trial) {
      const { game, evaluator } = trial;
      trial.forEachEstimate("state-kept", (state) => {
        const before = observe(game, state);
        for (let player = 0; player < game.players; player++) evaluator.evaluate(state, player);
        const wrong = difference(observe(game, state), before, "before it was");
        if (wrong !== undefined) fail(`the evaluator changes the state: ${wrong}`);
      });
    },
  },
];

/** Finds faults of an evaluator of a game by random play; the list is empty if there is none. */
export function checkEvaluator(
  game: Game,
  evaluator: Evaluator,
  options: TrialOptions = {},
): readonly Finding[] {
  return runEvaluatorChecks(game, evaluator, options).findings;
}

/** Does what `checkEvaluator` does, and tells how much was checked. */
export function runEvaluatorChecks(game: Game, evaluator: Evaluator, options: TrialOptions): CheckResult {
  const trial = new EvaluatorTrial(game, evaluator, options);
  const findings = runChecks(evaluatorChecks, trial);
  return {
    checks: evaluatorChecks.map(({ name }) => name),
    games: trial.gamesPlayed,
    positions: trial.positionsVisited,
    findings,
  };
}

/**
 * Calls `fail` unless the values of all players are strictly inside the game's range; `name` is that of the evaluator.
 */
export function checkRange(game: Game, state: State, evaluator: Evaluator, name: string): void {
  for (const [player, value] of valuesOf(game, state, evaluator).entries()) {
    // Written so that NaN and undefined fail.
    if (!(value > game.minReturn && value < game.maxReturn))
      fail(
        `${name} gives player ${player} ${text(value)}; ` +
          `allowed is more than ${game.minReturn} and less than ${game.maxReturn}`,
      );
  }
}

/** Calls `fail` unless the values of the two players of a duel negate; `name` is that of the evaluator. */
export function checkNegation(game: Game, state: State, evaluator: Evaluator, name: string): void {
  if (!isDuel(game)) return;
  const [first, second] = valuesOf(game, state, evaluator);
  if (first! + second! !== 0)
    fail(`${name} gives player 0 ${text(first)} and player 1 ${text(second)}, which do not sum to 0`);
}

/** The most plies that `atMost` is asked about. */
const PLIES_AHEAD = 4;

/** Asks at each position for a bound, and compares it with the positions that follow in the game. */
function checkAtMost(trial: EvaluatorTrial): void {
  const { game, evaluator } = trial;
  if (evaluator.atMost === undefined) return;
  let bounds: { readonly ply: number; readonly byPlies: number[][] }[] = [];
  let ply = 0;
  let before = 0;
  trial.forEachPosition("at-most", 1 / 3, (state) => {
    const played = trial.actions().length;
    if (played === 0) {
      bounds = [];
      ply = 0;
    } else if (before >= 0) ply++;
    before = state.toMove;
    bounds = bounds.filter((bound) => ply - bound.ply <= PLIES_AHEAD);
    const players = Array.from({ length: game.players }, (_, player) => player);
    const ask = (plies: number) => players.map((player) => evaluator.atMost!(state, player, plies));
    bounds.push({ ply, byPlies: Array.from({ length: PLIES_AHEAD + 1 }, (_, plies) => ask(plies)) });
    for (const bound of bounds) {
      for (const player of players) {
        const value = isOver(state) ? state.returns(player) : evaluator.evaluate(state, player);
        for (let plies = ply - bound.ply; plies <= PLIES_AHEAD; plies++) {
          const most = bound.byPlies[plies]![player]!;
          // Written so that NaN fails.
          if (!(value <= most)) {
            const ago = ply - bound.ply;
            fail(
              `the value for player ${player} is ${text(value)}; ${ago} plies before, atMost for ${plies} plies was ` +
                text(most),
            );
          }
        }
      }
    }
  });
}

/** Evaluates all positions a second time, as copies and in the opposite order, and compares the values. */
function checkPositionAlone(trial: EvaluatorTrial): void {
  const { game, evaluator } = trial;
  const seen: { state: State; actions: number[]; values: number[] }[] = [];
  trial.forEachEstimate("position-alone", (state) => {
    seen.push({
      state: copyOf(game, state),
      actions: trial.actions(),
      values: valuesOf(game, state, evaluator),
    });
  });
  for (const { state, actions, values } of seen.toReversed()) {
    trial.locate(actions);
    for (const [player, value] of valuesOf(game, state, evaluator).entries()) {
      if (!Object.is(value, values[player]))
        fail(
          `the evaluator gives player ${player} ${text(value)}; ` +
            `when the position was seen first it gave ${text(values[player])}`,
        );
    }
  }
  trial.locate(undefined);
}

function valuesOf(game: Game, state: State, evaluator: Evaluator): number[] {
  return Array.from({ length: game.players }, (_, player) => evaluator.evaluate(state, player));
}
