import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { perft } from "../../../src/games/contract/perft.ts";
import { playTwins, seatOf, type Twin } from "../../support/twin-play.ts";
import { differences, readTraces } from "../traces.ts";
import { twinMoves, twinStart, twinText, twinWinner, type TwinPosition } from "./twin.ts";
import { slowTest } from "../../support/thorough.ts";

const twin: Twin<TwinPosition> = {
  text: twinText,
  moves: twinMoves,
  winner: (position) => seatOf(twinWinner(position), "bw"),
};

const SHAPES = [
  { width: 8, height: 8, pieceRows: 2 },
  { width: 3, height: 5, pieceRows: 2 },
  { width: 5, height: 6, pieceRows: 2 },
  { width: 8, height: 5, pieceRows: 1 },
  { width: 4, height: 8, pieceRows: 1 },
];

test.each(readTraces("breakthrough").map((trace, number) => [number, trace] as const))(
  "agrees with an independent program on game %i",
  (_, trace) => {
    const game = createGame("breakthrough");
    expect(differences(game, trace, (move, state) => game.parseAction(move, state))).toEqual([]);
  },
);

slowTest.each(SHAPES)("plays like its twin on $width x $height with $pieceRows rows of pieces", (shape) => {
  const game = createGame({ id: "breakthrough", ...shape });
  for (let number = 0; number < 40; number++) {
    const random = createRandom("breakthrough twin", shape.width, shape.height, number);
    playTwins(game, twin, { from: twinStart(shape.width, shape.height, shape.pieceRows), random });
  }
});

function twinPerft(position: TwinPosition, depth: number): number {
  if (depth === 0 || twinWinner(position) !== undefined) return 1;
  let leaves = 0;
  for (const after of twinMoves(position).values()) leaves += twinPerft(after, depth - 1);
  return leaves;
}

slowTest("perft agrees with the twin's, wins included", () => {
  const small = { width: 3, height: 5, pieceRows: 1 };
  const game = createGame({ id: "breakthrough", ...small });
  for (let depth = 1; depth <= 7; depth++)
    expect(perft(game, game.start(), depth, { finished: true })).toBe(twinPerft(twinStart(3, 5, 1), depth));
});

test("taking the last piece wins", () => {
  const game = createGame({ id: "breakthrough", width: 3, height: 5 });
  const state = game.parseState("3/b2/1w1/3/3 b");
  state.apply(game.parseAction("a4b3*", state));
  expect([state.toMove, state.returns(0), state.returns(1)]).toEqual([TERMINAL, 1, -1]);
});

test("whose turn it is makes another position", () => {
  const game = createGame("breakthrough");
  const [black, white] = ["b", "w"].map((turn) => game.parseState(`8/b7/8/8/8/8/w7/8 ${turn}`));
  expect(black!.hashLow).not.toBe(white!.hashLow);
  expect(black!.hashHigh).not.toBe(white!.hashHigh);
});
