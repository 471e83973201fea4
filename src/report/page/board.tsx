import { h, type ComponentChildren, type JSX } from "preact";
import type { Game, State } from "../../game/game.ts";
import { markOf, PICTURE_MARGIN, shapeElement, type Shape } from "../../game/picture.ts";
import type { DrawnGame } from "./data.ts";

/** More open places than this are shown as dots: as coloured places they would hide the board. */
const MOST_COLOURED = 24;
const DOT = 0.09;

interface BoardProps {
  readonly game: Game;
  readonly state: State;
  /** Places of the last move. */
  readonly marked?: readonly number[];
  /** Places that a person may touch now. */
  readonly open?: readonly number[];
  /** Places that were touched already for this move. */
  readonly touched?: readonly number[];
  readonly onTouch?: (place: number) => void;
}

/** A position: drawn if the game has a picture, else as text. */
export function Board({
  game,
  state,
  marked = [],
  open = [],
  touched = [],
  onTouch,
}: BoardProps): JSX.Element {
  const { picture } = game;
  if (picture === undefined) return <pre class="board text">{game.render(state)}</pre>;
  const { places } = picture;
  const areMany = open.length > MOST_COLOURED;
  const label = `${game.id}: ${game.formatState(state)}`;
  return (
    <Canvas size={picture} label={label}>
      {picture.ground.map(element)}
      {picture.draw(state).map(element)}
      {marked.map((place) => element(markOf(places[place]!)))}
      {touched.map((place) => element({ ...markOf(places[place]!), width: 0.12 }))}
      {areMany &&
        open.map((place) => {
          const { x, y, w, h: tall } = places[place]!;
          return <circle key={place} class="dot" cx={x + w / 2} cy={y + tall / 2} r={DOT} />;
        })}
      {open.map((place) => {
        const { name, x, y, w, h: tall, isRound } = places[place]!;
        const what = picture.describe(state, place);
        return (
          <rect
            key={place}
            class={areMany ? "touch many" : "touch"}
            x={x}
            y={y}
            width={w}
            height={tall}
            rx={isRound ? w / 2 : 0.08}
            role="button"
            tabindex={0}
            aria-label={what === "" ? name : `${name}, ${what}`}
            data-place={place}
            onClick={() => onTouch?.(place)}
            onKeyDown={(event) => {
              if (event.key !== "Enter" && event.key !== " ") return;
              event.preventDefault();
              onTouch?.(place);
            }}
          />
        );
      })}
    </Canvas>
  );
}

/** A position of a game whose code the page does not have, as it was drawn before. */
export function DrawnBoard({
  drawn,
  at,
  label,
}: {
  drawn: DrawnGame;
  at: number;
  label: string;
}): JSX.Element {
  const { shapes, ground, positions } = drawn;
  const position = positions[at]!;
  if (typeof position === "string") return <pre class="board text">{position}</pre>;
  return (
    <Canvas size={drawn} label={label}>
      {[...ground, ...position].map((shape, key) => element(shapes[shape]!, key))}
    </Canvas>
  );
}

function Canvas({
  size: { width, height },
  label,
  children,
}: {
  size: { readonly width: number; readonly height: number };
  label: string;
  children: ComponentChildren;
}): JSX.Element {
  const margin = PICTURE_MARGIN;
  return (
    <svg
      class="board"
      viewBox={[-margin, -margin, width + 2 * margin, height + 2 * margin].join(" ")}
      role="group"
      tabindex={-1}
      aria-label={label}
      style={`--ratio:${width / height}`}
    >
      {children}
    </svg>
  );
}

function element(shape: Shape, key?: number): JSX.Element {
  const { tag, attributes, text } = shapeElement(shape);
  return h(tag, { key, ...attributes }, text);
}
