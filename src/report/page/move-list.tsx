import type { JSX } from "preact";
import type { MoveData } from "./game-text.ts";
import { useEntryInView } from "./scroll-and-focus.ts";

/** The moves of a game, of which the one before the shown position stands out. A touch goes to the position after a move. */
export function MoveList({
  moves,
  openingLength = 0,
  at,
  go,
}: {
  moves: readonly MoveData[];
  /** The first moves, which no agent chose. */
  openingLength?: number;
  /** The shown position: the number of moves before it. */
  at: number;
  go: (at: number) => void;
}): JSX.Element {
  const list = useEntryInView(at - 1);
  const numbers = numbersOf(moves);
  return (
    <ol class="moves" aria-label="Moves" ref={list} tabIndex={moves.length === 0 ? 0 : undefined}>
      {moves.map(({ text }, index) => (
        <li key={index} class={index < openingLength ? "faint" : ""} data-number={numbers[index]}>
          <button
            type="button"
            aria-current={index === at - 1 ? "step" : undefined}
            onClick={() => go(index + 1)}
          >
            {text}
          </button>
        </li>
      ))}
    </ol>
  );
}

/**
 * The number before each move: of two players who take turns both moves have one number, as in chess; else each move has
 * its own. An empty text is no number.
 */
function numbersOf(moves: readonly Pick<MoveData, "mover">[]): string[] {
  const first = moves[0]?.mover ?? 0;
  const areTurns = first >= 0 && moves.every(({ mover }, index) => mover === (first + index) % 2);
  return moves.map((_, index) => {
    if (!areTurns) return `${index + 1}.`;
    const place = first + index;
    return place % 2 === 0 ? `${place / 2 + 1}.` : index === 0 ? "1…" : "";
  });
}
