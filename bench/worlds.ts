import process from "node:process";
import { createRandom } from "../src/base/random.ts";
import { possibleActions } from "../src/games/contract/notation.ts";
import { ObservedGame } from "../src/games/contract/privacy.ts";
import { createGame } from "../src/games/index.ts";
import { parseGameSpec } from "../src/specs/games.ts";

/*
 * Times the worlds of players in random games: npm run bench -- worlds GAME EVENTS [PLAYS], after EVENTS events such as a deal
 * and PLAYS decisions.
 */
const [name = "hearts", events = "52", plays = "10"] = process.argv.slice(2);
const game = createGame(parseGameSpec(name, "."));
const out = new Int32Array(game.privacy!.maxEvents);
const DRAWS = 20_000;
const observed = new ObservedGame(game);
let prepared = 0;
let drawn = 0;
const POSITIONS = 50;
for (let round = 0; round < 2; round++) {
  // The first round warms up.
  [prepared, drawn] = [0, 0];
  for (let number = 0; number < POSITIONS; number++) {
    const random = createRandom("worlds", number);
    observed.restart();
    for (let event = 0; event < Number(events) + Number(plays); event++) {
      const actions = possibleActions(game, observed.state);
      observed.apply(actions[random.below(actions.length)]!);
    }
    const begun = performance.now();
    const worlds = observed.worlds(observed.state.toMove);
    const ready = performance.now();
    for (let draw = 0; draw < DRAWS; draw++) worlds.draw(random, out);
    drawn += performance.now() - ready;
    prepared += ready - begun;
  }
}
console.log(
  `${name}, ${POSITIONS} positions after ${plays} random plays: ${((1000 * prepared) / POSITIONS).toFixed(0)} us to prepare, ` +
    `${((1000 * drawn) / POSITIONS / DRAWS).toFixed(2)} us a draw`,
);
