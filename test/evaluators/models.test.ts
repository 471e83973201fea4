import { expect, test } from "vitest";
import { createRandom } from "../../src/base/random.ts";
import { flatten, networkModel, randomNetwork, unflatten } from "../../src/evaluators/models.ts";
import { createGame } from "../../src/games/index.ts";

const game = createGame("connect-four");
const inputs = game.featureSets["lines"]!.size;
const model = (hidden: readonly number[]) =>
  networkModel.parse({ kind: "network", features: "lines", hidden });
const random = createRandom("models");

test("a flat network has the kernel and then the bias of each layer, and is made into the same network", () => {
  const shape = model([5, 3]);
  const network = randomNetwork(game, shape, random);
  for (const { bias } of network.layers) bias.forEach((_, unit) => (bias[unit] = random.float()));
  const flat = flatten(network);
  expect([...flat]).toEqual(network.layers.flatMap(({ kernel, bias }) => [...kernel, ...bias]));
  expect(flat.length).toBe((inputs + 1) * 5 + (5 + 1) * 3 + (3 + 1));
  expect(unflatten(game, shape, flat)).toEqual(network);
  expect(() => unflatten(game, shape, flat.subarray(1))).toThrow(
    `number of weights: there are ${flat.length - 1}, layers of `,
  );
});

test("the weights of a network are counted before it is made, those of the biases too", () => {
  // The smallest second layer that is too large beside a first one of 4096 units.
  const rest = 2 ** 25 - (inputs + 1) * 4096;
  const layers = [4096, ...Array.from({ length: 2 }, () => 1024)];
  const count = (hidden: readonly number[]) => {
    const units = [inputs, ...hidden, 1];
    return units.slice(1).reduce((sum, many, at) => sum + many * units[at]! + many, 0);
  };
  expect(rest).toBeLessThan(0);
  expect(() => randomNetwork(game, model(layers), random)).toThrow(
    `hidden: the network would have ${count(layers)} weights; at most ${2 ** 25}`,
  );
});
