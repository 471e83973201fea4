import { InputError } from "../../base/errors.ts";
import { possibleActions } from "../contract/notation.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { defendersLeft, LEFT_SHIFT } from "./battle.ts";
import {
  ACCEPT,
  ALLY,
  BATTLE,
  BREAK,
  type ConquestRules,
  ConquestState,
  DECLINE,
  END,
  OFFER,
  PLACE,
  PLACINGS,
  REGION_BITS,
  REGION_MASK,
  TALK,
  TO_PLACE,
  TURNS,
} from "./state.ts";

/** By player: the letter of the regions. */
export const LETTERS = "ABCDEF";

/**
 * `+alba` places armies, `alba-bruma` attacks or marches, `ally-B` offers an alliance, `accept` and `decline` answer,
 * `break-B` and `end`. An outcome is the armies left on both sides, `3:1`.
 */
export function formatAction(action: number, { toMove, rules }: ConquestState): string {
  if (toMove === CHANCE) return `${action >> LEFT_SHIFT}:${defendersLeft(action)}`;
  if (action === END) return "end";
  if (action < PLACE) return formatMove(action, rules);
  if (action < ALLY) return `+${rules.map.names[action - PLACE]}`;
  if (action < BREAK) return `ally-${LETTERS[action - ALLY]}`;
  if (action < ACCEPT) return `break-${LETTERS[action - BREAK]}`;
  return action === DECLINE ? "decline" : "accept";
}

function formatMove(move: number, { map }: ConquestRules): string {
  return `${map.names[move >> REGION_BITS]}-${map.names[move & REGION_MASK]}`;
}

/** The pairs of players that are allied, in the order of players, with the turn that ends the alliance: `A=B@7`. */
export function alliancesOf(state: ConquestState): string[] {
  const letters = Array.from(LETTERS.slice(0, state.rules.players));
  return letters.flatMap((letter, player) =>
    letters.flatMap((other, at) => {
      const until = at > player ? state.allianceOf(player, at) : 0;
      return until === 0 ? [] : [`${letter}=${other}@${until}`];
    }),
  );
}

/**
 * Owner and armies of each region, continents apart; the turns that began before; then, where they are due, `talk`, the
 * armies to place and the actions for it, alliances, an attack, and the player who is offered an alliance:
 * `A2B2C2/A2B2C2 t3 talk +3/2 A=B@6`.
 */
export function formatState(state: ConquestState): string {
  const { slots, rules } = state;
  const board = rules.map.continents.map(({ regions }) =>
    regions.map((region) => `${LETTERS[state.ownerOf(region)]}${state.armiesOf(region)}`).join(""),
  );
  return [
    board.join("/"),
    `t${slots[TURNS]}`,
    ...(slots[TALK] === 0 ? [] : ["talk"]),
    ...(slots[TO_PLACE] === 0 ? [] : [`+${slots[TO_PLACE]}/${slots[PLACINGS]}`]),
    ...alliancesOf(state),
    ...(slots[BATTLE] === 0 ? [] : [formatMove(slots[BATTLE], rules)]),
    ...(slots[OFFER] === 0 ? [] : [`ally-${LETTERS[slots[OFFER] - 1]}`]),
  ].join(" ");
}

const FORM =
  /^(\S+) t(\d{1,6})( talk)?(?: \+(\d{1,4})\/(\d))?((?: [A-F]=[A-F]@\d{1,6})*)(?: ([a-z]+-[a-zA-F]+))?$/;

