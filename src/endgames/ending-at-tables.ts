import { InputError } from "../base/errors.ts";
import { TERMINAL, varyGame, type Game, type State } from "../game/game.ts";
import type { Tables } from "./tables.ts";
import { UNKNOWN } from "./verdict.ts";

/** A state that may have ended because its result is known. */
interface EndingState extends State {
  toMove: number;
  /** The verdict for `decider`, if the game has ended because of it; else UNKNOWN. */
  verdict: number;
  /** Who was to move where the verdict was found. */
  decider: number;
}

/**
 * The game as it is, but over as soon as an action reaches a position whose result the tables know: then `toMove` is
 * TERMINAL, and `returns` is the result. So every search that knows the end of a game uses tables, at no cost for those
 * without them. What `copyFrom` makes is looked up only after the next action, so that a search can begin there.
 * Throws InputError for a game whose states keep `toMove`, or have `apply`, in a way that this cannot work on.
 */
export function endingAtTables(game: Game, tables: Tables): Game {
  const first = game.start();
  if (Object.hasOwn(first, "apply") || Object.getOwnPropertyDescriptor(first, "toMove")?.writable !== true)
    throw new InputError(
      `${game.id} cannot be played with tables: its states must be objects of a class, with toMove as a property`,
    );
  const prototype = endingPrototype(game, Object.getPrototypeOf(first) as State, tables);
  const start = (): State => {
    const state = Object.setPrototypeOf(game.start(), prototype) as EndingState;
    state.verdict = UNKNOWN;
    state.decider = 0;
    return state;
  };
  const describeEnding = (state: State) =>
    ((state as EndingState).verdict ?? UNKNOWN) === UNKNOWN
      ? game.describeEnding?.(state)
      : "known from a table";
  return varyGame(game, { start, describeEnding });
}

/** The methods of the game's states, with the tables. */
function endingPrototype({ maxReturn, minReturn }: Game, plain: State, tables: Tables): object {
  const middle = (maxReturn + minReturn) / 2;
  // oxlint-disable-next-line typescript/unbound-method -- each is called with its state
  const { apply, undo, returns, copyFrom } = plain;
  return Object.assign(Object.create(plain) as object, {
    apply(this: EndingState, action: number): void {
      apply.call(this, action);
      if (this.toMove < 0) return;
      const verdict = tables.probe(this);
      if (verdict === UNKNOWN) return;
      this.verdict = verdict;
      this.decider = this.toMove;
      this.toMove = TERMINAL;
    },
    undo(this: EndingState): void {
      if (this.verdict !== UNKNOWN) {
        this.verdict = UNKNOWN;
        this.toMove = this.decider;
      }
      undo.call(this);
    },
    returns(this: EndingState, player: number): number {
      const { verdict } = this;
      if (verdict === UNKNOWN) return returns.call(this, player);
      if (verdict === 0) return middle;
      return verdict > 0 === (player === this.decider) ? maxReturn : minReturn;
    },
    copyFrom(this: EndingState, other: EndingState): void {
      copyFrom.call(this, other);
      this.verdict = other.verdict ?? UNKNOWN;
      this.decider = other.decider ?? 0;
    },
  });
}
