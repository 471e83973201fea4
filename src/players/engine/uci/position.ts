import { InputError } from "../../../base/errors.ts";
import type { Played } from "../../../agents/agent.ts";
import { TERMINAL, type Game, type GameSpec, type State } from "../../../games/contract/game.ts";

/** Chess in which nobody draws by counting: a program that plays on after such a draw has its moves understood. */
export const PLAYED_ON: GameSpec = {
  id: "chess",
  quietMoves: 1000,
  repetitions: 0,
  insufficientMaterial: false,
};

/** The position of a command `position`. */
export interface Position {
  /** The play that led to it. After a draw by counting, it begins anew at the draw. */
  readonly played: Played;
  /** The position in the game that an agent plays. */
  readonly state: State;
  /** The same position in the game that is played on. */
  readonly playedOn: State;
}

/**
 * Reads the words after `position`: `startpos` or `fen` and a FEN, then perhaps `moves`. Throws InputError.
 * @param games the game that the agent plays, and the one of PLAYED_ON
 */
export function parsePosition(
  text: string,
  games: { readonly own: Game; readonly playedOn: Game },
): Position {
  const { own } = games;
  const [, start = "", moves = ""] = /^\s*(startpos|fen\s+.*?)\s*(?:\bmoves\b(.*))?$/.exec(text) ?? [];
  if (start === "") throw new InputError(`position "${text.trim()}" is neither startpos nor fen with a FEN`);
  const notation = own.protocols["uci"]!;
  const playedOn = games.playedOn.parseState(start);
  let from = start === "startpos" ? undefined : notation.formatState(playedOn);
  let state = own.parseState(start);
  let actions: number[] = [];
  const goOn = () => {
    if (state.toMove !== TERMINAL || playedOn.toMove === TERMINAL) return;
    from = withoutCount(notation.formatState(playedOn));
    state = own.parseState(from);
    actions = [];
  };
  for (const [at, move] of moves.split(/\s+/).filter(Boolean).entries()) {
    goOn();
    const action = notation.parseAction(move, playedOn);
    if (action === undefined)
      throw new InputError(`move ${at + 1}, "${move}", is not legal in ${notation.formatState(playedOn)}`);
    playedOn.apply(action);
    actions.push(action);
    if (state.toMove !== TERMINAL) state.apply(action);
  }
  goOn();
  return { played: { ...(from !== undefined && { from }), actions }, state, playedOn };
}

/** The position with a half-move clock of 0. */
function withoutCount(position: string): string {
  const [word = "", board = "", side = "", castling = "", enPassant = "", , move = "1"] = position.split(" ");
  return word === "startpos" ? word : [word, board, side, castling, enPassant, "0", move].join(" ");
}
