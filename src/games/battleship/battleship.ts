import { z } from "zod";
import type { Facets, FeatureSet, Heuristic } from "../contract/facets.ts";
import { defineGame } from "../contract/game.ts";
import type { Rules } from "../contract/rules.ts";
import { historyNotation } from "../shared/history-state.ts";
import {
  type Battleship,
  battleshipOf,
  hasRoom,
  WORDS,
  squaresOf,
  BattleshipState,
  maxEventsOf,
} from "./state.ts";
import { drawBoards, formatAction, squareName } from "./text.ts";
import { createPrivacy } from "./worlds.ts";
import { numberedRows } from "../contract/grid.ts";
import type { Picture, Place, Shape } from "../contract/picture.ts";
import { circle, label, middleOf, path, rect } from "../shared/shapes.ts";
import { gridLines, squareBoard } from "../shared/square-picture.ts";

const side = z.int().min(2).max(10).default(10);
const options = z
  .strictObject({
    width: side.describe("columns"),
    height: side.describe("rows"),
    ships: z
      .array(z.int().min(1).max(10))
      .min(1)
      .max(6)
      .default([5, 4, 3, 3, 2])
      .describe("the length of each ship, in the order of placing"),
    shots: z.int().min(1).max(100).optional().describe("shots of each player; as many as squares by default"),
  })
  .refine((given) => hasRoom(battleshipOf(given), new Int32Array(WORDS), 0, 0), {
    path: ["ships"],
    message: "do not fit on the board",
  });

/** Own shots by square and result, and the squares of ships that are left. */
function knowledge({ squares, width, fleet }: Battleship): FeatureSet<BattleshipState> {
  return {
    summary: "own misses and hits by square, and the squares of both fleets that are left",
    version: 1,
    size: 2 * squares + 2,
    maxActive: squares + 2,
    extract({ ships, shots, hits }, player, index, value) {
      const target = (1 - player) * squares;
      let count = 0;
      for (let square = 0; square < squares; square++) {
        if (shots[target + square] === 0) continue;
        index[count] = square + (ships[target + square] === 0 ? 0 : squares);
        value[count++] = 1;
      }
      for (let other = 0; other < 2; other++) {
        index[count] = 2 * squares + other;
        value[count++] = 1 - hits[other === 0 ? 1 - player : player] / fleet;
      }
      return count;
    },
    describe: (index) =>
      index >= 2 * squares
        ? `${index === 2 * squares ? "own" : "other's"} squares left`
        : `${index < squares ? "miss" : "hit"} at ${squareName(index % squares, width)}`,
  };
}

/** In drawn worlds, the mean over worlds after a shot is the probability that it hits. */
function hits({ fleet }: Battleship): Heuristic<BattleshipState> {
  return {
    summary: "the lead in hits; over many worlds, the probability that a shot hits",
    evaluate: (state, player) => (state.hits[player]! - state.hits[1 - player]!) / (fleet + 1),
  };
}

/**
 * Battleship. In turn both players place their ships unseen, one after the other in a fixed order; ships may touch. Then they shoot
 * in turn, each at a square once. A shot misses, hits or sinks; a ship that is sunk is not named. A player whose ships are all
 * sunk has lost. When both have no shots left, more hits win. Actions: a shot is its square; a ship is twice its
 * first square, 1 more if it lies downwards.
 */
export const battleship = defineGame({
  id: "battleship",
  summary: "battleship: hidden fleets, shots in turn",
  options,
  rules(given): Rules<BattleshipState> {
    const form = battleshipOf(given);
    const rules = {
      maxActions: 2 * form.squares,
      start: () => new BattleshipState(form),
      formatAction,
    };
    return {
      ...rules,
      ...historyNotation<BattleshipState>(rules),
      hiddenInformation: true,
      outcomes: [-1, 0, 1],
      maxPlies: maxEventsOf(form),
      render: (state) => drawBoards(state),
    };
  },
  facets(given): Facets<BattleshipState> {
    const form = battleshipOf(given);
    return {
      featureSets: { knowledge: knowledge(form) },
      heuristics: { hits: hits(form) },
      picture: createPicture(form),
      privacy: createPrivacy(form),
    };
  },
});

