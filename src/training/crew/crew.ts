import type { Apprentice } from "./apprentice.ts";

/** How far self-play has come. */
export interface Tally {
  /** Decisions by players, openings aside, and positions learnt from, since the crew was made. */
  readonly decisions: number;
  readonly steps: number;
}

/** Those who play the games of a training: one in this thread, or several in threads of their own. */
export interface Crew {
  readonly tally: Tally;
  /**
   * Plays the games numbered `from` to `until - 1`; `tick` is told now and then how many games are done
   * in all, and stops the play, between two games, by returning false. Returns the games done in all.
   * Throws DivergenceError.
   */
  play(from: number, until: number, tick: (games: number) => Promise<boolean>): Promise<number>;
  close(): Promise<void>;
}

/** How long self-play goes on before others get a turn. */
const SLICE_MS = 50;

/** One after the other in this thread: the same config gives the same weights to the last bit. */
export function singleCrew(apprentice: Apprentice, clock: () => number): Crew {
  return {
    get tally() {
      return { decisions: apprentice.decisions, steps: apprentice.learner.steps };
    },
    async play(from, until, tick) {
      let games = from;
      while (games < until) {
        const begun = clock();
        while (games < until && clock() - begun < SLICE_MS) apprentice.playGame(games++);
        if (!(await tick(games))) break;
      }
      return games;
    },
    close: async () => {},
  };
}
