import fc from "fast-check";
import { expect, test } from "vitest";
import type { Activation } from "../../../src/evaluators/network/network.ts";
import { createVectorCode, padded } from "../../../src/evaluators/network/vector-loops.ts";
import { randomNetwork } from "../../support/networks.ts";

const hiddenActivations: readonly Activation[] = ["relu", "tanh"];
const shapes = fc.record({
  inputs: fc.integer({ min: 1, max: 30 }),
  hidden: fc.array(fc.integer({ min: 1, max: 19 }), { minLength: 1, maxLength: 3 }),
  outputs: fc.integer({ min: 1, max: 14 }),
  hiddenActivation: fc.constantFrom(...hiddenActivations),
});

function create(shape: {
  inputs: number;
  hidden: readonly number[];
  outputs: number;
  hiddenActivation: Activation;
}) {
  const network = randomNetwork({ ...shape, outputActivation: "linear" }, JSON.stringify(shape));
  return { network, code: createVectorCode(network, 40) };
}

test("rows are added as they are by plain loops, in the order given", () => {
  fc.assert(
    fc.property(
      shapes,
      fc.array(fc.tuple(fc.nat(29), fc.float({ min: -4, max: 4, noNaN: true })), {
        minLength: 1,
        maxLength: 40,
      }),
      (shape, given) => {
        const { code } = create(shape);
        const { kernel, sums } = code.layers[0]!;
        const stride = padded(shape.hidden[0]!);
        for (const at of kernel.keys()) kernel[at] = Math.sin(at);
        const wanted = sums.map((_, unit) => (sums[unit] = unit / 7));
        for (const [at, [row, factor]] of given.entries()) {
          const from = (row % shape.inputs) * stride;
          code.rows[at] = from * 8;
          code.factors[at] = factor;
          for (const unit of wanted.keys()) wanted[unit]! += factor * kernel[from + unit]!;
        }
        code.addRows(given.length);
        expect(sums).toEqual(wanted);
      },
    ),
    { seed: 1 },
  );
});

test("layers are those of plain loops: the even inputs' sum and the odd ones', then both with the bias", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const { code, network } = create(shape);
      for (const [at, { units, inputs }] of network.layers.entries()) {
        const { kernel, bias, sums } = code.layers[at]!;
        for (const place of bias.keys()) bias[place] = Math.cos(place);
        if (at === 0) continue;
        for (let unit = 0; unit < units; unit++)
          for (let from = 0; from < inputs; from++)
            kernel[unit * padded(inputs) + from] = Math.sin(unit * 31 + from);
        const { signals } = code.layers[at - 1]!;
        for (let from = 0; from < inputs; from++) signals[from] = Math.sin(from + at);
        code.applyLayer(at);
        for (let unit = 0; unit < units; unit++) {
          const halves = [0, 0];
          for (let from = 0; from < inputs; from++) {
            const signal = shape.hiddenActivation === "relu" ? Math.max(signals[from]!, 0) : signals[from]!;
            halves[from & 1]! += signal * kernel[unit * padded(inputs) + from]!;
          }
          expect(sums[unit]).toBe(bias[unit]! + (halves[0]! + halves[1]!));
        }
      }
    }),
    { seed: 1 },
  );
});
