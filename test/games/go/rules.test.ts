import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { areaLead } from "../../../src/games/go/stones.ts";
import { go } from "../../../src/games/go/go.ts";
import type { GoState } from "../../../src/games/go/state.ts";
import { createGame } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { differences, readTraces } from "../traces.ts";
import { twinBoard, twinEnd, twinLead, twinMoves, twinStart } from "./twin.ts";
import { slowTest } from "../../support/thorough.ts";

test.each(readTraces("go").map((trace, number) => [number, trace] as const))(
  "agrees with an independent program on game %i",
  (_, trace) => {
    const game = createGame("go");
    expect(differences(game, trace, (move, state) => game.parseAction(move, state))).toEqual([]);
    const end = game.parseState(`start moves ${trace.moves.map((move) => move.slice(2)).join(" ")}`);
    const { trompTaylorBlackMinusWhite } = trace as { trompTaylorBlackMinusWhite?: number };
    expect(areaLead(end as GoState) - 7.5).toBe(trompTaylorBlackMinusWhite);
  },
);

test.each(readTraces("go-5x5").map((trace, number) => [number, trace] as const))(
  "agrees with it on a small board, draws by repetition among them, on game %i",
  (_, trace) => {
    const game = createGame({ id: "go", size: 5, komi: 2.5 });
    expect(differences(game, trace, (move, state) => game.parseAction(move, state))).toEqual([]);
  },
);

const TWIN_OPTIONS = [
  { size: 2, games: 40, moveLimit: 60 },
  { size: 3, games: 30, ko: "positional-superko", suicide: true, moveLimit: 60 },
  { size: 3, games: 30, suicide: true, moveLimit: 60 },
  { size: 4, games: 20, ko: "positional-superko", moveLimit: 80 },
  { size: 5, games: 12, repetition: "play-on", suicide: true, moveLimit: 100 },
  { size: 6, games: 5, ko: "positional-superko", suicide: true, moveLimit: 100 },
  { size: 9, games: 2, moveLimit: 162 },
] as const;

slowTest.each(TWIN_OPTIONS)("plays like its twin with %o", ({ size, games, moveLimit, ...options }) => {
  const { ko = "simple", repetition = "draw", suicide = false } = { ...NONE, ...options };
  const game = go.create({ size, komi: 0.5, ko, repetition, suicide, moveLimit });
  const superko = ko === "positional-superko";
  const rules = { suicide, superko, drawByRepetition: !superko && repetition === "draw", moveLimit };
  for (let number = 0; number < games; number++) {
    const random = createRandom("go twin", size, number);
    const state = game.start() as GoState;
    let twin = twinStart(size);
    for (;;) {
      expect(rowsOf(game.formatState(state))).toEqual(twinBoard(twin).toReversed());
      const end = twinEnd(twin, rules);
      if (end !== undefined) {
        const lead = end === "repeated" ? 0 : twinLead(twin) - 0.5;
        expect([state.toMove, state.returns(0)]).toEqual([TERMINAL, Math.sign(lead)]);
        break;
      }
      expect(areaLead(state)).toBe(twinLead(twin));
      const moves = twinMoves(twin, rules);
      const actions = possibleActions(game, state);
      expect(Array.from(actions, (action) => game.formatAction(action, state))).toEqual([...moves.keys()]);
      // Passing is as rare as it is late in real games, so that boards fill up and are emptied again.
      const chosen = random.below(8) === 0 ? actions.length - 1 : random.below(actions.length);
      state.apply(actions[chosen]);
      twin = [...moves.values()][chosen]!;
    }
  }
});

/** The members that a form of the game may leave out. */
const NONE: { ko?: "simple" | "positional-superko"; repetition?: "draw" | "play-on"; suicide?: boolean } = {};

function rowsOf(text: string): string[] {
  const [rows = ""] = text.split(" ");
  return rows.replace(/\d+/g, (run) => ".".repeat(Number(run))).split("/");
}

/** Tromp and Farneback, Combinatorics of Go (2016): boards on which every chain has a liberty. */
slowTest.each([
  [2, 57],
  [3, 12675],
])("of all boards of size %i, %i are legal, and play reaches them and no others", (size, legal) => {
  const game = go.create({ size, komi: 0, ko: "simple", repetition: "play-on", suicide: true });
  const key = (state: GoState) => `${state.keyLow} ${state.keyHigh}`;
  const boards = new Map<string, string>();
  for (let code = 0; code < 3 ** (size * size); code++) {
    const cells = code
      .toString(3)
      .padStart(size * size, "0")
      .replace(/./g, (digit) => ".XO"[Number(digit)]!);
    const rows = cells.match(new RegExp(`.{${size}}`, "g"))!.join("/");
    try {
      boards.set(key(game.parseState(`${rows} b`) as GoState), rows);
    } catch {
      continue;
    }
  }
  expect(boards.size).toBe(legal);
  const reached = new Set<string>();
  for (const rows of boards.values()) {
    for (const turn of ["b", "w"]) {
      const state = game.parseState(`${rows} ${turn}`) as GoState;
      for (const action of possibleActions(game, state)) {
        state.apply(action);
        reached.add(key(state));
        state.undo();
      }
    }
  }
  expect([...reached].filter((board) => !boards.has(board))).toEqual([]);
  expect(reached.size).toBe(legal);
});

/** The middle of the board of size 3. */
const CENTRE = 4;

/** True if Black, to move on the empty board, wins with that komi under superko, by a full search. */
function blackWins(size: number, komi: number, moveLimit: number): boolean {
  const rules = { ko: "positional-superko", repetition: "draw", suicide: false } as const;
  const game = go.create({ size, komi, ...rules, moveLimit });
  const state = game.start() as GoState;
  const stack = new Int32Array(game.maxActions * game.maxPlies);
  const wins = (player: number, at: number): boolean => {
    if (state.toMove === TERMINAL) return state.returns(player) > 0;
    const end = at + state.legalActions(stack, at);
    // The middle first; after a pass, passing: it ends the game at once.
    const first = state.passes === 1 ? end - 1 : at + Math.max(0, stack.subarray(at, end).indexOf(CENTRE));
    for (let index = at; index < end; index++) {
      state.apply(stack[index === at ? first : index === first ? at : index]);
      const won = !wins(1 - player, end);
      state.undo();
      if (won) return true;
    }
    return false;
  };
  return wins(0, 0);
}

test("on 2x2 Black wins by exactly 1 (Tromp and Taylor)", () => {
  expect([blackWins(2, 0.5, 30), blackWins(2, 1.5, 30)]).toEqual([true, false]);
});

slowTest("on 3x3 Black wins by the whole board", () => {
  expect(blackWins(3, 8.5, 18)).toBe(true);
});
