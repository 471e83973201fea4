import { appendFileSync, readFileSync } from "node:fs";
import { prepareAgent } from "../src/agents/prepare.ts";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom, type Random } from "../src/base/random.ts";
import { parseAgentSpec } from "../src/specs/agents.ts";
import { loadEvaluator } from "../src/specs/evaluators.ts";
import { locateName } from "../src/specs/references.ts";
import { ConnectFourSolver } from "../src/games/connect-four/solver/solver.ts";
import type { ConnectFourState } from "../src/games/connect-four/state.ts";
import { TERMINAL, type Game } from "../src/games/contract/game.ts";
import { createGame } from "../src/games/index.ts";
import { possibleActions } from "../src/games/contract/notation.ts";

/**
 * Connect four: the share of 200 won positions that one ply on an evaluator wins, against perfect play that delays its
 * losses: `npm run bench -- won-positions WEIGHTS [COUNT]`. The positions are those of won-positions.txt, each the
 * columns played; `npm run bench -- won-positions make COUNT` makes them: random play of 4 to 20 plies, kept when the
 * player to move wins, yet not at once. The file has the longest first: the 103 of ten plies and more take half a
 * minute, the shortest, which the perfect player must solve, many minutes. `npm run bench -- won-positions WEIGHTS empty 200`
 * plays games from the empty board, which the first player wins. WEIGHTS may be several files with commas between them. An
 * agent may stand at the end, such as alpha-beta:timeMs=100; without one it is one ply.
 */
const LEAST_PLIES = 4;
const MOST_PLIES = 20;
const SEED = "won positions";
const Z = 1.959964;
const CELLS = 42;
const TABLE_BITS = 26;
/** Replies are kept for positions with fewer stones than this: they take seconds or minutes to solve. */
const KEPT_BELOW = 12;
const REPLIES = new URL("../../bench/solved-replies.txt", import.meta.url);

raiseInliningBudget();
const game = createGame("connect-four") as Game<ConnectFourState>;
const [, , what = "threats", count = "200", games = "200", agent = "greedy"] = process.argv;
if (what === "make") make(Number(count));
else if (count === "empty") measureEmpty(what.split(","), Number(games));
else measure(what, Number(count));

function make(wanted: number): void {
  const random = createRandom(SEED);
  const solver = new ConnectFourSolver(7, 6);
  const actions = new Int32Array(game.maxActions);
  const made = new Set<string>();
  while (made.size < wanted) {
    const state = game.start();
    const plies = LEAST_PLIES + random.below(MOST_PLIES - LEAST_PLIES + 1);
    let moves = "";
    while (state.toMove !== TERMINAL && state.stones < plies) {
      const column = actions[random.below(state.legalActions(actions, 0))];
      moves += column + 1;
      state.apply(column);
    }
    if (state.toMove === TERMINAL || made.has(moves)) continue;
    if (winsAtOnce(state) || solver.isAtMost(state, 0)) continue;
    made.add(moves);
    console.log(moves);
  }
}

function winsAtOnce(state: ConnectFourState): boolean {
  const me = state.toMove;
  return possibleActions(game, state).some((column) => {
    state.apply(column);
    const won = state.winner === me;
    state.undo();
    return won;
  });
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

function measureEmpty(evaluators: readonly string[], wanted: number): void {
  const perfect = solvedPlayer();
  for (const evaluator of evaluators) {
    const player = playerOn(evaluator, agent);
    const returns = Array.from({ length: wanted }, (_, at) =>
      playOut(game.start(), player, perfect, createRandom(SEED, "empty", at)),
    );
    report(`${evaluator}, ${agent}, first from the empty board`, "games", returns);
  }
}

function measure(evaluator: string, wanted: number): void {
  const player = playerOn(evaluator, "greedy");
  const policy = game.policies["perfect"]!.create();
  const perfect: Player = (state, random) => policy.choose(state, random);
  const positions = readFileSync(new URL("../../bench/won-positions.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .slice(0, wanted);
  const returns = positions.map((moves, at) =>
    playOut(game.parseState(moves), player, perfect, createRandom(SEED, at)),
  );
  report(evaluator, "won positions", returns);
}

function report(who: string, what: string, returns: readonly number[]): void {
  const [won, drawn, lost] = [1, 0, -1].map((wanted) => returns.filter((one) => one === wanted).length);
  const [low, high] = wilson(won!, returns.length);
  const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
  console.log(
    `${who}: ${won} of ${returns.length} ${what} won, ${percent(won! / returns.length)} ` +
      `(95% interval ${percent(low)} to ${percent(high)}), ${drawn} drawn, ${lost} lost`,
  );
}

/** Wilson's 95% interval (1927) of a share: `hits` of `trials`. */
function wilson(hits: number, trials: number): [number, number] {
  const share = hits / trials;
  const spread = (Z * Z) / trials;
  const middle = share + spread / 2;
  const reach = Z * Math.sqrt((share * (1 - share)) / trials + spread / (4 * trials));
  return [(middle - reach) / (1 + spread), (middle + reach) / (1 + spread)];
}
