import { expect } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { uci } from "../../../src/games/chess/uci.ts";
import { possibleActions, TERMINAL } from "../../../src/index.ts";
import { createGame } from "../../../src/games/index.ts";
import { findProgram, PlayerProcess } from "../../../src/players/player-process.ts";
import { engineTest } from "../../support/engines.ts";
import { thorough } from "../../support/thorough.ts";

const chess = createGame("chess");

engineTest("stockfish")("Stockfish lists the same legal moves along random games", async () => {
  const stockfish = new PlayerProcess({ command: [findProgram("stockfish")!] });
  /** The moves that `go perft 1` lists. */
  const movesOf = async (position: string) => {
    stockfish.say(`position ${position}`);
    stockfish.say("go perft 1");
    const moves: string[] = [];
    for (let line = ""; !line.startsWith("Nodes searched"); line = await stockfish.hear()) {
      const [, move] = /^([a-h][1-8][a-h][1-8][nbrq]?): 1$/.exec(line) ?? [];
      if (move !== undefined) moves.push(move);
    }
    return moves.toSorted();
  };
  try {
    const random = createRandom("stockfish");
    for (let game = 0; game < thorough(40, 4); game++) {
      const state = chess.start();
      let told = "startpos moves";
      while (state.toMove !== TERMINAL) {
        const actions = [...possibleActions(chess, state)];
        const moves = actions.map((action) => uci.formatAction(action, state as never));
        // By the moves since the start, and by the position alone.
        const written = uci.formatState(state as never);
        expect(await movesOf(random.below(2) === 0 ? told : written)).toEqual(moves.toSorted());
        const at = random.below(actions.length);
        told += ` ${moves[at]}`;
        state.apply(actions[at]!);
      }
    }
  } finally {
    stockfish.kill();
  }
});
