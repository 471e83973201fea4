import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { perft } from "../../../src/games/contract/perft.ts";
import { differences, readTraces } from "../traces.ts";
import { slowTest } from "../../support/thorough.ts";

/** The rules again, slow and obvious: a list of columns, and a look in all directions after each move. */
class Twin {
  readonly columns: number[][];
  readonly width: number;
  readonly height: number;
  winner = -1;
  moves = 0;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.columns = Array.from({ length: width }, () => []);
  }

  get over(): boolean {
    return this.winner >= 0 || this.moves === this.width * this.height;
  }

  legal(): number[] {
    return this.columns.flatMap((cells, column) => (cells.length < this.height ? [column] : []));
  }

  play(column: number): void {
    const player = this.moves++ % 2;
    const row = this.columns[column]!.push(player) - 1;
    const directions = [
      [1, 0],
      [0, 1],
      [1, 1],
      [1, -1],
    ] as const;
    for (const [right, up] of directions) {
      const run = (sign: number): number => {
        let length = 0;
        while (
          this.columns[column + sign * right * (length + 1)]?.[row + sign * up * (length + 1)] === player
        )
          length++;
        return length;
      };
      if (run(1) + run(-1) >= 3) this.winner = player;
    }
  }
}

describe("connect four", () => {
  slowTest.each([
    [7, 6, 400],
    [4, 4, 300],
    [9, 8, 150],
    [5, 7, 200],
  ])("plays as its slow twin on %i columns and %i rows", (width, height, games) => {
    const game = createGame({ id: "connect-four", width, height });
    const random = createRandom("twin", width, height);
    for (let number = 0; number < games; number++) {
      const state = game.start();
      const twin = new Twin(width, height);
      while (state.toMove !== TERMINAL) {
        const legal = Array.from(possibleActions(game, state));
        expect([legal, state.toMove]).toEqual([twin.legal(), twin.moves % 2]);
        const action = legal[random.below(legal.length)]!;
        state.apply(action);
        twin.play(action);
      }
      expect(twin.over).toBe(true);
      expect(state.returns(0)).toBe(twin.winner < 0 ? 0 : twin.winner === 0 ? 1 : -1);
    }
  });

  // Random games of OpenSpiel, played by its own rules.
  test.each(readTraces("connect-four").map((trace, number) => [number, trace] as const))(
    "independent game %i",
    (_, trace) => {
      const game = createGame("connect-four");
      expect(differences(game, trace, (move) => Number(move.slice(1)))).toEqual([]);
    },
  );

  slowTest("published counts, and distinct positions by ply", () => {
    const game = createGame("connect-four");
    const counts = [1, 2, 3, 4, 5, 6, 7].map((depth) => perft(game, game.start(), depth));
    expect(counts).toEqual([7, 49, 343, 2401, 16807, 117649, 823536]);
    // Positions after 0, 1, 2, ... stones, as published.
    let level = new Map([["", game.start()]]);
    const distinct: number[] = [];
    const hashes: number[] = [];
    for (let ply = 0; ply <= 6; ply++) {
      distinct.push(level.size);
      hashes.push(new Set(Array.from(level.values(), (state) => `${state.hashLow}/${state.hashHigh}`)).size);
      const next = new Map<string, ReturnType<typeof game.start>>();
      for (const state of level.values()) {
        if (state.toMove === TERMINAL) continue;
        for (const action of possibleActions(game, state)) {
          state.apply(action);
          const text = game.formatState(state);
          if (!next.has(text)) {
            const copy = game.start();
            copy.copyFrom(state);
            next.set(text, copy);
          }
          state.undo();
        }
      }
      level = next;
    }
    expect(distinct).toEqual([1, 7, 49, 238, 1120, 4263, 16422]);
    expect(hashes).toEqual(distinct);
  });

  test("impossible positions are refused in words", () => {
    const game = createGame("connect-four");
    for (const [text, message] of [
      ["7/7/7/7/7/8", /is not 6 rows of 7 cells/],
      ["7/7/7/7/x6/7", /a stone hangs over an empty cell in column 1/],
      ["7/7/7/7/7/xx5", /has 2 x and 0 o; x moves first/],
      ["7/7/7/7/oooo3/xxxx3", /both players have four in a line/],
      ["7/7/7/7/7/3z3", /"z" in ".*"; allowed: x, o and digits/],
      ["1111111", /move 7 of "1111111": column 1 is full/],
    ] as const) {
      expect(() => game.parseState(text), text).toThrow(message);
    }
  });
});
