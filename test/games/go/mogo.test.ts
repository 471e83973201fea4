import { describe, expect, test } from "vitest";
import { PolicyPlayout } from "../../../src/agents/mcts/playout.ts";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { BLACK, EDGE, EMPTY, WHITE } from "../../../src/games/go/board.ts";
import { createMatcher } from "../../../src/games/go/search.ts";
import { eyeOwner } from "../../../src/games/go/judge.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { createGame } from "../../../src/games/index.ts";
import { ask, createPlayer } from "../../agents/play.ts";
import { flood, neighbours, type Point, twinBoard, twinMoves, twinStart } from "./twin.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

type Board = readonly string[];

/** The figures of Gelly, Wang, Munos and Teytaud (2006), X to be either player: a pattern is there, and none of `but`. */
const FIGURES: readonly { readonly rows: string; readonly but?: readonly string[]; readonly toMove?: "X" }[] =
  [
    { rows: "XOX/.../???" },
    { rows: "XO./.../?.?" },
    { rows: "XO?/X../?.?" },
    { rows: "XOO/.../?.?", toMove: "X" },
    { rows: "XO?/O.?/???", but: ["XO?/O.O/?.?", "XO?/O../?O?"] },
    { rows: "?X?/O.O/xxx" },
    { rows: "X.?/O.?/###" },
    { rows: "?X?/o.O/###" },
    { rows: "?XO/?.?/###", toMove: "X" },
    { rows: "?OX/?.x/###", toMove: "X" },
    { rows: "?OX/O.X/###", toMove: "X" },
  ];
const ALLOWED: Readonly<Record<string, string>> = { "?": "XO.", x: "X.", o: "O." };

const transposed = (board: Board): string[] =>
  Array.from(board, (_, at) => board.map((cells) => cells[at]).join(""));
const exchanged = (board: Board): string[] =>
  board.map((cells) => cells.replace(/[XO]/g, (stone) => (stone === "X" ? "O" : "X")));

/** A square in all eight symmetries. */
function turns(board: Board): Board[] {
  const both = [board, transposed(board)];
  const upside = both.flatMap((rows) => [rows, rows.toReversed()]);
  return upside.flatMap((rows) => [rows, rows.map((cells) => Array.from(cells).toReversed().join(""))]);
}

const fits = (square: Board, rows: string): boolean =>
  rows
    .split("/")
    .every((cells, row) =>
      Array.from(cells).every((cell, column) => (ALLOWED[cell] ?? cell).includes(square[row]![column]!)),
    );

/** True if a figure is around the middle of a 3x3 square, `#` beyond the edge. */
function isInFigure(square: Board, turn: "X" | "O"): boolean {
  const views = (["X", "O"] as const).flatMap((x) =>
    turns(x === "X" ? square : exchanged(square)).map((view) => ({ view, mover: x === turn })),
  );
  return FIGURES.some(({ rows, but = [], toMove }) =>
    views.some(
      ({ view, mover }) =>
        (toMove === undefined || mover) && fits(view, rows) && !but.some((other) => fits(view, other)),
    ),
  );
}

