import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Privacy, Worlds } from "../contract/privacy.ts";
import { type Rules, TERMINAL } from "../contract/rules.ts";
import { historyNotation, historyPicture, HistoryState } from "../shared/history-state.ts";

const options = z.strictObject({
  cards: z.int().min(2).max(13).default(13).describe("cards of each player, and prizes"),
});

/** The player's own cards and its lead, which it knows. */
function hand(cards: number): FeatureSet<GoofspielState> {
  const prizes = (cards * (cards + 1)) / 2;
  return {
    summary: "own cards, and the lead in points",
    version: 1,
    size: cards + 1,
    maxActive: cards + 1,
    extract({ hands, lead }, player, index, value) {
      let count = 0;
      for (let card = 0; card < cards; card++) {
        if ((hands[player]! & (1 << card)) === 0) continue;
        index[count] = card;
        value[count++] = 1;
      }
      index[count] = cards;
      value[count++] = (player === 0 ? lead : 0 - lead) / prizes;
      return count;
    },
    describe: (index) => (index === cards ? "lead" : `own ${index + 1}`),
  };
}

function points(cards: number): Heuristic<GoofspielState> {
  const prizes = (cards * (cards + 1)) / 2;
  return {
    summary: "the lead in points",
    evaluate: ({ lead }, player) => (player === 0 ? lead : 0 - lead) / (prizes + 1),
  };
}

function basicRules(cards: number) {
  return {
    maxActions: cards,
    start: () => new GoofspielState(cards),
    formatAction: (card: number) => String(card + 1),
  };
}

/** The other's card as a player knows it: `<5` if the own 5 has won, `?` before both have chosen. */
function rivalCard({ history, events }: GoofspielState, event: number, player: number): string | undefined {
  if (event % 2 === player) return undefined;
  const own = event + 1 - 2 * (event % 2);
  if (own >= events) return "?";
  return `${"<=>"[1 + Math.sign(history[event]! - history[own]!)]}${history[own]! + 1}`;
}

/**
 * Goofspiel, the game of pure strategy (Ross 1971), with hidden bids. Prizes go down to 1. For each, both players choose one of
 * their cards unseen; the higher card wins the prize, and a tie loses it. Players learn who has won, not the card. The last
 * card plays itself. More points win. Actions: the card less 1; player 1 chooses after player 0, without seeing its card.
 */
export const goofspiel = defineGame({
  id: "goofspiel",
  summary: "goofspiel: hidden bids for descending prizes",
  options,
  rules({ cards }): Rules<GoofspielState> {
    const form = basicRules(cards);
    return {
      ...form,
      ...historyNotation<GoofspielState>(form),
      hiddenInformation: true,
      outcomes: [-1, 0, 1],
      maxPlies: maxEventsOf(cards),
      render({ hands, lead, toMove }) {
        const lines = [0, 1].map((player) => {
          const held = Array.from({ length: cards }, (_, card) => card).filter(
            (card) => (hands[player]! & (1 << card)) !== 0,
          );
          const turn = toMove === player ? ", to move" : "";
          return `player ${player + 1}: ${held.map((card) => card + 1).join(" ")}${turn}`;
        });
        return [...lines, `lead of player 1: ${lead}`].join("\n");
      },
    };
  },
  facets: ({ cards }): Facets<GoofspielState> => ({
    featureSets: { hand: hand(cards) },
    heuristics: { points: points(cards) },
    privacy: createPrivacy(cards),
    picture: historyPicture(basicRules(cards), maxEventsOf(cards), rivalCard),
  }),
});

/** Codes after those of own cards: the other has chosen, and the result of a round for player 0: -1, 0 or 1 from RESULT on. */
function codesOf(cards: number): { readonly chosen: number; readonly result: number } {
  return { chosen: cards, result: cards + 2 };
}

/** Players see their own cards and who wins each round. */
function createPrivacy(cards: number): Privacy<GoofspielState> {
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

/** Both players choose all cards but the last, which plays itself. */
function maxEventsOf(cards: number): number {
  return 2 * (cards - 1);
}

/** A position of goofspiel: events are the cards, 0 to cards - 1, of both players in turn. */
export class GoofspielState extends HistoryState {
  readonly cards: number;
  /** By player: the set of its cards, as bits. */
  readonly hands: Int32Array;
  /** The lead of player 0 in points of finished rounds. */
  lead = 0;

  constructor(cards: number) {
    super(maxEventsOf(cards));
    this.cards = cards;
    this.toMove = 0;
    this.hands = Int32Array.of(2 ** cards - 1, 2 ** cards - 1);
  }

  legalActions(out: Int32Array, at: number): number {
    let next = at;
    for (let card = 0; card < this.cards; card++)
      if ((this.hands[this.toMove]! & (1 << card)) !== 0) out[next++] = card;
    return next - at;
  }

  returns(player: number): number {
    if (this.toMove !== TERMINAL) return 0;
    // The last round: the only cards left, for the prize of 1.
    const lead = Math.sign(this.lead + Math.sign(this.hands[0]! - this.hands[1]!));
    return player === 0 ? lead : 0 - lead;
  }

  protected advance(card: number): void {
    const { events } = this;
    this.hands[(events - 1) % 2] ^= 1 << card;
    if (events % 2 === 0) this.lead += this.prize(events) * Math.sign(this.history[events - 2]! - card);
    this.toMove = events === this.history.length ? TERMINAL : events % 2;
  }

  protected retreat(card: number): void {
    const { events } = this;
    this.hands[events % 2] ^= 1 << card;
    if (events % 2 === 1) this.lead -= this.prize(events + 1) * Math.sign(this.history[events - 1]! - card);
    this.toMove = events % 2;
  }

  override copyFrom(other: this): void {
    super.copyFrom(other);
    this.hands.set(other.hands);
    this.lead = other.lead;
  }

  /** The prize of the round that ends with the event of this number. Prizes descend. */
  private prize(events: number): number {
    return this.cards + 1 - events / 2;
  }
}
