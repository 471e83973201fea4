import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { TERMINAL } from "../../../src/games/contract/game.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { createGame } from "../../../src/games/index.ts";
import type { HoldemState } from "../../../src/games/holdem/state.ts";
import { thorough } from "../../support/thorough.ts";

/** A hand that an independent program has played; `test/fixtures/traces/holdem.py` makes them and says what is in them. */
interface PlayedHand {
  readonly stacks: readonly number[];
  readonly limit: boolean;
  readonly ante: number;
  readonly hole: readonly (readonly string[])[];
  readonly events: readonly (readonly [number, number, number, string] | readonly string[])[];
  readonly payoffs: readonly number[];
}

const played = readFileSync(new URL("../../fixtures/traces/holdem.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as PlayedHand);

/** The differences of a hand as agon plays it; empty if there are none. */
function differences({ stacks, limit, ante, hole, events, payoffs }: PlayedHand): string[] {
  const game = createGame({ id: "holdem", players: stacks.length, stack: stacks, limit, ante });
  const state = game.start() as HoldemState;
  const found: string[] = [];
  const deal = (cards: readonly string[]) => {
    const named = (card: string) =>
      [...possibleActions(game, state)].find((outcome) => game.formatAction(outcome, state) === card);
    // The lowest card comes first: it is the one after which all others are possible.
    for (const left = new Set(cards); left.size > 0;) {
      const found = [...left]
        .map((card) => [named(card) ?? Infinity, card] as const)
        .toSorted(([a], [b]) => a - b)[0]!;
      state.apply(found[0]);
      left.delete(found[1]);
    }
  };
  for (const cards of hole) deal(cards);
  for (const [at, event] of events.entries()) {
    if (typeof event[0] !== "number") {
      deal(event as readonly string[]);
      continue;
    }
    const [player, least, most, action] = event as readonly [number, number, number, string];
    if (state.toMove !== player) return [...found, `event ${at}: ${state.toMove} is to move, not ${player}`];
    const names = Array.from(possibleActions(game, state), (one) => game.formatAction(one, state));
    const raises = names.filter((name) => name.includes("-")).map((name) => Number(name.replace(/\D+/, "")));
    const [low, high] = raises.length === 0 ? [0, 0] : [raises[0], raises.at(-1)];
    if (low !== least || high !== most)
      found.push(`event ${at}: raises ${low} to ${high}, not ${least} to ${most}`);
    if (raises.length > 0 && raises.length !== most - least + 1)
      found.push(`event ${at}: ${raises.length} raises`);
    const [word, total] = action.split(" ");
    state.apply(word === "fold" ? 0 : word === "call" ? 1 : 1 + Number(total));
  }
  if (state.toMove !== TERMINAL) found.push(`not over after ${events.length} events`);
  const returns = stacks.map((_, player) => state.returns(player));
  if (returns.join() !== payoffs.join()) found.push(`returns ${returns.join()}, not ${payoffs.join()}`);
  return found;
}

describe("hands of an independent program", () => {
  test("have the same players to move, sizes of raises and payoffs", () => {
    expect(played).toHaveLength(300);
    const wrong = thorough(played, played.slice(0, 150)).flatMap((hand, number) =>
      differences(hand).map((text) => `hand ${number}: ${text}`),
    );
    expect(wrong).toEqual([]);
  });

  test("show all-in players, side pots, shared pots and limits", () => {
    const count = (has: (hand: PlayedHand) => boolean) => played.filter(has).length;
    expect(count(({ limit }) => limit)).toBeGreaterThan(50);
    const atShowdown = (hand: PlayedHand) => hand.payoffs.filter((chips) => chips > 0).length >= 2;
    expect(count(atShowdown)).toBeGreaterThan(5);
    expect(count((hand) => hand.payoffs.some((chips, at) => chips === -hand.stacks[at]!))).toBeGreaterThan(
      50,
    );
    expect(new Set(played.map(({ stacks }) => stacks.length)).size).toBe(5);
  });
});
