import type { Privacy, Worlds } from "../contract/privacy.ts";
import { type GoofspielState, maxEventsOf } from "./state.ts";

/** Codes after those of own cards: the other has chosen, and the result of a round for player 0: -1, 0 or 1 from RESULT on. */
function codesOf(cards: number): { readonly chosen: number; readonly result: number } {
  return { chosen: cards, result: cards + 2 };
}

/** Players see their own cards and who wins each round. */
export function createPrivacy(cards: number): Privacy<GoofspielState> {
  const { chosen, result } = codesOf(cards);
  return {
    maxEvents: maxEventsOf(cards),
    maxCodes: maxEventsOf(cards) + cards - 1,
    seen({ events, history }, card, player, out, at) {
      let next = at;
      if (events % 2 === player) out[next++] = card;
      else if (events % 2 === 0) out[next++] = chosen;
      if (events % 2 === 1) out[next++] = result + Math.sign(history[events - 1]! - card);
      return next - at;
    },
    worlds: (codes, count, player) => worldsOf(codes.subarray(0, count), player, cards),
    formatView({ history, events }, player) {
      const rounds = Array.from({ length: Math.ceil(events / 2) }, (_, round) => {
        const own = 2 * round + player < events ? String(history[2 * round + player]! + 1) : "to choose";
        if (2 * round + 1 >= events) return player === 0 ? `${own} against ?` : "to choose";
        const sign = Math.sign(history[2 * round]! - history[2 * round + 1]!) * (player === 0 ? 1 : -1);
        return `${own} ${["loses", "ties", "wins"][sign + 1]}`;
      });
      return rounds.length === 0 ? "start" : rounds.join(", ");
    },
  };
}

/** Draws the other's cards one after the other, each by the number of ways to go on from it. */
function worldsOf(codes: Int32Array, player: number, cards: number): Worlds {
  const { chosen, result } = codesOf(cards);
  const own: number[] = [];
  /** By round: the sign of own card less the other's. */
  const signs: number[] = [];
  for (const code of codes) {
    if (code < cards) own.push(code);
    else if (code !== chosen) signs.push((code - result) * (player === 0 ? 1 : -1));
  }
  // Player 1 decides after the other has chosen.
  const rounds = signs.length + (player === 1 ? 1 : 0);
  const isPossible = (round: number, card: number) =>
    round >= signs.length || Math.sign(own[round]! - card) === signs[round];
  /** By the set of cards that the other has played: the number of ways to play the rounds that are left; -1 if not known. */
  const known = new Float64Array(2 ** cards).fill(-1);
  const waysFrom = (played: number, round: number): number => {
    if (round === rounds) return 1;
    if (known[played] >= 0) return known[played];
    let sum = 0;
    for (let card = 0; card < cards; card++)
      if ((played & (1 << card)) === 0 && isPossible(round, card))
        sum += waysFrom(played | (1 << card), round + 1);
    return (known[played] = sum);
  };
  waysFrom(0, 0);
  return {
    draw(random, out) {
      let length = 0;
      let played = 0;
      for (let round = 0; round < rounds; round++) {
        let left = random.float() * known[played];
        let choice = -1;
        for (let card = 0; card < cards && (choice < 0 || left >= 0); card++) {
          if ((played & (1 << card)) !== 0 || !isPossible(round, card)) continue;
          const ways = waysFrom(played | (1 << card), round + 1);
          if (ways === 0) continue;
          choice = card;
          left -= ways;
        }
        played |= 1 << choice;
        if (player === 0) out[length++] = own[round]!;
        out[length++] = choice;
        if (player === 1 && round < own.length) out[length++] = own[round]!;
      }
      return length;
    },
  };
}
