import { factorise, solve } from "./cholesky.ts";
import { addInformation, addMean, enterStage, type Design, priorPrecisions } from "./design.ts";

/**
 * Newton's method squares the decrement (the distance to the top in standard errors, squared) with every
 * step near the top: the step taken from here leaves an error far below a millionth of a standard error.
 */
const LAST_DECREMENT = 1e-9;
/** Below this the full step is sure to be right, while its gain may drown in the rounding of a large sum. */
const SURE_DECREMENT = 1e-4;
const MAX_STEPS = 200;

/** The parameters of greatest penalised likelihood, which is concave: Newton's method with step halving. */
export function fit(design: Design): Float64Array {
  const size = design.parameterCount;
  const gradient = new Float64Array(size);
  const information = new Float64Array(size * size);
  let parameters: Float64Array = new Float64Array(size);
  const prior = priorPrecisions(design);
  const evaluateHere = () => evaluate(design, prior, parameters, { gradient, information });
  let value = evaluateHere();
  for (let step = 0; step < MAX_STEPS; step++) {
    const direction = gradient.slice();
    factorise(information, size);
    solve(information, size, direction);
    const decrement = dot(gradient, direction);
    const from = parameters;
    const along = (length: number) => from.map((parameter, at) => parameter + length * direction[at]);
    if (decrement < LAST_DECREMENT) return along(1);
    let length = 1;
    parameters = along(length);
    let next = evaluateHere();
    while (decrement > SURE_DECREMENT && !(next > value)) {
      length /= 2;
      parameters = along(length);
      next = evaluateHere();
    }
    value = next;
  }
  return parameters;
}

/** Penalised log likelihood; fills its gradient and the information (its negated Hessian). */
function evaluate(
  design: Design,
  prior: Float64Array,
  parameters: Float64Array,
  { gradient, information }: { gradient: Float64Array; information: Float64Array },
): number {
  const { stageCount, remaining, games, observed, choice, parameterCount } = design;
  information.fill(0);
  let value = 0;
  for (let at = 0; at < parameterCount; at++) {
    value += parameters[at] * (observed[at] - (prior[at] / 2) * parameters[at]);
    gradient[at] = observed[at] - prior[at] * parameters[at];
    information[at * parameterCount + at] = prior[at];
  }
  for (let stage = 0; stage < stageCount; stage++) {
    enterStage(design, stage, parameters);
    value -= games[stage] * choice.expect(remaining[stage]);
    addMean(design, stage, -games[stage], gradient);
    addInformation(design, stage, games[stage], information);
  }
  return value;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at] * b[at];
  return sum;
}
