import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { createGame } from "../../src/games/index.ts";
import { TERMINAL, type Game } from "../../src/games/contract/game.ts";
import { ObservedGame } from "../../src/games/contract/privacy.ts";
import { Environment, type Stepped } from "../../src/players/environment.ts";
import { createPlayer } from "../agents/play.ts";
import { agonProcess } from "../support/agon.ts";

const opponentOf = (game: Game, spec: string) => {
  const { budget } = createPlayer(game, spec);
  return { create: () => createPlayer(game, spec).agent, budget };
};

/** Plays a game at random; returns all answers. */
async function play(environment: Environment, number: number, seed: string): Promise<Stepped[]> {
  const random = createRandom("stepper", seed);
  const answers = [await environment.reset(number, seed)];
  for (let last = answers[0]!; last.player >= 0; last = answers.at(-1)!)
    answers.push(await environment.step(number, last.legal[random.below(last.legal.length)]!));
  return answers;
}

test.each(["connect-four", "chess", "hex:size=4", "othello"].map((text) => text.split(":")))(
  "%s: the numbers, features and returns of each position are those of the game",
  async (id) => {
    const game = createGame(id === "hex" ? { id, size: 4 } : id!);
    const head = game.policyHead!;
    const [name, set] = Object.entries(game.featureSets)[0]!;
    const environment = new Environment(game, { observation: name, allViews: true });
    const index = new Int32Array(set.maxActive);
    const value = new Float32Array(set.maxActive).fill(1);
    const actions = new Int32Array(game.maxActions);
    const random = createRandom("numbers", id!);
    const state = game.start();
    let at = await environment.reset(0, "a");
    for (let ply = 0; ply < 60; ply++) {
      const isOver = state.toMove === TERMINAL;
      const count = isOver ? 0 : state.legalActions(actions, 0);
      const numbers = Array.from(actions.subarray(0, count), (action) => head.index(action, state));
      expect(at.legal).toEqual(numbers.toSorted((a, b) => a - b));
      expect([at.player, at.returns]).toEqual([
        isOver ? -1 : state.toMove,
        [state.returns(0), state.returns(1)],
      ]);
      for (const player of [0, 1]) {
        const active = set.extract(state, player, index, value);
        expect(at.views[player]).toEqual({
          index: [...index.subarray(0, active)],
          ...(set.unit === true ? {} : { value: [...value.subarray(0, active)] }),
        });
      }
      if (isOver) break;
      const choice = random.below(count);
      state.apply(actions[choice]!);
      at = await environment.step(0, numbers[choice]!);
    }
  },
);

test("games side by side are the games alone; the seed decides chance", async () => {
  const game = createGame("backgammon");
  const both = new Environment(game);
  const seeds = ["a", "b", "a"];
  const answers = await Promise.all(seeds.map((seed, number) => play(both, number, seed)));
  const alone = await Promise.all(seeds.map((seed, number) => play(new Environment(game), number, seed)));
  expect(answers).toEqual(alone);
  const plain = answers.map((games) => games.map(({ legal, views }) => ({ legal, views })));
  expect(plain[0]).toEqual(plain[2]);
  expect(plain[0]).not.toEqual(plain[1]);
});

test("only the player to move is told what it sees, and everybody at the end", async () => {
  const answers = await play(new Environment(createGame({ id: "pig", players: 3, target: 20 })), 0, "a");
  for (const { player, views } of answers)
    expect(views.map((view) => view !== null)).toEqual([0, 1, 2].map((one) => player < 0 || one === player));
});

test("where something is hidden a player sees its codes, and nothing else is offered", async () => {
  const game = createGame("leduc");
  const environment = new Environment(game, { allViews: true });
  expect(environment.hello.observation).toEqual({
    name: "codes",
    size: game.privacy!.maxCodes,
    isSparse: false,
  });
  const cards = new Set<string>();
  for (let seed = 0; seed < 40; seed++) {
    const { views } = await environment.reset(0, String(seed));
    const [own, other] = views.map((view) => view!.codes!);
    // The own card, and a code in the place of the other's.
    expect([own!.length, own![1], other![0]]).toEqual([2, 6, 6]);
    cards.add(`${own![0]} ${other![1]}`);
  }
  expect(cards.size).toBeGreaterThan(15);
  const observed = new ObservedGame(game);
  expect(observed.codes[0]!.length).toBe(environment.hello.observation.size);
  expect(() => new Environment(game, { observation: "hand" })).toThrow(
    'unknown observation "hand"; allowed: codes',
  );
});

test("an opponent plays all other seats, as strongly as it can", async () => {
  const game = createGame("tic-tac-toe");
  for (const seat of [0, 1]) {
    const environment = new Environment(game, { opponent: opponentOf(game, "alpha-beta:depth=9"), seat });
    for (let seed = 0; seed < 4; seed++) {
      const answers = await play(environment, seed, String(seed));
      for (const { player } of answers.slice(0, -1)) expect(player).toBe(seat);
      expect(answers.at(-1)!.returns[seat]).toBeLessThanOrEqual(0);
    }
  }
});

test("a wrong request leaves the game as it was, and says what is allowed", async () => {
  const environment = new Environment(createGame("connect-four"));
  await expect(environment.step(3, 0)).rejects.toThrow("game 3 has not begun: reset it first");
  const before = await environment.reset(3, "a");
  await expect(environment.step(3, 7)).rejects.toThrow(
    "game 3: action 7 is not legal; legal are 0, 1, 2, 3, 4, 5, 6",
  );
  const after = await environment.step(3, 0);
  expect(after.player).toBe(1 - before.player);
  expect(() => new Environment(createGame("nim"), { seat: 2 })).toThrow(
    "--seat must be a whole number from 1 to 2, got 3",
  );
});

test("agon step answers a request a line", async () => {
  const requests = [
    '{"reset":[[0,"a"]]}',
    "",
    '{"step":[[0,4],[0,9]],"render":[0]}',
    "nonsense",
    '{"render":[0]}',
  ];
  const { stdout, code } = await agonProcess(["step", "tic-tac-toe"], {
    input: `${requests.join("\n")}\n`,
  });
  const [hello, reset, stepped, nonsense, drawn] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(code).toBe(0);
  expect(hello).toMatchObject({ type: "environment", protocol: 1, actions: 9, fixed: true });
  expect(reset).toMatchObject({ games: [{ game: 0, player: 0, legal: [0, 1, 2, 3, 4, 5, 6, 7, 8] }] });
  expect(stepped).toMatchObject({
    games: [{ player: 1 }],
    error: expect.stringContaining("action 9 is not legal"),
  });
  expect(nonsense).toEqual({ games: [], error: "a request is a JSON object on one line" });
  expect(drawn).toMatchObject({ drawn: [expect.stringContaining("x")] });
});
