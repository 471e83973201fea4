import type { Policy, State } from "./game.ts";

/**
 * The policy that takes an action of the highest worth. `worth` gives that of a legal action for the
 * player to move, and leaves the state as it was.
 */
export function takeBest<S extends State>(
  maxActions: number,
  worth: (state: S, action: number) => number,
): Policy<S> {
  const actions = new Int32Array(maxActions);
  return {
    choose(state, random) {
      const count = state.legalActions(actions, 0);
      let best = -Infinity;
      let choice = actions[0];
      let equals = 0;
      for (let at = 0; at < count; at++) {
        const value = worth(state, actions[at]);
        if (value > best) {
          best = value;
          equals = 0;
        }
        // Each of n equals is kept with 1/n as it comes: all are as likely in the end.
        if (value === best && (equals++ === 0 || random?.below(equals) === 0)) choice = actions[at];
      }
      return choice;
    },
  };
}
