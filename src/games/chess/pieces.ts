/** Kinds of pieces; a promotion is named by its kind. */
export const PAWN = 0;
export const KNIGHT = 1;
export const BISHOP = 2;
export const ROOK = 3;
export const QUEEN = 4;
export const KING = 5;

/** In place of a kind: all pieces of one player. */
export const ALL = 6;

/** A piece is its kind, plus this for black's. */
export const BLACK = 8;

/** What an empty square holds. */
export const EMPTY = 7;

export const KIND_NAMES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;
export const PLAYER_NAMES = ["white", "black"] as const;

/** Letters of FEN by piece; `.` where there is none. */
export const PIECE_LETTERS = "PNBRQK..pnbrqk..";
