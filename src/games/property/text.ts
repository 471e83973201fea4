import { InputError } from "../../base/errors.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { MAX_HOUSES } from "./board.ts";
import {
  AUCTION,
  BANK,
  BEFORE,
  BEST_BID,
  BID,
  BIDDER,
  BUILD,
  BUY,
  CREDITOR,
  DEBT,
  DICE,
  DOUBLES,
  LEAVE,
  OFFER,
  OUTS,
  OVER,
  OWED,
  PASS,
  PHASE,
  ROLL,
  ROUND,
  SELL,
  TO_MOVE,
  TURN,
  type PropertyRules,
} from "./position.ts";
import { estateOf, hasGroup } from "./money.ts";
import { PropertyState } from "./state.ts";

const SIMPLE_PHASES: Readonly<Record<string, number>> = { roll: BEFORE, dice: DICE, buy: OFFER, over: OVER };
const PHASE_NAMES = ["roll", "dice", "buy", "auction", "debt", "over"] as const;
const PLAIN_ACTIONS: Readonly<Record<number, string>> = {
  [ROLL]: "roll",
  [LEAVE]: "leave",
  [BUY]: "buy",
  [PASS]: "pass",
};

/** `roll`, `leave`, `buy`, `pass`, `bid120`, `build-c1`, `sell-c1`; dice as `63`, the higher first. */
export function formatAction(action: number, state: PropertyState): string {
  const { names } = state.rules.board;
  if (state.toMove === CHANCE) return `${1 + Math.floor(action / 6)}${1 + (action % 6)}`;
  if (action >= SELL) return `sell-${names[action - SELL]}`;
  if (action >= BUILD) return `build-${names[action - BUILD]}`;
  return PLAIN_ACTIONS[action] ?? `bid${state.priceOfBid(action - BID)}`;
}

/** The phase as `formatState` writes it. */
export function phaseText({ words }: PropertyState): string {
  const [bestBid, phase] = [words[BEST_BID]!, words[PHASE]!];
  const nameOf = (player: number) => (player === BANK ? "bank" : `p${player + 1}`);
  const best = bestBid === 0 ? "" : ` ${bestBid}>${nameOf(words[BIDDER]!)}`;
  if (phase === AUCTION) return `auction ${nameOf(words[TO_MOVE]!)}${best}`;
  return phase === DEBT ? `debt ${words[OWED]}>${nameOf(words[CREDITOR]!)}` : PHASE_NAMES[phase]!;
}

/** The property of a player, such as `a1+2 s1`: the square, and the houses after a plus sign. */
function holdingsOf({ owner, houses, rules }: PropertyState, player: number): string {
  return rules.board.names
    .map((name, square) => ({ name, square }))
    .filter(({ square }) => owner[square] === player)
    .map(({ name, square }) => ` ${name}${houses[square] === 0 ? "" : `+${houses[square]}`}`)
    .join("");
}

/**
 * Full rounds, the player on turn, its doubles in a row and the phase; then each player with cash, square and property:
 * `r3 p1 x1 buy / 900@s1 a1 b1 / 1200@jail!2`. The number after `!` is that of the next roll in jail. A phase is `roll`,
 * `dice`, `buy`, `auction p2 4>p1` (player 2 is asked, player 1 has bid four fifths), `debt 300>p2`, or `over`. The
 * second player who went bankrupt is `out2`.
 */
export function formatState(state: PropertyState): string {
  const { rules, words, cash, at, held, out } = state;
  const doubles = words[DOUBLES] === 0 ? "" : ` x${words[DOUBLES]}`;
  const head = `r${words[ROUND]} p${words[TURN]! + 1}${doubles} ${phaseText(state)}`;
  const players = Array.from(cash, (money, player) => {
    if (out[player] > 0) return `out${out[player]}`;
    const jail = held[player] === 0 ? "" : `!${held[player]}`;
    return `${money}@${rules.board.names[at[player]]}${jail}${holdingsOf(state, player)}`;
  });
  return [head, ...players].join(" / ");
}

const HEAD =
  /^r(\d{1,6}) p([1-4])(?: x([12]))? (?:(roll|dice|buy|over)|auction p([1-4])(?: ([3-8])>p([1-4]))?|debt (\d{1,8})>(?:bank|p([1-4])))$/;
const PLAYER = /^(?:out([1-3])|(\d{1,8})@([a-z]+\d*)(?:!([1-3]))?((?: [a-z]+\d(?:\+[1-5])?)*))$/;

/** Reads what `formatState` writes. */
export function parseState(text: string, rules: PropertyRules): PropertyState {
  const given = text.trim().replaceAll(/\s+/g, " ");
  const refuse = (message: string) => new InputError(`"${given}": ${message}`);
  const [first, ...players] = given.split(" / ");
  const head = HEAD.exec(first!);
  if (head === null) throw refuse(`"${first}" is not of the form "r3 p1 roll": rounds, player, phase`);
  if (players.length !== rules.players)
    throw refuse(`${players.length} players; this game has ${rules.players}`);
  const state = new PropertyState(rules);
  players.forEach((part, player) => readPlayer(state, player, { part, refuse }));
  const index = (group: number) => (head[group] === undefined ? BANK : Number(head[group]) - 1);
  const turn = index(2);
  const phase = head[4] !== undefined ? SIMPLE_PHASES[head[4]]! : head[5] !== undefined ? AUCTION : DEBT;
  const { words } = state;
  words[TO_MOVE] = phase === OVER ? TERMINAL : phase === DICE ? CHANCE : phase === AUCTION ? index(5) : turn;
  words[TURN] = turn;
  words[PHASE] = phase;
  words[ROUND] = Number(head[1]);
  words[DOUBLES] = Number(head[3] ?? 0);
  words[BEST_BID] = Number(head[6] ?? 0);
  words[BIDDER] = head[6] === undefined ? 0 : index(7);
  words[OWED] = Number(head[8] ?? 0);
  words[CREDITOR] = phase === DEBT ? index(9) : 0;
  words[OUTS] = state.out.filter((order) => order > 0).length;
  const problem = problemOf(state);
  if (problem !== undefined) throw refuse(problem);
  if (formatState(state) !== given) throw refuse(`the usual form is "${formatState(state)}"`);
  return state;
}

