import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { judged, solverOf } from "../../../src/arena/positions/exact-values.ts";
import { gameOfPositions, readPositions } from "../../../src/arena/positions/position-file.ts";
import { createGame } from "../../../src/games/index.ts";
import { parseGameSpec } from "../../../src/specs/games.ts";
import { slowTest } from "../../support/thorough.ts";

const folder = fileURLToPath(new URL("../../../configs/positions/", import.meta.url));

slowTest.each(readdirSync(folder))("%s can be read whole, and has exact values", async (name) => {
  const path = join(folder, name);
  const game = createGame(parseGameSpec((await gameOfPositions(path))!, "."));
  const { positions, notes } = await readPositions(game, path);
  expect(notes).toEqual([]);
  expect(positions.length).toBeGreaterThanOrEqual(100);
  // Few stones take the solver long.
  if (name.includes("early") || name.includes("middle")) return;
  const value = solverOf(game);
  for (const position of positions.filter((_, at) => at % 4 === 0))
    expect(await judged(game, position, value)).toEqual(position);
});
