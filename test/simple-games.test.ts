import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { game as kalah } from "../examples/kalah/kalah.ts";
import { game as boxes } from "./fixtures/games/dots-and-boxes.ts";
import { createRandom } from "../src/base/random.ts";
import { playTournament } from "../src/arena/tournament.ts";
import { checkGame } from "../src/games/check/check-game.ts";
import { formatFinding } from "../src/games/check/finding.ts";
import { TERMINAL, type Game, type GameFamily } from "../src/games/contract/game.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { simpleGame } from "../src/games/contract/simple-game.ts";
import { perft } from "../src/games/contract/perft.ts";
import { decide } from "./agents/play.ts";
import { agon, temporaryFolder, writeInto } from "./support/agon.ts";
import { dataOf } from "./support/page/inspect-page.ts";
import { fastKalah } from "./support/fast-kalah.ts";
import { everyFew, slowTest } from "./support/thorough.ts";

const create = (family: GameFamily, pits: number, stones: number): Game => family.create({ pits, stones });
const SIZES = [
  [6, 4],
  [3, 3],
  [1, 5],
  [4, 8],
  [8, 2],
] as const;

slowTest.each(SIZES)("kalah of %i pits with %i stones keeps the contract of a game", (pits, stones) => {
  expect(
    checkGame(create(kalah as GameFamily, pits, stones), { family: kalah as GameFamily }).map(formatFinding),
  ).toEqual([]);
});

test.each(everyFew(SIZES, 9))(
  "kalah of %i pits with %i stones is the same game by the fast contract",
  (pits, stones) => {
    const simple = create(kalah as GameFamily, pits, stones);
    const fast = create(fastKalah as GameFamily, pits, stones);
    for (let seed = 0; seed < 30; seed++) {
      const random = createRandom("kalah", seed);
      const [one, other] = [simple.start(), fast.start()];
      for (let ply = 0; ; ply++) {
        expect(simple.formatState(one)).toBe(fast.formatState(other));
        expect([one.toMove, one.returns(0), one.returns(1)]).toEqual([
          other.toMove,
          other.returns(0),
          other.returns(1),
        ]);
        if (one.toMove === TERMINAL) break;
        const actions = possibleActions(simple, one);
        expect(actions).toEqual(possibleActions(fast, other));
        const action = actions[random.below(actions.length)];
        one.apply(action);
        other.apply(action);
      }
    }
    for (const depth of [1, 3, 5])
      expect(perft(simple, simple.start(), depth)).toBe(perft(fast, fast.start(), depth));
  },
);

describe("results of Irving, Donkers and Uiterwijk (Solving Kalah, 2000) for the first player", () => {
  const RESULTS: Readonly<Record<string, number>> = { W: 1, D: 0, L: -1 };
  /** By pits, then by stones, from 1. */
  const TABLE = ["DLWLWD", "WLLLWW", "DWW", "WW"];
  const boards = TABLE.flatMap((row, at) =>
    Array.from(row).map((result, stones) => [at + 1, stones + 1, result] as const),
  );
  test.each(boards)("%i pits, %i stones: %s", (pits, stones, result) => {
    for (const family of [kalah, fastKalah] as GameFamily[]) {
      const { value } = decide(create(family, pits, stones), "alpha-beta:depth=60");
      expect(value).toBe(RESULTS[result]);
    }
  });
});

describe("dots and boxes", () => {
  const create = (columns: number, rows: number) => boxes.create({ columns, rows }) as Game;

  slowTest.each([
    [3, 3],
    [1, 4],
  ])("of %i columns and %i rows keeps the contract of a game", (columns, rows) => {
    const game = create(columns, rows);
    expect(checkGame(game, { family: boxes as GameFamily }).map(formatFinding)).toEqual([]);
    for (const depth of [1, 2, 3]) {
      const lines = game.maxPlies;
      const orders = Array.from({ length: depth }, (_, at) => lines - at).reduce(
        (all, left) => all * left,
        1,
      );
      expect(perft(game, game.start(), depth)).toBe(orders);
    }
  });

  test("the fourth side of a box owns it, and moves again", () => {
    const game = create(2, 1);
    const state = game.start();
    // Two boxes beside each other: above 0 and 1, below 2 and 3, upright 4, 5 and 6.
    const movers: number[] = [];
    for (const line of [0, 2, 4, 1, 5, 3, 6]) {
      movers.push(state.toMove);
      state.apply(line);
    }
    expect(movers).toEqual([0, 1, 0, 1, 0, 0, 1]);
    expect([state.toMove, state.returns(0), state.returns(1)]).toEqual([TERMINAL, 0, 0]);
    for (let ply = 7; ply-- > 0;) {
      state.undo();
      expect(state.toMove).toBe(movers[ply]);
    }
  });

  /** The boxes that the player to move wins, less those of the other, with the lines of a set drawn. */
  function bestLead(sides: readonly number[], lines: number): number {
    const known = new Map<number, number>();
    const lead = (drawn: number): number => {
      const found = known.get(drawn);
      if (found !== undefined) return found;
      let best = drawn === 2 ** lines - 1 ? 0 : -Infinity;
      for (let line = 0; line < lines; line++) {
        const after = drawn | (1 << line);
        if (after === drawn) continue;
        const closed = sides.filter((box) => (after & box) === box && (drawn & box) !== box).length;
        best = Math.max(best, closed > 0 ? closed + lead(after) : 0 - lead(after));
      }
      known.set(drawn, best);
      return best;
    };
    return lead(0);
  }

  test.each([
    // By box: its lines, as bits. One box; two; three in a row; four in a square.
    [1, 1, [0b1111]],
    [2, 1, [0b0110101, 0b1101010]],
    [3, 1, [0b0011001001, 0b0110010010, 0b1100100100]],
    [2, 2, [0b000011000101, 0b000110001010, 0b011000010100, 0b110000101000]],
  ])("of %i columns and %i rows is worth what counting sets of lines says", (columns, rows, sides) => {
    const game = create(columns, rows);
    const { value } = decide(game, "alpha-beta:depth=20");
    expect(value).toBe(Math.sign(bestLead(sides, game.maxPlies)));
  });

  test("mcts takes a box that it can have", () => {
    const game = create(2, 2);
    const state = game.start();
    for (const line of [0, 11, 2]) state.apply(line);
    state.apply(6);
    // Upper left box: above 0, below 2, left 6; the right side is missing.
    expect(decide(game, "mcts:simulations=2000", state).action).toBe(7);
  });
});