describe("MoGo's patterns are those of the paper, in every symmetry and for both players", () => {
  const matches = createMatcher();
  const COLOURS: Readonly<Record<string, number>> = { X: BLACK, O: WHITE, ".": EMPTY, "#": EDGE };
  /** Compares the patterns in every square with stones at the marks. */
  const compare = (form: string): { wrong: string[]; found: number } => {
    const marks = Array.from(form).filter((cell) => cell === "*").length;
    const wrong: string[] = [];
    let found = 0;
    for (let code = 0; code < 3 ** marks; code++) {
      const digits = code.toString(3).padStart(marks, "0");
      let at = 0;
      const text = form.replace(/\*/g, () => ".XO"[Number(digits[at++])]!);
      const square = text.split("/");
      const colour = Int16Array.from(square.toReversed().join(""), (cell) => COLOURS[cell]!);
      for (const turn of [BLACK, WHITE]) {
        const is = matches({ colour, width: 3, turn } as unknown as GoState, 4);
        if (is) found++;
        if (is !== isInFigure(square, turn === BLACK ? "X" : "O")) wrong.push(`${text} ${turn}`);
      }
    }
    return { wrong, found };
  };

  slowTest("inside, all 6,561 squares", () => {
    const { wrong, found } = compare("***/*.*/***");
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(1000);
  });

  test.each(["***/*.*/###", "###/*.*/***", "#**/#.*/#**", "**#/*.#/**#"])("at the side %s", (form) => {
    const { wrong, found } = compare(form);
    expect(wrong).toEqual([]);
    expect(found).toBeGreaterThan(100);
  });

  test("in a corner there is none", () => {
    expect(compare("#**/#.*/###")).toEqual({ wrong: [], found: 0 });
  });
});

const at = (board: Board, [row, column]: Point): string => board[row]?.[column] ?? "#";

/** The player who has an eye at an empty point: no other stone beside it, and at most one at its corners, none at an edge. */
function eyeOf(board: Board, point: Point): string | undefined {
  const [row, column] = point;
  const sides = neighbours(point).map((side) => at(board, side));
  const owner = sides.find((cell) => cell !== "#")!;
  if (owner === "." || sides.some((cell) => cell !== "#" && cell !== owner)) return undefined;
  const corners = [-1, 1].flatMap((up) => [-1, 1].map((right) => at(board, [row + up, column + right])));
  const others = corners.filter((cell) => cell !== "." && cell !== "#" && cell !== owner).length;
  return others <= (sides.includes("#") ? 0 : 1) ? owner : undefined;
}

/** The liberties of a chain, as texts. */
function libertiesOf(board: Board, stone: Point): Set<string> {
  return new Set(
    flood(board, stone)
      .beside.filter((point) => at(board, point) === ".")
      .map(String),
  );
}

/** The moves of the kind that MoGo plays, as texts `row,column`; empty if it passes. */
function plainMoves(
  board: Board,
  { turn, last, legal }: { turn: "X" | "O"; last: Point | undefined; legal: ReadonlyMap<string, Board> },
): Set<string> {
  const other = turn === "X" ? "O" : "X";
  const points = board.flatMap((cells, row) => Array.from(cells, (_, column): Point => [row, column]));
  const playable = points
    .filter((point) => legal.has(String(point)) && eyeOf(board, point) !== turn)
    .map(String);
  const among = (moves: Iterable<string>) => new Set([...moves].filter((move) => playable.includes(move)));
  const parse = (text: string) => text.split(",").map(Number) as unknown as Point;
  /** The liberties of the chains in atari that are at some points. */
  const takes = (stones: readonly Point[], colour: string): string[] =>
    stones
      .filter((stone) => at(board, stone) === colour)
      .map((stone) => [...libertiesOf(board, stone)])
      .filter((liberties) => liberties.length === 1)
      .flat();
  if (last !== undefined) {
    const saved = neighbours(last).filter((stone) => takes([stone], turn).length === 1);
    const extending = takes(saved, turn).filter((move) => {
      const after = legal.get(move);
      return (
        after !== undefined && at(after, parse(move)) === turn && libertiesOf(after, parse(move)).size > 1
      );
    });
    const capturing = saved.flatMap((stone) => takes(flood(board, stone).beside, other));
    const saving = among([...extending, ...capturing]);
    if (saving.size > 0) return saving;
    const around = points.filter(
      ([row, column]) =>
        Math.max(Math.abs(row - last[0]), Math.abs(column - last[1])) === 1 &&
        at(board, [row, column]) === ".",
    );
    const square = ([row, column]: Point) =>
      [1, 0, -1].map((up) => [-1, 0, 1].map((right) => at(board, [row + up, column + right])).join(""));
    const shaped = among(around.filter((point) => isInFigure(square(point), turn)).map(String));
    if (shaped.size > 0) return shaped;
  }
  const captures = among(takes(points, other));
  return captures.size > 0 ? captures : new Set(playable);
}

