import type { Privacy } from "../contract/privacy.ts";
import type { Battleship } from "./fleet.ts";
import { drawBoards } from "./notation.ts";
import { maxEventsOf, type BattleshipState } from "./state.ts";
import { OTHER_PLACED, OTHER_SHOT, RESULTS, worldsOf } from "./worlds.ts";

/** Players see their own ships and the results of all shots. A ship that is sunk is not named. */
export function createPrivacy(form: Battleship): Privacy<BattleshipState> {
  return {
    maxEvents: maxEventsOf(form),
    maxCodes: maxEventsOf(form),
    seen(state, action, player, out, at) {
      const isPlacing = state.placing < form.ships.length;
      if (state.toMove !== player) out[at] = isPlacing ? OTHER_PLACED : OTHER_SHOT - action;
      else out[at] = isPlacing ? action : RESULTS * action + state.resultOf(action);
      return 1;
    },
    worlds: (codes, count) => worldsOf(codes.subarray(0, count), form),
    formatView: (state, player) => drawBoards(state, player),
  };
}
