import { appendFileSync, readFileSync } from "node:fs";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom, type Random } from "../src/base/random.ts";
import { formatPercent } from "../src/base/text.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { locateName } from "../src/specs/references.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../src/games/connect-four/state.ts";
import { TERMINAL, type Game } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { wilsonInterval } from "../src/ratings/positions.ts";

/**
 * Connect four: the games that an agent wins from the empty board, which the first player wins, against perfect play that
 * delays its losses: `npm run bench -- perfect-play WEIGHTS [GAMES [AGENT]]`. WEIGHTS may be several files with commas
 * between them; AGENT is such as alpha-beta:timeMs=100, and one ply without it.
 */
const SEED = "won positions";
const CELLS = 42;
const TABLE_BITS = 26;
/** Replies are kept for positions with fewer stones than this: they take seconds or minutes to solve. */
const KEPT_BELOW = 12;
const REPLIES = new URL("../../bench/solved-replies.txt", import.meta.url);

raiseInliningBudget();
const game = createGame("connect-four") as Game<ConnectFourState>;
const [, , evaluators = "threats", games = "200", agent = "greedy"] = process.argv;
const perfect = solvedPlayer();
for (const evaluator of evaluators.split(",")) {
  const player = playerOn(evaluator, agent);
  const returns = Array.from({ length: Number(games) }, (_, at) =>
    playOut(game.start(), player, perfect, createRandom(SEED, "empty", at)),
  );
  const [won, drawn, lost] = [1, 0, -1].map((wanted) => returns.filter((one) => one === wanted).length);
  const [low, high] = wilsonInterval(won!, returns.length).map((share) => formatPercent(share));
  console.log(
    `${evaluator}, ${agent}: ${won} of ${returns.length} games won, ${formatPercent(won! / returns.length)}% ` +
      `(95% interval ${low}% to ${high}%), ${drawn} drawn, ${lost} lost`,
  );
}

/** A player: its action in a position. */
type Player = (state: ConnectFourState, random: Random) => number;

/** An agent on an evaluator. */
function playerOn(evaluator: string, spec: string): Player {
  const name = locateName("evaluator", evaluator, ".");
  const prepared = prepareAgent(game, { ...parseAgentSpec(spec), evaluator: name }, { loadEvaluator });
  const agent = prepared.create();
  return (state, random) => {
    const decision = agent.choose(state, { random, budget: prepared.budget, clock: () => performance.now() });
    if (decision instanceof Promise) throw new Error("agents of agon decide at once");
    return decision.action;
  };
}

/**
 * Draws among the replies with the best score: the fastest win, the slowest loss. A position is solved once. A line of
 * solved-replies.txt is a position with few stones and its best columns.
 */
function solvedPlayer(): Player {
  const solver = new ConnectFourSolver(7, 6, TABLE_BITS);
  const kept = readFileSync(REPLIES, "utf8").trim().split("\n");
  const known = new Map(
    kept.map((line) => {
      const [text = "", columns = ""] = line.split(" ");
      return [text, Array.from(columns, (column) => Number(column) - 1)];
    }),
  );
  const repliesOf = (state: ConnectFourState): number[] => {
    const scores = [...possibleActions(game, state)].map((column) => {
      const me = state.toMove;
      state.apply(column);
      // As the solver's scores: the stones that the winner has left, and one more.
      const left = CELLS + 2 - state.stones;
      const score =
        state.toMove === TERMINAL ? Math.sign(state.returns(me)) * (left >> 1) : 0 - solver.solve(state);
      state.undo();
      return { column, score };
    });
    const best = Math.max(...scores.map(({ score }) => score));
    return scores.filter(({ score }) => score === best).map(({ column }) => column);
  };
  return (state, random) => {
    const text = game.formatState(state);
    let replies = known.get(text);
    if (replies === undefined) {
      replies = repliesOf(state);
      known.set(text, replies);
      if (state.stones < KEPT_BELOW)
        appendFileSync(REPLIES, `${text} ${replies.map((column) => column + 1).join("")}\n`);
    }
    return replies[random.below(replies.length)]!;
  };
}

/** Plays on from `state`; returns the final return of the player to move, whom `player` plays. */
function playOut(state: ConnectFourState, player: Player, perfect: Player, random: Random): number {
  const me = state.toMove;
  while (state.toMove !== TERMINAL) state.apply((state.toMove === me ? player : perfect)(state, random));
  return state.returns(me);
}
