import { type Picture, type Place, PLAYER_PAINTS, type Shape } from "../contract/picture.ts";
import { CHANCE, TERMINAL } from "../contract/rules.ts";
import { circle, die, label, middleOf, playerDisc, rect } from "../shared/shapes.ts";
import { spotOf } from "./board.ts";
import {
  BANK,
  BID,
  BUILD,
  BUY,
  LEAVE,
  MAX_BID,
  MIN_BID,
  PASS,
  type PropertyRules,
  ROLL,
  SELL,
  TURN,
} from "./position.ts";
import { worthOf } from "./money.ts";
import type { PropertyState } from "./state.ts";
import { formatAction, phaseText } from "./text.ts";

/** Squares of a side from which the players' panel fits into the track. */
const WIDE = 8;
const PANEL = { w: 5.6, head: 0.9, row: 0.8, button: 0.75 } as const;
const PLAIN_BUTTONS = [
  [ROLL, "roll"],
  [LEAVE, "leave"],
  [BUY, "buy"],
  [PASS, "pass"],
] as const;

/** The track with its owners, houses and pawns; beside or inside it the players' cash, and a button for each action. */
export function createPicture({ board, players }: PropertyRules): Picture<PropertyState> {
  const { names, prices, jail } = board;
  const size = names.length;
  const side = size / 4 + 1;
  const left = side < WIDE ? side + 0.4 : (side - PANEL.w) / 2;
  const top = side < WIDE ? 0 : 2;
  const below = top + PANEL.head + players * PANEL.row;
  const button = (name: string, row: number, column: number, columns: number): Place => {
    const w = PANEL.w / columns;
    return { name, x: left + column * w, y: below + row * PANEL.button, w: w - 0.1, h: PANEL.button - 0.1 };
  };
  const bids = Array.from({ length: MAX_BID - MIN_BID + 1 }, (_, at) => MIN_BID + at);
  const buttons = [
    ...PLAIN_BUTTONS.map(([action, name], at) => ({ action, place: button(name, 0, at, 4) })),
    ...bids.map((bid, at) => ({
      action: BID + bid,
      place: button(`bid ${bid} fifths`, 1 + Math.floor(at / 3), at % 3, 3),
    })),
  ];
  const squares = names.map((name, square): Place => ({ name, ...spotOf(square, size), w: 1, h: 1 }));

  const drawSquare = ({ owner, houses }: PropertyState, { x, y }: Place, square: number): Shape[] => {
    const player = owner[square]!;
    if (player === BANK) return [];
    const built = Array.from({ length: houses[square]! }, (_, at) =>
      rect(
        { x: x + 0.33 + 0.12 * at, y: y + 0.81, w: 0.09, h: 0.09 },
        { fill: "white", stroke: "edge", width: 0.02 },
      ),
    );
    return [
      rect({ x: x + 0.04, y: y + 0.76, w: 0.92, h: 0.2 }, { fill: PLAYER_PAINTS[player]! }),
      label({ x: x + 0.17, y: y + 0.87 }, String(player + 1), {
        size: 0.2,
        fill: player === 2 ? "hole" : "black",
        bold: true,
      }),
      ...built,
    ];
  };
  const drawPawn = ({ at, held, out }: PropertyState, player: number): Shape[] => {
    if (out[player]! > 0) return [];
    const { x, y } = squares[at[player]!]!;
    const spot = { x: x + 0.16 + 0.225 * player, y: y + 0.6 };
    const ring = held[player] === 0 ? [] : [circle(spot, 0.15, { stroke: "ink", width: 0.05 })];
    return [...playerDisc({ ...spot, r: 0.11 }, player), ...ring];
  };
  const drawRow = (state: PropertyState, player: number): Shape[] => {
    const { cash, held, out } = state;
    const y = top + PANEL.head + (player + 0.4) * PANEL.row;
    const told = held[player] === 0 ? "" : ", in jail";
    const text = out[player]! > 0 ? "bankrupt" : `${cash[player]} (worth ${worthOf(state, player)})${told}`;
    return [
      ...playerDisc({ x: left + 0.35, y, r: 0.27 }, player),
      label({ x: left + 3.1, y }, text, { size: 0.34, bold: player === state.words[TURN] }),
    ];
  };

  return {
    width: Math.max(side, left + PANEL.w),
    height: Math.max(side, below + 3 * PANEL.button),
    ground: squares.flatMap((place, square) => [
      rect(place, { fill: square === jail ? "light" : "board", stroke: "line" }),
      label({ x: place.x + 0.5, y: place.y + 0.2 }, place.name, { size: 0.26, bold: true }),
      ...(prices[square] === 0
        ? []
        : [
            label({ x: place.x + 0.5, y: place.y + 0.41 }, String(prices[square]), {
              size: 0.18,
              fill: "faint",
            }),
          ]),
    ]),
    places: [...squares, ...buttons.map(({ place }) => place)],
    draw(state) {
      const { toMove } = state;
      const legal = new Int32Array(size);
      const count = toMove >= 0 ? state.legalActions(legal, 0) : 0;
      const head = toMove === TERMINAL ? "over" : `player ${state.words[TURN]! + 1}: ${phaseText(state)}`;
      return [
        ...squares.flatMap((place, square) => drawSquare(state, place, square)),
        ...Array.from(state.cash.keys()).flatMap((player) => [
          ...drawPawn(state, player),
          ...drawRow(state, player),
        ]),
        label({ x: left + PANEL.w / 2, y: top + 0.4 }, head, { size: 0.42, bold: true }),
        ...(toMove === CHANCE ? die({ x: left + PANEL.w - 0.5, y: top + 0.45, size: 0.6 }, 0) : []),
        ...buttons.flatMap(({ action, place }) => {
          const isOpen = legal.subarray(0, count).includes(action);
          if (action > BID && !isOpen) return [];
          const text = action > BID ? formatAction(action, state) : place.name;
          return [
            rect(place, { round: 0.15, fill: "board", stroke: isOpen ? "ink" : "faint" }),
            label(middleOf(place), text, { size: 0.34, bold: isOpen, fill: isOpen ? "ink" : "faint" }),
          ];
        }),
      ];
    },
    describe({ owner, houses, at, out }, place) {
      if (place >= size) return "";
      const price = prices[place] === 0 ? [] : [`price ${prices[place]}`];
      const owned = owner[place] === BANK ? [] : [`of player ${owner[place]! + 1}, ${houses[place]} houses`];
      const pawns = Array.from(at, (square, player) =>
        square === place && out[player] === 0 ? [`player ${player + 1} is here`] : [],
      );
      return [...price, ...owned, ...pawns.flat()].join("; ");
    },
    touches(state, action) {
      if (state.toMove === CHANCE) return [];
      if (action >= BUILD) return [action - (action >= SELL ? SELL : BUILD)];
      const found = buttons.findIndex((one) => one.action === action);
      return [size + found];
    },
  };
}
