import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import type { Game } from "../../../src/games/contract/game.ts";
import { ObservedGame } from "../../../src/games/contract/privacy.ts";
import { createGame } from "../../../src/games/index.ts";
import { slowTest } from "../../support/thorough.ts";

interface Shot {
  readonly square: number;
  readonly result: string;
}

/** The squares of a ship. */
function squaresOf(action: number, length: number, width: number): number[] {
  return Array.from({ length }, (_, at) => (action >> 1) + at * (action % 2 === 0 ? 1 : width));
}

/** The results of shots at a fleet, one after the other. */
function shoot(fleet: readonly (readonly number[])[], squares: readonly number[]): Shot[] {
  const left = fleet.map((ship) => new Set(ship));
  return squares.map((square) => {
    const ship = left.find((one) => one.delete(square));
    return { square, result: ship === undefined ? "miss" : ship.size === 0 ? "sunk" : "hit" };
  });
}

/** All fleets, as the actions that place them, at which the shots have these results: tried one by one. */
function fleetsWith(game: Game, shots: readonly Shot[]): Set<string> {
  const { width, height, ships } = game.options as { width: number; height: number; ships: number[] };
  const misses = new Set(shots.flatMap(({ square, result }) => (result === "miss" ? [square] : [])));
  const found = new Set<string>();
  const wanted = shots.map(({ result }) => result).join();
  const place = (fleet: readonly number[][], actions: readonly number[]): void => {
    const length = ships[fleet.length];
    if (length === undefined) {
      const results = shoot(
        fleet,
        shots.map(({ square }) => square),
      );
      if (results.map(({ result }) => result).join() === wanted) found.add(actions.join());
      return;
    }
    for (let action = 0; action < 2 * width * height; action++) {
      const [row, column] = [Math.floor((action >> 1) / width), (action >> 1) % width];
      if (action % 2 === 0 ? column + length > width : length === 1 || row + length > height) continue;
      const ship = squaresOf(action, length, width);
      if (ship.some((square) => misses.has(square) || fleet.some((other) => other.includes(square))))
        continue;
      place([...fleet, ship], [...actions, action]);
    }
  };
  place([], []);
  return found;
}

/** Draws so often that each fleet is expected `each` times. Returns chi-square and its degrees of freedom. */
function frequencies(observed: ObservedGame, fleets: Set<string>, each: number): [number, number] {
  const player = observed.state.toMove;
  const ships = (observed.state as unknown as { form: { ships: number[] } }).form.ships.length;
  const out = new Int32Array(observed.privacy.maxEvents);
  const source = observed.worlds(player);
  const random = createRandom("battleship", fleets.size);
  const counts = new Map<string, number>();
  for (let draw = 0; draw < each * fleets.size; draw++) {
    source.draw(random, out);
    const fleet = Array.from({ length: ships }, (_, ship) => out[2 * ship + 1 - player]).join();
    counts.set(fleet, (counts.get(fleet) ?? 0) + 1);
  }
  expect([...counts.keys()].filter((fleet) => !fleets.has(fleet))).toEqual([]);
  let sum = 0;
  for (const fleet of fleets) sum += ((counts.get(fleet) ?? 0) - each) ** 2 / each;
  return [sum, fleets.size - 1];
}

/** Chi-square has the mean n and the variance 2 n; the limit leaves one case in a million and fewer. */
function limit(freedom: number): number {
  return freedom + 6 * Math.sqrt(2 * freedom) + 18;
}

slowTest("worlds are all fleets that give these results, each as likely", () => {
  const game = createGame({ id: "battleship", width: 6, height: 4, ships: [3, 3, 2] });
  const actions = new Int32Array(game.maxActions);
  const seen = { hit: 0, sunk: 0, cases: 0 };
  for (let number = 0; number < 120; number++) {
    const random = createRandom("fleets", number);
    const observed = new ObservedGame(game);
    const events = 6 + random.below(34);
    for (let event = 0; event < events && observed.state.toMove >= 0; event++)
      observed.apply(actions[random.below(observed.state.legalActions(actions, 0))]!);
    const player = observed.state.toMove;
    if (player < 0) continue;
    const { history } = observed.state as unknown as { history: Int32Array };
    const other = [0, 1, 2].map((ship) => squaresOf(history[2 * ship + 1 - player]!, ship < 2 ? 3 : 2, 6));
    const own = Array.from(history.subarray(6, events)).filter((_, at) => at % 2 === player);
    const shots = shoot(other, own);
    const fleets = fleetsWith(game, shots);
    if (fleets.size < 2 || fleets.size > 1500) continue;
    const [sum, freedom] = frequencies(observed, fleets, 20);
    expect(sum).toBeLessThan(limit(freedom));
    seen.cases++;
    for (const kind of ["hit", "sunk"] as const)
      if (shots.some(({ result }) => result === kind)) seen[kind]++;
  }
  expect(seen.cases).toBeGreaterThan(20);
  expect(seen.hit).toBeGreaterThan(15);
  expect(seen.sunk).toBeGreaterThan(5);
});

test("a whole fleet in a corner of 4 x 5 squares, where almost all draws of ships overlap", () => {
  const game = createGame("battleship");
  const observed = new ObservedGame(game);
  const corner = (square: number) => square % 10 < 5 && square < 40;
  for (const action of [0, 20, 40, 60, 46]) {
    observed.apply(action);
    observed.apply(action);
  }
  const shots: number[] = [];
  for (let square = 0; square < 100; square++) {
    if (corner(square)) continue;
    observed.apply(square);
    observed.apply(99 - shots.length);
    shots.push(square);
  }
  const fleets = fleetsWith(
    game,
    shots.map((square) => ({ square, result: "miss" })),
  );
  expect(fleets.size).toBeGreaterThan(100);
  const [sum, freedom] = frequencies(observed, fleets, 20);
  expect(sum).toBeLessThan(limit(freedom));
});
