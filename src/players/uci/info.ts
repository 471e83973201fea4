import type { Game } from "../../games/contract/game.ts";

/** A score of an engine, from its own point of view: hundredths of a pawn, or moves to mate, negative if it is mated. */
export type Score = { readonly centipawns: number } | { readonly mate: number };

/** The parts of a line `info` that are read. */
export interface Info {
  readonly depth?: number;
  readonly nodes?: number;
  /** Absent where the line has a bound of the score alone. */
  readonly score?: Score;
  /** The moves of the principal variation; empty if there is none. */
  readonly line: readonly string[];
}

const MOVE = /^[a-h][1-8][a-h][1-8][nbrq]?$/;

/**
 * Reads a line `info`. Unknown words are skipped, as the protocol wants it. Undefined for lines of other kinds, for texts,
 * and for the second and later lines of several.
 */
export function parseInfo(text: string): Info | undefined {
  const [word, ...words] = text.trim().split(/\s+/);
  if (word !== "info") return undefined;
  let depth: number | undefined;
  let nodes: number | undefined;
  let score: Score | undefined;
  let line: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const next = words[at + 1];
    switch (words[at]) {
      case "string":
        return at === 0 ? undefined : infoOf({ depth, nodes, score, line });
      case "multipv":
        if (next !== "1") return undefined;
        break;
      case "depth":
        depth = count(next);
        break;
      case "nodes":
        nodes = count(next);
        break;
      case "score":
        score = words[at + 3]?.endsWith("bound") === true ? undefined : scoreOf(next, words[at + 2]);
        break;
      case "pv": {
        const moves = words.slice(at + 1);
        const end = moves.findIndex((move) => !MOVE.test(move));
        line = end < 0 ? moves : moves.slice(0, end);
        break;
      }
    }
  }
  return infoOf({ depth, nodes, score, line });
}

function infoOf(parts: { [Key in keyof Info]: Info[Key] | undefined } & Pick<Info, "line">): Info {
  const known = Object.entries(parts).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as unknown as Info;
}

function count(text: string | undefined): number | undefined {
  return /^\d{1,15}$/.test(text ?? "") ? Number(text) : undefined;
}

function scoreOf(unit: string | undefined, text: string | undefined): Score | undefined {
  if (!/^[+-]?\d{1,9}$/.test(text ?? "")) return undefined;
  if (unit === "cp") return { centipawns: Number(text) };
  return unit === "mate" ? { mate: Number(text) } : undefined;
}

/*
 * Scores as expected returns, and back. A score of `c` centipawns is an expected result of 1 / (1 + 10^(-c / 400)), where a
 * win is 1. In chess, where returns are from -1 to 1, 100 centipawns are a value of 0.28.
 */

const CENTIPAWNS = 400;
/** Larger scores count as this one, whose value is 0.9998. */
const MOST_CENTIPAWNS = 1600;
/** Mates lie beyond all other scores: each move before the mate takes this off a won game. */
const MATE_STEP = 1e-7;
const MOST_MOVES = 500;

type Range = Pick<Game, "minReturn" | "maxReturn">;

/** The value of a score in the game's units, strictly inside the range of its returns. */
export function valueOf(score: Score, { minReturn, maxReturn }: Range): number {
  const middle = (maxReturn + minReturn) / 2;
  return middle + (signedValueOf(score) * (maxReturn - minReturn)) / 2;
}

/** The score of a value, in centipawns. The inverse of `valueOf` up to rounding. */
export function centipawnsOf(value: number, { minReturn, maxReturn }: Range): number {
  const middle = (maxReturn + minReturn) / 2;
  const signed = (2 * (value - middle)) / (maxReturn - minReturn);
  // Adding 0 turns a negative zero into a plain one.
  return Math.round(limited(CENTIPAWNS * Math.log10((1 + signed) / (1 - signed)))) + 0;
}

/** From -1 to 1. */
function signedValueOf(score: Score): number {
  if ("mate" in score) {
    const value = 1 - MATE_STEP * (1 + Math.min(Math.abs(score.mate), MOST_MOVES));
    // `mate 0` is of the player who is mated.
    return score.mate > 0 ? value : -value;
  }
  return 2 / (1 + 10 ** (-limited(score.centipawns) / CENTIPAWNS)) - 1;
}

function limited(centipawns: number): number {
  return Math.max(-MOST_CENTIPAWNS, Math.min(MOST_CENTIPAWNS, centipawns));
}
