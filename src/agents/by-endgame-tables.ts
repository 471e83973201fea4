import { TERMINAL, type Game, type State } from "../games/contract/game.ts";
import { possibleActions } from "../games/contract/notation.ts";
import type { EndgameTables } from "../games/endgames/endgame-tables.ts";
import { isBetter, oneEarlier, UNKNOWN } from "../games/endgames/distance.ts";
import type { Decision, RankedAction, Turn } from "./agent.ts";

/** An action with its distance, counted from the position before it. */
interface KnownAction {
  readonly action: number;
  readonly distance: number;
}

/**
 * Decides by endgame tables for the action that wins soonest, else keeps the draw, else loses latest; for a random one
 * of several. Undefined where the tables do not know the position, or no position that follows.
 */
export function decideByTables(
  game: Game,
  tables: EndgameTables,
  root: State,
  turn: Turn,
): Decision | undefined {
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
