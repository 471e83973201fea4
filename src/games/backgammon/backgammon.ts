import { z } from "zod";
import type { Facets } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import { parseLegal } from "../contract/notation.ts";
import { type Rules, CHANCE, TERMINAL } from "../contract/rules.ts";
import {
  formatAction,
  formatState,
  parseState,
  readAction,
  render,
  PLAYER_NAMES,
  situationText,
  mat,
} from "./text.ts";
import { pipCount, pubeval, pubevalFeatures, pubevalPolicy } from "./judge.ts";
import { BackgammonState } from "./state.ts";
import { tacticsFeatures, tesauroFeatures } from "./features.ts";
import { MAX_LEGAL_TURNS, PASS } from "./turns.ts";
import type { Picture, Place, Shape } from "../contract/picture.ts";
import { circle, die, label, rect } from "../shared/shapes.ts";
import { BAR, LARGE, OFF, PLACES, SMALL } from "./position.ts";

const options = z.strictObject({
  gammons: z.boolean().default(true).describe("true if gammons and backgammons count 2 and 3 points"),
  maxTurns: z
    .int()
    .min(1)
    .default(4096)
    .describe("turns after which a game without a winner ends as a draw; random games last about 100"),
});

/**
 * Backgammon as single games for points, without a cube. Chance throws the dice; the opening roll also
 * decides who starts. A player's whole turn is one action (see turns.ts).
 */
export const backgammon = defineGame({
  id: "backgammon",
  summary: "race 15 men home by dice, past the other's; no cube",
  options,
  rules(variant): Rules<BackgammonState> {
    const maxPoints = variant.gammons ? 3 : 1;
    return {
      chance: true,
      minReturn: 0 - maxPoints,
      maxReturn: maxPoints,
      outcomes: variant.gammons ? [-3, -2, -1, 1, 2, 3] : [-1, 1],
      maxActions: MAX_LEGAL_TURNS,
      maxPlies: variant.maxTurns,
      start: () => new BackgammonState(variant),
      formatAction,
      parseAction(text, state) {
        const action = readAction(text.trim(), state);
        return action >= 0 ? action : parseLegal(this, text, state);
      },
      formatState,
      parseState: (text) => parseState(text, variant),
      render,
      pieces: ["x", "o"],
    };
  },
  facets(variant, { maxReturn }): Facets<BackgammonState> {
    return {
      featureSets: {
        tesauro: tesauroFeatures,
        tactics: tacticsFeatures,
        pubeval: pubevalFeatures,
      },
      heuristics: { "pip-count": pipCount(maxReturn), pubeval: pubeval(maxReturn) },
      policies: { pubeval: pubevalPolicy },
      transcripts: { mat: mat(variant) },
      picture,
    };
  },
});

/*
 * The board as the first player, x, sees it: home at the lower right, the bar in the middle, and beside the board the
 * trays of the men that are off. Places: 0 is x's tray, 1 to 24 are x's points, 25 is x's bar, 26 o's bar, 27 o's tray.
 */

const OTHER_BAR = 26;
const OTHER_OFF = 27;

/** The strips above and below the points, which hold the numbers. */
const EDGE = 0.55;
const FIELD = 11;
const BOTTOM = EDGE + FIELD;
const LEFT = 0.35;
const BAR_X = LEFT + 6;
const RIGHT = BAR_X + 1.1;
const TRAY = RIGHT + 6 + 0.3;
const WIDTH = TRAY + 1.2 + 0.3;
const BOARD = BOTTOM + EDGE;
const HEIGHT = BOARD + 0.9;
const MIDDLE = EDGE + FIELD / 2;

/** A man's radius; and the most men of a pile that are drawn, a number on the last one counting a larger pile. */
const RADIUS = 0.46;
const SHOWN = 5;
const STEP = 0.92;
/** A man in the tray, seen from the side. */
const SLAB = 0.3;

/** The left edge of one of x's points. */
function pointX(point: number): number {
  const column = point > 12 ? point - 13 : 12 - point;
  return column < 6 ? LEFT + column : RIGHT + column - 6;
}

