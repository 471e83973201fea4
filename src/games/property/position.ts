import type { Board } from "./board.ts";

/** The actions of a player. A bid of n fifths of the price is BID + n; houses are built and things sold by square. */
export const ROLL = 0;
export const LEAVE = 1;
export const BUY = 2;
export const PASS = 3;
export const BID = 4;
export const BUILD = 16;
export const SELL = 64;

/** The lowest and the highest bid in fifths of the price. Nobody buys for less than the bank pays, which is half. */
export const MIN_BID = 3;
export const MAX_BID = 8;
export const BID_PARTS = 5;

/** The phases: before the roll, dice in the air, an offer to the player on turn, an auction, a debt, the end. */
export const BEFORE = 0;
export const DICE = 1;
export const OFFER = 2;
export const AUCTION = 3;
export const DEBT = 4;
export const OVER = 5;

/** The owner of what nobody has bought, and the creditor of taxes. */
export const BANK = -1;
/** The number of rolls by which a player leaves jail in any case. */
export const JAIL_ROLLS = 3;
/** The doubles in a row that lead to jail. */
export const MAX_DOUBLES = 3;

export const MAX_PLAYERS = 4;

/** The rules of one game. */
export interface PropertyRules {
  readonly board: Board;
  readonly players: number;
  readonly cash: number;
  readonly maxRounds: number;
  readonly auctions: boolean;
}

/**
 * The places of `PropertyState.words`. Between auctions BEST_BID (in fifths of the price; 0 before the first) and BIDDER are
 * 0; between debts OWED and CREDITOR are. DOUBLES are those in a row of this turn, OUTS the players who went bankrupt.
 */
export const TO_MOVE = 0;
export const TURN = 1;
export const PHASE = 2;
export const ROUND = 3;
export const DOUBLES = 4;
export const BEST_BID = 5;
export const BIDDER = 6;
export const OWED = 7;
export const CREDITOR = 8;
export const OUTS = 9;
/** The number of words; the cash of the players follows. */
export const WORDS = 10;
