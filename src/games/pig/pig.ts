import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { type Painted, type Picture, type Place, PLAYER_PAINTS, type Shape } from "../contract/picture.ts";
import { CHANCE, type Rules, TERMINAL } from "../contract/rules.ts";
import { die, label, playerDisc, rect } from "../shared/shapes.ts";
import { createSolver, perfect, race, raceFeatures } from "./judge.ts";
import { HOLD, MAX_PLAYERS, MAX_TARGET, type PigRules, PigState, ROLL } from "./state.ts";

const options = z.strictObject({
  players: z.int().min(2).max(MAX_PLAYERS).default(2).describe("number of players, who take turns"),
  target: z.int().min(10).max(MAX_TARGET).default(100).describe("points that win"),
  maxTurns: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1000)
    .describe("turns of all players together after which the game is a draw"),
});

/**
 * Pig (Scarne 1945; Neller & Presser, "Optimal play of the dice game Pig", 2004). On each turn a player
 * rolls a die as often as they like. A roll of 2 to 6 is added to the turn's total. A roll of 1 loses the
 * total and ends the turn. Holding banks the total and ends the turn. A player whose score plus total
 * reaches the target wins at once. The usual rules ask for a hold first, which changes nothing in optimal
 * play. Actions: 0 hold, 1 roll; outcomes 1 to 6.
 */
export const pig = defineGame({
  id: "pig",
  summary: "roll on or hold: a jeopardy dice race",
  options,
  rules(variant): Rules<PigState> {
    const { players, target, maxTurns } = variant;
    return {
      players,
      chance: true,
      minReturn: -1 / (players - 1),
      maxActions: 6,
      // Every roll but the last of a turn adds at least 2.
      maxPlies: maxTurns * (Math.ceil(target / 2) + 1),
      start: () => new PigState(variant),
      formatAction: (action, { toMove }) =>
        toMove === CHANCE ? String(action) : action === HOLD ? "hold" : "roll",
      formatState,
      parseState: (text) => parseState(text, variant),
      render,
    };
  },
  facets(variant): Facets<PigState> {
    const { players, target } = variant;
    return {
      featureSets: { race: raceFeatures(players, target) },
      heuristics: { race },
      policies: players === 2 ? { perfect: perfect(target) } : {},
      solver: players === 2 ? () => createSolver(target) : undefined,
      picture: createPicture(variant),
    };
  },
});

const WIDTH = 10;
const TOP = 1.2;
const ROW = 1;
/** A player's bar; its whole length is the target. */
const BAR = { x: 1.8, w: 5.6, h: 0.5 };
const BUTTON = { w: 4.4, h: 1.4 };

