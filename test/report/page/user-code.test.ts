import { join } from "node:path";
import { runInThisContext } from "node:vm";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import * as agon from "../../../src/index.ts";
import { game as kalah } from "../../../examples/kalah/kalah.ts";
import type { StoredModel } from "../../../src/evaluators/stored-weights.ts";
import { createRandom } from "../../../src/base/random.ts";
import { agents } from "../../../src/agents/index.ts";
import { createGame, games } from "../../../src/games/index.ts";
import { possibleActions } from "../../../src/games/contract/notation.ts";
import { PortableCode } from "../../../src/specs/plugins/portable-code.ts";
import { LEFT_OUT, library } from "../../../src/report/page/play/library.ts";
import { agentFamilies, equipFromFiles, gameFamilies } from "../../../src/report/page/play/user-code.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { ROOT } from "../../support/reports.ts";

beforeAll(() => {
  Object.assign(globalThis, { self: globalThis });
});

/** Runs the script of these files, as the thread does; the key of the first one. */
async function carry(...files: readonly string[]): Promise<string> {
  const code = new PortableCode();
  const [first] = await Promise.all(files.map((file) => code.add(file)));
  runInThisContext(code.script!);
  return first!;
}

/** Writes a file, and carries it. */
function carrySource(source: string): Promise<string> {
  return carry(writeInto(temporaryFolder(), "own.ts", source));
}

describe("agon-arena in a page", () => {
  test("has every value of the library, or says why it has not", () => {
    const { __esModule, ...members } = library;
    expect(__esModule).toBe(true);
    const leftOut = Object.values(LEFT_OUT).flatMap((names) => names.split(" "));
    expect([...Object.keys(members), ...leftOut].toSorted()).toEqual(Object.keys(agon).toSorted());
    const { z: schemas, ...others } = members;
    expect(agon).toMatchObject(others);
    expect(z).toMatchObject(schemas as object);
    for (const name of leftOut) expect(() => library[name]).toThrow(` of agon-arena is not in the page: it `);
  });

  test("says what is wrong where a name is not there", () => {
    expect(() => library["loadWeights"]).toThrow(
      "loadWeights of agon-arena is not in the page: it needs files",
    );
    expect(() => library["simpelGame"]).toThrow("agon-arena has no simpelGame");
    expect(() => (library["z"] as typeof z).email).toThrow(
      "z.email is not in the page, which has the part of zod for options",
    );
  });
});

describe("the user's code in a page", () => {
  test("makes the game that the file makes elsewhere", async () => {
    const key = await carry(join(ROOT, "examples/kalah/kalah.ts"));
    const families = gameFamilies(key);
    expect(Object.keys(families)).toEqual([...Object.keys(games), key]);
    expect(gameFamilies("constructor")).toBe(games);
    const game = createGame({ id: key, pits: 4 }, families);
    const same = kalah.create({ pits: 4, stones: 4 });
    const [state, other] = [game.start(), same.start()];
    const random = createRandom("kalah");
    while (state.toMove >= 0) {
      expect(game.formatState(state)).toBe(same.formatState(other));
      const actions = [...possibleActions(game, state)];
      const action = actions[random.below(actions.length)]!;
      state.apply(action);
      other.apply(action);
    }
    expect(state.returns(0)).toBe(other.returns(0));
    expect(() => createGame({ id: key, pits: 99 }, families)).toThrow("pits");
  });

  test("is an agent, an evaluator or a feature set as well", async () => {
    const agent = await carry(join(ROOT, "examples/twenty-one/counter.ts"));
    expect(agentFamilies(agent)[agent]!.id).toBe("counter");
    expect(agentFamilies("random")).toBe(agents);
    expect(() => gameFamilies(agent)).toThrow("0/counter.ts exports no game");
    const key = await carry(join(ROOT, "examples/centre/centre.ts"));
    const game = createGame("connect-four");
    expect(equipFromFiles(game, { agent: "greedy", evaluator: "threats" }, undefined)).toBe(game);
    const equipped = equipFromFiles(game, { agent: "greedy", evaluator: key }, {
      features: key,
    } as StoredModel);
    const state = equipped.start();
    state.apply(equipped.parseAction("4", state));
    expect(equipped.heuristics[key]!.evaluate(state, 0)).toBeCloseTo(Math.tanh(3 / 20));
    expect(equipped.featureSets[key]!.size).toBe(4);
  });

  test("runs once, and again after it has thrown", async () => {
    const key = await carrySource(
      "globalThis.runs = (globalThis.runs ?? 0) + 1; if (globalThis.runs === 1) throw new Error('once');\n" +
        "export default { runs: globalThis.runs };\n",
    );
    expect(() => gameFamilies(key)).toThrow("once");
    expect(gameFamilies(key)[key]).toEqual({ runs: 2 });
    expect(agentFamilies(key)[key]).toEqual({ runs: 2 });
  });

  test("may be CommonJS", async () => {
    const key = await carry(writeInto(temporaryFolder(), "own.cjs", 'module.exports = { id: "whole" };'));
    expect(gameFamilies(key)[key]).toEqual({ id: "whole" });
    const named = await carry(writeInto(temporaryFolder(), "own.cjs", 'exports.game = { id: "named" };'));
    expect(gameFamilies(named)[named]).toEqual({ id: "named" });
  });

  test("may import in a circle", async () => {
    const dir = temporaryFolder();
    const one = writeInto(
      dir,
      "one.ts",
      'import { two } from "./two.ts"; export const name = "one"; export const game = two();',
    );
    writeInto(dir, "two.ts", 'import { name } from "./one.ts"; export const two = () => `two of ${name}`;');
    const key = await carry(one);
    expect(gameFamilies(key)[key]).toBe("two of one");
  });

  test("cannot require what is made up while it runs", async () => {
    const key = await carrySource('export const game = require(["node", "fs"].join(":"));');
    expect(() => gameFamilies(key)).toThrow("0/own.ts requires node:fs, which the page does not have");
  });
});
