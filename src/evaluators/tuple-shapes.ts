import { z } from "zod";
import { InputError } from "../base/errors.ts";
import { createRandom } from "../base/random.ts";
import type { TupleBoard } from "../games/contract/game.ts";
import { blockOffsets, LINE_STEPS, lineOffsets, placements } from "../games/contract/grid.ts";
import { tupleCells, walkTuples } from "./n-tuple.ts";

const cells = z.array(z.int().min(0)).min(1);
const walks = z.strictObject({
  count: z.int().min(1).max(10_000).describe("number of random walks over the board"),
  length: z.int().min(1).describe("cells of each"),
  seed: z.union([z.string(), z.number().transform(String)]).default("tuples"),
});
const lines = z.strictObject({
  lines: z.int().min(2).describe("cells of a straight line, wherever it fits"),
});
const blocks = z.strictObject({
  rows: z.int().min(1).describe("rows of a block, wherever it fits"),
  columns: z.int().min(1).describe("columns of it"),
});
const shape = z.union([cells, lines, blocks, walks]);

/** The tuples of a config: lists of cells, straight lines, blocks, random walks, or a list of these. */
export const tupleShapes = z
  .union([walks, lines, blocks, z.array(shape).min(1)])
  .describe(
    "the cells of each tuple, straight lines, blocks, random walks over the board, or a list of these",
  );
type TupleShapes = z.output<typeof tupleShapes>;
type TupleShape = z.output<typeof shape>;

/**
 * Returns the cells of each tuple. If a symmetry of the board turns a line or a block into another, it takes only one
 * of the two, as both would share a table (Jaskowski 2014). Throws InputError if a shape does not fit the board.
 */
export function writeTuples(board: TupleBoard, shapes: TupleShapes): number[][] {
  return (Array.isArray(shapes) ? shapes : [shapes]).flatMap((one) => writeShape(board, one));
}

function writeShape(board: TupleBoard, one: TupleShape): number[][] {
  if (Array.isArray(one)) return [one];
  if ("count" in one) {
    const { count, length, seed } = one;
    if (length > tupleCells(board))
      throw new InputError(`a walk of ${length} cells on a board of ${tupleCells(board)}`);
    return walkTuples(board, { count, length }, createRandom(seed, "tuples"));
  }
  const rows = board.layout?.rows ?? [];
  const longest = Math.max(rows.length, ...rows.map((row) => row.length));
  const sides = "lines" in one ? [one.lines] : [one.rows, one.columns];
  // A shape longer than the board may be of any size: it is not written out.
  const shapes = sides.some((side) => side > longest)
    ? []
    : "lines" in one
      ? LINE_STEPS.map((step) => lineOffsets(step, one.lines))
      : [blockOffsets(one.rows, one.columns)];
  const placed = shapes.flatMap((offsets) => placements(rows, offsets));
  if (placed.length === 0) throw new InputError(`${JSON.stringify(one)} fits nowhere on the board`);
  return withoutImages(board, placed);
}

function withoutImages({ symmetries }: TupleBoard, tuples: readonly number[][]): number[][] {
  const seen = new Set<string>();
  return tuples.filter((tuple) => {
    if (seen.has(keyOf(tuple))) return false;
    for (const symmetry of symmetries) seen.add(keyOf(tuple.map((cell) => symmetry[cell]!)));
    return true;
  });
}

function keyOf(tuple: readonly number[]): string {
  return tuple.toSorted((a, b) => a - b).join();
}
