import { expect, test } from "vitest";
import { createRandom } from "../../../src/base/random.ts";
import { game, randomTurn } from "./positions.ts";
import { CHANCE, TERMINAL, type Transcript } from "../../../src/games/contract/game.ts";

/** The session as a file, and a game of it. */
const formatMat = (games: readonly Transcript[]) => [...game.transcripts["mat"]!.write(games)].join("");
const played = (names: readonly string[], actions: readonly number[]): Transcript => {
  return { event: "", round: 1, names, actions, returns: [], forfeit: "" };
};

/** The actions of a game that is written as rolls and turns. */
function record(...texts: string[]): number[] {
  const state = game.start();
  return texts.map((text) => {
    const action = game.parseAction(text, state);
    state.apply(action);
    return action;
  });
}

test("the first moves of two games, seats exchanged in the second", () => {
  const games = [
    played(["Anna", "Bert:2"], record("x:3-1", "8/5 6/5", "6-6", "24/18(2) 13/7(2)", "5-2")),
    played(["Bert:2", "Anna"], record("x:3-2", "24/21 13/11", "4-1", "8/4*/3", "4-4", "bar/21 24/20 6/2(2)")),
  ];
  expect(formatMat(games)).toBe(
    [
      " 0 point match",
      "",
      " Game 1",
      " Anna : 0                       Bert_2 : 0",
      "  1) 31: 8/5 6/5                 66: 24/18 24/18 13/7 13/7",
      "",
      " Game 2",
      " Anna : 0                       Bert_2 : 0",
      "  1)                             32: 24/21 13/11",
      "  2) 41: 8/4* 4/3                44: 25/21 24/20 6/2 6/2",
      "",
      "",
    ].join("\n"),
  );
});

test("a whole session keeps the score, and every turn can be read back", () => {
  const games: Transcript[] = [];
  const expected = { Anna: 0, Bert: 0 };
  const headers: string[] = [];
  for (let number = 0; number < 4; number++) {
    const names: [string, string] = number % 2 === 0 ? ["Anna", "Bert"] : ["Bert", "Anna"];
    headers.push(` ${`Anna : ${expected.Anna}`.padEnd(31)}Bert : ${expected.Bert}`);
    const random = createRandom("backgammon mat", number);
    const choose = randomTurn(random);
    const state = game.start();
    const actions: number[] = [];
    const out = new Int32Array(game.maxActions);
    const probabilities = new Float64Array(game.maxActions);
    while (state.toMove !== TERMINAL) {
      const action =
        state.toMove === CHANCE
          ? out[random.weighted(probabilities, 0, state.chanceOutcomes(out, probabilities, 0))]
          : choose(state);
      actions.push(action);
      state.apply(action);
    }
    games.push(played(names, actions));
    const winner = state.returns(0) > 0 ? 0 : 1;
    expected[names[winner] as "Anna" | "Bert"] += state.returns(winner);
  }
  const sections = formatMat(games)
    .split(/^ Game \d+\n/m)
    .slice(1);
  expect(sections.map((section) => section.split("\n")[0])).toEqual(headers);
  for (const [number, section] of sections.entries()) {
    const lines = section.split("\n");
    const cells = lines
      .filter((line) => /^ *\d+\) /.test(line))
      .flatMap((line) => line.slice(5).split(/\s+(?=\d\d:)/))
      .map((cell) => cell.trim());
    const turns = cells.filter((cell) => cell !== "");
    const state = game.start();
    for (const action of games[number]!.actions) {
      if (state.toMove >= 0) {
        const [dice, text = ""] = turns.shift()!.split(/: ?/);
        expect(dice).toBe(game.formatState(state).split(":")[2]!.replace("-", ""));
        expect(game.parseAction(text === "" ? "pass" : text, state)).toBe(action);
      }
      state.apply(action);
    }
    expect(turns).toEqual([]);
    const points = Math.abs(state.returns(0));
    expect(section).toContain(`Wins ${points} point${points > 1 ? "s" : ""}\n`);
  }
});