const RULES = [
  { size: 5, ko: "positional-superko", suicide: false },
  { size: 5, ko: "simple", suicide: true },
  { size: 6, ko: "simple", suicide: false },
] as const;

slowTest.each(RULES)("MoGo's moves are those of a plain program with %o", ({ size, ko, suicide }) => {
  const moveLimit = 2 * size * size;
  const game = createGame({ id: "go", size, ko, suicide, repetition: "play-on" });
  const rules = { suicide, superko: ko !== "simple", drawByRepetition: false, moveLimit };
  const policy = game.policies["mogo"]!.create();
  const wrong: unknown[] = [];
  const kinds = new Set<number>();
  for (let number = 0; number < 12; number++) {
    const random = createRandom("mogo", size, number);
    const state = game.start() as GoState;
    let twin = twinStart(size);
    let last: Point | undefined;
    while (state.toMove !== TERMINAL) {
      const board = twinBoard(twin);
      const nexts = twinMoves(twin, rules);
      const actions = possibleActions(game, state);
      const pointOf = (action: number): Point => [Math.floor(action / size), action % size];
      const names = new Map(Array.from(actions, (action) => [game.formatAction(action, state), action]));
      const legal = new Map(
        [...nexts]
          .filter(([name]) => name !== "pass")
          .map(([name, next]) => [String(pointOf(names.get(name)!)), twinBoard(next)]),
      );
      for (const action of legal.keys()) {
        const [row, column] = action.split(",").map(Number) as [number, number];
        const owner = eyeOwner(state, state.board.pointOf[row * size + column]);
        if ([undefined, "X", "O"][owner + 1] !== eyeOf(board, [row, column]))
          wrong.push([board, action, "eye"]);
      }
      const expected = plainMoves(board, { turn: twin.turn, last, legal });
      kinds.add(expected.size);
      const found = new Set<string>();
      for (let draw = 0; draw < 5 + 15 * expected.size; draw++) {
        const action = policy.choose(state, random);
        if (action !== state.pass) found.add(String(pointOf(action)));
      }
      if ([...found].toSorted().join(" ") !== [...expected].toSorted().join(" "))
        wrong.push([board, twin.turn, last, [...found], [...expected]]);
      // Moves of the policy, and as many random ones, which leave more to be saved.
      const action =
        random.below(2) === 0 ? policy.choose(state, random) : actions[random.below(actions.length)]!;
      const name = game.formatAction(action, state);
      last = action === state.pass ? undefined : pointOf(action);
      state.apply(action);
      twin = nexts.get(name)!;
    }
  }
  expect(wrong).toEqual([]);
  expect(kinds.has(0) && kinds.has(1) && kinds.has(2)).toBe(true);
});

test.each(RULES)(
  "playouts of MoGo end by passes with nothing left to play but own eyes, with %o",
  (options) => {
    const game = createGame({ id: "go", ...options });
    const playout = new PolicyPlayout(game, game.policies["mogo"]!.create(), null);
    const random = createRandom("mogo playouts");
    const state = game.start() as GoState;
    const start = game.start();
    let passed = 0;
    for (let number = 0; number < thorough(300, 100); number++) {
      state.copyFrom(start as GoState);
      playout.play(state, random);
      expect(state.toMove).toBe(TERMINAL);
      if (state.passes < 2) continue;
      passed++;
      for (const point of state.board.pointOf) {
        if (state.colour[point] !== EMPTY || !state.isLegalAt(point)) continue;
        expect(eyeOwner(state, point)).toBe(state.turn);
      }
    }
    expect(passed).toBeGreaterThan(thorough(250, 80));
  },
);

