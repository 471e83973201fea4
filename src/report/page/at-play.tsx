import type { JSX } from "preact";
import { formatSeconds } from "../../base/text.ts";
import { Board } from "./board.tsx";
import type { AtPlayData } from "./data.ts";
import { Panel } from "./parts.tsx";

/** The games that are being played, at their last positions; nothing if there are none. */
export function AtPlay({ games }: { games: readonly AtPlayData[] }): JSX.Element | null {
  if (games.length === 0) return null;
  return (
    <Panel title="Now at play" note="Games that last longer than a second.">
      <div class="at-play">
        {games.map((game) => (
          <figure key={game.id} data-at-play={game.id}>
            <figcaption>
              <b>{playersOf(game)}</b>
              <small>{standOf(game)}</small>
            </figcaption>
            <Board board={game.board} />
          </figure>
        ))}
      </div>
    </Panel>
  );
}

/** The entrants by seat, with their clocks if they have any. */
function playersOf({ names, leftMs }: AtPlayData): string {
  return names
    .map((name, seat) => (leftMs === undefined ? name : `${name} (${formatSeconds(leftMs[seat]! / 1000)})`))
    .join(" - ");
}

function standOf({ length, last, turn }: AtPlayData): string {
  return length === 0 ? turn : `${length} action${length === 1 ? "" : "s"}, last ${last}; ${turn}`;
}