const isUpper = (point: number) => point > 12;

function placeAt(index: number): Place {
  if (index === OFF || index === OTHER_OFF) {
    const player = index === OFF ? 0 : 1;
    return {
      name: `tray of ${PLAYER_NAMES[player]}`,
      x: TRAY,
      y: player === 0 ? BOTTOM - 5 : EDGE,
      w: 1.2,
      h: 5,
    };
  }
  if (index === BAR || index === OTHER_BAR) {
    const player = index === BAR ? 0 : 1;
    const y = player === 0 ? MIDDLE + 0.4 : EDGE;
    return { name: `bar of ${PLAYER_NAMES[player]}`, x: BAR_X, y, w: 1.1, h: 5.1 };
  }
  return { name: `point ${index}`, x: pointX(index), y: isUpper(index) ? EDGE : BOTTOM - 5, w: 1, h: 5 };
}

/** The number of a place of `player`, as that player counts. */
function placeOf(player: number, place: number): number {
  if (player === 0) return place;
  return place === OFF ? OTHER_OFF : place === BAR ? OTHER_BAR : BAR - place;
}

/** The owner and the number of the men on a place. */
function menOn({ men }: BackgammonState, place: number): { player: number; count: number } {
  if (place > BAR) return { player: 1, count: men[PLACES + (place === OTHER_BAR ? BAR : OFF)] };
  const theirs = place === OFF || place === BAR ? 0 : men[PLACES + BAR - place];
  return theirs > 0 ? { player: 1, count: theirs } : { player: 0, count: men[place] };
}

/** x has light men with a ring, o dark men with a dot. */
function drawMan(x: number, y: number, player: number): Shape[] {
  return player === 0
    ? [
        circle({ x, y }, RADIUS - 0.02, { fill: "white", stroke: "edge", width: 0.05 }),
        circle({ x, y }, 0.28, { stroke: "black", width: 0.035, opacity: 0.45 }),
      ]
    : [
        circle({ x, y }, RADIUS - 0.02, { fill: "black", stroke: "faint", width: 0.05 }),
        circle({ x, y }, 0.09, { fill: "white", opacity: 0.8 }),
      ];
}

/** Men from `y` on, each `step` farther; the last one of many carries their number. */
function drawPile(
  { x, y, step }: { x: number; y: number; step: number },
  player: number,
  count: number,
): Shape[] {
  const shown = Math.min(count, SHOWN);
  const shapes = Array.from({ length: shown }, (_, man) => drawMan(x, y + man * step, player)).flat();
  if (count <= SHOWN) return shapes;
  const last = { x, y: y + (SHOWN - 1) * step };
  const [man] = drawMan(last.x, last.y, player);
  const number = label(last, String(count), {
    size: 0.55,
    fill: player === 0 ? "black" : "white",
    bold: true,
  });
  return [...shapes, man!, number];
}

function drawPlace(state: BackgammonState, place: number): Shape[] {
  const { player, count } = menOn(state, place);
  const { x, y, w, h } = placeAt(place);
  if (place === OFF || place === OTHER_OFF) {
    return Array.from({ length: count }, (_, man) => {
      const at = player === 0 ? y + h - (man + 1) * (SLAB + 0.03) : y + man * (SLAB + 0.03) + 0.03;
      const fill = player === 0 ? "white" : "black";
      const slab = { x: x + 0.1, y: at, w: w - 0.2, h: SLAB };
      return rect(slab, { round: 0.06, fill, stroke: "faint", width: 0.03 });
    });
  }
  // The men on the bar stand from the middle outwards.
  const fromTop = place === BAR || (place !== OTHER_BAR && isUpper(place));
  return drawPile(
    { x: x + w / 2, y: fromTop ? y + STEP / 2 : y + h - STEP / 2, step: fromTop ? STEP : -STEP },
    player,
    count,
  );
}

