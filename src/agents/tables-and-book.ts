import { z } from "zod";
import type { ForeignBook } from "../games/contract/books.ts";
import { type Game, type State, TERMINAL } from "../games/contract/game.ts";
import {
  endingAtTables,
  type EndgameTables,
  isBetter,
  oneEarlier,
  UNKNOWN,
} from "../games/endgames/endgame-tables.ts";
import { bookActions, type Book } from "../games/endgames/book.ts";
import type { Agent, Decision, Turn, RankedAction } from "./agent.ts";
import { possibleActions } from "../games/contract/notation.ts";

/** Names of files of endgame tables. */
export const TABLES_NAME = /\.agon$/;
/** Names of files of opening books. */
const BOOK_NAME = /\.(?:json|bin)$/;

/** The options of every agent that name its endgame tables and its opening book. */
export const tablesAndBookOptions = z.strictObject({
  tables: z
    .string()
    .regex(TABLES_NAME, "must be a file of tables, which end in .agon")
    .optional()
    .describe(
      "file made by `agon tables`: what is in it is played without an error, and searches know its results",
    ),
  book: z
    .string()
    .regex(BOOK_NAME, "must be an opening book, which ends in .json, or in .bin for one of PolyGlot")
    .optional()
    .describe(
      "file made by `agon book`, or for chess a PolyGlot book: where it has moves, one of them is played, drawn by its weights",
    ),
});
/** The names of these options. */
export const TABLES_AND_BOOK_KEYS: readonly string[] = tablesAndBookOptions.keyof().options;

/** The endgame tables and the opening book of an agent, loaded. */
export interface TablesAndBook {
  readonly tables?: EndgameTables | undefined;
  readonly book?: Book | ForeignBook | undefined;
}

/** Returns the game as the agent's search sees it: it ends where endgame tables know the result. */
export function gameWith(game: Game, { tables }: TablesAndBook): Game {
  return tables === undefined ? game : endingAtTables(game, tables);
}

/**
 * Returns an agent that plays by the book, else by the endgame tables, else as `agent` decides.
 * @param ending the game as `gameWith` made it
 */
export function agentWith(agent: Agent, game: Game, ending: Game, { tables, book }: TablesAndBook): Agent {
  if (tables === undefined && book === undefined) return agent;
  return {
    choose(root, turn) {
      const decision =
        (book && decideByBook(game, book, root, turn)) ??
        (tables && decideByTables(game, tables, root, turn));
      if (decision !== undefined) return decision;
      const view = ending.start();
      view.copyFrom(root);
      return agent.choose(view, turn);
    },
    isHosted: agent.isHosted ?? false,
    newGame: (begun) => agent.newGame?.(begun),
    endGame: (returns, actions, from) => agent.endGame?.(returns, actions, from),
    close: () => agent.close?.(),
  };
}

/**
 * Draws a move of the book by the weights; undefined where the book has none. The same generator draws the same move.
 */
function decideByBook(
  game: Game,
  book: Book | ForeignBook,
  state: State,
  { random }: Turn,
): Decision | undefined {
  const moves = bookActions(game, book, state);
  if (moves.length === 0) return undefined;
  const sum = moves.reduce((all, { weight }) => all + weight, 0);
  const odds = Float64Array.from(moves, ({ weight }) => weight / sum);
  const { action } = moves[random.weighted(odds, 0, moves.length)]!;
  return { action, nodes: 0, line: [action] };
}

/** An action with its distance, counted from the position before it. */
interface KnownAction {
  readonly action: number;
  readonly distance: number;
}

/**
 * Decides by endgame tables for the action that wins soonest, else keeps the draw, else loses latest; for a random one
 * of several. Undefined where the tables do not know the position, or no position that follows.
 */
function decideByTables(game: Game, tables: EndgameTables, root: State, turn: Turn): Decision | undefined {
  const distance = tables.probe(root);
  if (distance === UNKNOWN) return undefined;
  const state = game.start();
  state.copyFrom(root);
  const known = knownActions(game, tables, state);
  const best = known.filter((action) => action.distance === distance);
  if (best.length === 0) return undefined;
  const { action } = best[turn.random.below(best.length)]!;
  const line = lineFrom(game, tables, state, action);
  const decision = {
    action,
    value: valueOf(game, distance),
    depth: line.length,
    nodes: known.length,
    line,
  };
  return turn.ranked === undefined || turn.ranked === 0
    ? decision
    : { ...decision, ranking: rank(game, known, { action, line }, turn.ranked) };
}

/** Returns the actions whose results the tables know, and leaves the state as it was. */
function knownActions(game: Game, tables: EndgameTables, state: State): KnownAction[] {
  const me = state.toMove;
  const middle = (game.maxReturn + game.minReturn) / 2;
  const known: KnownAction[] = [];
  for (const action of possibleActions(game, state)) {
    state.apply(action);
    const isOver = state.toMove === TERMINAL;
    const after = isOver ? Math.sign(state.returns(me) - middle) : tables.probe(state);
    const distance = isOver || after === UNKNOWN ? after : oneEarlier(after, state.toMove === me);
    state.undo();
    if (distance !== UNKNOWN) known.push({ action, distance });
  }
  return known;
}

/** Returns the play that the tables expect to the end of the game; for a draw, the action alone. */
function lineFrom(game: Game, tables: EndgameTables, state: State, action: number): number[] {
  const line = [action];
  state.apply(action);
  while (state.toMove !== TERMINAL) {
    const distance = tables.probe(state);
    const next =
      distance === UNKNOWN || distance === 0
        ? undefined
        : knownActions(game, tables, state).find((known) => known.distance === distance);
    if (next === undefined) break;
    line.push(next.action);
    state.apply(next.action);
  }
  for (let taken = 0; taken < line.length; taken++) state.undo();
  return line;
}

function rank(
  game: Game,
  known: readonly KnownAction[],
  chosen: { readonly action: number; readonly line: readonly number[] },
  count: number,
): RankedAction[] {
  return known
    .toSorted((one, other) =>
      one.action === chosen.action || isBetter(one.distance, other.distance)
        ? -1
        : other.action === chosen.action || isBetter(other.distance, one.distance)
          ? 1
          : 0,
    )
    .slice(0, count)
    .map(({ action, distance }) => ({
      action,
      value: valueOf(game, distance),
      line: action === chosen.action ? chosen.line : [action],
    }));
}

/** Returns the return of the player to move that a distance stands for. */
function valueOf({ maxReturn, minReturn }: Game, distance: number): number {
  return distance > 0 ? maxReturn : distance < 0 ? minReturn : (maxReturn + minReturn) / 2;
}