/** The players' scores as bars towards the target, the total of this turn, and two buttons. */
function createPicture({ players, target, maxTurns }: PigRules): Picture<PigState> {
  const below = TOP + players * ROW + 0.3;
  const height = below + BUTTON.h + 0.1;
  const button = (name: string, x: number): Place => ({ name, x, y: below, ...BUTTON });
  const hold = button("hold", 0.4);
  const roll = button("roll", WIDTH - 0.4 - BUTTON.w);
  const rowMiddle = (player: number) => TOP + (player + 0.5) * ROW;
  const lengthOf = (points: number) => (BAR.w * Math.min(points, target)) / target;
  const bar = (player: number, { x, w }: { x: number; w: number }, painted: Painted) =>
    rect({ x, y: rowMiddle(player) - BAR.h / 2, w, h: BAR.h }, { width: 0.03, ...painted });
  const everyPlayer = Array.from({ length: players }, (_, player) => player);

  const drawPlayer = ({ scores, turnPlayer, turnTotal, toMove }: PigState, player: number): Shape[] => {
    const score = scores[player]!;
    const isOn = player === turnPlayer && toMove !== TERMINAL;
    const total = player === turnPlayer ? turnTotal : 0;
    const [length, longer] = [lengthOf(score), lengthOf(score + total)];
    const fill = PLAYER_PAINTS[player]!;
    const y = rowMiddle(player);
    return [
      bar(player, { x: BAR.x, w: length }, { fill }),
      ...(total === 0
        ? []
        : [bar(player, { x: BAR.x + length, w: longer - length }, { fill, stroke: "line", opacity: 0.5 })]),
      ...(isOn
        ? [{ kind: "polygon", points: [0.15, y - 0.25, 0.6, y, 0.15, y + 0.25], fill: "ink" } as const]
        : []),
      label({ x: 8.8, y }, total === 0 ? String(score) : `${score} + ${total}`, { size: 0.5, bold: isOn }),
    ];
  };

  const drawButton = (place: Place, isOpen: boolean) =>
    rect(place, {
      round: 0.25,
      fill: "board",
      stroke: isOpen ? "ink" : "faint",
      width: isOpen ? 0.07 : 0.03,
    });

  return {
    width: WIDTH,
    height,
    ground: [
      ...everyPlayer.flatMap((player) => [
        bar(player, BAR, { fill: "board", stroke: "line" }),
        ...playerDisc({ x: 1.15, y: rowMiddle(player), r: 0.36 }, player),
      ]),
      label({ x: BAR.x + BAR.w, y: TOP - 0.05 }, String(target), { size: 0.36, fill: "faint" }),
    ],
    // The first two have the numbers of their actions.
    places: [
      hold,
      roll,
      ...everyPlayer.map((player) => ({
        name: `player ${player + 1}`,
        x: 0.7,
        y: TOP + player * ROW,
        w: WIDTH - 0.7,
        h: ROW,
      })),
    ],
    draw(state) {
      const { turnTotal, turns, turnPlayer, toMove, scores } = state;
      const isOver = toMove === TERMINAL;
      const hasWon = isOver && scores[turnPlayer]! + turnTotal >= target;
      const said = hasWon
        ? `player ${turnPlayer + 1} has won`
        : isOver
          ? "draw"
          : `player ${turnPlayer + 1} ${toMove === CHANCE ? "rolls" : "to move"}`;
      const canHold = toMove >= 0 && turnTotal > 0;
      const middle = below + BUTTON.h / 2;
      const paint = (isOpen: boolean) => (isOpen ? "ink" : "faint");
      return [
        label({ x: 3.2, y: 0.4 }, said, { size: 0.5, bold: true }),
        label({ x: 8.2, y: 0.4 }, `turn ${Math.min(turns + 1, maxTurns)} of ${maxTurns}`, {
          size: 0.36,
          fill: "faint",
        }),
        ...everyPlayer.flatMap((player) => drawPlayer(state, player)),
        drawButton(hold, canHold),
        label({ x: hold.x + BUTTON.w / 2, y: middle }, canHold ? `hold ${turnTotal}` : "hold", {
          size: 0.6,
          bold: true,
          fill: paint(canHold),
        }),
        drawButton(roll, toMove >= 0),
        ...die({ x: roll.x + 0.95, y: middle, size: 0.9 }, 0),
        label({ x: roll.x + 2.85, y: middle }, toMove === CHANCE ? "rolling" : "roll", {
          size: 0.6,
          bold: true,
          fill: paint(toMove >= 0),
        }),
      ];
    },
    describe({ scores, turnPlayer, turnTotal, toMove }, place) {
      if (place === HOLD)
        return turnTotal > 0 && toMove !== TERMINAL ? `${turnTotal} points of this turn` : "";
      if (place === ROLL) return toMove === TERMINAL ? "" : toMove === CHANCE ? "die in the air" : "die";
      const player = place - 2;
      const total = player === turnPlayer && turnTotal > 0 ? `, and ${turnTotal} of this turn` : "";
      return `${scores[player]} points${total}`;
    },
    touches: (_, action) => [action],
  };
}

/**
 * Banked scores, total of this turn, turns finished by all players together: `41,23 +12 t7`, and `41,23
 * +12 rolling t7` while the die is in the air. Turn t belongs to player t modulo the number of players.
 */
function formatState({ scores, turnTotal, turns, toMove }: PigState): string {
  return `${scores.join(",")} +${turnTotal}${toMove === CHANCE ? " rolling" : ""} t${turns}`;
}

function parseState(text: string, rules: PigRules): PigState {
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

function render({ scores, turnPlayer, turnTotal, turns, toMove, rules }: PigState): string {
  const rows = Array.from(scores, (score, player) => {
    const turn = player !== turnPlayer ? "" : ` + ${turnTotal}${toMove === CHANCE ? ", rolling" : ""}`;
    return `player ${player + 1}: ${score}${turn}`;
  });
  const end = toMove === TERMINAL ? ", over" : "";
  return [...rows, `target ${rules.target}, turn ${turns} of ${rules.maxTurns}${end}`].join("\n");
}
