import { type Paint, type Picture, PLAYER_PAINTS } from "../contract/picture.ts";
import type { Rules } from "../contract/rules.ts";
import { toPicture } from "../contract/simple-picture.ts";
import { eventsOf, type Hidden, type HistoryState } from "./history-state.ts";

const WIDTH = 1.8;
const IN_A_ROW = 6;

/**
 * The events of a game in their order, each a tile: white for chance, in a player's colour for its actions.
 */
export function historyPicture<S extends HistoryState>(
  rules: Pick<Rules<S>, "start" | "formatAction">,
  maxEvents: number,
  hidden: Hidden<S>,
): Picture<S> {
  interface Position {
    readonly state: S;
    readonly events: ReturnType<typeof eventsOf>;
  }
  const tile = ({ events }: Position, at: number, text?: string) => {
    const event = events[at];
    if (event === undefined) return undefined;
    const fill: Paint = event.mover < 0 ? "white" : PLAYER_PAINTS[event.mover]!;
    return { fill, text: text ?? event.word };
  };
  return toPicture<Position, S>(
    {
      places: Array.from({ length: maxEvents }, (_, at) => ({
        name: `event ${at + 1}`,
        x: WIDTH * (at % IN_A_ROW),
        y: Math.floor(at / IN_A_ROW),
        w: WIDTH,
        h: 1,
      })),
      content: tile,
      seen: (position, at, player) => tile(position, at, hidden(position.state, at, player)),
      touches: () => [],
    },
    (state) => ({ state, events: eventsOf(rules, state) }),
  );
}
