import { TERMINAL } from "../contract/rules.ts";
import { BET, PASS, type KuhnState } from "./state.ts";

/** The card of a number, 0 to 2: jack, queen, king. */
export function cardName(card: number): string {
  return "JQK"[card]!;
}

export function formatAction(action: number, { history, events }: KuhnState): string {
  if (events < 2) return cardName(action);
  const isBet = events > 2 && history[events - 1] === BET;
  if (action === PASS) return isBet ? "fold" : "check";
  return isBet ? "call" : "bet";
}

/** Cards and chips of both players. */
export function render({ history, events, toMove }: KuhnState): string {
  const lines = [0, 1].map((player) => {
    let chips = 1;
    for (let at = 2 + player; at < events; at += 2) chips += history[at] === BET ? 1 : 0;
    const card = events > player ? cardName(history[player]!) : "no card";
    const turn = toMove === player ? ", to move" : "";
    return `player ${player + 1}: ${card}, ${chips} in the pot${turn}`;
  });
  return [...lines, ...(toMove === TERMINAL ? ["over"] : [])].join("\n");
}