describe("MoGo's promises", () => {
  const game = createGame({ id: "go", size: 5 });
  const policy = game.policies["mogo"]!.create();
  const actions = new Int32Array(game.maxActions);
  const out = new Int32Array(game.maxActions);
  /** The promise of each move, by name. */
  const promisesAt = (text: string): Record<string, number> => {
    const state = game.parseState(text);
    policy.promises!(state, actions, 0, state.legalActions(actions, 0), out);
    return Object.fromEntries(
      Array.from(possibleActions(game, state), (action, index) => [
        game.formatAction(action, state),
        out[index]!,
      ]),
    );
  };

  test("are 0 to 255, leave the position alone, and are the same in every symmetry", () => {
    const random = createRandom("promises");
    for (let number = 0; number < 40; number++) {
      const state = game.start() as GoState;
      for (let ply = random.below(30); ply > 0 && state.toMove !== TERMINAL; ply--)
        state.apply(actions[random.below(state.legalActions(actions, 0))]!);
      if (state.toMove === TERMINAL) continue;
      const before = game.formatState(state);
      const rows = before
        .split(" ")[0]!
        .replace(/\d/g, (run) => ".".repeat(Number(run)))
        .split("/");
      policy.promises!(state, actions, 0, state.legalActions(actions, 0), out);
      expect(game.formatState(state)).toBe(before);
      // Without the last move, which the texts do not tell.
      const sorted = (board: Board) =>
        Object.values(
          promisesAt(
            `${board.join("/").replace(/\.+/g, (run) => String(run.length))} ${before.split(" ")[1]}`,
          ),
        )
          .toSorted((a, b) => a - b)
          .join();
      const [first, ...others] = turns(rows).map(sorted);
      for (const other of others) expect(other).toBe(first);
      for (const promise of first!.split(",")) {
        expect(Number(promise)).toBeGreaterThanOrEqual(0);
        expect(Number(promise)).toBeLessThanOrEqual(255);
      }
    }
  });

  test("captures and rescues come first, then patterns and moves near the last; then self-atari, and own eyes last", () => {
    const capture = promisesAt("5/5/5/X4/O4 b");
    expect(Object.keys(capture).reduce((a, b) => (capture[b]! > capture[a]! ? b : a))).toBe("b1");
    const rescue = promisesAt("5/2X2/1XO2/2X2/5 w");
    expect(rescue["d3"]).toBe(Math.max(...Object.values(rescue)));
    const near = promisesAt("5/5/5/5/5 b moves c3");
    expect(near["c4"]).toBeGreaterThan(near["a1"]!);
    const eye = promisesAt("5/5/5/XX3/1X3 b");
    expect(eye["a1"]).toBe(0);
    expect(eye["c3"]).toBeGreaterThan(eye["pass"]!);
    const selfAtari = promisesAt("5/5/5/O4/2O2 b");
    expect(selfAtari["a1"]).toBeLessThan(selfAtari["d4"]!);
    expect(selfAtari["a1"]).toBeGreaterThan(selfAtari["pass"]!);
  });
});

/** If both were equal, one of them would win 24 or more of 30 games with a probability below 0.001. */
slowTest("mcts with MoGo's playouts beats random playouts, with as many simulations", () => {
  const game = createGame({ id: "go", size: 5, komi: 0.5 });
  let won = 0;
  for (let number = 0; number < 30; number++) {
    const state = game.start();
    const seats = ["mcts:simulations=60,playout=mogo", "mcts:simulations=60"];
    const mine = number % 2;
    const players = (mine === 0 ? seats : seats.toReversed()).map((spec) => createPlayer(game, spec));
    for (let ply = 0; state.toMove !== TERMINAL; ply++)
      state.apply(ask(players[state.toMove]!, game, { state, seed: `${number} ${ply}` }).action);
    if (state.returns(mine) > 0) won++;
  }
  expect(won).toBeGreaterThanOrEqual(24);
});
