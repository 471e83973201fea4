import { describe, expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { type Game, type State } from "../../src/games/contract/game.ts";
import { createGame } from "../../src/games/index.ts";
import {
  playerPaint,
  turnedArea,
  turnedShape,
  type Picture,
  type Place,
  type Shape,
} from "../../src/games/contract/picture.ts";
import { CHANCE, TERMINAL } from "../../src/games/contract/rules.ts";
import { sampleGames, sampleName } from "./samples.ts";
import { slowTest, thorough } from "../support/thorough.ts";

/* The places of pictures agree with the notation, and with the effects of actions. */

const GAMES = thorough(6, 2);
/** The first action is tried, then every action this far on. */
const EVERY = thorough(3, 17);

/** Plays random games and shows each position at which a player decides, or the game is over. */
function forEachPosition(game: Game, visit: (state: State, legal: readonly number[]) => void): void {
  const actions = new Int32Array(game.maxActions);
  const probabilities = new Float64Array(game.maxActions);
  for (let number = 0; number < GAMES; number++) {
    const random = createRandom("picture places", game.id, String(number));
    const state = game.start();
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        const count = state.chanceOutcomes!(actions, probabilities, 0);
        state.apply(actions[random.weighted(probabilities, 0, count)]!);
        continue;
      }
      const legal = Array.from(actions.subarray(0, state.legalActions(actions, 0)));
      visit(state, legal);
      state.apply(legal[random.below(legal.length)]!);
    }
    visit(state, []);
  }
}

const describeAll = (picture: Picture, state: State) =>
  picture.places.map((_, place) => picture.describe(state, place));

function games(id: string): [name: string, game: Game, picture: Picture][] {
  return sampleGames
    .filter((spec) => (typeof spec === "string" ? spec : spec.id) === id)
    .map((spec) => [sampleName(spec), createGame(spec), createGame(spec).picture!]);
}

const IDS = ["backgammon", "chinese-checkers", "2048", "pig", "property", "nim", "tree"];

describe.each(IDS.flatMap(games))("%s", (_, game, picture) => {
  test("each action has touches of its own, none of which begin another's", () => {
    forEachPosition(game, (state, legal) => {
      const touches = legal.map((action) => `${picture.touches(state, action).join(" ")} `).toSorted();
      // Sorted, a text comes right before one that begins with it, if there is one.
      expect(touches.filter((text, at) => touches[at + 1]?.startsWith(text))).toEqual([]);
    });
  });
});

/** A number at the beginning of a description; 0 without one. */
const countOf = (said: string) => Number(/^\d+/.exec(said)?.[0] ?? 0);

describe.each(games("backgammon"))("%s", (_, game, picture) => {
  const placeNamed = (name: string) => picture.places.findIndex((place) => place.name === name);
  const [ownBar, otherBar] = ["bar of x", "bar of o"].map(placeNamed);

  test("the men that are described make the position id", () => {
    forEachPosition(game, (state) => {
      const said = describeAll(picture, state);
      const [id, onRoll] = game.formatState(state).split(":");
      const bits = (onRoll === "x" ? ["o", "x"] : ["x", "o"]).map((name) => {
        const points = Array.from({ length: 24 }, (__, at) => `point ${name === "x" ? at + 1 : 24 - at}`);
        return [...points, `bar of ${name}`].map((place) => {
          const text = said[placeNamed(place)]!;
          return `${"1".repeat(text.endsWith(name) ? countOf(text) : 0)}0`;
        });
      });
      const text = bits.flat().join("").replaceAll(",", "").padEnd(80, "0");
      const bytes = text
        .match(/.{8}/g)!
        .map((byte) => Number.parseInt(Array.from(byte).toReversed().join(""), 2));
      expect(btoa(String.fromCharCode(...bytes)).slice(0, 14)).toBe(id);
      for (const [player, name] of ["x", "o"].entries()) {
        const men = said.filter((one) => one.endsWith(` of ${name}`)).map(countOf);
        expect(men.reduce((sum, count) => sum + count, 0)).toBe(15);
        if (said[placeNamed(`tray of ${name}`)] === `15 men of ${name}`)
          expect(Math.sign(state.returns(player))).toBe(1);
      }
    });
  });

  test("its touches, man by man, lead to the position that the turn leads to", () => {
    forEachPosition(game, (state, legal) => {
      const name = "xo"[state.toMove];
      for (const action of legal.filter((__, at) => at % EVERY === 0)) {
        const men = describeAll(picture, state).map((said) => ({
          owner: said.at(-1),
          count: countOf(said),
        }));
        const touches = picture.touches(state, action);
        for (let at = 0; at < touches.length; at += 2) {
          const [from, to] = [men[touches[at]!]!, men[touches[at + 1]!]!];
          expect(from).toMatchObject({ owner: name });
          from.count--;
          if (to.count > 0 && to.owner !== name) {
            expect(to.count).toBe(1);
            const bar = men[name === "x" ? otherBar! : ownBar!]!;
            bar.owner = to.owner;
            bar.count++;
            to.count = 0;
          }
          to.owner = name;
          to.count++;
          expect(from.count).toBeGreaterThanOrEqual(0);
        }
        state.apply(action);
        const after = men.map(({ owner, count }) =>
          count === 0 ? "" : `${count} ${count === 1 ? "man" : "men"} of ${owner}`,
        );
        expect(describeAll(picture, state)).toEqual(after);
        state.undo();
      }
    });
  });
});

