import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { SeatClock } from "../../agents/agent.ts";

/** The time that players have for a game, as plans freeze it. A move is one decision. All times are in ms. */
export interface TimeControl {
  /** The main time; 0 for none. */
  readonly mainMs: number;
  /** The time that each move adds (Fischer). */
  readonly incrementMs: number;
  /** After so many moves the main time is added again; absent if it is for the whole game. */
  readonly moves?: number | undefined;
  /** Periods of byo-yomi after the main time; 0 for none. A move that ends within a period gives the period back. */
  readonly periods: number;
  /** The length of a period of byo-yomi. */
  readonly periodMs: number;
  /** A flag falls so much later. The clock itself goes no lower than 0. */
  readonly marginMs: number;
  /** `own`: without the time that a player waited for a processor which others had. `wall`: all the time that passes. */
  readonly charge: "own" | "wall";
}

/** The longest time, in seconds: a week. */
const MOST_SECONDS = 604_800;

const seconds = z.number().min(0).max(MOST_SECONDS);
const someSeconds = z.number().min(0.001).max(MOST_SECONDS);

/** A time control as configs write it, in seconds. */
export const timeSchema = z.union([
  someSeconds,
  z.string().min(1),
  z.strictObject({
    main: seconds.optional().describe("seconds for the whole game, or for `moves` moves"),
    increment: seconds.optional().describe("seconds that each move adds"),
    moves: z.int().min(1).max(1000).optional().describe("moves after which the main time is added again"),
    move: someSeconds.optional().describe("seconds for each move, in place of all of the above"),
    byoYomi: someSeconds.optional().describe("seconds of a period of byo-yomi, after the main time"),
    periods: z.int().min(1).max(1000).optional().describe("periods of byo-yomi [1]"),
    margin: seconds.optional().describe("seconds after which an overstepped time is a loss [0]"),
    charge: z
      .enum(["own", "wall"])
      .optional()
      .describe(
        "own: without the time that a player waits for a processor which others have; wall: all time [own]",
      ),
  }),
]);
/** A time control as a program writes it. */
export type WrittenTime = z.input<typeof timeSchema>;
type Given = z.output<typeof timeSchema>;
type GivenKeys = Exclude<Given, string | number>;

const TIME = String.raw`(?:(\d+):)?(\d+(?:\.\d+)?)`;
const MOVE_FORM = new RegExp(`^${TIME}/move$`);
const GAME_FORM = new RegExp(String.raw`^(?:(\d+)/)?${TIME}(?:\+(?:(\d+)x)?${TIME})?$`);

/** The time control that a config gives. Throws InputError, whose paths are relative to it. */
export function planTime(given: Given): TimeControl {
  const keys =
    typeof given === "string" ? parseShort(given) : typeof given === "number" ? { main: given } : given;
  const { main = 0, increment = 0, moves, byoYomi, periods = 1, margin = 0, charge = "own" } = keys;
  refuse(keys);
  const period = keys.move ?? byoYomi;
  return {
    mainMs: ms(main),
    incrementMs: ms(increment),
    ...(moves === undefined ? {} : { moves }),
    periods: period === undefined ? 0 : periods,
    periodMs: ms(period ?? 0),
    marginMs: ms(margin),
    charge,
  };
}

/**
 * The time control that a config gives one entrant in place of that of all, `of`; it charges time as all do. Throws
 * InputError, whose paths are relative to it.
 * @param isGiven false if the config has no time control, which is refused
 */
export function planOwnTime(
  given: unknown,
  { of, isGiven }: { of: TimeControl | undefined; isGiven: boolean },
): TimeControl {
  if (!isGiven)
    throw new InputError("takes the place of the tournament's `time`: give that, too, for the others");
  const checked = check(timeSchema, given);
  const charge = of?.charge ?? "own";
  if (typeof checked === "object" && checked.charge !== undefined && checked.charge !== charge)
    throw new InputError([
      { path: "charge", message: "is the same for all: leave it to the tournament's `time`" },
    ]);
  return { ...planTime(checked), charge };
}

/** Throws InputError if the keys do not go together. */
function refuse({ main = 0, increment, moves, move, byoYomi, periods }: GivenKeys): void {
  const is = (path: string, message: string) => new InputError([{ path, message }]);
  if (move !== undefined) {
    const others = Object.entries({ main, increment, moves, byoYomi, periods });
    const [other] = others.find(([, value]) => value !== undefined && value !== 0) ?? [];
    if (other !== undefined)
      throw is("move", `is the whole time of a move: leave out \`${other}\` beside it`);
    return;
  }
  if (periods !== undefined && byoYomi === undefined)
    throw is("periods", "are periods of byo-yomi: give their seconds as `byoYomi`");
  if (byoYomi !== undefined && (moves !== undefined || (increment ?? 0) > 0))
    throw is(
      "byoYomi",
      `goes with a main time alone: leave out \`${moves === undefined ? "increment" : "moves"}\``,
    );
  if (main === 0 && byoYomi === undefined)
    throw is("main", "missing; a game needs a main time, a `byoYomi` or the time of each `move`");
}

