import { z } from "zod";
import { InputError, type Problem } from "../base/errors.ts";
import { unknownName } from "../base/text.ts";
import { check } from "../base/check.ts";
import { backgammon } from "./backgammon/backgammon.ts";
import { battleship } from "./battleship/battleship.ts";
import { breakthrough } from "./breakthrough/breakthrough.ts";
import { checkers } from "./checkers/checkers.ts";
import { chess } from "./chess/chess.ts";
import { chineseCheckers } from "./chinese-checkers/chinese-checkers.ts";
import { connectFour } from "./connect-four/connect-four.ts";
import { conquest } from "./conquest/conquest.ts";
import { varyGame, type Game, type GameFamily, type GameSpec } from "./contract/game.ts";
import { withSetups } from "./contract/setups.ts";
import { kuhn } from "./kuhn/kuhn.ts";
import { crossword } from "./crossword/crossword.ts";
import { go } from "./go/go.ts";
import { leduc } from "./leduc/leduc.ts";
import { liarsDice } from "./liars-dice/liars-dice.ts";
import { goofspiel } from "./goofspiel/goofspiel.ts";
import { phantomTicTacToe } from "./phantom-tic-tac-toe/phantom-tic-tac-toe.ts";
import { hex } from "./hex/hex.ts";
import { bridge } from "./bridge/bridge.ts";
import { hearts } from "./hearts/hearts.ts";
import { holdem } from "./holdem/holdem.ts";
import { nim } from "./nim/nim.ts";
import { othello } from "./othello/othello.ts";
import { pig } from "./pig/pig.ts";
import { property } from "./property/property.ts";
import { slidingPuzzle } from "./sliding-puzzle/sliding-puzzle.ts";
import { ticTacToe } from "./tic-tac-toe/tic-tac-toe.ts";
import { tree } from "./tree/tree.ts";
import { twentyFortyEight } from "./twenty-forty-eight/twenty-forty-eight.ts";

export type { GameSpec } from "./contract/game.ts";

/** Every game, by id. */
export const games: Readonly<Record<string, GameFamily>> = {
  "tic-tac-toe": ticTacToe,
  nim,
  othello,
  checkers,
  chess,
  "chinese-checkers": chineseCheckers,
  breakthrough,
  "connect-four": connectFour,
  go,
  hex,
  "2048": twentyFortyEight,
  backgammon,
  pig,
  conquest,
  property,
  tree,
  kuhn,
  leduc,
  "phantom-tic-tac-toe": phantomTicTacToe,
  "liars-dice": liarsDice,
  goofspiel,
  battleship,
  "sliding-puzzle": slidingPuzzle,
  hearts,
  bridge,
  crossword,
  holdem,
};

/** The key `setups` of any spec: the positions that games begin at. Plans have it; configs name a file of openings. */
type WithSetups = Exclude<GameSpec, string> & { readonly setups?: unknown };
const setupsShape = z.array(z.string()).min(1);

/** Makes a game from its spec; throws InputError, its paths relative to the spec. Only built-in games carry the spec. */
export function createGame(spec: GameSpec, families: Readonly<Record<string, GameFamily>> = games): Game {
  const { id, setups, ...options } = typeof spec === "string" ? { id: spec } : (spec as WithSetups);
  const family = Object.hasOwn(families, id) ? families[id] : undefined;
  if (family === undefined) {
    const problem: Problem = {
      path: typeof spec === "string" ? "" : "id",
      message: unknownName("game", id, Object.keys(families)),
    };
    throw new InputError([problem]);
  }
  const made = family.create(check(family.options, options));
  const game = setups === undefined ? made : withSetups(made, check(setupsShape, setups));
  return games[id] === family ? varyGame(game, { spec }) : game;
}
