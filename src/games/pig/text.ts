import { InputError } from "../../base/errors.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { PigState, type PigRules } from "./state.ts";

/**
 * Banked scores, total of this turn, turns finished by all players together: `41,23 +12 t7`, and `41,23
 * +12 rolling t7` while the die is in the air. Turn t belongs to player t modulo the number of players.
 */
export function formatState({ scores, turnTotal, turns, toMove }: PigState): string {
  return `${scores.join(",")} +${turnTotal}${toMove === CHANCE ? " rolling" : ""} t${turns}`;
}

export function parseState(text: string, rules: PigRules): PigState {
  const { players, target, maxTurns } = rules;
  const given = text.trim();
  const parts = /^(\d+(?:,\d+)*) \+(\d+)( rolling)? t(\d+)$/.exec(given);
  if (parts === null) {
    throw new InputError(
      `"${given}" is not of the form "41,23 +12 t7": scores, total of this turn, turns finished`,
    );
  }
  const scores = parts[1]!.split(",").map(Number);
  const [turnTotal, turns] = [Number(parts[2]), Number(parts[4])];
  const rolling = parts[3] !== undefined;
  const refuse = (message: string) => new InputError(`"${given}": ${message}`);
  if (scores.length !== players) throw refuse(`${scores.length} scores; this game has ${players} players`);
  if (scores.some((score) => score >= target)) throw refuse(`banked scores are below the target, ${target}`);
  if (turns > maxTurns) throw refuse(`the game ends after ${maxTurns} turns`);
  if (turns === maxTurns && (turnTotal > 0 || rolling))
    throw refuse(`the game ended after ${maxTurns} turns, with no turn to follow`);
  const before = scores[turns % players]! + turnTotal;
  if (turnTotal === 1 || before >= target + 6 || (before >= target && rolling))
    throw refuse(`the total of a turn that nobody can have: ${turnTotal}${rolling ? " and rolling" : ""}`);
  const state = new PigState(rules);
  state.place(scores, { turnTotal, turns, rolling });
  return state;
}

export function render({ scores, turnPlayer, turnTotal, turns, toMove, rules }: PigState): string {
  const rows = Array.from(scores, (score, player) => {
    const turn = player !== turnPlayer ? "" : ` + ${turnTotal}${toMove === CHANCE ? ", rolling" : ""}`;
    return `player ${player + 1}: ${score}${turn}`;
  });
  const end = toMove === TERMINAL ? ", over" : "";
  return [...rows, `target ${rules.target}, turn ${turns} of ${rules.maxTurns}${end}`].join("\n");
}