describe("the way of docs/add-a-game.md", () => {
  const file = (name: string) => fileURLToPath(new URL(`../examples/kalah/${name}`, import.meta.url));

  test("its game is the example", () => {
    const page = readFileSync(new URL("../docs/add-a-game.md", import.meta.url), "utf8");
    expect(/```ts\n(.*?)```/s.exec(page)![1]).toBe(readFileSync(file("kalah.ts"), "utf8"));
  });

  slowTest("the game is checked, and played in a terminal", async () => {
    expect(await agon(["check", file("kalah.ts")])).toMatchObject({ code: 0 });
    const play = ["play", `${file("kalah.ts")}:pits=1,stones=1`, "--agent", "random", "--seat", "1"];
    const { code, stdout } = await agon(play, { input: "0\n" });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("a draw") });
  });

  test("a program gives it as an object", async () => {
    const entrants = ["random", "mcts:simulations=200"];
    const game = { id: kalah, pits: 4, stones: 3 };
    const { report } = await playTournament({ name: "object", game, blocks: 10, entrants });
    expect(report).toMatchObject({ game: 'kalah {"pits":4,"stones":3}', games: 20 });
    expect(report.entrants.map(({ name }) => name)).toEqual(["mcts:simulations=200", "random"]);
  });

  slowTest("a tournament is played by processes, verified, and shown with boards", async () => {
    const dir = temporaryFolder();
    const config = readFileSync(file("tournament.yaml"), "utf8")
      .replace("./kalah.ts", file("kalah.ts"))
      .replace("blocks: 20", "blocks: 2")
      .replace("simulations: 1000", "simulations: 200");
    writeInto(dir, "tournament.yaml", config);
    const run = await agon(["run", "tournament.yaml", "--out", "run", "--workers", "2", "--json"], {
      cwd: dir,
    });
    expect(run).toMatchObject({ code: 0 });
    expect(JSON.parse(run.stdout)).toMatchObject({ games: 24 });
    expect((await agon(["verify", "run"], { cwd: dir })).stdout).toContain(
      "24 of 24 games verified, 0 differ",
    );
    expect(await agon(["report", "run"], { cwd: dir })).toMatchObject({ code: 0 });
    const [shown] = dataOf(join(dir, "run/report.html")).tournaments;
    expect(shown!.games).toHaveLength(24);
    for (const { drawn, moves } of shown!.games) expect(drawn!.positions).toHaveLength(moves!.length + 1);
  });
});

describe("a definition with a wrong member", () => {
  const rules = {
    id: "one-move",
    summary: "the first move wins",
    start: () => 0,
    toMove: () => 0,
    legalActions: () => [0],
    apply: () => 1,
    result: (position: number) => (position === 0 ? undefined : [1, -1]),
  };
  const { legalActions, ...others } = rules;

  test.each([
    [{ ...others, legalMoves: legalActions }, 'unknown key "legalMoves" (did you mean "legalActions"?)'],
    [{ ...others, legalMoves: legalActions }, "legalActions: missing; must be a function"],
    [{ ...rules, heuristics: () => 0 }, "heuristics: must be a mapping of keys to values, got () => 0"],
    [{ ...rules, picture: { width: 3 } }, 'picture: must be a function, got {"width":3}'],
  ])("%j is refused: %s", (definition, message) => {
    expect(() => simpleGame(definition as never)).toThrow(message);
  });

  test("is found by the check where a feature is a bare number", () => {
    const game = simpleGame({ ...rules, features: { left: (() => 3) as never } }).create({}) as Game;
    expect(checkGame(game)).toMatchObject([
      {
        check: "members",
        found: expect.stringContaining("features.left gives 3; it must give numbers by name"),
      },
    ]);
  });
});
