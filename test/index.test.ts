import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createGame, prepareAgent } from "../src/index.ts";

test("a program prepares an agent from data, weights files included", () => {
  const evaluator = fileURLToPath(new URL("../weights/connect-four/linear.json", import.meta.url));
  const game = createGame("connect-four");
  const prepared = prepareAgent(game, { agent: "alpha-beta", depth: 2, evaluator });
  expect(prepared.options).toMatchObject({ evaluator });
  expect(prepared.budget).toEqual({ depth: 2 });
  expect(() => prepareAgent(game, { agent: "alpha-beta", depth: 2, evaluator: "no/such.json" })).toThrow(
    /no\/such\.json: cannot be read/,
  );
});