function readPlayer(
  state: PropertyState,
  player: number,
  { part, refuse }: { readonly part: string; readonly refuse: (message: string) => InputError },
): void {
  const { names, prices, jail } = state.rules.board;
  const parts = PLAYER.exec(part);
  if (parts === null) throw refuse(`"${part}" is not of the form "900@s1 a1 b1+2": cash, square, property`);
  const [, out, cash, name, held, holdings = ""] = parts;
  state.out[player] = Number(out ?? 0);
  state.cash[player] = Number(cash ?? 0);
  const square = name === undefined ? 0 : names.indexOf(name);
  if (square < 0 || name === "arrest") throw refuse(`no pawn stands on "${name}"`);
  state.at[player] = square;
  state.held[player] = Number(held ?? 0);
  if (held !== undefined && square !== jail) throw refuse(`a player is held on "jail", not on "${name}"`);
  for (const holding of holdings.split(" ").slice(1)) {
    const [property, houses = "0"] = holding.split("+");
    const owned = names.indexOf(property!);
    if (owned < 0 || prices[owned] === 0) throw refuse(`nobody can own "${property}"`);
    if (state.owner[owned] !== BANK) throw refuse(`"${property}" has two owners`);
    state.owner[owned] = player;
    state.houses[owned] = Number(houses);
  }
}

/** The reason why a position cannot be, if there is one. */
function problemOf(state: PropertyState): string | undefined {
  const { rules, words, toMove, at, out, cash, owner, held } = state;
  const { board, players, maxRounds } = rules;
  const [turn, phase, round] = [words[TURN]!, words[PHASE]!, words[ROUND]!];
  const outs = Array.from(out).filter((order) => order > 0);
  if (turn >= players || toMove >= players) return `players are p1 to p${players}`;
  if (outs.some((_, before) => !outs.includes(before + 1)) || outs.length === players)
    return "players who are out are counted from out1 on, and one is left";
  const isOver = outs.length === players - 1 || round === maxRounds;
  if (round > maxRounds || isOver !== (phase === OVER))
    return `the game is over after ${maxRounds} rounds, or when one player is left, and only then`;
  for (const [group, squares] of board.groups.entries()) {
    const houses = Array.from(squares, (square) => state.houses[square]!);
    if (Math.max(...houses) === 0) continue;
    if (board.houseCosts[squares[0]!] === 0 || !hasGroup(state, owner[squares[0]!]!, group))
      return `houses stand in a whole group of streets only, not in ${board.groupNames[group]}`;
    if (Math.max(...houses) > Math.min(MAX_HOUSES, 1 + Math.min(...houses)))
      return `houses in group ${board.groupNames[group]} differ by more than one`;
  }
  if (phase === OVER) return undefined;
  if (out[turn]! > 0) return `player p${turn + 1} is out`;
  if (held[turn]! > 0 && (words[DOUBLES]! > 0 || phase > DICE)) return `player p${turn + 1} is in jail`;
  const square = at[turn]!;
  if (phase === DEBT) {
    const [owed, creditor] = [words[OWED]!, words[CREDITOR]!];
    if (creditor >= players || creditor === turn || (creditor !== BANK && out[creditor]! > 0))
      return "the creditor is another player in the game, or the bank";
    if (owed <= cash[turn]! || owed > estateOf(state, turn))
      return `a debt is more than the cash, ${cash[turn]}, and at most ${estateOf(state, turn)}, with all sold`;
  }
  if (phase !== OFFER && phase !== AUCTION) return undefined;
  if (board.prices[square] === 0 || owner[square] !== BANK) return `"${board.names[square]}" is not for sale`;
  if (phase === OFFER)
    return cash[turn]! < board.prices[square]! ? "the player on turn cannot pay the price" : undefined;
  const order = (player: number) => (player - turn - 1 + players) % players;
  const [bestBid, bidder] = [words[BEST_BID]!, words[BIDDER]!];
  if (!rules.auctions) return "this game has no auctions";
  if (bestBid > 0 && (bidder >= players || order(bidder) >= order(toMove) || !state.canBid(bidder, bestBid)))
    return "the best bid is that of a player who was asked before and can pay it";
  return state.canBid(toMove, state.leastBid) ? undefined : `player p${toMove + 1} cannot bid more`;
}

/** Round, turn and phase; then a line for each player. */
export function render(state: PropertyState): string {
  const { rules, words, toMove, cash, at, out, held } = state;
  const round = Math.min(words[ROUND]! + 1, rules.maxRounds);
  const head = `round ${round} of ${rules.maxRounds}, turn of player ${words[TURN]! + 1}: ${phaseText(state)}`;
  const rows = Array.from(cash, (money, player) => {
    if (out[player] > 0) return `player ${player + 1}: bankrupt`;
    const jail = held[player] === 0 ? "" : ` (held, roll ${held[player]})`;
    const sign = player === toMove ? "*" : "";
    return `player ${player + 1}${sign}: ${money} on ${rules.board.names[at[player]]}${jail};${holdingsOf(state, player)}`;
  });
  return [head, ...rows].join("\n");
}
