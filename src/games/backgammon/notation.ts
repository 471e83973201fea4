import { InputError } from "../../base/errors.ts";
import { CHANCE, TERMINAL } from "../rules.ts";
import { LARGE, OPENING_OUTCOMES, rollOf, ROLLS, SMALL } from "./dice.ts";
import { BAR, HOME, MEN, NO_ROLL, OFF, PLACES } from "./position.ts";
import { formatPositionId, parsePositionId } from "./position-id.ts";
import { BackgammonState, type BackgammonRules } from "./state.ts";
import { formatTurn, readTurn } from "./turn-text.ts";

export const PLAYER_NAMES = "xo";

export function formatRoll(roll: number): string {
  return `${LARGE[roll]}-${SMALL[roll]}`;
}

/** A turn (see `formatTurn`), a roll `3-1`, or at the opening also who won it: `x:3-1`. */
export function formatAction(action: number, state: BackgammonState): string {
  if (state.toMove !== CHANCE) return formatTurn(action, state);
  if (!state.opening) return formatRoll(action);
  return `${PLAYER_NAMES[Math.floor(action / ROLLS)]}:${formatRoll(action % ROLLS)}`;
}

/** The possible action that `text` writes, or -1 where it writes none. */
export function readAction(text: string, state: BackgammonState): number {
  if (state.toMove === TERMINAL) return -1;
  if (state.toMove !== CHANCE) return readTurn(text, state);
  const match = /^(?:([xo]):)?([1-6])-?([1-6])$/.exec(text);
  if (match === null || (match[1] !== undefined) !== state.opening) return -1;
  const roll = rollOf(Number(match[2]), Number(match[3]));
  if (!state.opening) return roll;
  const outcome = PLAYER_NAMES.indexOf(match[1]!) * ROLLS + roll;
  return OPENING_OUTCOMES.includes(outcome) ? outcome : -1;
}

/**
 * GNU Backgammon's position id, the player on roll and the dice: `4HPwATDgc/ABMA:x:3-1`; `roll` in
 * place of dice still to be thrown, `over` at the end, and `4HPwATDgc/ABMA:start` at the start.
 */
export function formatState(state: BackgammonState): string {
  const id = formatPositionId(state);
  if (state.opening) return `${id}:start`;
  const dice = state.toMove === TERMINAL ? "over" : state.roll === NO_ROLL ? "roll" : formatRoll(state.roll);
  return `${id}:${PLAYER_NAMES[state.onRoll]}:${dice}`;
}

/** Reads `formatState`'s form; `start` alone is the start, an id alone has the first player about to roll. */
export function parseState(text: string, rules: BackgammonRules): BackgammonState {
  const given = text.trim();
  const state = new BackgammonState(rules);
  if (given === "start" || given === formatState(state)) return state;
  const [id = "", name = "x", dice = "roll", ...rest] = given.split(":");
  const onRoll = name.length === 1 ? PLAYER_NAMES.indexOf(name) : -1;
  if (onRoll < 0 || rest.length > 0) {
    throw new InputError(
      `"${given}" is not a position id, x or o, and dice, such as 4HPwATDgc/ABMA:x:3-1 (or :roll, :over)`,
    );
  }
  putMen(state, parsePositionId(id, onRoll));
  state.place({ onRoll, roll: parseDice(dice, given), opening: false });
  const winner = [0, 1].findIndex((player) => state.men[player * PLACES + OFF] === MEN);
  if (winner === onRoll) throw new InputError(`"${given}" has a player on roll who has no men left`);
  if (winner >= 0 && dice !== "over") throw new InputError(`"${given}" is over: write "over" for the dice`);
  if ([0, 1].every((player) => isShutOut(state, player)))
    throw new InputError(`"${given}" has both players on the bar against a closed board`);
  if (dice === "over") state.finish(winner);
  return state;
}

function parseDice(dice: string, text: string): number {
  if (dice === "roll" || dice === "over") return NO_ROLL;
  const match = /^([1-6])-?([1-6])$/.exec(dice);
  if (match === null)
    throw new InputError(`dice "${dice}" in "${text}"; allowed: two dice such as 3-1, roll, over`);
  return rollOf(Number(match[1]), Number(match[2]));
}

function putMen(state: BackgammonState, men: Int8Array): void {
  for (let player = 0; player < 2; player++) {
    for (let place = 0; place < PLACES; place++) {
      const at = player * PLACES + place;
      while (state.men[at] > men[at]) state.lift(player, place);
      while (state.men[at] < men[at]) state.drop(player, place);
    }
  }
}

function isShutOut(state: BackgammonState, player: number): boolean {
  const entry = ((1 << BAR) - 1) & ~((1 << (BAR - HOME)) - 1);
  return state.men[player * PLACES + BAR] > 0 && (state.made[1 - player] & entry) === entry;
}
