import { CHANCE, type Game } from "../games/contract/game.ts";
import { isShape, markOf, type Shape } from "../games/contract/picture.ts";
import type { DrawnGame } from "./page/board-data.ts";
import { contestOf, turnOf } from "./page/game-text.ts";

/** Draws games whose rules a page does not have, until the page is full. */
export class DrawnGames {
  /** The number of games without room. */
  leftOut = 0;
  private readonly mostBytes: number;
  private bytes = 0;

  /** @param mostBytes for all games together, as JSON */
  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  /** Every position of a game; undefined if there is no room, or if the game's code fails. */
  add(game: Game, actions: readonly number[]): DrawnGame | undefined {
    if (this.bytes >= this.mostBytes) return this.leaveOut();
    let drawn: DrawnGame;
    try {
      drawn = drawGame(game, actions);
    } catch {
      // Code of the user's that draws no shapes, or is not the one the game was played with.
      return undefined;
    }
    const bytes = JSON.stringify(drawn).length;
    if (this.bytes + bytes > this.mostBytes) return this.leaveOut();
    this.bytes += bytes;
    return drawn;
  }

  private leaveOut(): undefined {
    this.leftOut++;
  }
}

function drawGame(game: Game, actions: readonly number[]): DrawnGame {
  const { picture } = game;
  const shapes: Shape[] = [];
  const numbers = new Map<string, number>();
  /** The number of a shape in `shapes`; throws if a page cannot show it. */
  const numberOf = (shape: Shape): number => {
    const key = JSON.stringify(shape);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const plain = JSON.parse(key) as Shape;
    if (!isShape(plain)) throw new TypeError(`${key} is no shape`);
    numbers.set(key, shapes.length);
    return shapes.push(plain) - 1;
  };
  const state = game.start();
  const positionOf = (marked: readonly number[]): readonly number[] | string => {
    if (picture === undefined) return game.render(state);
    return [...picture.draw(state), ...marked.map((place) => markOf(picture.places[place]!))].map(numberOf);
  };
  const positions = [positionOf([])];
  const turns = [turnOf(game, state)];
  let marked: readonly number[] = [];
  for (const action of actions) {
    // The last move of a player stays marked while chance decides.
    if (state.toMove !== CHANCE) marked = picture?.touches(state, action) ?? [];
    state.apply(action);
    positions.push(positionOf(marked));
    turns.push(turnOf(game, state));
  }
  const { width = 0, height = 0, ground = [] } = picture ?? {};
  return {
    ...contestOf(game, actions),
    width,
    height,
    ground: ground.map(numberOf),
    shapes,
    positions,
    turns,
  };
}
