import { InputError } from "../../base/errors.ts";
import { TERMINAL, type EndgameClass, type Endgames, type Game, type State } from "../contract/game.ts";
import { PositionGraph } from "./position-graph.ts";
import { solve } from "./retrograde.ts";
import { ClassTables, type ClassTable } from "./endgame-tables.ts";
import { oneEarlier, UNKNOWN } from "./distance.ts";

/** The most positions of a class: a distance takes two bytes, and the edges of a position ten times as much. */
const MOST_NUMBERS = 2 ** 28;
/** Progress is reported after this many positions. */
const REPORT_EVERY = 2 ** 14;

/** Returns the facet `endgames` of a game; throws InputError if the game has none. */
export function endgamesOf(game: Game): Endgames {
  if (game.endgames !== undefined) return game.endgames;
  throw new InputError(`${game.id} numbers no endgames, so its tables cannot be made class by class`);
}

/**
 * Returns the named classes and all that they lead to, each after the classes that it leads to. Throws InputError for a
 * name that is no class, and for a class that is too large.
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
 * Makes the endgame table of a class by retrograde analysis. `known` must hold the tables of the classes that it leads
 * to. Yields the share that is done, 0..1.
 */
export function* buildClass(game: Game, of: EndgameClass, known: ClassTables): Generator<number, ClassTable> {
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
      add(state, me);
      state.undo();
    }
  }
  /** Adds an action of player `me`, which has led to the state `after`, to the graph. */
  function add(after: State, me: number): void {
    if (after.toMove === TERMINAL) {
      graph.know(Math.sign(after.returns(me)));
    } else if (endgames.keyOf(after) === of.key) {
      graph.lead(of.indexOf(after), after.toMove === me);
    } else {
      const distance = known.probe(after);
      if (distance === UNKNOWN)
        throw new Error(`${of.name} leads to ${game.formatState(after)}, which no table has`);
      graph.know(oneEarlier(distance, after.toMove === me));
    }
  }
  return { of, distances: solve(graph, of.size) };
}
