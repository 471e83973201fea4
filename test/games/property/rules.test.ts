import { describe, expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { CHANCE, type Game, TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions, sampleChance } from "../../../src/games/contract/notation.ts";
import { createGame, type GameSpec } from "../../../src/games/index.ts";
import { rentOf } from "../../../src/games/property/money.ts";
import type { PropertyState } from "../../../src/games/property/state.ts";
import { thorough } from "../../support/thorough.ts";
import { twin, type TwinPosition } from "./twin.ts";

/** Random games beside the slow rules, which take a fifth of a second each. */
const GAMES = thorough(30, 1);

/** Plays words from a position; returns the position after them. */
function play(game: Game, from: string, words: string): string {
  const state = game.parseState(from);
  for (const word of words.split(" ")) state.apply(game.parseAction(word, state));
  return game.formatState(state);
}

const legal = (game: Game, text: string) => {
  const state = game.parseState(text);
  return Array.from(possibleActions(game, state), (action) => game.formatAction(action, state)).join(" ");
};

describe.each<[string, Exclude<GameSpec, string>]>([
  ["two players, full board", { id: "property" }],
  ["poor players", { id: "property", cash: 400 }],
  ["three players, no auctions", { id: "property", players: 3, cash: 700, auctions: false }],
  ["four players, small board", { id: "property", players: 4, cash: 250, board: "small", maxRounds: 60 }],
  ["two players, small board", { id: "property", cash: 350, board: "small" }],
])("%s", (name, spec) => {
  test("random games are those of the slow rules", () => {
    const { id: _, ...options } = spec;
    const game = createGame(spec);
    const slow = twin.create(twin.options.parse(options));
    const endings = new Set<string>();
    for (let number = 0; number < GAMES; number++) {
      const random = createRandom("property twin", name, String(number));
      const state = game.start() as PropertyState;
      const other = slow.start() as ReturnType<typeof slow.start> & { readonly position: TwinPosition };
      while (state.toMove !== TERMINAL) {
        expect(other.toMove).toBe(state.toMove);
        const actions = possibleActions(game, state);
        expect(actions).toEqual(possibleActions(slow, other));
        expect(holdings(state)).toEqual(slowHoldings(other.position));
        const roll = state.toMove === CHANCE;
        // Two of three choices buy, bid or build, so that whole groups are not rare.
        const last = !roll && random.below(3) > 0 && actions.length > 1;
        const eager = actions[0] === 2 ? 2 : actions[actions.length - 1]!;
        const action = roll
          ? sampleChance(game, state, random)
          : last
            ? eager
            : actions[random.below(actions.length)]!;
        state.apply(action);
        other.apply(action);
      }
      expect(other.toMove).toBe(TERMINAL);
      for (let player = 0; player < game.players; player++)
        expect(state.returns(player)).toBeCloseTo(other.returns(player), 12);
      endings.add(state.out.some((order) => order > 0) ? "bankrupt" : "rounds");
    }
    if (GAMES > 1) expect(endings).toContain("bankrupt");
  });
});

/** By player: cash, square, jail, property with houses. */
function holdings({ cash, at, held, owner, houses, out }: PropertyState): unknown[] {
  return Array.from(cash, (money, player) => {
    if (out[player]! > 0) return { out: out[player] };
    const lots = [...owner.keys()].filter((square) => owner[square] === player);
    return {
      money,
      square: at[player],
      jail: held[player],
      lots: Object.fromEntries(lots.map((square) => [square, houses[square]])),
    };
  });
}

function slowHoldings({ players }: TwinPosition): unknown[] {
  return players.map(({ cash, square, jail, lots, out }) =>
    out > 0 ? { out } : { money: cash, square, jail: jail === null ? 0 : jail + 1, lots },
  );
}

describe("rents by hand", () => {
  const game = createGame("property");
  const rent = (property: string, square: string, pips = 7) => {
    const state = game.parseState(`r1 p1 roll / 500@start / 500@start ${property}`) as PropertyState;
    return rentOf(state, state.rules.board.names.indexOf(square), pips);
  };

  test.each([
    ["h1", "h1", 32],
    ["h1 h2", "h1", 64],
    ["h1+1 h2", "h1", 160],
    ["h1+1 h2", "h2", 64],
    ["h1+5 h2+5", "h2", 2000],
    ["c1 c2", "c1", 12],
    ["c1+3 c2+3 c3+2", "c2", 450],
    ["s1", "s1", 25],
    ["s1 s2 s4", "s2", 100],
    ["s1 s2 s3 s4", "s3", 200],
  ])("with %s, a stop on %s costs %d", (property, square, expected) => {
    expect(rent(property, square)).toBe(expected);
  });

  test("a utility takes four times the pips, both take ten times", () => {
    expect(rent("u1", "u1", 9)).toBe(36);
    expect(rent("u1 u2", "u2", 9)).toBe(90);
  });
});

describe("turns by hand", () => {
  const game = createGame({ id: "property", players: 3, maxRounds: 20 });

  test("buying, rent, salary and tax", () => {
    expect(play(game, "r0 p1 roll / 1500@start / 1500@start / 1500@start", "roll 63 buy roll 54")).toBe(
      "r0 p3 roll / 1408@b3 b3 / 1492@b3 / 1500@start",
    );
    expect(play(game, "r3 p3 roll / 100@start / 100@start / 100@h1", "roll 21")).toBe(
      "r4 p1 roll / 100@start / 100@start / 300@start",
    );
    expect(play(game, "r3 p3 roll / 100@start / 100@start / 1000@s4", "roll 21")).toBe(
      "r4 p1 roll / 100@start / 100@start / 850@tax2",
    );
  });

  test("three doubles lead to jail, and a double or the third roll out of it", () => {
    expect(play(game, "r0 p1 roll / 9@start / 9@start / 9@start", "roll 11 roll 55")).toBe(
      "r0 p1 x2 roll / 9@u1 / 9@start / 9@start",
    );
    expect(play(game, "r0 p1 x2 roll / 9@u1 / 9@start / 9@start", "roll 11")).toBe(
      "r0 p2 roll / 9@jail!1 / 9@start / 9@start",
    );
    const jailed = "r0 p2 roll / 9@start / 60@jail!1 / 9@start";
    expect(legal(game, jailed)).toBe("roll leave");
    expect(legal(game, jailed.replace("60@", "49@"))).toBe("roll");
    expect(play(game, jailed, "leave")).toBe("r0 p2 roll / 9@start / 10@jail / 9@start");
    expect(play(game, jailed, "roll 52")).toBe("r0 p3 roll / 9@start / 60@jail!2 / 9@start");
    // No other roll follows a double that leads out.
    expect(play(game, jailed, "roll 55")).toBe("r0 p3 roll / 9@start / 60@rest4 / 9@start");
    expect(play(game, jailed.replace("!1", "!3"), "roll 64")).toBe(
      "r0 p3 roll / 9@start / 60@rest4 / 9@start",
    );
  });

  test("an auction asks everybody once, the player on turn last", () => {
    const offer = "r0 p2 buy / 1500@start / 1500@b3 / 130@start";
    expect(play(game, offer, "pass")).toBe("r0 p2 auction p3 / 1500@start / 1500@b3 / 130@start");
    expect(legal(game, "r0 p2 auction p3 / 1500@start / 1500@b3 / 130@start")).toBe(
      "pass bid60 bid80 bid100 bid120",
    );
    expect(play(game, offer, "pass bid80 bid100")).toBe(
      "r0 p2 auction p2 5>p1 / 1500@start / 1500@b3 / 130@start",
    );
    expect(play(game, offer, "pass bid80 bid100 pass")).toBe(
      "r0 p3 roll / 1400@start b3 / 1500@b3 / 130@start",
    );
    expect(play(game, offer, "pass pass pass pass")).toBe("r0 p3 roll / 1500@start / 1500@b3 / 130@start");
    // The highest bid that is allowed ends the auction, and who cannot bid is not asked.
    expect(play(game, offer.replace("130@", "59@"), "pass bid160")).toBe(
      "r0 p3 roll / 1340@start b3 / 1500@b3 / 59@start",
    );
  });

  test("houses are built evenly, on whole groups", () => {
    const own = "r2 p1 roll / 120@start a1+1 a2 h1 h2 / 9@start / 9@start";
    expect(legal(game, own)).toBe("roll build-a2");
    expect(play(game, own, "build-a2 build-a1")).toBe(
      "r2 p1 roll / 20@start a1+2 a2+1 h1 h2 / 9@start / 9@start",
    );
  });

  test("a debt is paid by sales at half of the price, houses first", () => {
    // The rent of h1 with a house is 160.
    const before = "r2 p1 roll / 10@s4 a1+2 a2+2 s1 / 9@start / 9@start h1+1 h2";
    const debt = "r2 p1 debt 160>p3 / 10@h1 a1+2 a2+2 s1 / 9@start / 9@start h1+1 h2";
    expect(play(game, before, "roll 11")).toBe(debt.replace("p1 debt", "p1 x1 debt"));
    expect(legal(game, debt)).toBe("sell-a1 sell-a2 sell-s1");
    expect(play(game, debt, "sell-a1 sell-a2 sell-s1")).toBe(
      "r2 p2 roll / 0@h1 a1+1 a2+1 / 9@start / 169@start h1+1 h2",
    );
    expect(play(game, debt, "sell-a1 sell-a2 sell-a1")).toContain("p1 debt 160>p3 / 85@h1 a1 a2+1 s1");
  });

  test("who cannot pay with everything sold is bankrupt, and the creditor gets the proceeds", () => {
    const before = "r2 p1 roll / 10@s4 a1+2 a2+2 / 9@start / 9@start h1+1 h2";
    // 10 in cash, 100 for four houses, 50 for two streets are 160: just enough, and 10 less is not.
    expect(play(game, before, "roll 11")).toContain("debt 160>p3");
    const after = "r2 p2 roll / out1 / 9@start / 159@start h1+1 h2";
    expect(play(game, before.replace("10@", "0@"), "roll 11")).toBe(after);
    expect(play(game, after, "roll 31")).toBe("r2 p2 over / out1 / out2 / 159@start h1+1 h2");
  });

  test("returns rank by worth and by bankruptcies; equals share", () => {
    const returns = (text: string) => [0, 1, 2].map((player) => game.parseState(text).returns(player));
    expect(returns("r2 p2 over / out1 / out2 / 1@start")).toEqual([-1, 0, 1]);
    expect(returns("r20 p1 over / 100@start h1 / 500@jail / 300@start h2")).toEqual([-0.5, -0.5, 1]);
    expect(returns("r20 p1 over / 100@start a1+1 a2 / out1 / 251@start")).toEqual([0, -1, 1]);
  });
});

test.each([
  ["r1 p1 roll / 5@start", /1 players; this game has 2/],
  ["p1 roll / 5@start / 5@start", /not of the form "r3 p1 roll"/],
  ["r1 p1 roll / 5@start / -5@start", /not of the form "900@s1 a1 b1\+2"/],
  ["r1 p1 roll / 5@arrest / 5@start", /no pawn stands on "arrest"/],
  ["r1 p1 roll / 5@start!1 / 5@start", /held on "jail", not on "start"/],
  ["r1 p1 roll / 5@start tax1 / 5@start", /nobody can own "tax1"/],
  ["r1 p1 roll / 5@start a1 / 5@start a1", /"a1" has two owners/],
  ["r1 p1 roll / 5@start a1+1 / 5@start a2", /whole group of streets only, not in a/],
  ["r1 p1 roll / 5@start s1+1 s2 s3 s4 / 5@start", /whole group of streets only, not in s/],
  ["r1 p1 roll / 5@start a1+2 a2 / 5@start", /houses in group a differ by more than one/],
  ["r1 p3 roll / 5@start / 5@start", /players are p1 to p2/],
  ["r1 p1 roll / 5@start / out1", /the game is over after 100 rounds, or when one player is left/],
  ["r1 p1 over / 5@start / 5@start", /and only then/],
  ["r101 p1 over / 5@start / 5@start", /after 100 rounds/],
  ["r1 p1 over / 5@start / out2", /counted from out1 on/],
  ["r1 p1 x1 roll / 5@jail!1 / 5@start", /player p1 is in jail/],
  ["r1 p1 buy / 50@tax1 / 5@start", /"tax1" is not for sale/],
  ["r1 p1 buy / 50@a1 / 5@start a1", /"a1" is not for sale/],
  ["r1 p1 buy / 49@a1 / 5@start", /cannot pay the price/],
  ["r1 p1 auction p2 / 49@a1 / 5@start", /player p2 cannot bid more/],
  ["r1 p1 auction p2 3>p1 / 490@a1 / 500@start", /the best bid is that of a player who was asked before/],
  ["r1 p1 debt 100>p1 / 5@a1 h1 / 5@start", /the creditor is another player/],
  ["r1 p1 debt 300>bank / 5@tax1 h1 / 5@start", /more than the cash, 5, and at most 205/],
  ["r1 p1 roll / 5@start h1 a1 / 5@start", /the usual form is "r1 p1 roll \/ 5@start a1 h1 \/ 5@start"/],
])("%s is refused", (text, message) => {
  expect(() => createGame("property").parseState(text)).toThrow(message);
});