/** Reads `formatState`'s form, or `start`. */
export function parseState(text: string, rules: ConquestRules): ConquestState {
  const state = new ConquestState(rules);
  const given = text.trim();
  if (given === "start") return state;
  const refuse = (message: string) => new InputError(`"${given}": ${message}`);
  const parts = FORM.exec(given);
  if (parts === null)
    throw refuse(`it must have regions, turns and what is due, such as "${formatState(state)}"`);
  const [, board = "", turns, talk, toPlace = 0, placings = 0, alliances = "", open] = parts;
  const letters = LETTERS.slice(0, rules.players);
  settle(state, board, refuse);
  const slots: number[] = [];
  slots[TURNS] = Number(turns);
  slots[TO_PLACE] = Number(toPlace);
  slots[PLACINGS] = Number(placings);
  slots[TALK] = talk === undefined ? 0 : 1;
  if (slots[TURNS] > state.limit) throw refuse(`the game ends after ${state.limit} turns`);
  state.place(slots);
  const { turn } = state;
  const isPlacing = slots[TO_PLACE] > 0;
  if (state.toMove === TERMINAL) {
    if (talk !== undefined || isPlacing || alliances !== "" || open !== undefined)
      throw refuse("the game is over: nothing is due");
    return state;
  }
  if (state.regionsOf(turn) === 0) throw refuse(`${letters[turn]} has the turn and no region`);
  const isTold = talk !== undefined || alliances !== "" || open?.startsWith("ally-") === true;
  if (!rules.alliances && isTold) throw refuse("this game has no alliances");
  for (const alliance of alliances.split(" ").slice(1)) settleAlliance(state, alliance, refuse);
  const most = state.incomeOf(turn);
  if (isPlacing !== slots[PLACINGS] > 0 || slots[PLACINGS] > rules.placements || slots[TO_PLACE] > most)
    throw refuse(`${letters[turn]} places 1 to ${most} armies in 1 to ${rules.placements} actions`);
  if (isPlacing && !state.hasRoom(turn)) throw refuse("no region can take the armies");
  if (open !== undefined) {
    // The position before an offer had talk, and both are the action that makes this position.
    if (open.startsWith("ally-")) state.place([...slots.slice(0, TALK), 1]);
    const legal = possibleActions({ maxActions: MOST_ACTIONS }, state);
    const action = legal.find((each) => formatAction(each, state) === open);
    if (action !== undefined) state.apply(action);
    if (formatState(state) !== given) throw refuse(`${open} is not possible`);
    state.place([]);
  }
  return state;
}

/** No position has more actions. */
const MOST_ACTIONS = (1 << REGION_BITS) << 4;

type Refuse = (message: string) => InputError;

function settle(state: ConquestState, board: string, refuse: Refuse): void {
  const { map, players, maxArmies } = state.rules;
  const letters = LETTERS.slice(0, players);
  const rows = board.split("/");
  const sizes = map.continents.map(({ regions }) => regions.length);
  const found = rows.map((row) => Array.from(row.matchAll(/([A-F])(\d{1,2})/g)));
  const read = found.map((row) => row.map(([word]) => word).join(""));
  if (read.join("/") !== board || found.map(({ length }) => length).join() !== sizes.join())
    throw refuse(`the continents of this map have ${sizes.join(", ")} regions`);
  for (const [region, [word, letter = "", armies]] of found.flat().entries()) {
    if (!letters.includes(letter) || Number(armies) < 1 || Number(armies) > maxArmies)
      throw refuse(`"${word}"; allowed: ${letters[0]} to ${letters.at(-1)} with 1 to ${maxArmies} armies`);
    state.settle(region, letters.indexOf(letter), Number(armies));
  }
}

function settleAlliance(state: ConquestState, text: string, refuse: Refuse): void {
  const [player, other] = [LETTERS.indexOf(text[0]!), LETTERS.indexOf(text[2]!)];
  const until = Number(text.slice(4));
  const isOpen = player < other && other < state.rules.players && state.allianceOf(player, other) === 0;
  if (!isOpen || state.regionsOf(player) === 0 || state.regionsOf(other) === 0)
    throw refuse(`"${text}"; an alliance is of two players with regions, such as A=B@${state.limit}`);
  if (until <= state.slots[TURNS] || until > state.limit)
    throw refuse(`"${text}" ends with turn ${state.slots[TURNS] + 1} to ${state.limit}`);
  state.ally(player, other, until);
}

/** A line for each continent, its regions with owner and armies; then the turn, and alliances. */
export function render(state: ConquestState): string {
  const { rules } = state;
  const rows = rules.map.continents.map(({ name, bonus, regions }) => {
    const held = regions.map(
      (region) => `${rules.map.names[region]} ${LETTERS[state.ownerOf(region)]}${state.armiesOf(region)}`,
    );
    return `${name} (+${bonus}): ${held.join("  ")}`;
  });
  const alliances = alliancesOf(state);
  return [...rows, `${describeTurn(state)}${alliances.length === 0 ? "" : `; ${alliances.join(" ")}`}`].join(
    "\n",
  );
}

/** The turn in words, such as `B to place 3, round 2 of 20`. */
export function describeTurn(state: ConquestState): string {
  const { rules, slots, toMove, turn } = state;
  const round = Math.floor(slots[TURNS] / rules.players) + 1;
  if (toMove === TERMINAL) {
    const isWon = state.regionsOf(turn) === rules.map.names.length;
    return isWon ? `${LETTERS[turn]} has all regions` : `over after ${rules.maxRounds} rounds`;
  }
  const due =
    toMove === CHANCE
      ? `attacks ${formatMove(slots[BATTLE], rules)}`
      : slots[OFFER] > 0
        ? `asks ${LETTERS[toMove]}`
        : slots[TO_PLACE] > 0
          ? `places ${slots[TO_PLACE]}`
          : "to move";
  return `${LETTERS[turn]} ${due}, round ${round} of ${rules.maxRounds}`;
}
