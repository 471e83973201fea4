import fc from "fast-check";
import { expect, test } from "vitest";
import type { Activation } from "../../../../src/evaluators/network/network.ts";
import { padded } from "../../../../src/evaluators/network/vector-loops.ts";
import { createGradientCode } from "../../../../src/training/learn/network/batch-gradient.ts";
import { randomNetwork } from "../../../support/networks.ts";

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
  return { network, code: createGradientCode(network, 40) };
}

test("rows get their share of the errors as by plain loops, in the order given", () => {
  fc.assert(
    fc.property(
      shapes,
      fc.array(fc.tuple(fc.nat(30), fc.float({ min: -4, max: 4, noNaN: true })), {
        minLength: 1,
        maxLength: 41,
      }),
      (shape, given) => {
        const { code } = create(shape);
        const { kernelGradient, errors } = code.layers[0]!;
        const stride = padded(shape.hidden[0]!);
        for (const unit of errors.keys()) errors[unit] = Math.sin(unit);
        for (const at of kernelGradient.keys()) kernelGradient[at] = Math.cos(at);
        const wanted = kernelGradient.slice();
        for (const [at, [row, factor]] of given.entries()) {
          const from = (row % (shape.inputs + 1)) * stride;
          code.rows[at] = from * 8;
          code.factors[at] = factor;
          for (const unit of errors.keys()) wanted[from + unit]! += factor * errors[unit]!;
        }
        code.spreadRows(given.length);
        expect(kernelGradient).toEqual(wanted);
      },
    ),
    { seed: 1 },
  );
});

test("errors go back through a layer as by plain loops, unit after unit", () => {
  fc.assert(
    fc.property(shapes, (shape) => {
      const { code, network } = create(shape);
      for (const [at, { units, inputs }] of network.layers.entries()) {
        if (at === 0) continue;
        const { kernel, errors, kernelGradient } = code.layers[at]!;
        const before = code.layers[at - 1]!;
        const stride = padded(inputs);
        for (let from = 0; from < inputs; from++) before.signals[from] = Math.sin(3 * from + at);
        for (let unit = 0; unit < units; unit++) {
          errors[unit] = Math.cos(unit + at);
          for (let from = 0; from < inputs; from++) {
            kernel[unit * stride + from] = Math.sin(unit * 31 + from);
            kernelGradient[unit * stride + from] = Math.cos(unit * 17 + from);
          }
        }
        const wantedGradient = kernelGradient.slice();
        const wantedErrors = new Float64Array(stride);
        for (let unit = 0; unit < units; unit++)
          for (let from = 0; from < inputs; from++) {
            wantedGradient[unit * stride + from]! += errors[unit]! * before.signals[from]!;
            wantedErrors[from]! += errors[unit]! * kernel[unit * stride + from]!;
          }
        if (shape.hiddenActivation === "relu")
          for (const from of wantedErrors.keys()) if (before.signals[from]! <= 0) wantedErrors[from] = 0;
        before.errors.fill(NaN);
        code.backLayer(at);
        expect(kernelGradient).toEqual(wantedGradient);
        expect(before.errors).toEqual(wantedErrors);
      }
    }),
    { seed: 1 },
  );
});
