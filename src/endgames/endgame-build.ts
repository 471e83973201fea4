import { InputError } from "../base/errors.ts";
import { TERMINAL, type EndgameClass, type Endgames, type Game, type State } from "../game/game.ts";
import { PositionGraph } from "./position-graph.ts";
import { solve } from "./retrograde.ts";
import { EndgameTables, type ClassTable } from "./tables.ts";
import { oneEarlier, UNKNOWN } from "./verdict.ts";

/** So many positions of a class at most: their verdicts take two bytes each, and their edges ten times as much. */
const MOST_NUMBERS = 2 ** 28;
/** How many positions pass between two reports of progress. */
const REPORT_EVERY = 2 ** 14;

/** The endgames of a game that has some; throws InputError for one that has not. */
export function endgamesOf(game: Game): Endgames {
  if (game.endgames !== undefined) return game.endgames;
  throw new InputError(`${game.id} numbers no endgames, so its tables cannot be made class by class`);
}

/**
 * The classes named and all that they lead to, each after those that it leads to. Throws InputError for a name that is
 * no class, and for a class that is too large.
 */
export function classesFor(endgames: Endgames, names: readonly string[]): EndgameClass[] {
  const classes = new Map<string, EndgameClass>();
  const add = (given: string) => {
    const found = endgames.classNamed(given);
    if (classes.has(found.name)) return;
    if (found.size > MOST_NUMBERS)
      throw new InputError(`${found.name} has ${found.size} numbers; at most ${MOST_NUMBERS} can be solved`);
    for (const other of found.leadsTo) add(other);
    classes.set(found.name, found);
  };
  for (const name of names) add(name);
  return [...classes.values()];
}

/**
 * Makes the table of a class by retrograde analysis; `known` must hold those that it leads to. Yields how much is done,
 * from 0 to 1.
 */
export function* buildClass(
  game: Game,
  of: EndgameClass,
  known: EndgameTables,
): Generator<number, ClassTable> {
  const endgames = endgamesOf(game);
  const graph = new PositionGraph(of.size);
  const state = endgames.createState();
  const actions = new Int32Array(game.maxActions);
  for (let index = 0; index < of.size; index++) {
    if (index % REPORT_EVERY === 0) yield index / of.size;
    if (!of.place(state, index) || state.toMove === TERMINAL) continue;
    graph.begin(index);
    const me = state.toMove;
    const count = state.legalActions(actions, 0);
    for (let at = 0; at < count; at++) {
      state.apply(actions[at]);
      tell(state, me);
      state.undo();
    }
  }
  /** Tells the graph where an action of player `me` has led. */
  function tell(after: State, me: number): void {
    if (after.toMove === TERMINAL) {
      graph.know(Math.sign(after.returns(me)));
    } else if (endgames.keyOf(after) === of.key) {
      graph.lead(of.indexOf(after), after.toMove === me);
    } else {
      const verdict = known.probe(after);
      if (verdict === UNKNOWN)
        throw new Error(`${of.name} leads to ${game.formatState(after)}, which no table has`);
      graph.know(oneEarlier(verdict, after.toMove === me));
    }
  }
  return { of, verdicts: solve(graph, of.size) };
}
