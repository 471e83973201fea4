import { expect, onTestFinished } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { KING } from "../../../src/games/chess/board.ts";
import { startFen } from "../../../src/games/chess/castling.ts";
import { START_FEN, uci } from "../../../src/games/chess/fen.ts";
import { moveFrom } from "../../../src/games/chess/moves.ts";
import type { ChessState } from "../../../src/games/chess/state.ts";
import { possibleActions, TERMINAL } from "../../../src/index.ts";
import { createGame } from "../../../src/games/index.ts";
import { findProgram, PlayerProcess } from "../../../src/players/player-process.ts";
import { engineTest } from "../../support/engines.ts";
import { slow } from "../../support/thorough.ts";

const chess = createGame("chess");
const chess960 = createGame({ id: "chess", chess960: true });

/** A position as Stockfish sees it. */
interface Seen {
  readonly fen: string;
  readonly inCheck: boolean;
  readonly moves: readonly string[];
}

function startStockfish({ plays960 = false } = {}): (position: string) => Promise<Seen> {
  const stockfish = new PlayerProcess({ command: [findProgram("stockfish")!] });
  onTestFinished(() => stockfish.kill());
  if (plays960) stockfish.say("setoption name UCI_Chess960 value true");
  return async (position) => {
    stockfish.say(`position ${position}`, "d", "go perft 1");
    let fen = "";
    let inCheck = false;
    const moves: string[] = [];
    for (let line = ""; !line.startsWith("Nodes searched"); line = await stockfish.hear()) {
      if (line.startsWith("Fen: ")) fen = line.slice(5);
      if (line.startsWith("Checkers: ")) inCheck = line.length > "Checkers: ".length;
      const [, move] = /^([a-h][1-8][a-h][1-8][nbrq]?): 1$/.exec(line) ?? [];
      if (move !== undefined) moves.push(move);
    }
    return { fen, inCheck, moves: moves.toSorted() };
  };
}

/** The rules by which a game ends, from what Stockfish saw of all its positions; undefined while it goes on. */
function endingOf(seen: readonly Seen[]): string | undefined {
  const { fen, inCheck, moves } = seen.at(-1)!;
  if (moves.length === 0) return inCheck ? "checkmate" : "stalemate";
  const [board = "", , , , quiet] = fen.split(" ");
  if (cannotMate(board)) return "too little material to mate";
  const position = (one: string) => one.split(" ").slice(0, 4).join(" ");
  if (seen.filter((one) => position(one.fen) === position(fen)).length === 3)
    return "position repeated 3 times";
  return Number(quiet) >= 100 ? "50 moves without capture or pawn move" : undefined;
}

/** True for bare kings, one minor piece, and bishops on squares of one colour. */
function cannotMate(board: string): boolean {
  const squares = board.replaceAll(/\d/g, (count) => ".".repeat(Number(count))).replaceAll("/", "");
  const men = Array.from(squares, (man, at) => ({ man: man.toLowerCase(), colour: (at + (at >> 3)) & 1 }));
  const others = men.filter(({ man }) => !".k".includes(man));
  if (others.length <= 1) return others.every(({ man }) => "nb".includes(man));
  return others.every(({ man, colour }) => man === "b" && colour === others[0]!.colour);
}

slow(engineTest("stockfish"))(
  "Stockfish lists the same moves along random games, which end as it sees",
  async () => {
    const look = startStockfish();
    const random = createRandom("stockfish");
    const endings = new Set<string>();
    for (let game = 0; game < 30; game++) {
      const state = chess.start();
      let told = "startpos moves";
      const seen = [await look("startpos")];
      expect(seen[0]!.fen).toBe(START_FEN);
      while (state.toMove !== TERMINAL) {
        expect(endingOf(seen)).toBeUndefined();
        const actions = [...possibleActions(chess, state)];
        const moves = actions.map((action) => uci.formatAction(action, state as never));
        expect(seen.at(-1)!.moves).toEqual(moves.toSorted());
        const at = random.below(actions.length);
        told += ` ${moves[at]}`;
        state.apply(actions[at]!);
        seen.push(await look(told));
      }
      const ending = endingOf(seen);
      expect(chess.describeEnding!(state)).toBe(ending);
      endings.add(ending!);
      // The position alone is the same one.
      expect(await look(uci.formatState(state as never))).toEqual(seen.at(-1));
    }
    expect(endings.size).toBeGreaterThan(1);
  },
);

slow(engineTest("stockfish"))(
  "Stockfish lists the same moves along random games of Chess960, and sees the same positions",
  async () => {
    const look = startStockfish({ plays960: true });
    const random = createRandom("stockfish 960");
    let castled = 0;
    for (let game = 0; game < 60; game++) {
      // Each side has a start position of its own.
      const [white, black] = [random, random].map((one) => startFen(one.below(960)).split("/"));
      const start = [...black!.slice(0, 7), white![7]].join("/");
      const state = chess960.parseState(start);
      let told = `fen ${start} moves`;
      for (let ply = 0; ply < 120 && state.toMove !== TERMINAL; ply++) {
        const seen = await look(ply === 0 ? `fen ${start}` : told);
        const actions = [...possibleActions(chess960, state)];
        const moves = actions.map((action) => uci.formatAction(action, state as never));
        expect(seen.moves).toEqual(moves.toSorted());
        expect(`fen ${seen.fen}`).toBe(uci.formatState(state as never));
        const castling = actions.findIndex((action) =>
          chess960.formatAction(action, state).startsWith("O-O"),
        );
        // Kings would walk away from most rights.
        const others = actions.filter(
          (action) => (state as ChessState).board[moveFrom(action)]! % 8 !== KING,
        );
        const action =
          castling >= 0 && random.below(3) === 0
            ? actions[castling]!
            : others.length > 0 && random.below(8) > 0
              ? others[random.below(others.length)]!
              : actions[random.below(actions.length)]!;
        if (castling >= 0 && action === actions[castling]) castled++;
        told += ` ${uci.formatAction(action, state as never)}`;
        state.apply(action);
      }
    }
    expect(castled).toBeGreaterThan(20);
  },
);
