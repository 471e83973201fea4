import { InputError } from "../../base/errors.ts";
import { TERMINAL, varyGame, type Game, type State } from "../contract/game.ts";
import type { EndgameTables } from "./endgame-tables.ts";
import { UNKNOWN } from "./distance.ts";

/** A state whose game may have ended because the tables know its result. */
interface EndingState extends State {
  toMove: number;
  /** The distance for `decider` if the tables ended the game; otherwise UNKNOWN. */
  distance: number;
  /** The player to move in the position that the tables know. */
  decider: number;
}

/**
 * Returns the same game, but over as soon as an action reaches a position that endgame tables know: then `toMove` is
 * TERMINAL, and `returns` is the result. So every search uses the tables, and a search without them pays nothing. A
 * position made by `copyFrom` is not looked up, so that a search can begin in it. Throws InputError for a game whose
 * states have their own `apply`, or a `toMove` that cannot be written.
 */
export function endingAtTables(game: Game, tables: EndgameTables): Game {
  const first = game.start();
  if (Object.hasOwn(first, "apply") || Object.getOwnPropertyDescriptor(first, "toMove")?.writable !== true)
    throw new InputError(
      `${game.id} cannot be played with tables: its states must be objects of a class, with toMove as a property`,
    );
  const prototype = endingPrototype(game, Object.getPrototypeOf(first) as State, tables);
  const start = (): State => {
    const state = Object.setPrototypeOf(game.start(), prototype) as EndingState;
    state.distance = UNKNOWN;
    state.decider = 0;
    return state;
  };
  const describeEnding = (state: State) =>
    ((state as EndingState).distance ?? UNKNOWN) === UNKNOWN
      ? game.describeEnding?.(state)
      : "known from a table";
  return varyGame(game, { start, describeEnding });
}

/** Returns a prototype for the states of the game, whose methods look into the tables. */
function endingPrototype({ maxReturn, minReturn }: Game, plain: State, tables: EndgameTables): object {
  const middle = (maxReturn + minReturn) / 2;
  // oxlint-disable-next-line typescript/unbound-method -- each is called with its state
  const { apply, undo, returns, copyFrom } = plain;
  return Object.assign(Object.create(plain) as object, {
    apply(this: EndingState, action: number): void {
      apply.call(this, action);
      if (this.toMove < 0) return;
      const distance = tables.probe(this);
      if (distance === UNKNOWN) return;
      this.distance = distance;
      this.decider = this.toMove;
      this.toMove = TERMINAL;
    },
    undo(this: EndingState): void {
      if (this.distance !== UNKNOWN) {
        this.distance = UNKNOWN;
        this.toMove = this.decider;
      }
      undo.call(this);
    },
    returns(this: EndingState, player: number): number {
      const { distance } = this;
      if (distance === UNKNOWN) return returns.call(this, player);
      if (distance === 0) return middle;
      return distance > 0 === (player === this.decider) ? maxReturn : minReturn;
    },
    copyFrom(this: EndingState, other: EndingState): void {
      copyFrom.call(this, other);
      this.distance = other.distance ?? UNKNOWN;
      this.decider = other.decider ?? 0;
    },
  });
}
