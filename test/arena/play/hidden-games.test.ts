import { expect, test } from "vitest";
import type { Agent, Turn } from "../../../src/agents/agent.ts";
import { Referee, type Seat } from "../../../src/arena/play/referee.ts";
import { planTime } from "../../../src/arena/plan/time-control.ts";
import { createGame } from "../../../src/games/index.ts";
import type { KuhnState } from "../../../src/games/kuhn/kuhn.ts";

const kuhn = createGame("kuhn");

/** Passes always, and keeps each decision's state and turn. */
function passing(told: { state: number[]; turn: Turn }[], ends: (readonly number[])[] = []): Seat {
  const agent: Agent<KuhnState> = {
    choose(state, turn) {
      told.push({ state: Array.from(state.history.subarray(0, state.events)), turn });
      return { action: 0, nodes: 0, line: [0] };
    },
    endGame: (_, actions) => void ends.push(actions),
  };
  return { agent: agent as Agent, budget: {} };
}

test("the clock of another player tells nothing", async () => {
  const told: { state: number[]; turn: Turn }[] = [];
  let now = 0;
  const slow: Agent = {
    choose() {
      now += 1000;
      return { action: 0, nodes: 0, line: [0] };
    },
  };
  const referee = new Referee(kuhn, () => now, { time: planTime("60") });
  const seats = [{ agent: slow, budget: {} }, passing(told)];
  await referee.play(seats, { id: "game", seed: "seed", block: "block", opening: [] });
  expect(now).toBe(1000);
  expect(told[0]!.turn.clocks!.map(({ leftMs }) => leftMs)).toEqual([60_000, 60_000]);
});

test("agents get drawn worlds, their codes and more worlds, and never the cards of others", async () => {
  const referee = new Referee(kuhn, () => 0);
  let differ = 0;
  const games = 200;
  for (let game = 0; game < games; game++) {
    const told = [[], []] as { state: number[]; turn: Turn }[][];
    const ends: (readonly number[])[] = [];
    const setup = { id: `game ${game}`, seed: "seed", block: `${game}`, opening: [] };
    const { actions } = await referee.play([passing(told[0]!, ends), passing(told[1]!)], setup);
    const [[first], [second]] = told as [[(typeof told)[0][0]], [(typeof told)[0][0]]];
    expect(first.state[0]).toBe(actions[0]);
    expect(second.state[1]).toBe(actions[1]);
    expect(second.state.slice(2)).toEqual([0]);
    for (const { state, turn } of [first, second]) expect(turn.played!()).toEqual({ actions: state });
    expect(Array.from(first.turn.knowledge!.codes)).toEqual([actions[0], 3]);
    expect(Array.from(second.turn.knowledge!.codes)).toEqual([3, actions[1], 4]);
    const world = new Int32Array(5);
    expect(second.turn.knowledge!.worlds.draw(second.turn.random, world)).toBe(3);
    expect(world[1]).toBe(actions[1]);
    expect(ends).toEqual([[]]);
    if (first.state[1] !== actions[1]) differ++;
  }
  // One of two cards is drawn: 100 of 200, with a standard deviation of 7.
  expect(differ).toBeGreaterThan(65);
  expect(differ).toBeLessThan(135);
});
