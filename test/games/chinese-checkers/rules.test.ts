import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { chineseCheckers } from "../../../src/games/chinese-checkers/chinese-checkers.ts";
import { type ChineseCheckersState, stepsLeft } from "../../../src/games/chinese-checkers/state.ts";
import { TERMINAL, type Game } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { perft } from "../../../src/games/contract/perft.ts";
import { Twin } from "./twin.ts";
import { everyFew } from "../../support/thorough.ts";

function create(options: Record<string, number> = {}): Game<ChineseCheckersState> {
  return chineseCheckers.create(chineseCheckers.options.parse(options)) as Game<ChineseCheckersState>;
}

function names(game: Game<ChineseCheckersState>, state: ChineseCheckersState): string[] {
  return Array.from(possibleActions(game, state), (action) => game.formatAction(action, state));
}

function play(game: Game<ChineseCheckersState>, state: ChineseCheckersState, ...moves: string[]): void {
  for (const move of moves) state.apply(game.parseAction(move, state));
}

function returns(game: Game<ChineseCheckersState>, state: ChineseCheckersState): number[] {
  return Array.from({ length: game.players }, (_, player) => state.returns(player));
}

const SIDES = [2, 3, 4];
const PLAYERS = [2, 3, 4, 6];
const FORMS = SIDES.flatMap((side) => PLAYERS.map((players) => ({ side, players })));

test.each(PLAYERS)("each of %i players has 14 first moves on the full board", (players) => {
  const game = create({ players });
  const state = game.start();
  expect(state.star.cells).toBe(121);
  for (let player = 0; player < players; player++) {
    const [board] = game.formatState(game.start()).split(" ");
    const turned = game.parseState(`${board} ${"ABCDEF"[player]} 1`);
    expect(turned.toMove).toBe(player);
    expect(names(game, turned)).toHaveLength(14);
  }
});

interface StarTrace {
  readonly players: number;
  readonly moves: readonly string[];
  readonly legal: readonly number[];
  readonly winner: number;
}

/**
 * Games on the board of OpenSpiel 2.0.2, whose single hops were put together to whole moves: `legal`
 * counts the distinct results of a turn. Some are random, some prefer moves ahead; they were stopped
 * after 120 or 600 moves, or when a target was full, one man in it being its owner's.
 */
