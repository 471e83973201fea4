import { TERMINAL, type Game, type State } from "../game/game.ts";
import { possibleActions } from "../game/notation.ts";
import type { Tables } from "../endgames/tables.ts";
import { isBetter, oneEarlier, UNKNOWN } from "../endgames/verdict.ts";
import type { Decision, RankedAction, Turn } from "./agent.ts";

/** An action, and the verdict of the position that it is taken in if it is taken. */
interface KnownAction {
  readonly action: number;
  readonly verdict: number;
}

/**
 * The decision that tables make: the action that wins soonest, else keeps the draw, else loses latest. Of several it is
 * a random one. Undefined where the tables do not know the position, or not what follows.
 */
export function decideByTables(game: Game, tables: Tables, root: State, turn: Turn): Decision | undefined {
  const verdict = tables.probe(root);
  if (verdict === UNKNOWN) return undefined;
  const state = game.start();
  state.copyFrom(root);
  const known = knownActions(game, tables, state);
  const best = known.filter((action) => action.verdict === verdict);
  if (best.length === 0) return undefined;
  const { action } = best[turn.random.below(best.length)]!;
  const line = lineFrom(game, tables, state, action);
  const decision = {
    action,
    value: valueOf(game, verdict),
    depth: line.length,
    nodes: known.length,
    line,
  };
  return turn.ranked === undefined || turn.ranked === 0
    ? decision
    : { ...decision, ranking: rank(game, known, { action, line }, turn.ranked) };
}

/** The actions whose results the tables know; the state is left as it was. */
function knownActions(game: Game, tables: Tables, state: State): KnownAction[] {
  const me = state.toMove;
  const middle = (game.maxReturn + game.minReturn) / 2;
  const known: KnownAction[] = [];
  for (const action of possibleActions(game, state)) {
    state.apply(action);
    const isOver = state.toMove === TERMINAL;
    const after = isOver ? Math.sign(state.returns(me) - middle) : tables.probe(state);
    const verdict = isOver || after === UNKNOWN ? after : oneEarlier(after, state.toMove === me);
    state.undo();
    if (verdict !== UNKNOWN) known.push({ action, verdict });
  }
  return known;
}

/** The play that the tables expect, to the end of the game; where it is a draw, the action alone. */
function lineFrom(game: Game, tables: Tables, state: State, action: number): number[] {
  const line = [action];
  state.apply(action);
  while (state.toMove !== TERMINAL) {
    const verdict = tables.probe(state);
    const next =
      verdict === UNKNOWN || verdict === 0
        ? undefined
        : knownActions(game, tables, state).find((known) => known.verdict === verdict);
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
      one.action === chosen.action || isBetter(one.verdict, other.verdict)
        ? -1
        : other.action === chosen.action || isBetter(other.verdict, one.verdict)
          ? 1
          : 0,
    )
    .slice(0, count)
    .map(({ action, verdict }) => ({
      action,
      value: valueOf(game, verdict),
      line: action === chosen.action ? chosen.line : [action],
    }));
}

/** A verdict as a return of the player to move. */
function valueOf({ maxReturn, minReturn }: Game, verdict: number): number {
  return verdict > 0 ? maxReturn : verdict < 0 ? minReturn : (maxReturn + minReturn) / 2;
}