/** Reads `10+0.1`, `40/60`, `60+5x10`, `0.5/move` and the like. */
function parseShort(text: string): GivenKeys {
  const form = text.replaceAll(/\s/g, "");
  const move = MOVE_FORM.exec(form);
  if (move !== null) return within({ move: secondsOf(move[1], move[2]!) });
  const game = GAME_FORM.exec(form);
  if (game === null) {
    throw new InputError(
      `"${text}" is no time control; write seconds: 60 for a game, 10+0.1 with an increment, 40/60 for each 40 moves, ` +
        "60+5x10 with 5 periods of byo-yomi, 0.5/move for each move; or a mapping",
    );
  }
  const [, moves, minutes, rest, periods, moreMinutes, more] = game;
  const later = more === undefined ? undefined : secondsOf(moreMinutes, more);
  return within({
    main: secondsOf(minutes, rest!),
    ...(moves !== undefined && { moves: Number(moves) }),
    ...(later !== undefined && (periods === undefined ? { increment: later } : { byoYomi: later })),
    ...(periods !== undefined && { periods: Number(periods) }),
  });
}

/** The keys, if their values are in range. Throws InputError. */
function within(keys: GivenKeys): GivenKeys {
  return check(timeSchema.options[2], keys);
}

/** Seconds in whole ms. */
function ms(given: number): number {
  return Math.round(given * 1000);
}

function secondsOf(minutes = "0", rest: string): number {
  return Number(minutes) * 60 + Number(rest);
}

/** The time control in its short form, in seconds: `10+0.1`. */
export function formatTime({ mainMs, incrementMs, moves, periods, periodMs }: TimeControl): string {
  const main = mainMs / 1000;
  const period = periodMs / 1000;
  if (periods === 1 && mainMs === 0) return `${period}/move`;
  const each = moves === undefined ? "" : `${moves}/`;
  const increment = incrementMs === 0 ? "" : `+${incrementMs / 1000}`;
  return `${each}${main}${increment}${periods === 0 ? "" : `+${periods}x${period}`}`;
}

/** The longest time of one decision before its flag falls, in ms, unless increments were saved. */
export function longestMove({ mainMs, incrementMs, periods, periodMs, marginMs }: TimeControl): number {
  return mainMs + incrementMs + periods * periodMs + marginMs;
}

/** The shape of a time control in a stored plan. */
export const timeShape = z.looseObject({
  mainMs: z.number().min(0),
  incrementMs: z.number().min(0),
  moves: z.int().min(1).optional(),
  periods: z.int().min(0),
  periodMs: z.number().min(0),
  marginMs: z.number().min(0),
  charge: z.enum(["own", "wall"]),
});

/** The clock of a seat when a game begins. */
export function startClock({ mainMs, incrementMs, moves, periods, periodMs }: TimeControl): SeatClock {
  return {
    leftMs: mainMs,
    incrementMs,
    ...(moves === undefined ? {} : { movesToGo: moves }),
    ...(periods === 0 ? {} : { periods, periodMs }),
  };
}

/** The clock after a decision that took `usedMs`; undefined if its flag fell. */
export function press(control: TimeControl, clock: SeatClock, usedMs: number): SeatClock | undefined {
  const { leftMs, incrementMs, movesToGo, periods, periodMs = 0 } = clock;
  const overMs = usedMs - leftMs;
  if (overMs > (periods ?? 0) * periodMs + control.marginMs) return undefined;
  const added = movesToGo === 1 ? control.mainMs : 0;
  // A period that is used up is lost, the last one only with the game.
  const lost = overMs > 0 && periodMs > 0 ? Math.floor(overMs / periodMs) : 0;
  return {
    leftMs: Math.max(0, leftMs - usedMs) + incrementMs + added,
    incrementMs,
    ...(movesToGo === undefined ? {} : { movesToGo: movesToGo === 1 ? control.moves! : movesToGo - 1 }),
    ...(periods === undefined ? {} : { periods: Math.max(1, periods - lost), periodMs }),
  };
}

/** Why a flag fell, for people. */
export function describeFlag(control: TimeControl, clock: SeatClock, usedMs: number): string {
  const { leftMs, periods = 0, periodMs = 0 } = clock;
  const shown = (ms: number) => `${Number((ms / 1000).toFixed(3))} s`;
  const left = shown(leftMs + periods * periodMs);
  return `the flag fell: the decision took ${shown(usedMs)} with ${left} left, time control ${formatTime(control)}`;
}
