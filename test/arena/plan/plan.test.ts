import { expect, test } from "vitest";
import { planTournament } from "../../../src/arena/plan/config.ts";
import { canonicalJson } from "../../../src/base/plain.ts";
import { entrantKey, gameKey } from "../../../src/arena/plan/plan.ts";

test("equal data gives equal text, in whatever order its keys are; lists keep theirs", () => {
  const one = { b: [3, { d: null, c: "x" }, 1], a: { z: true, y: undefined, x: 1.5 } };
  const other = { a: { x: 1.5, z: true }, b: [3, { c: "x", d: null }, 1] };
  expect(canonicalJson(one)).toBe('{"a":{"x":1.5,"z":true},"b":[3,{"c":"x","d":null},1]}');
  expect(canonicalJson(other)).toBe(canonicalJson(one));
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
});

test("keys of the rules and of an entrant depend on what determines their games, and on nothing else", async () => {
  const game = { id: "pig", target: 30 };
  const config = { name: "t", game, blocks: 1, entrants: ["random", "mcts:simulations=5"] };
  const plan = await planTournament(config, { baseDir: "." });
  expect(gameKey({ ...plan, name: "other", seed: "other", blocks: 9 })).toBe(gameKey(plan));
  expect(gameKey({ ...plan, gameVersion: plan.gameVersion + 1 })).not.toBe(gameKey(plan));
  expect(gameKey({ ...plan, game: { ...plan.game, target: 31 } })).not.toBe(gameKey(plan));
  const [random, mcts] = plan.entrants;
  expect(entrantKey({ name: random!.name, spec: { ...random!.spec } })).toBe(entrantKey(random!));
  expect(entrantKey({ ...mcts!, name: "other" })).not.toBe(entrantKey(mcts!));
  expect(entrantKey({ ...mcts!, spec: { ...mcts!.spec, simulations: 6 } })).not.toBe(entrantKey(mcts!));
});
