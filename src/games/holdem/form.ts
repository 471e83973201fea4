import { z } from "zod";
import { RANKS, SUITS } from "./ranks.ts";

const chips = (most: number) => z.int().min(1).max(most);

/** The options of hold'em. */
export const holdemOptions = z
  .strictObject({
    players: z.int().min(2).max(6).default(2).describe("number of players"),
    limit: z
      .boolean()
      .default(false)
      .describe("true for bets of fixed size, twice as large in the second half of the rounds"),
    stack: z
      .union([chips(1000), z.array(chips(1000)).min(2).max(6)])
      .default(200)
      .describe("chips of each player at the start, or a list with one number a seat"),
    bet: z.int().min(1).max(100).default(2).describe("chips of the big blind and of the smallest bet"),
    blinds: z.boolean().default(true).describe("true for a big blind and a small one of half its size"),
    ante: z.int().min(0).max(100).default(0).describe("chips that everybody pays at the start"),
    raises: z
      .int()
      .min(1)
      .max(10)
      .default(4)
      .describe("with limit: bets and raises of a round, the big blind counted"),
    bets: z
      .array(z.number().positive().max(10))
      .max(8)
      .optional()
      .describe("no limit: the sizes of bets and raises, as parts of the pot, beside all-in; all by default"),
    ranks: z.int().min(3).max(13).default(13).describe("ranks, from the ace down"),
    suits: z.int().min(2).max(4).default(4).describe("suits"),
    hole: z.int().min(1).max(2).default(2).describe("cards of a player"),
    flop: z.int().min(1).max(3).default(3).describe("cards of the flop"),
    streets: z
      .int()
      .min(1)
      .max(4)
      .default(4)
      .describe("rounds of betting: before the flop, flop, turn, river"),
  })
  .superRefine((given, context) => {
    const { players, stack, bet, ante, ranks, suits, hole } = given;
    const problem = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (typeof stack !== "number" && stack.length !== players)
      problem("stack", `must have ${players} numbers, one for each player, got ${stack.length}`);
    const least = typeof stack === "number" ? stack : Math.min(...stack);
    if (least < ante + bet)
      problem("stack", `must be at least the ante and a bet, ${ante + bet}, got ${least}`);
    if (given.limit && given.bets !== undefined) problem("bets", "must be left out with limit");
    const needed = players * hole + boardOf(given);
    if (needed > ranks * suits)
      problem(
        "ranks",
        `must leave ${needed} cards for players and board; ${ranks} x ${suits} cards are too few`,
      );
  });

type Options = z.output<typeof holdemOptions>;

/** The cards of a whole board. */
function boardOf({ flop, streets }: Pick<Options, "flop" | "streets">): number {
  return streets === 1 ? 0 : flop + streets - 2;
}

/** The form of a game of hold'em, from its options. */
export interface Form extends Omit<Options, "bets" | "stack"> {
  /** By player: its chips at the start. */
  readonly stacks: readonly number[];
  /** The highest stack. */
  readonly most: number;
  /** Sizes of bets as parts of the pot, ascending; undefined if any size is allowed. */
  readonly sizes: readonly number[] | undefined;
  /** The cards of the pack, ascending: 4 x rank + suit. */
  readonly deck: readonly number[];
  /** By card, 0 to 51: 1 if it is not in the pack. */
  readonly missing: Uint8Array;
  /** By street: the cards on the board while it is played. */
  readonly boards: readonly number[];
  /** The player who acts first before the flop, and after it. */
  readonly first: number;
  readonly firstLater: number;
  /** The most decisions of a game. */
  readonly maxPlies: number;
  /** The most events: cards and decisions. */
  readonly maxEvents: number;
}

/**
 * Fills in the form. Player 0 has the small blind, player 1 the big one, and the last player the button; of two, player 0 has the
 * small blind and the button. Without blinds player 0 acts first in all rounds.
 */
export function formOf(given: Options): Form {
  const { players, stack, bet, blinds, ranks, suits, hole, flop, streets, limit, raises } = given;
  const stacks = typeof stack === "number" ? Array.from({ length: players }, () => stack) : stack;
  const most = Math.max(...stacks);
  const deck = Array.from({ length: RANKS * SUITS }, (_, card) => card).filter(
    (card) => card >> 2 >= RANKS - ranks && (card & 3) >= SUITS - suits,
  );
  const missing = new Uint8Array(RANKS * SUITS).fill(1);
  for (const card of deck) missing[card] = 0;
  // A full raise costs somebody a bet; short ones are all-in. Everybody may answer each, and check once a street.
  const most1 = Math.floor(most / bet) + players;
  const raising = limit ? Math.min(most1, raises * streets) : most1;
  const maxPlies = (raising + streets) * players;
  return {
    ...given,
    stacks,
    most,
    sizes: given.bets?.toSorted((a, b) => a - b),
    deck,
    missing,
    boards: Array.from({ length: streets }, (_, street) => (street === 0 ? 0 : flop + street - 1)),
    first: blinds ? 2 % players : 0,
    firstLater: blinds && players === 2 ? 1 : 0,
    maxPlies,
    maxEvents: players * hole + boardOf(given) + maxPlies,
  };
}