/** The dice, thrown or still to be thrown, in the half of the board at the right hand of their player. */
function drawDice({ onRoll, roll, opening, toMove }: BackgammonState): Shape[] {
  if (toMove === TERMINAL) return [];
  const x = (onRoll === 0 || opening ? RIGHT : LEFT) + 3;
  const [large, small] = toMove === CHANCE ? [0, 0] : [LARGE[roll], SMALL[roll]];
  const paints = (player: number) =>
    player === 0 ? ({ fill: "white", pips: "black" } as const) : ({ fill: "black", pips: "white" } as const);
  return [
    ...die({ x: x - 0.65, y: MIDDLE, size: 0.95 }, large, paints(onRoll)),
    // At the opening each player throws one die.
    ...die({ x: x + 0.65, y: MIDDLE, size: 0.95 }, small, paints(opening ? 1 - onRoll : onRoll)),
  ];
}

/** The places that the men leave and come to, in the order in which the state plays the dice. */
function touchesOf({ men, onRoll, roll }: BackgammonState, action: number): number[] {
  if (action === PASS) return [];
  const [large, small] = [LARGE[roll], SMALL[roll]];
  let steps: (readonly [from: number, die: number])[];
  if (large === small) {
    steps = [15, 10, 5, 0].map((shift) => [(action >>> shift) & 31, large]);
  } else {
    steps = [
      [action >>> 5, large],
      [action & 31, small],
    ];
    // A man comes to an empty place by the other die, as BackgammonState plays the dice.
    if (men[onRoll * PLACES + (action >>> 5)] === 0) steps.reverse();
  }
  return steps
    .filter(([from]) => from !== 0)
    .flatMap(([from, pips]) => [placeOf(onRoll, from), placeOf(onRoll, Math.max(from - pips, OFF))]);
}

const POINTS = Array.from({ length: 24 }, (_, index) => index + 1);

const ground: readonly Shape[] = [
  rect({ x: 0, y: 0, w: WIDTH, h: BOARD }, { round: 0.25, fill: "dark" }),
  ...[LEFT, RIGHT].map((x) => rect({ x, y: EDGE, w: 6, h: FIELD }, { fill: "felt" })),
  ...[EDGE, BOTTOM - 5].map((y) =>
    rect({ x: TRAY, y, w: 1.2, h: 5 }, { round: 0.08, fill: "black", opacity: 0.45 }),
  ),
  ...POINTS.flatMap((point): Shape[] => {
    const x = pointX(point);
    const [base, tip] = isUpper(point) ? [EDGE, EDGE + 4.6] : [BOTTOM, BOTTOM - 4.6];
    return [
      {
        kind: "polygon",
        points: [x + 0.04, base, x + 0.96, base, x + 0.5, tip],
        fill: point % 2 === 0 ? "light" : "dark",
      },
      label({ x: x + 0.5, y: isUpper(point) ? EDGE / 2 : BOTTOM + EDGE / 2 }, String(point), {
        size: 0.36,
      }),
    ];
  }),
  ...[0, 1].flatMap((player) => drawMan(player === 0 ? WIDTH - 0.45 : 0.45, BOARD + 0.48, player)),
];

/** The board, the men, the dice and the pips that both have to go. */
const picture: Picture<BackgammonState> = {
  width: WIDTH,
  height: HEIGHT,
  players: ["white", "black"],
  names: Array.from(PLAYER_NAMES),
  below: 0,
  ground,
  places: Array.from({ length: OTHER_OFF + 1 }, (_, index) => placeAt(index)),
  draw(state) {
    const y = BOARD + 0.5;
    return [
      ...picture.places.flatMap((_, place) => drawPlace(state, place)),
      ...drawDice(state),
      label({ x: 2.9, y }, `o  ${state.pips(1)} pips`, { size: 0.6 }),
      label({ x: WIDTH / 2, y }, situationText(state), { size: 0.65, bold: true }),
      label({ x: WIDTH - 2.9, y }, `x  ${state.pips(0)} pips`, { size: 0.6 }),
    ];
  },
  describe(state, place) {
    const { player, count } = menOn(state, place);
    return count === 0 ? "" : `${count} ${count === 1 ? "man" : "men"} of ${PLAYER_NAMES[player]}`;
  },
  touches: touchesOf,
};
