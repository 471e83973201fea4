import { InputError } from "../../base/errors.ts";
import { finish, step } from "../../base/hashing.ts";
import { parseLegal } from "../contract/notation.ts";
import { CHANCE, type Rules, type State } from "../contract/rules.ts";
import { type Paint, type Picture, PLAYER_PAINTS } from "../contract/picture.ts";
import { toPicture } from "../contract/simple-picture.ts";

/**
 * A position that is the sequence of its actions since the start, chance outcomes included, as in games of hidden
 * information. Subclasses keep what follows from the history.
 */
export abstract class HistoryState implements State {
  toMove: number = CHANCE;
  /** The actions and outcomes since the start; the first `events` of them hold. */
  readonly history: Int32Array;
  events = 0;
  private readonly lows: Int32Array;
  private readonly highs: Int32Array;

  constructor(maxEvents: number) {
    this.history = new Int32Array(maxEvents);
    this.lows = new Int32Array(maxEvents + 1).fill(0x2545f491, 0, 1);
    this.highs = new Int32Array(maxEvents + 1).fill(0x6c62272e, 0, 1);
  }

  abstract legalActions(out: Int32Array, at: number): number;
  abstract returns(player: number): number;
  /** Keeps what follows from `action`, which is the last of the history already. */
  protected abstract advance(action: number): void;
  /** Takes back what `advance` did. `action` is no longer part of the history. */
  protected abstract retreat(action: number): void;

  get hashLow(): number {
    return finish(this.lows[this.events]!);
  }

  get hashHigh(): number {
    return finish(this.highs[this.events]!);
  }

  apply(action: number): void {
    const at = this.events++;
    this.history[at] = action;
    this.lows[at + 1] = step(this.lows[at]!, action);
    this.highs[at + 1] = step(this.highs[at]!, ~action);
    this.advance(action);
  }

  undo(): void {
    this.retreat(this.history[--this.events]!);
  }

  copyFrom(other: this): void {
    this.toMove = other.toMove;
    this.events = other.events;
    // Places behind the last event are not read: long games have room for thousands.
    for (let at = 0; at < other.events; at++) {
      this.history[at] = other.history[at]!;
      this.lows[at + 1] = other.lows[at + 1]!;
      this.highs[at + 1] = other.highs[at + 1]!;
    }
  }
}

/** The events of a game in words, each with the player who moved, CHANCE for an outcome. */
function eventsOf<S extends HistoryState>(
  rules: Pick<Rules<S>, "start" | "formatAction">,
  { history, events }: S,
): { readonly word: string; readonly mover: number }[] {
  const from = rules.start();
  return Array.from(history.subarray(0, events), (action) => {
    const event = { word: rules.formatAction(action, from), mover: from.toMove };
    from.apply(action);
    return event;
  });
}

/** The text of an event in place of what a player did not see; undefined if the player saw it. */
export type Hidden<S extends HistoryState> = (state: S, event: number, player: number) => string | undefined;

/** Hides the other's deal, where the first two events deal to the players in turn. */
export const othersDeal: Hidden<HistoryState> = (_, event, player) =>
  event === 1 - player ? "?" : undefined;

/** The events that `player` knows in words, with spaces between them. */
export function viewOfHistory<S extends HistoryState>(
  rules: Pick<Rules<S>, "start" | "formatAction">,
  hidden: Hidden<S>,
): (state: S, player: number) => string {
  return (state, player) =>
    eventsOf(rules, state)
      .map(({ word }, event) => hidden(state, event, player) ?? word)
      .join(" ");
}

/** The text of a position before the first event. */
const START = "start";

/** A position as its actions with spaces between them, such as `K Q check bet`; `start` before the first. */
export function historyNotation<S extends HistoryState>(
  rules: Pick<Rules<S>, "start" | "formatAction" | "maxActions">,
  { players = 2, maxReturn = 1 } = {},
): Required<Pick<Rules<S>, "formatState" | "parseState">> {
  return {
    formatState(state) {
      const words = eventsOf(rules, state).map(({ word }) => word);
      return words.length === 0 ? START : words.join(" ");
    },
    parseState(text) {
      const state = rules.start();
      const given = text.trim();
      if (given === START) return state;
      for (const [at, word] of given.split(/\s+/).entries()) {
        try {
          state.apply(parseLegal({ ...rules, players, maxReturn }, word, state));
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
          throw new InputError(`"${text}" is no position: word ${at + 1}, ${error.message}`);
        }
      }
      return state;
    },
  };
}

const WIDTH = 1.8;
const IN_A_ROW = 6;

/**
 * The events of a game in their order, each a tile: white for chance, in a player's colour for its actions.
 */
export function historyPicture<S extends HistoryState>(
  rules: Pick<Rules<S>, "start" | "formatAction">,
  maxEvents: number,
  hidden: Hidden<S>,
): Picture<S> {
  interface Position {
    readonly state: S;
    readonly events: ReturnType<typeof eventsOf>;
  }
  const tile = ({ events }: Position, at: number, text?: string) => {
    const event = events[at];
    if (event === undefined) return undefined;
    const fill: Paint = event.mover < 0 ? "white" : PLAYER_PAINTS[event.mover]!;
    return { fill, text: text ?? event.word };
  };
  return toPicture<Position, S>(
    {
      places: Array.from({ length: maxEvents }, (_, at) => ({
        name: `event ${at + 1}`,
        x: WIDTH * (at % IN_A_ROW),
        y: Math.floor(at / IN_A_ROW),
        w: WIDTH,
        h: 1,
      })),
      content: tile,
      seen: (position, at, player) => tile(position, at, hidden(position.state, at, player)),
      touches: () => [],
    },
    (state) => ({ state, events: eventsOf(rules, state) }),
  );
}
