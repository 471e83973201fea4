import type { AgentFamily, Budget, SeatClock, Turn, Played } from "../../../agents/agent.ts";
import { shareTime } from "../../../agents/search/meter.ts";
import { NO_LIMIT_MS } from "../search.ts";
import { InputError } from "../../../base/errors.ts";
import { TERMINAL, type Game, type GameSpec, type State } from "../../../games/contract/game.ts";

/** The limits of a command `go`. Times are in ms. */
export interface Go {
  readonly depth?: number;
  readonly nodes?: number;
  readonly movetime?: number;
  /** Moves in which a mate is looked for. */
  readonly mate?: number;
  /** The moves to choose from, as they are written; absent: all. */
  readonly searchMoves?: readonly string[];
  /** By player. */
  readonly clocks?: readonly SeatClock[];
  /** The answer waits for `stop`. */
  readonly infinite: boolean;
  /** The time does not run until `ponderhit`. */
  readonly ponder: boolean;
}

/** Reads the words after `go`. Unknown words, and limits that are no numbers, are skipped. */
export function parseGo(words: readonly string[]): Go {
  const number = (word: string) => {
    const text = words[words.indexOf(word) + 1] ?? "";
    return words.includes(word) && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
  };
  const times = [number("wtime"), number("btime")];
  const increments = [number("winc"), number("binc")];
  const movesToGo = number("movestogo") ?? 0;
  const clocks = times.map((time, player) => ({
    // A clock that is told alone is taken for both.
    leftMs: Math.max(1, time ?? times[1 - player] ?? 0),
    incrementMs: increments[player] ?? 0,
    ...(movesToGo > 0 && { movesToGo }),
  }));
  const limits = {
    depth: number("depth"),
    nodes: number("nodes"),
    movetime: number("movetime"),
    mate: number("mate"),
    clocks: times.some((time) => time !== undefined) ? clocks : undefined,
  };
  const from = words.indexOf("searchmoves") + 1;
  const moves = from === 0 ? [] : words.slice(from);
  const end = moves.findIndex((word) => !/^[a-h][1-8][a-h][1-8]/.test(word));
  const searchMoves = end < 0 ? moves : moves.slice(0, end);
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return {
    ...(Object.fromEntries(given) as Partial<Go>),
    ...(searchMoves.length > 0 && { searchMoves }),
    infinite: words.includes("infinite"),
    ponder: words.includes("ponder"),
  };
}

/** The engine that has to keep limits: whose turn it is, and the time that is lost between it and the clock. */
interface Keeper {
  readonly player: number;
  readonly family: Pick<AgentFamily, "budgets" | "heedsClocks">;
  readonly overheadMs: number;
}

/**
 * The limits of a search: those of `go` and those of the agent's spec together, as far as the agent keeps them. There is always
 * a limit of time, so that the search looks at the clock, by which it is stopped.
 */
export function limitsOf(go: Go, spec: Budget, keeper: Keeper): Pick<Turn, "budget" | "clocks"> {
  const { family, overheadMs } = keeper;
  const least = (...limits: readonly (number | undefined)[]) =>
    Math.min(...limits.map((limit) => limit ?? Infinity));
  const waits = go.infinite || go.ponder;
  const isTimed = go.clocks !== undefined && !waits && go.movetime === undefined;
  const shares = isTimed && family.heedsClocks === true;
  const timeMs = least(spec.timeMs, waits || shares ? undefined : timeOf(go, keeper), NO_LIMIT_MS);
  const mate = go.mate === undefined ? undefined : 2 * go.mate - 1;
  const budget = {
    ...spec,
    depth: Math.max(1, least(spec.depth, go.depth, mate)),
    nodes: Math.max(1, least(spec.nodes, go.nodes)),
    timeMs: shares && timeMs === NO_LIMIT_MS ? Infinity : timeMs,
  };
  const kept = Object.entries(budget).filter(
    ([key, limit]) => limit !== Infinity && family.budgets.some((heeded) => heeded === key),
  );
  return {
    budget: Object.fromEntries(kept),
    ...(shares && { clocks: go.clocks!.map((clock) => shortened(clock, overheadMs)) }),
  };
}

/** The time for one move, in ms, at least 1; undefined without a limit. */
export function timeOf({ movetime, clocks }: Go, { player, overheadMs }: Keeper): number | undefined {
  if (movetime !== undefined) return Math.max(1, movetime / 2, movetime - overheadMs);
  if (clocks === undefined) return undefined;
  return Math.max(1, shareTime(shortened(clocks[player]!, overheadMs)).targetMs);
}

function shortened(clock: SeatClock, overheadMs: number): SeatClock {
  return { ...clock, leftMs: Math.max(1, clock.leftMs - overheadMs) };
}

/** Chess in which nobody draws by counting: a program that plays on after such a draw has its moves understood. */
export const PLAYED_ON = {
  id: "chess",
  quietMoves: 1000,
  repetitions: 0,
  insufficientMaterial: false,
} as const satisfies GameSpec;

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
