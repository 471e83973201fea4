import type { Facets } from "../contract/facets.ts";
import { strengthBuckets } from "./abstraction.ts";
import { defineGame } from "../contract/game.ts";
import { type Paint, type Picture, PLAYER_PAINTS } from "../contract/picture.ts";
import { CHANCE, TERMINAL, type Rules } from "../contract/rules.ts";
import { toPicture } from "../contract/simple-picture.ts";
import { historyNotation } from "../shared/history-state.ts";
import { type Form, formOf, holdemOptions } from "./form.ts";
import { equity, handFeatures, holdemPolicies, showdown, Strength } from "./judge.ts";
import { holdemPrivacy } from "./privacy.ts";
import { cardName } from "./ranks.ts";
import { CALL, FOLD, HoldemState, RAISE } from "./state.ts";

/** The numbers of legal actions: fold, call, and every total up to the highest stack. */
function maxActionsOf({ limit, most, sizes, deck }: Form): number {
  const raises = limit ? 1 : sizes === undefined ? most : sizes.length + 1;
  return Math.max(2 + raises, deck.length);
}

function formatAction(action: number, state: HoldemState): string {
  if (state.toMove === CHANCE) return cardName(action);
  if (action === FOLD) return "fold";
  const isFree = state.betOf(state.toMove) === state.top;
  if (action === CALL) return isFree ? "check" : "call";
  return `${state.top === 0 ? "bet" : "raise"}-${action - RAISE}`;
}

function basicRules(form: Form) {
  return { maxActions: maxActionsOf(form), start: () => new HoldemState(form), formatAction };
}

/**
 * Texas hold'em, a single hand. Each player gets its cards; rounds of betting follow, with a flop, a turn and a river between
 * them. The best five cards of one's own and the board win. A player who is all-in wins what it has paid for, and side pots go to
 * the best of the others. An all-in raise that is too small lets nobody raise who has acted and owes less than a full raise. The
 * return is in chips. Actions: 0 fold, 1 call or check, 1 + T bet or raise to T chips on this street; outcomes: the card.
 */
export const holdem = defineGame({
  id: "holdem",
  summary: "Texas hold'em, limit or no limit, a single hand",
  options: holdemOptions,
  rules(given): Rules<HoldemState> {
    const form = formOf(given);
    const { players, most, maxPlies } = form;
    const maxReturn = (players - 1) * most;
    const rules = basicRules(form);
    return {
      ...rules,
      ...historyNotation<HoldemState>(rules, { players, maxReturn }),
      players,
      chance: true,
      hiddenInformation: true,
      minReturn: -most,
      maxReturn,
      maxPlies,
      render,
    };
  },
  facets(given): Facets<HoldemState> {
    const form = formOf(given);
    const rules = basicRules(form);
    const strength = new Strength(form);
    return {
      featureSets: { hand: handFeatures(form, strength) },
      heuristics: { equity: equity(strength), showdown: showdown(form, strength) },
      policies: holdemPolicies(rules.maxActions, strength),
      abstraction: strengthBuckets(strength),
      privacy: holdemPrivacy(form, rules),
      picture: tablePicture(form),
    };
  },
});

/** The cards of a player that are dealt. */
function holeCards(state: HoldemState, player: number): number[] {
  return Array.from({ length: state.form.hole }, (_, at) => state.holeCard(player, at)).filter(
    (card) => card >= 0,
  );
}

/** The board, the pot, and the cards and chips of each player. */
function render(state: HoldemState): string {
  const { form, board, boardCount, toMove, pot } = state;
  const names = (cards: Iterable<number>) => [...cards].map(cardName).join(" ") || "none";
  const lines = Array.from({ length: form.players }, (_, player) => {
    const status = state.hasFolded(player) ? ", folded" : toMove === player ? ", to move" : "";
    const chips = `bet ${state.betOf(player)}, ${state.left(player)} left`;
    return `player ${player + 1}: ${names(holeCards(state, player))}, ${chips}${status}`;
  });
  const table = `board: ${names(board.subarray(0, boardCount))}; pot ${pot}`;
  return [table, ...lines, ...(toMove === TERMINAL ? ["over"] : [])].join("\n");
}

const SUIT_SIGNS = "♣♦♥♠";
const HEIGHT = 1.4;
const ROW = 1.6;

/** The board and the pot in the first row, then a row for each player: cards, bet and chips left. */
function tablePicture(form: Form): Picture<HoldemState> {
  const { players, hole, boards } = form;
  const cards = boards.at(-1)!;
  const row = (y: number) => ({ y: ROW * y, h: HEIGHT });
  const places = [
    ...Array.from({ length: cards }, (_, at) => ({ name: `board, card ${at + 1}`, x: at, w: 1, ...row(0) })),
    { name: "pot", x: cards + 0.2, w: 2.4, ...row(0) },
    ...Array.from({ length: players }, (_, player) => {
      const name = `player ${player + 1}`;
      return [
        ...Array.from({ length: hole }, (__, at) => ({
          name: `${name}, card ${at + 1}`,
          x: at,
          w: 1,
          ...row(player + 1),
        })),
        { name: `${name}, bet`, x: hole + 0.2, w: 2.4, ...row(player + 1) },
        { name: `${name}, chips`, x: hole + 2.8, w: 2.4, ...row(player + 1) },
      ];
    }).flat(),
  ];
  const shown = (card: number) => {
    const text = cardName(card).charAt(0).replace("T", "10") + SUIT_SIGNS[card & 3]!;
    return { fill: "white" as Paint, text, words: cardName(card) };
  };
  const content = (state: HoldemState, place: number, viewer?: number) => {
    if (place < cards) return place < state.boardCount ? shown(state.board[place]!) : undefined;
    if (place === cards) return { text: `pot ${state.pot}` };
    const player = Math.floor((place - cards - 1) / (hole + 2));
    const at = (place - cards - 1) % (hole + 2);
    if (at < hole) {
      const card = state.holeCard(player, at);
      if (card < 0) return undefined;
      return viewer === undefined || viewer === player
        ? shown(card)
        : { fill: "frame" as Paint, words: "a card" };
    }
    if (at === hole) return { text: state.hasFolded(player) ? "folded" : `bet ${state.betOf(player)}` };
    return { fill: PLAYER_PAINTS[player]!, text: `${state.left(player)} left` };
  };
  return toPicture<HoldemState, HoldemState>(
    { places, content, seen: content, touches: () => [] },
    (state) => state,
  );
}
