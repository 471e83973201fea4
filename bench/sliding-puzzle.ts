import process from "node:process";
import { raiseInliningBudget } from "../src/arena/play/inlining.ts";
import { createRandom, type Random } from "../src/base/random.ts";
import { type Game, TERMINAL } from "../src/games/contract/game.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { createGame } from "../src/games/index.ts";
import { SolutionLengths } from "../src/games/sliding-puzzle/search.ts";
import type { SlidingPuzzleState } from "../src/games/sliding-puzzle/state.ts";
import { loadAgent, parseAgentSpec } from "../src/specs/agents.ts";

/*
 * The 8-puzzle: the share of positions that agents solve in the fewest moves, by that number:
 * npm run bench -- sliding-puzzle COUNT AGENT ... Each agent plays the same COUNT positions of each range (at most 700), half
 * of the samples dealt, half from random walks of up to 60 moves from a position beside the goal.
 */
const RANGES = [
  [1, 10],
  [11, 15],
  [16, 20],
  [21, 25],
  [26, 31],
] as const;
const LONGEST_WALK = 60;

const [wanted = "100", ...specs] = process.argv.slice(2);
raiseInliningBudget();
const game = createGame("sliding-puzzle") as Game<SlidingPuzzleState>;
const lengths = new SolutionLengths(3);
const BESIDE_GOAL = "1 2 3 / 4 5 6 / 7 . 8";

/** By range: positions as text. */
function drawPositions(count: number): string[][] {
  const random = createRandom("sliding puzzle");
  const found = RANGES.map(() => new Set<string>());
  for (let number = 0; found.some(({ size }) => size < count); number++) {
    const state = number % 2 === 0 ? dealt(random) : walked(random);
    const length = lengths.of(state.tiles);
    const at = RANGES.findIndex(([from, to]) => length >= from && length <= to);
    if (at >= 0 && found[at]!.size < count) found[at]!.add(game.formatState(state).replace(/ moves.*/, ""));
  }
  return found.map((one) => [...one]);
}

function walked(random: Random): SlidingPuzzleState {
  const state = game.parseState!(BESIDE_GOAL);
  for (let left = random.below(LONGEST_WALK); left > 0; left--) step(state, random);
  return state;
}

function dealt(random: Random): SlidingPuzzleState {
  const state = game.start();
  // The outcomes are equally likely.
  while (state.toMove !== 0) step(state, random);
  return state;
}

function step(state: SlidingPuzzleState, random: Random): void {
  if (state.toMove === TERMINAL) return;
  const actions = possibleActions(game, state);
  state.apply(actions[random.below(actions.length)]!);
}

const drawn = drawPositions(Number(wanted));
console.log(["moves", ...RANGES.map((range) => range.join(" to "))].join("  "));
for (const spec of specs) {
  const prepared = await loadAgent(game, parseAgentSpec(spec));
  const agent = prepared.create();
  const shares: string[] = [];
  const begun = performance.now();
  let decisions = 0;
  for (const [at, positions] of drawn.entries()) {
    let solved = 0;
    for (const [number, text] of positions.entries()) {
      const state = game.parseState!(text);
      const copy = game.start();
      const random = createRandom("sliding puzzle", at, number);
      const least = lengths.of(state.tiles);
      agent.newGame?.();
      while (state.toMove !== TERMINAL && state.moves < least) {
        copy.copyFrom(state);
        const turn = { random, budget: prepared.budget, clock: () => performance.now() };
        state.apply((await agent.choose(copy, turn)).action);
        decisions++;
        // One wrong move is enough.
        if (lengths.of(state.tiles) !== least - state.moves) break;
      }
      if (state.toMove === TERMINAL) solved++;
    }
    shares.push(`${((100 * solved) / positions.length).toFixed(0)}%`);
  }
  agent.close?.();
  console.log(
    `${spec}: ${shares.join("  ")}, ${((performance.now() - begun) / decisions).toFixed(1)} ms a move`,
  );
}
