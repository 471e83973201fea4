import { createRandom, type Random } from "../../../src/base/random.ts";
import { backgammon } from "../../../src/games/backgammon/backgammon.ts";
import { BAR, MEN, NO_ROLL, OFF, PLACES, rollOf, ROLLS } from "../../../src/games/backgammon/position.ts";
import type { BackgammonState } from "../../../src/games/backgammon/state.ts";
import { CHANCE, TERMINAL, type Game } from "../../../src/games/contract/game.ts";

export const game = backgammon.create(backgammon.options.parse({})) as Game<BackgammonState>;

/** Men on points, or `25` for the bar, as their owner counts them; the rest are off. */
export type Men = Readonly<Record<number, number>>;

/** A position put together by hand, the first player to play the dice or to roll. */
export function position(mine: Men, theirs: Men, dice?: readonly [number, number]): BackgammonState {
  const state = game.start();
  [mine, theirs].forEach((men, player) => {
    for (let place = 1; place <= BAR; place++) {
      while (state.men[player * PLACES + place] > 0) state.lift(player, place);
    }
    let onBoard = 0;
    for (const [place, count] of Object.entries(men)) {
      for (let man = 0; man < count; man++, onBoard++) state.drop(player, Number(place));
    }
    for (; onBoard < MEN; onBoard++) state.drop(player, OFF);
  });
  state.place({ onRoll: 0, roll: dice === undefined ? NO_ROLL : rollOf(...dice), opening: false });
  return state;
}

/** The turns of the player on roll, written out. */
export function turnsOf(state: BackgammonState): string[] {
  const out = new Int32Array(game.maxActions);
  const count = state.legalActions(out, 0);
  return Array.from(out.subarray(0, count), (action) => game.formatAction(action, state));
}

/** Plays one game, chance from `random`, turns by `choose`, and returns the final state. */
export function play(
  choose: (state: BackgammonState) => number,
  random: Random,
  visit: (state: BackgammonState) => void = () => {},
): BackgammonState {
  const state = game.start();
  const out = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  while (state.toMove !== TERMINAL) {
    if (state.toMove === CHANCE) {
      const count = state.chanceOutcomes(out, probabilities, 0);
      state.apply(out[random.weighted(probabilities, 0, count)]);
    } else {
      visit(state);
      state.apply(choose(state));
    }
  }
  return state;
}

export function randomTurn(random: Random): (state: BackgammonState) => number {
  const out = new Int32Array(game.maxActions);
  return (state) => out[random.below(state.legalActions(out, 0))];
}

/**
 * Men thrown onto the board at random, with a taste for the corners of the rules: men on the bar,
 * men already off, everything at home, long blockades.
 */
export function randomPosition(name: string, number: number): BackgammonState {
  const random = createRandom(name, number);
  const owners = Array.from({ length: PLACES }, () => random.below(2));
  const men: Record<number, number>[] = [{}, {}];
  for (const player of [0, 1]) {
    const reach = [6, 7, 12, 24, 24, 24][random.below(6)]!;
    const spread = 1 + random.below(reach);
    const count = random.below(4) === 0 ? 1 + random.below(MEN) : MEN;
    for (let man = 0; man < count; man++) {
      const place =
        random.below(25) === 0 && reach === 24
          ? BAR
          : 1 + ((random.below(spread) + random.below(reach)) % reach);
      const point = player === 0 ? place : BAR - place;
      const free = place === BAR || owners[point] === player;
      if (free) men[player]![place] = (men[player]![place] ?? 0) + 1;
    }
    if (Object.keys(men[player]!).length === 0) men[player]![BAR] = 1;
  }
  const roll = random.below(ROLLS);
  const state = position(men[0]!, men[1]!);
  state.place({ onRoll: 0, roll, opening: false });
  return state;
}
