import { InputError } from "../../base/errors.ts";
import { varyGame, type Game } from "./game.ts";
import type { State } from "./rules.ts";

/** A state that may wait for the choice of a position. */
interface SetUpState extends State {
  toMove: number;
  /** The digits of the position's number that are still to be chosen; 0 in play. */
  open: number;
  /** The number that the digits chosen so far make. */
  chosen: number;
}

/**
 * The same game, but before it the first player chooses one of the positions, by the digits of its number. Openings make this
 * choice; agents decide after it, and it is not taken back. So stores, replays and checks need to know nothing of positions:
 * a game is a line of actions as any other. Throws InputError for a position that cannot be read, and for a game whose states
 * have methods of their own.
 *
 * @param setups positions in the game's notation
 */
export function withSetups(game: Game, setups: readonly string[]): Game {
  if (game.hiddenInformation)
    throw new InputError(`${game.id} has hidden information: its games cannot begin at positions yet`);
  const first = game.start();
  if (Object.hasOwn(first, "apply") || Object.getOwnPropertyDescriptor(first, "toMove")?.writable !== true)
    throw new InputError(
      `${game.id} cannot begin at positions: its states must be objects of a class, with toMove as a property`,
    );
  const base = baseOf(game);
  const digits = setupOf(game, setups.length, 0).length;
  const prototype = setUpPrototype(Object.getPrototypeOf(first) as State, {
    positions: setups.map((text) => game.parseState(text)),
    base,
  });
  const make = (state: State, open: number): SetUpState =>
    Object.assign(Object.setPrototypeOf(state, prototype) as SetUpState, {
      ...(open > 0 && { toMove: 0 }),
      open,
      chosen: 0,
    });
  const textOf = (action: number, { open, chosen }: SetUpState) =>
    open > 1 ? `${action}...` : setups[chosen * base + action]!;
  return varyGame(game, {
    setups,
    maxPlies: game.maxPlies + digits,
    start: () => make(game.start(), digits),
    parseState: (text) => make(game.parseState(text), 0),
    formatAction: (action, state) =>
      (state as SetUpState).open > 0 ? textOf(action, state as SetUpState) : game.formatAction(action, state),
    parseAction(text, state) {
      if (!((state as SetUpState).open > 0)) return game.parseAction(text, state);
      const actions = new Int32Array(base);
      const legal = actions.subarray(0, state.legalActions(actions, 0));
      const found = legal.find((action) => textOf(action, state as SetUpState) === text);
      if (found === undefined) throw new InputError(`"${text}" is none of the positions that games begin at`);
      return found;
    },
  });
}

/** The actions that choose position `number` of `count`. */
export function setupOf(game: Game, count: number, number: number): number[] {
  const base = baseOf(game);
  const digits: number[] = [];
  for (let [least, left] = [1, number]; least < count || digits.length === 0; least *= base) {
    digits.unshift(left % base);
    left = Math.floor(left / base);
  }
  return digits;
}

/** The actions before the first ply of a game: those that choose its position. */
export function choicesBefore(game: Game): number {
  return game.setups === undefined ? 0 : setupOf(game, game.setups.length, 0).length;
}

/** True if the position that the game begins at is still to be chosen. */
export function choosesSetup(state: State & { readonly open?: number }): boolean {
  return (state.open ?? 0) > 0;
}

/** A played line as the position that it chose, and the actions after it; without `from` in a game without setups. */
export function fromSetup(
  game: Game,
  line: readonly number[],
): { readonly from?: string; readonly actions: readonly number[] } {
  const { setups } = game;
  if (setups === undefined) return { actions: [...line] };
  const digits = choicesBefore(game);
  const number = line.slice(0, digits).reduce((sum, digit) => sum * baseOf(game) + digit, 0);
  return { from: setups[number]!, actions: line.slice(digits) };
}

/** No position has more actions, so that nobody needs more room for those of the choice. */
function baseOf({ maxActions }: Game): number {
  return Math.max(2, maxActions);
}

function setUpPrototype(
  plain: State,
  { positions, base }: { readonly positions: readonly State[]; readonly base: number },
): object {
  // oxlint-disable-next-line typescript/unbound-method -- each is called with its state
  const { apply, legalActions, copyFrom } = plain;
  return Object.assign(Object.create(plain) as object, {
    legalActions(this: SetUpState, out: Int32Array, at: number): number {
      if (this.open === 0) return legalActions.call(this, out, at);
      // The numbers that begin with these digits.
      const rest = base ** (this.open - 1);
      const count = Math.min(base, Math.ceil(positions.length / rest) - this.chosen * base);
      for (let action = 0; action < count; action++) out[at + action] = action;
      return count;
    },
    apply(this: SetUpState, action: number): void {
      if (this.open === 0) return apply.call(this, action);
      const chosen = this.chosen * base + action;
      if (this.open > 1) {
        this.open--;
        this.chosen = chosen;
      } else this.copyFrom(positions[chosen] as SetUpState);
    },
    copyFrom(this: SetUpState, other: Partial<SetUpState> & State): void {
      copyFrom.call(this, other);
      this.open = other.open ?? 0;
      this.chosen = other.chosen ?? 0;
    },
  });
}