describe.each(games("chinese-checkers"))("%s", (_, game, picture) => {
  test("the men that are described make the rows, and a man goes from touch to touch", () => {
    forEachPosition(game, (state, legal) => {
      const said = describeAll(picture, state);
      const [rows] = game.formatState(state).split(" ");
      const cells = rows!.replace(/\d+/g, (run) => ".".repeat(Number(run))).replaceAll("/", "");
      expect(said.map((text) => (text === "" ? "." : text.replace("man of ", ""))).join("")).toBe(cells);
      for (const action of legal.slice(0, 5)) {
        const touches = picture.touches(state, action);
        expect(touches.map((place) => picture.places[place]!.name).join("-") || "pass").toBe(
          game.formatAction(action, state),
        );
      }
    });
  });
});

describe.each(games("2048"))("%s", (_, game, picture) => {
  test("the tiles that are described make the rows; arrows have the names of the directions", () => {
    const { columns } = game.options as { columns: number };
    forEachPosition(game, (state, legal) => {
      const said = describeAll(picture, state);
      expect(said.slice(0, 4)).toEqual(["", "", "", ""]);
      const tiles = said.slice(4).map((text) => (text === "" ? "." : text.replace("tile ", "")));
      const rows = Array.from({ length: tiles.length / columns }, (__, row) =>
        tiles.slice(row * columns, (row + 1) * columns).join(" "),
      );
      expect(game.formatState(state)).toContain(`${rows.join(" / ")} score `);
      expect(legal.map((action) => picture.places[picture.touches(state, action)[0]!]!.name)).toEqual(
        legal.map((action) => game.formatAction(action, state)),
      );
    });
  });
});

describe.each(games("pig"))("%s", (_, game, picture) => {
  test("the points that are described make the scores; buttons have the names of the actions", () => {
    forEachPosition(game, (state, legal) => {
      const said = describeAll(picture, state);
      const total = said.join(" ").match(/, and (\d+) of this turn/)?.[1] ?? "0";
      const scores = said.slice(2).map(countOf).join(",");
      expect(game.formatState(state)).toContain(`${scores} +${total}`);
      if (legal.length > 0) expect(said[0]).toBe(total === "0" ? "" : `${total} points of this turn`);
      expect(legal.map((action) => picture.places[picture.touches(state, action)[0]!]!.name)).toEqual(
        legal.map((action) => game.formatAction(action, state)),
      );
    });
  });
});

describe.each(games("nim"))("%s", (_, game, picture) => {
  const piles = (game.options as { piles: number[] }).piles;
  const pileOf = picture.places.map(({ name }) => Number(/pile (\d+)$/.exec(name)![1]));

  test("the counters that are described make the piles", () => {
    forEachPosition(game, (state) => {
      const said = describeAll(picture, state);
      const counts = piles.map(
        (__, pile) => said.filter((text, place) => text === "counter" && pileOf[place] === pile + 1).length,
      );
      expect(game.formatState(state).split(" ")[0]).toBe(counts.join(","));
    });
  });

  test("to touch a counter takes it and those above it", () => {
    forEachPosition(game, (state, legal) => {
      const said = describeAll(picture, state);
      for (const action of legal.filter((__, at) => at % EVERY === 0)) {
        const [touched] = picture.touches(state, action);
        expect(said[touched!]).toBe("counter");
        state.apply(action);
        expect(describeAll(picture, state)).toEqual(
          said.map((text, place) => (place >= touched! && pileOf[place] === pileOf[touched!] ? "" : text)),
        );
        state.undo();
      }
    });
  });
});

describe.each(games("tree"))("%s", (_, game, picture) => {
  test("a place a node: the position is one of them, and its children are touched", () => {
    forEachPosition(game, (state, legal) => {
      const here = picture.places.filter((__, place) => picture.describe(state, place).includes("position"));
      expect(here.map(({ name }) => name)).toEqual([game.formatState(state)]);
      for (const action of legal) {
        const names = picture.touches(state, action).map((place) => picture.places[place]!.name);
        state.apply(action);
        expect(names).toEqual([game.formatState(state)]);
        state.undo();
      }
    });
  });

  test("leaves say their value", () => {
    forEachPosition(game, (state) => {
      if (state.toMove !== TERMINAL) return;
      const place = picture.places.findIndex(({ name }) => name === game.formatState(state));
      const values = Array.from({ length: game.players }, (__, player) => String(state.returns(player)));
      const shown = game.zeroSum && game.players === 2 ? values[0]! : values.join(", ");
      expect(picture.describe(state, place)).toBe(`value ${shown}, the position`);
    });
  });
});