const traces = readFileSync(new URL("../../fixtures/traces/chinese-checkers.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as StarTrace);

test.each(traces.map((trace, number) => [number, trace] as const))(
  "agrees with an independent program on game %i",
  (_, { players, moves, legal, winner }) => {
    const game = create({ players, maxRounds: 500 });
    const state = game.start();
    const counts = moves.map((move) => {
      const count = possibleActions(game, state).length;
      play(game, state, move);
      return count;
    });
    expect(counts).toEqual(legal);
    expect(state.winner).toBe(winner);
    expect(state.toMove === TERMINAL).toBe(winner >= 0);
  },
);

test.each(everyFew(FORMS, 6))(
  "plays like its twin with side $side and $players players",
  ({ side, players }) => {
    const maxRounds = 400;
    const game = create({ side, players, maxRounds });
    let wins = 0;
    for (let number = 0; number < 3; number++) {
      const random = createRandom("chinese checkers twin", side, players, number);
      const state = game.start();
      const twin = new Twin(side, players);
      // Wholly at random at first; then the better of some, so that men arrive and games end.
      const tries = [1, 4, 12][number]!;
      for (let turn = 0; turn < 60 * side; turn++) {
        expect(game.formatState(state)).toBe(twin.text());
        expect(state.winner).toBe(twin.winner());
        if (state.toMove === TERMINAL) {
          wins++;
          break;
        }
        const moves = names(game, state);
        expect(moves.toSorted()).toEqual(twin.moves().toSorted());
        const player = state.turn;
        expect(stepsLeft(state, player)).toBe(twin.stepsLeft(player));
        let best = moves[random.below(moves.length)]!;
        let least = Infinity;
        for (let attempt = 0; attempt < tries; attempt++) {
          const move = moves[random.below(moves.length)]!;
          play(game, state, move);
          if (stepsLeft(state, player) < least) {
            least = stepsLeft(state, player);
            best = move;
          }
          state.undo();
        }
        play(game, state, best);
        twin.play(best);
      }
    }
    if (side === 2) expect(wins).toBeGreaterThan(0);
  },
);

test.each([
  { side: 2, players: 2, depth: 4 },
  { side: 2, players: 6, depth: 4 },
  { side: 4, players: 3, depth: 3 },
])("perft agrees with the twin's: side $side, $players players", ({ side, players, depth }) => {
  const game = create({ side, players });
  const count = (twin: Twin, left: number): number => {
    const moves = twin.moves();
    if (left === 1) return moves.length;
    return moves.reduce((leaves, move) => {
      const player = twin.turn;
      const before = new Set(twin.men[player]);
      twin.play(move);
      const below = count(twin, left - 1);
      twin.turns--;
      twin.men[player] = before;
      return leaves + below;
    }, 0);
  };
  expect(perft(game, game.start(), depth)).toBe(count(new Twin(side, players), depth));
});

const TURNS = [
  { players: 2, sixths: 3 },
  { players: 3, sixths: 2 },
  { players: 3, sixths: 4 },
  { players: 4, sixths: 3 },
  { players: 6, sixths: 1 },
  { players: 6, sixths: 5 },
];

test.each(everyFew(TURNS, 3))(
  "$players players on a star turned by $sixths sixths have the same moves, turned",
  (form) => {
    const { players, sixths } = form;
    const game = create({ players, side: 3 });
    const random = createRandom("chinese checkers turned", players, sixths);
    const twin = new Twin(3, players);
    for (let turn = 0; turn < 80; turn++) {
      const state = game.parseState(twin.text());
      const turned = game.parseState(twin.turned(sixths).text());
      const moves = names(game, state);
      const expected = moves.map((move) =>
        move
          .split("-")
          .map((name) => twin.turnedName(name, sixths))
          .join("-"),
      );
      expect(names(game, turned).toSorted()).toEqual(expected.toSorted());
      const seat = (turned.turn - state.turn + players) % players;
      for (let player = 0; player < players; player++) {
        const other = (player + seat) % players;
        expect(stepsLeft(turned, other)).toBe(stepsLeft(state, player));
        expect(game.heuristics["distance"]!.evaluate(turned, other)).toBeCloseTo(
          game.heuristics["distance"]!.evaluate(state, player),
          12,
        );
        for (const features of Object.values(game.featureSets)) {
          const read = (from: ChineseCheckersState, whose: number) => {
            const index = new Int32Array(features.maxActive);
            const value = new Float32Array(features.maxActive);
            const count = features.extract(from, whose, index, value);
            return Array.from(
              index.subarray(0, count),
              (feature, at) => `${feature}:${value[at]}`,
            ).toSorted();
          };
          expect(read(turned, other)).toEqual(read(state, player));
        }
      }
      twin.play(moves[random.below(moves.length)]!);
    }
  },
);

describe("the end", () => {
  const two = create({ side: 2, maxRounds: 20 });

  test("filling the target wins at once", () => {
    const state = two.parseState("1/BB/7/6/4B/6/4A2/A1/A A 9");
    play(two, state, "g5-h2");
    expect([state.toMove, state.winner, ...returns(two, state)]).toEqual([TERMINAL, 0, 1, -1]);
    state.undo();
    expect([state.toMove, state.winner, ...returns(two, state)]).toEqual([0, -1, 0, 0]);
  });

  test("a man left at home does not block: the target is full, and one man in it is the winner's", () => {
    const state = two.parseState("1/BB/7/6/5/6/A3A2/A1/B A 9");
    play(two, state, "g5-h2");
    expect([state.toMove, ...returns(two, state)]).toEqual([TERMINAL, 1, -1]);
  });

  test("to go back home does not block either: the other wins, whoever fills the target", () => {
    const state = two.parseState("1/B1/7/6/5/6/AA2B2/A1/B B 9");
    play(two, state, "g5-h2");
    expect([state.toMove, ...returns(two, state)]).toEqual([TERMINAL, 1, -1]);
  });

  test("a target that only others fill is no win, as at the start", () => {
    const state = two.parseState("1/1A/6A/6/5/6/A2B3/1B/B B 5");
    play(two, state, "g4-h1");
    expect(state.toMove).toBe(0);
  });

  test("a move inside the target does not win while a cell of it is empty", () => {
    const state = two.parseState("1/BB/7/6/4B/6/A6/1A/A A 9");
    play(two, state, "i1-h1");
    expect(state.toMove).toBe(1);
  });

  test.each([
    { board: "1/2/7/6/5/C3B1/CC2ABB/A1/A", expected: [1, 0, -1] },
    { board: "1/2/7/6/5/1C3B/CC2ABB/A1/A", expected: [1, -1, 0] },
    { board: "1/2/7/6/5/C4B/CC2ABB/A1/A", expected: [1, -0.5, -0.5] },
  ])("when A wins on $board, B and C are ranked by the steps left", ({ board, expected }) => {
    const three = create({ side: 2, players: 3 });
    const state = three.parseState(`${board} A 9`);
    play(three, state, "g5-h2");
    expect([state.toMove, ...returns(three, state)]).toEqual([TERMINAL, ...expected]);
  });

  test("after the last round the steps left decide", () => {
    const short = create({ side: 2, maxRounds: 1 });
    const state = short.start();
    play(short, state, "b1-c3", "i1-g3");
    expect([state.toMove, state.winner, ...returns(short, state)]).toEqual([TERMINAL, -1, -1, 1]);
    state.undo();
    play(short, state, "h1-g3");
    expect([state.toMove, ...returns(short, state)]).toEqual([TERMINAL, 0, 0]);
  });

  test("players who are level share what their places bring", () => {
    const three = create({ side: 2, players: 3, maxRounds: 20 });
    const state = three.parseState("A/AA/7/6/5/C3B1/CC3BB/2/1 C 20");
    play(three, state, "f1-e1");
    expect([0, 1, 2].map((player) => stepsLeft(state, player))).toEqual([20, 19, 19]);
    expect(returns(three, state)).toEqual([-1, 0.5, 0.5]);
    const six = create({ players: 6, side: 2, maxRounds: 1 });
    const end = six.parseState(`${six.formatState(six.start()).split(" ")[0]} F 1`);
    const move = names(six, end).find((name) => {
      play(six, end, name);
      const gain = stepsLeft(end, 5) - 20;
      end.undo();
      return gain === -1;
    })!;
    play(six, end, move);
    expect(returns(six, end)).toEqual([-0.2, -0.2, -0.2, -0.2, -0.2, 1]);
  });

  test("who has no move passes, and only then", () => {
    const four = create({ side: 2, players: 4 });
    const state = four.parseState("A/AA/2BBB2/1CCCD1/5/6/7/DD/1 A 5");
    expect(names(four, state)).toEqual(["pass"]);
    const before = four.formatState(state);
    play(four, state, "pass");
    expect(state.turn).toBe(1);
    expect(names(four, state)).not.toContain("pass");
    state.undo();
    expect(four.formatState(state)).toBe(before);
  });
});
