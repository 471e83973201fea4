import { CHANCE, TERMINAL, type Game, type State } from "../../game/game.ts";
import { describeResult } from "../../game/notation.ts";
import type { GameData, TournamentData } from "./data.ts";

/** Every action of a game as text; chance outcomes are in brackets. */
export function moveList(game: Game, actions: readonly number[]): string[] {
  const state = game.start();
  return actions.map((action) => {
    const text = game.formatAction(action, state);
    const isChance = state.toMove === CHANCE;
    state.apply(action);
    return isChance ? `[${text}]` : text;
  });
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

/** The end of a game in words: `time-out by b`, or the result. */
export function endingOf({ entrants }: TournamentData, game: GameData): string {
  return game.forfeitSeat < 0
    ? resultOf(game)
    : `${game.ending} by ${entrants[game.seats[game.forfeitSeat]!]!.name}`;
}

/** The player to move in a position, or the result. */
export function turnOf(game: Game, state: State): string {
  if (state.toMove === TERMINAL) return describeResult(game, state);
  return state.toMove === CHANCE ? "chance" : `player ${state.toMove + 1} to move`;
}