/** Room between the boards, and above them for the players' names. */
const GAP = 0.6;
const TOP = 0.8;

/** Both players' boards, ships, misses as rings and hits as crosses. Places are the squares of player 0, then those of player 1. */
function createPicture({ width, height, squares, ships, fleet }: Battleship): Picture<BattleshipState> {
  const board = squareBoard(
    {
      rows: numberedRows(width, height),
      rowNames: Array.from({ length: height }, (_, row) => String.fromCodePoint(65 + row)),
      columnNames: Array.from({ length: width }, (_, column) => String(column + 1)),
    },
    { nameOf: (square) => squareName(square, width) },
  );
  const leftOf = (player: number) => player * (board.width + GAP);
  const places = [0, 1].flatMap((player) =>
    board.places.map((place): Place => ({
      ...place,
      name: `${place.name} of player ${player + 1}`,
      x: place.x + leftOf(player),
      y: place.y + TOP,
    })),
  );
  const sea = (player: number): Shape[] => {
    const at = { ...board, left: board.left + leftOf(player), top: board.top + TOP };
    return [
      rect({ x: at.left, y: at.top, w: width, h: height }, { fill: "frame", opacity: 0.35 }),
      gridLines(at, 0),
      ...board.labels.map((shape) =>
        shape.kind === "text" ? { ...shape, x: shape.x + leftOf(player), y: shape.y + TOP } : shape,
      ),
    ];
  };
  const hull = (player: number, action: number, length: number): Shape => {
    const covered = squaresOf(action, length, width);
    const first = places[player * squares + covered[0]!]!;
    const last = places[player * squares + covered.at(-1)!]!;
    const size = { w: last.x - first.x + 0.76, h: last.y - first.y + 0.76 };
    return rect(
      { x: first.x + 0.12, y: first.y + 0.12, ...size },
      { round: 0.36, fill: player === 0 ? "player0" : "player1", stroke: "edge", width: 0.04 },
    );
  };
  const shot = (place: Place, isHit: boolean): Shape =>
    isHit
      ? path("M.28 .28 .72 .72M.28 .72 .72 .28", place, { stroke: "ink", width: 0.12 })
      : circle(middleOf(place), 0.16, { stroke: "ink", width: 0.07 });
  const placed = ({ history, events }: BattleshipState) =>
    Array.from(history.subarray(0, Math.min(events, 2 * ships.length)));
  /** All of it, or what `player` sees: its own ships, and all shots. */
  const drawn = (state: BattleshipState, player?: number): Shape[] => {
    const title = (owner: number) =>
      label(
        { x: leftOf(owner) + board.left + width / 2, y: TOP / 2 },
        `player ${owner + 1}: ${fleet - state.hits[1 - owner]!} left`,
        { size: 0.45, bold: state.toMove === owner },
      );
    return [
      title(0),
      title(1),
      ...placed(state).flatMap((action, event) =>
        player === undefined || player === (event & 1) ? [hull(event & 1, action, ships[event >> 1]!)] : [],
      ),
      ...places.flatMap((place, at) => (state.shots[at] === 0 ? [] : [shot(place, state.ships[at]! > 0)])),
    ];
  };
  const said = (state: BattleshipState, place: number, player?: number): string => {
    const isOpen = player === undefined || place < squares === (player === 0);
    const ship = state.ships[place]!;
    const content = ship === 0 || !isOpen ? "" : `ship ${ship}`;
    if (state.shots[place] === 0) return content;
    return ship === 0 ? "miss" : isOpen ? `${content}, hit` : "hit";
  };
  return {
    width: 2 * board.width + GAP,
    height: TOP + board.height,
    ground: [...sea(0), ...sea(1)],
    places,
    draw: (state) => drawn(state),
    describe: (state, place) => said(state, place),
    view: { draw: drawn, describe: said },
    touches(state, action) {
      if (state.placing === ships.length) return [(1 - state.toMove) * squares + action];
      const covered = squaresOf(action, ships[state.placing]!, width);
      return [...new Set([covered[0]!, covered.at(-1)!])].map((square) => state.toMove * squares + square);
    },
  };
}
