import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { CALL, FOLD, type LeducState } from "./state.ts";

/** Rank, then suit: `Ks`. */
function cardName(card: number): string {
  return "JQK"[card >> 1]! + "sh"[card & 1]!;
}

export function formatAction(action: number, state: LeducState): string {
  if (state.toMove === CHANCE) return cardName(action);
  if (action === FOLD) return "fold";
  const isFree = state.chips(0) === state.chips(1);
  return action === CALL ? (isFree ? "check" : "call") : isFree ? "bet" : "raise";
}

/** The public card, and cards and chips of both players. */
export function render(state: LeducState): string {
  const { history, events, publicAt, toMove } = state;
  const lines = [0, 1].map((player) => {
    const card = events > player ? cardName(history[player]!) : "no card";
    const turn = toMove === player ? ", to move" : "";
    return `player ${player + 1}: ${card}, ${state.chips(player)} in the pot${turn}`;
  });
  const shared = publicAt > 0 ? cardName(history[publicAt]!) : "none";
  return [`public card: ${shared}`, ...lines, ...(toMove === TERMINAL ? ["over"] : [])].join("\n");
}