test("a tree of more than a thousand nodes has no picture", () => {
  const leaves = (count: number) => ({ player: 0, actions: Array.from({ length: count }, () => 1) });
  expect(createGame({ id: "tree", root: leaves(999) }).picture).toBeDefined();
  expect(createGame({ id: "tree", root: leaves(1000) }).picture).toBeUndefined();
});

/** True if the shape's anchor lies in the place. */
function liesIn(shape: Shape, { x, y, w, h }: Place): boolean {
  if (shape.kind === "polygon") return false;
  const [left, top] = [(shape.x ?? 0) - x, (shape.y ?? 0) - y];
  return left >= 0 && left < w && top >= 0 && top < h;
}

const PIECES = [
  "breakthrough",
  "checkers",
  "chess",
  "chinese-checkers",
  "connect-four",
  "go",
  "hex",
  "othello",
];

describe.each([...PIECES, "backgammon", "tic-tac-toe"].flatMap(games))("%s", (_, game, picture) => {
  test("what a player moves has the player's paint", () => {
    forEachPosition(game, (state, legal) => {
      const { toMove } = state;
      legal.forEach((action, at) => {
        const target = picture.touches(state, action).at(-1);
        if (at % EVERY > 0 || target === undefined) return;
        state.apply(action);
        const shapes = picture.draw(state).filter((shape) => liesIn(shape, picture.places[target]!));
        state.undo();
        const paints = shapes.flatMap(({ fill, stroke }) => [fill, stroke]);
        // A suicide in go leaves nothing there.
        if (paints.length > 0) expect(paints).toContain(playerPaint(picture, toMove));
      });
    });
  });
});

describe.each([...games("connect-four"), ...games("tic-tac-toe")])("%s", (_, game, picture) => {
  test("the places that won are pieces of one player in a line", () => {
    const decided: number[] = [];
    forEachPosition(game, (state) => {
      const won = picture.won!(state);
      const result = state.toMove === TERMINAL ? state.returns(0) : 0;
      expect(won.length > 0).toBe(result !== 0);
      if (won.length === 0) return;
      decided.push(result);
      const pieces = won.map((place) => picture.describe(state, place));
      expect(new Set(pieces).size).toBe(1);
      const [{ x, y }, second] = [picture.places[won[0]!]!, picture.places[won[1]!]!];
      const across = won.map((place) => picture.places[place]!.x - x);
      const down = won.map((place) => picture.places[place]!.y - y);
      // Two lines at once share the last piece; one line goes straight on from its first two.
      if (won.length <= 4)
        across.forEach((value, at) =>
          expect(value * (second.y - y)).toBeCloseTo(down[at]! * (second.x - x), 10),
        );
      expect(won.length).toBeGreaterThanOrEqual(game.id === "connect-four" ? 4 : 3);
    });
    expect(decided.length).toBeGreaterThan(0);
  });
});

describe("a picture that is turned", () => {
  const OTHER_SIDES = { chess: "white", checkers: "white", breakthrough: "white", backgammon: "x" } as const;

  test.each(Object.entries(OTHER_SIDES))("of %s has the men of %s above, who were below", (id, name) => {
    const [, game, picture] = games(id)[0]!;
    const state = createGame({ id: game.id }).start();
    const middle = (places: readonly Place[]) => {
      const own = places.filter((__, at) => picture.describe(state, at).includes(name));
      return own.reduce((sum, { y, h }) => sum + y + h / 2, 0) / own.length - picture.height / 2;
    };
    const turned = picture.places.map((place) => turnedArea(place, picture));
    expect(middle(turned)).toBeCloseTo(-middle(picture.places), 10);
    if (id !== "backgammon") expect(middle(picture.places)).toBeGreaterThan(1);
  });

  slowTest("turned twice is itself, and each shape's middle is opposite", () => {
    for (const spec of sampleGames) {
      const game = createGame(spec);
      const { picture } = game;
      if (picture === undefined) continue;
      for (const shape of [...picture.ground, ...picture.draw(game.start())]) {
        const again = turnedShape(turnedShape(shape, picture), picture);
        const numbers = (one: Shape) =>
          Object.entries({ ...(one.kind === "path" && { x: 0, y: 0, scale: 1 }), ...one })
            .filter(([, value]) => typeof value !== "string")
            .flatMap(([, value]) => value as number | readonly number[]);
        numbers(again).forEach((value, at) => expect(value).toBeCloseTo(Number(numbers(shape)[at]), 10));
      }
    }
  });

  test("keeps a chess piece upright on its square, and turns the arrow of breakthrough", () => {
    const size = { width: 8, height: 8 };
    const piece: Shape = { kind: "path", d: "M0 0", x: 1, y: 2, upright: 0.5 };
    expect(turnedShape(piece, size)).toEqual({ ...piece, x: 6, y: 5 });
    const arrow: Shape = { kind: "path", d: "M0 0", x: 1, y: 2 };
    expect(turnedShape(arrow, size)).toEqual({ ...arrow, x: 7, y: 6, scale: -1 });
  });
});
