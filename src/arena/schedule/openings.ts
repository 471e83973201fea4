import { createRandom } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game } from "../../games/game.ts";
import type { Openings } from "../plan/plan.ts";

/** After this many draws a repeated opening is accepted, because a game may have fewer openings than blocks. */
const MAX_DRAWS = 50;

/**
 * The openings of a match, block by block: the listed lines in turn, or lines of random plies. Random lines are all
 * different until 50 draws in a row find no new one; from then on they may repeat. The opening of a block does not depend on the number of blocks.
 */
export function* matchOpenings(
  game: Game,
  openings: Openings,
  { seed, match }: { seed: string; match: string },
): Generator<number[]> {
  if ("lines" in openings) {
    for (let block = 0; ; block++) yield [...openings.lines[block % openings.lines.length]!];
  }
  const { randomPlies } = openings;
  if (randomPlies === 0) for (;;) yield [];
  const random = createRandom(seed, "openings", match);
  const seen = new Set<string>();
  const state = game.start();
  const start = game.start();
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  /** Set when no new opening was found: then repeats are taken as they come. */
  let exhausted = false;
  for (;;) {
    let line: number[] = [];
    let isNew = false;
    for (let draw = 0; draw < MAX_DRAWS && !isNew; draw++) {
      line = [];
      state.copyFrom(start);
      for (let plies = 0; plies < randomPlies && state.toMove !== TERMINAL;) {
        const chance = state.toMove === CHANCE;
        const count = chance
          ? state.chanceOutcomes(actions, probabilities, 0)
          : state.legalActions(actions, 0);
        const action = actions[chance ? random.weighted(probabilities, 0, count) : random.below(count)];
        line.push(action);
        state.apply(action);
        if (!chance) plies++;
      }
      if (state.toMove === TERMINAL) continue;
      isNew = !seen.has(line.join());
      if (exhausted) break;
    }
    exhausted ||= !isNew;
    if (state.toMove === TERMINAL) line = [];
    seen.add(line.join());
    yield line;
  }
}
