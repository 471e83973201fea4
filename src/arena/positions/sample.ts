import type { PreparedAgent } from "../../agents/prepare.ts";
import { InputError } from "../../base/errors.ts";
import { createRandom, type Random } from "../../base/random.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../../games/contract/game.ts";
import { possibleActions, sampleChance } from "../../games/contract/notation.ts";
import type { TestPosition } from "./position-file.ts";

/** Games in a row without a position that is kept, after which a game counts as having no more. */
const MOST_IDLE = 2000;

/** The positions that `samplePositions` is asked for. */
interface SampleRequest {
  readonly count: number;
  /** The fewest and the most decisions before a position. */
  readonly plies: readonly [least: number, most: number];
  readonly seed: string;
  /** The agent that plays to the positions; absent: play is random. */
  readonly by?: PreparedAgent | undefined;
  readonly clock: () => number;
  /** Judges a position; undefined leaves it out. */
  readonly judge: (position: TestPosition) => Promise<TestPosition | undefined>;
}

/** Draws different positions, each from a game of its own. Throws InputError if the game has too few. */
export async function* samplePositions(game: Game, request: SampleRequest): AsyncGenerator<TestPosition> {
  const { count, plies, seed, by, clock, judge } = request;
  const [least, most] = plies;
  const agent = by?.create();
  const seen = new Set<string>();
  try {
    let idle = 0;
    for (let number = 0, kept = 0; kept < count; number++) {
      if (idle++ === MOST_IDLE)
        throw new InputError(
          `--sample: ${game.id} has ${kept} such positions of ${least} to ${most} plies in ${number} games, not ${count}`,
        );
      const random = createRandom(seed, "sample", number);
      await agent?.newGame?.();
      const state = game.start();
      const left = least + random.below(most - least + 1);
      await playOn(
        game,
        state,
        left,
        async () => {
          if (agent === undefined) return drawAction(game, state, random);
          const view = game.start();
          view.copyFrom(state);
          return (await agent.choose(view, { random, budget: by!.budget, clock })).action;
        },
        random,
      );
      if (state.toMove < 0) continue;
      const text = game.formatState(state);
      if (seen.has(text)) continue;
      seen.add(text);
      const position = await judge({ name: String(kept + 1), text, right: [] });
      if (position === undefined) continue;
      idle = 0;
      kept++;
      yield position;
    }
  } finally {
    agent?.close?.();
  }
}

/** Plays decisions, and the chance events around them, until the game is over. */
async function playOn(
  game: Game,
  state: State,
  decisions: number,
  decide: () => Promise<number> | number,
  random: Random,
): Promise<void> {
  for (let left = decisions; ;) {
    if (state.toMove === TERMINAL) return;
    if (state.toMove === CHANCE) state.apply(sampleChance(game, state, random));
    else if (left-- === 0) return;
    else state.apply(await decide());
  }
}

function drawAction(game: Game, state: State, random: Random): number {
  const actions = possibleActions(game, state);
  return actions[random.below(actions.length)]!;
}
