import fc from "fast-check";
import type { Decision } from "../../src/agents/agent.ts";
import { TERMINAL, type Evaluator, type Game, type State } from "../../src/games/contract/game.ts";
import { possibleActions } from "../../src/games/contract/notation.ts";
import type { TreeNode } from "../../src/games/tree/schema.ts";
import { decide } from "./play.ts";
import { createTree, randomTree } from "./random-trees.ts";

/** The result of a search to a depth for the player to move: the first of the best actions, and its value. */
interface Found {
  readonly action: number;
  readonly value: number;
}

/** A search without pruning, to `depth` plies: the twin of an agent with `deepening=false,ties=first`. */
export type Reference = (game: Game, state: State, depth: number) => Found;

/** Everybody but the player to move takes what is worst for it. */
export const allAgainstMe: Reference = (game, state, depth) => {
  const me = state.toMove;
  const value = (left: number): number => {
    const known = leaf(game, state, left, me);
    if (known !== undefined) return known;
    const values = after(state, possibleActions(game, state), () => value(left - 1));
    return state.toMove === me ? Math.max(...values) : Math.min(...values);
  };
  return firstOfBest(game, state, () => value(depth - 1));
};

/**
 * The worst value for me over the opponents who may act in a round, which begins with my ply: one opponent takes the
 * action that is worst for me, and the others make the move that looks best to themselves.
 */
export const oneAgainstMe: Reference = (game, state, depth) => {
  const me = state.toMove;
  const opponents = Array.from({ length: game.players }, (_, player) => player).filter((one) => one !== me);
  const round = (left: number): number => Math.min(...opponents.map((actor) => value(left, actor)));
  const value = (left: number, actor: number): number => {
    const known = leaf(game, state, left, me);
    if (known !== undefined) return known;
    const actions = possibleActions(game, state);
    if (state.toMove === me) return Math.max(...after(state, actions, () => round(left - 1)));
    const open = state.toMove === actor ? actions : [usualMove(game, state)];
    return Math.min(...after(state, open, () => value(left - 1, actor)));
  };
  return firstOfBest(game, state, () => round(depth - 1));
};

function usualMove(game: Game, state: State): number {
  const mover = state.toMove;
  const actions = possibleActions(game, state);
  const worths = after(state, actions, () => leaf(game, state, 0, mover)!);
  return actions[worths.indexOf(Math.max(...worths))]!;
}

/** Value for `me` where nothing more is searched; undefined elsewhere. */
function leaf(game: Game, state: State, left: number, me: number): number | undefined {
  if (state.toMove === TERMINAL) return state.returns(me);
  return left === 0 ? evaluatorOf(game).evaluate(state, me) : undefined;
}

/** The results of `look` after each action. */
function after(state: State, actions: ArrayLike<number>, look: () => number): number[] {
  return Array.from(actions, (action) => {
    state.apply(action);
    const seen = look();
    state.undo();
    return seen;
  });
}

function firstOfBest(game: Game, state: State, look: () => number): Found {
  const actions = possibleActions(game, state);
  const values = after(state, actions, look);
  const value = Math.max(...values);
  return { action: actions[values.indexOf(value)]!, value };
}

/** The heuristic that a game lists first. */
function evaluatorOf({ heuristics }: Game): Evaluator {
  return Object.values(heuristics)[0]!;
}

/** The value at the end of a decision's line, for the player who decides. */
export function valueAtEnd(game: Game, { line }: Decision): number {
  const state = game.start();
  const me = state.toMove;
  for (const action of line) state.apply(action);
  return leaf(game, state, 0, me)!;
}

/** Trees of three or four players with estimates, and a depth that may end before they do. */
export const searches: fc.Arbitrary<{ readonly game: Game; readonly depth: number }> = fc
  .constantFrom(3, 4)
  .chain((players) =>
    fc.record({
      game: randomTree({ players, levels: 6 }).map((root) => createTree(root, players)),
      depth: fc.integer({ min: 1, max: 7 }),
    }),
  );

/**
 * Three players. `trusting` is best if both others do what is best for themselves, `careful` if one of
 * them turns against player 0, `safe` if both do. Player 0 gets, by whether player 1 and player 2 are
 * kind: trusting 9, else 1; careful 6, 5 if one is unkind, 0 if both are; safe 3. To be kind pays 1.
 */
export const threeViews: Game = createTree(
  {
    player: 0,
    actions: {
      trusting: round([9, 1, 1, 1]),
      careful: round([6, 5, 5, 0]),
      safe: round([3, 3, 3, 3]),
    },
  },
  3,
);

/** Players 1 and 2 are kind or unkind; `mine` is what player 0 gets: both kind, only 1, only 2, neither. */
function round(mine: readonly [number, number, number, number]): TreeNode {
  const last = (first: number, ifKind: number, ifUnkind: number): TreeNode => ({
    player: 2,
    value: [0, first, 0],
    actions: { kind: [ifKind, first, 1], unkind: [ifUnkind, first, 0] },
  });
  return {
    player: 1,
    actions: { kind: last(1, mine[0], mine[1]), unkind: last(0, mine[2], mine[3]) },
  };
}

/** The name of what is chosen at the root of `threeViews`, and its value. */
export function chooseOfThree(agent: string): readonly [string, number | undefined] {
  const { action, value } = decide(threeViews, `${agent}:evaluator=value,depth=3`);
  return [threeViews.formatAction(action, threeViews.start()), value];
}
