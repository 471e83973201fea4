import { CHANCE, TERMINAL, type Game, type State, isDuel } from "../../games/contract/game.ts";
import { describeResult, winnersOf } from "../../games/contract/notation.ts";
import { choosesSetup } from "../../games/contract/setups.ts";
import { playerPaint } from "../../games/contract/picture.ts";
import { forfeitText } from "../../ratings/warnings/forfeits.ts";
import type { DrawnGame } from "./board-data.ts";
import type { GameData, TournamentData } from "./data.ts";

/** The part of a game that its thoughts need: who moved, how values are read, and the colours of players. */
export type Contest = Pick<DrawnGame, "movers" | "names" | "paints" | "isDuel" | "minReturn" | "maxReturn">;

/** An action of a game for a list of moves. */
export interface MoveData {
  /** Chance outcomes are in brackets. */
  readonly text: string;
  /** The player who moved; below 0 for chance. */
  readonly mover: number;
  /** The plies before it, if positions of the game count them. */
  readonly ply?: number;
  /** True if it chooses the position that the game begins at, and so is no move. */
  readonly isSetup?: boolean;
}

/** Every action of a game, from `state` on, which is advanced. */
export function movesFrom(game: Game, state: State, actions: readonly number[]): MoveData[] {
  return actions.map((action) => {
    const text = game.formatAction(action, state);
    const mover = state.toMove;
    const isSetup = choosesSetup(state);
    const ply = isSetup ? undefined : game.plyOf?.(state);
    state.apply(action);
    return {
      text: mover === CHANCE ? `[${text}]` : text,
      mover,
      ...(ply !== undefined && { ply }),
      ...(isSetup && { isSetup }),
    };
  });
}

/** The names of the players: those on the board, or `player 1`, `player 2`, ... */
export function playerNames({ players, picture }: Pick<Game, "players" | "picture">): string[] {
  return Array.from({ length: players }, (_, player) => picture?.names?.[player] ?? `player ${player + 1}`);
}

/** The part of a game that its thoughts need. */
export function contestOf(game: Game, actions: readonly number[]): Contest {
  const state = game.start();
  const movers = [state.toMove];
  for (const action of actions) {
    state.apply(action);
    movers.push(state.toMove);
  }
  const { minReturn, maxReturn, picture } = game;
  const names = playerNames(game);
  const paints = names.map((_, player) => playerPaint(picture, player));
  return { movers, names, paints, isDuel: isDuel(game), minReturn, maxReturn };
}

/** The position after the first `count` actions. */
export function stateAfter(game: Game, actions: readonly number[], count: number): State {
  const state = game.start();
  for (const action of actions.slice(0, count)) state.apply(action);
  return state;
}

/** The entrants in the order of their seats: `a - b`. */
export function pairingOf({ entrants }: TournamentData, { seats }: GameData): string {
  return seats.map((entrant) => entrants[entrant]!.name).join(" - ");
}

/** The result for a list: `1-0`, `½-½`, or the returns. */
export function resultOf({ returns }: GameData): string {
  if (returns.length === 2 && returns[0] === 0 - returns[1]! && Math.abs(returns[0]!) <= 1)
    return returns[0]! > 0 ? "1-0" : returns[0]! < 0 ? "0-1" : "½-½";
  return returns.map((value) => String(Number(value.toPrecision(4)))).join(", ");
}

/** The end of a game that the rules did not end: `time-out by b`, `b resigns` or `adjudicated`; undefined for others. */
export function endingOf({ entrants }: TournamentData, game: GameData): string | undefined {
  const { ending, forfeitSeat, seats } = game;
  const nameAt = (seat: number) => entrants[seats[seat]!]!.name;
  const resigned = resignedSeat(game);
  if (resigned !== undefined) return `${nameAt(resigned)} resigns`;
  if (ending === "adjudicated") return ending;
  return forfeitSeat < 0 ? undefined : forfeitText(ending, nameAt(forfeitSeat));
}

/** The seat that gave the game up, by its values or by an engine's own word; undefined if none did. */
function resignedSeat({ ending, forfeitSeat, detail }: GameData): number | undefined {
  const [, player] = /^player (\d+) resigns:/.exec(detail) ?? [];
  if (ending === "adjudicated" && player !== undefined) return Number(player) - 1;
  return forfeitSeat >= 0 && detail.startsWith("it resigned") ? forfeitSeat : undefined;
}

/**
 * The end of a game with the names of its winners: `ann won: checkmate`, `ann won: bob resigns`, `draw: stalemate`.
 * @param reason the rules' reason, if the game was finished and the page knows it
 */
export function outcomeOf(run: TournamentData, game: GameData, reason: string | undefined): string {
  const { seats, returns } = game;
  const names = winnersOf(returns).map((seat) => run.entrants[seats[seat]!]!.name);
  const shown = returns.map((value) => String(Number(value.toPrecision(4))));
  const result =
    returns.length === 1
      ? `score ${shown[0]}`
      : names.length === returns.length
        ? "draw"
        : `${names.join(" and ")} won${Math.max(...returns) === 1 && returns.length === 2 ? "" : ` (${shown.join(", ")})`}`;
  const why = endingOf(run, game) ?? reason;
  return why === undefined ? result : `${result}: ${why}`;
}

/** The player to move in a position, or the result. */
export function turnOf(game: Game, state: State): string {
  const names = playerNames(game);
  if (state.toMove === TERMINAL)
    return describeResult(game, state).replace(/player (\d+)/g, (_, number) => names[Number(number) - 1]!);
  return state.toMove === CHANCE ? "chance" : `${names[state.toMove]} to move`;
}

/** The index of the last action of a player before `end`; -1 if there is none. */
export function lastDecision(movers: readonly number[], end: number): number {
  return movers.slice(0, end).findLastIndex((mover) => mover >= 0);
}
