import { z } from "zod";
import { unknownName } from "../../base/text.ts";
import { InputError } from "../../base/errors.ts";
import { checkParts, Problems } from "../../base/check.ts";
import type { AgentSpec } from "../../agents/agent.ts";
import { weightOf, type ChangedWeights } from "../../agents/changed-weights.ts";
import type { Evaluator } from "../../games/contract/game.ts";
import type { TunedNumber } from "../../ratings/spsa.ts";
import { planDocument } from "../../specs/files/documents.ts";
import { agentSchema, locateAgent, withNumbers } from "../../specs/agents.ts";
import { loadEvaluator } from "../../specs/evaluators.ts";
import { agents } from "../../specs/families.ts";
import { isHosted } from "../../specs/hosts.ts";
import {
  entrantJsonSchema,
  gameJsonSchema,
  configJsonSchema,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";
import { numbersOf, type TunedOption, type TuneSpec } from "../formats/tune.ts";
import { type Note, planTournament } from "./config.ts";
import { gameOf, MAX_BLOCKS, type TournamentPlan } from "./plan.ts";
import { tournamentSchema } from "./tournament-schema.ts";

const ROUNDS = 60;
const PAIRS = 8;
const BLOCKS = 4;
/** See `rate`, `final` and `step` in the schema. */
const RATE = 40;
const MOST_RATE = 0.1;
const FINAL_SHARE = 1 / 4;
const STEP_SHARE = 1 / 10;
/** The bounds of weights, in steps from the start. */
const WEIGHT_STEPS = 10;
/** With a smaller step both values of a pair would often be the same. */
const LEAST_WHOLE_STEP = 0.5;

/** The entrants: both are the agent. */
const SIDES = ["plus", "minus"] as const;

const number = z.strictObject({
  start: z.number().optional().describe("the first value [the agent's]"),
  min: z.number().optional().describe("the least value [that of the option]"),
  max: z.number().optional().describe("the largest value [that of the option]"),
  step: z
    .number()
    .positive()
    .optional()
    .describe(
      "the distance of the values that are tried from the present one, in the last round; a good one is worth some 10 Elo " +
        "[a tenth of the range]",
    ),
  whole: z.boolean().optional().describe("true if play takes whole numbers alone [as the option says]"),
});

/** The keys of a tournament that a tuning has as well. */
const shared = tournamentSchema.pick({
  name: true,
  game: true,
  seed: true,
  openings: true,
  budget: true,
  time: true,
  adjudicate: true,
  moveTimeoutMs: true,
  memoryMb: true,
  maxCost: true,
  hosts: true,
});

/** The shape of a tuning's file. Game, agent and options are checked after it. */
const tuningSchema = shared.extend({
  agent: agentSchema,
  parameters: z
    .record(z.string(), number)
    .default({})
    .describe("the options of the agent that are tuned, all numbers"),
  weights: z
    .record(z.string(), number)
    .default({})
    .describe(
      "the weights of its linear evaluator that are tuned, by the name of the feature, as `agon inspect` tells it; " +
        "the bounds are ten steps on both sides if they are not given",
    ),
  rounds: z.int().min(2).max(100_000).default(ROUNDS).describe("rounds; the values move after each"),
  pairs: z
    .int()
    .min(1)
    .max(1000)
    .default(PAIRS)
    .describe("pairs of opposite values that meet in a round, each in directions of its own"),
  blocks: z
    .int()
    .min(1)
    .max(1000)
    .default(BLOCKS)
    .describe("blocks of each pair; a block is one opening played under every seat rotation"),
  rate: z
    .number()
    .positive()
    .max(1)
    .optional()
    .describe(
      "the share of a step by which a won block moves the values in the last round [40 divided by all blocks, at most 0.1]",
    ),
  final: z
    .int()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe("blocks of the match of the tuned agent against that of the start [a quarter of all blocks]"),
});

/** A checked tuning. */
export interface TuningPlan {
  /** Its format is a TuneSpec. Both entrants are the agent with the first values. */
  readonly plan: TournamentPlan;
  /** The agent as the config writes it, with absolute paths. */
  readonly agent: AgentSpec;
  /** Blocks of the match against the start; 0 for none. */
  readonly final: number;
}

/** True if a document is meant as a tuning. */
export function isTuning(document: unknown): boolean {
  if (typeof document !== "object" || document === null) return false;
  return Object.hasOwn(document, "parameters") || Object.hasOwn(document, "weights");
}

/** Reads and checks a tuning's file; throws InputError with all its problems. */
export async function loadTuning(path: string, options: { note?: Note } = {}): Promise<TuningPlan> {
  return planDocument(path, (document, from) => planTuning(document, { ...from, ...options }));
}

/** Checks a tuning. Relative paths in it are taken from the folder `baseDir`. Throws InputError with all problems. @internal */
export async function planTuning(
  config: unknown,
  { baseDir = ".", source = "", note = () => {} }: { baseDir?: string; source?: string; note?: Note } = {},
): Promise<TuningPlan> {
  const problems = new Problems();
  const parts = checkParts(tuningSchema, config, problems);
  const { agent } = parts;
  const spec = agent === undefined ? undefined : problems.at(["agent"], () => locateAgent(agent, baseDir));
  if (spec === undefined || parts.game === undefined) problems.throwIfAny(source);
  const {
    agent: _,
    parameters = {},
    weights = {},
    rounds = ROUNDS,
    pairs = PAIRS,
    blocks = BLOCKS,
    ...rest
  } = parts;
  const { rate, final, ...shared } = rest;
  const all = rounds * pairs * blocks;
  if (all > MAX_BLOCKS)
    problems.add(
      ["rounds"],
      `${rounds} rounds of ${pairs} pairs of ${blocks} blocks are ${all}; at most ${MAX_BLOCKS}`,
    );
  const format: TuneSpec = {
    type: "tune",
    rounds,
    pairs,
    rate: rate ?? Math.min(MOST_RATE, RATE / all),
    parameters: [],
  };
  const planWith = async (specs: readonly AgentSpec[], take?: Note): Promise<TournamentPlan | undefined> =>
    problems.atAsync([], async () =>
      planTournament(
        {
          ...shared,
          name: shared.name ?? "tuning",
          blocks,
          thoughts: false,
          entrants: specs.map((one, at) => ({ ...one, name: SIDES[at] })),
        },
        { baseDir, format, ...(take && { note: take }) },
      ).catch((error: unknown) => {
        throw error instanceof InputError ? ofAgent(error) : error;
      }),
    );
  const plan = await planWith([spec!, spec!], note);
  const full = plan?.entrants[0]!.spec ?? spec!;
  if (parts.parameters !== undefined && Object.keys({ ...parameters, ...weights }).length === 0)
    problems.add(["parameters"], "name at least one number to tune, here or in `weights`");
  const evaluator =
    plan === undefined || Object.keys(weights).length === 0
      ? undefined
      : await problems.atAsync(["agent"], async () => evaluatorOf(plan, full));
  const options = [
    ...Object.entries(parameters).map(([option, given]) =>
      problems.at(["parameters", option], () => planOption(option, given, full)),
    ),
    ...Object.entries(weights).map(([key, given]) =>
      problems.at(["weights", key], () => planWeight(key, given, full, evaluator)),
    ),
  ];
  problems.throwIfAny(source);
  const tuned = options as TunedOption[];
  const at = (value: (one: TunedOption) => number) =>
    withNumbers(plan!.entrants[0]!.spec, numbersOf(tuned, tuned.map(value)));
  // The agent tells what it cannot do with the least and the largest values.
  await planWith([at(({ min }) => min), at(({ max }) => max)]);
  problems.throwIfAny(source);
  const begun = at(({ start }) => start);
  return {
    plan: {
      ...plan!,
      format: { ...format, parameters: tuned },
      entrants: plan!.entrants.map((entrant) => ({ ...entrant, spec: begun })),
    },
    agent: spec!,
    final: final ?? Math.ceil(FINAL_SHARE * all),
  };
}

/** The problems of a tournament as those of the tuning that it was made for. Both entrants are the agent. */
function ofAgent({ problems }: InputError): InputError {
  const known = new Map(
    problems.map(({ path, message }) => {
      const own = path.replace(/^entrants\[\d+\]/, "agent").replace(/^format$/, "game");
      return [`${own}: ${message}`, { path: own, message }];
    }),
  );
  return new InputError([...known.values()]);
}

/** Fills in an option that is tuned. Throws InputError, whose paths are relative to the option. */
function planOption(option: string, given: z.output<typeof number>, spec: AgentSpec): TunedOption {
  const family = Object.hasOwn(agents, spec.agent) ? agents[spec.agent] : undefined;
  const numbers = family && numbersIn(family.options);
  if (numbers !== undefined && !Object.hasOwn(numbers, option)) {
    const isKnown = Object.hasOwn(family!.options.shape, option);
    const names = Object.keys(numbers);
    throw new InputError(
      isKnown
        ? `is no number; the numbers of ${spec.agent} are ${names.join(", ")}`
        : unknownName(`number of ${spec.agent}`, option, names),
    );
  }
  const { type, minimum, maximum } = numbers?.[option] ?? {};
  const whole = given.whole ?? type === "integer";
  return { option, ...planNumber(given, { value: spec[option], minimum, maximum, whole }) };
}

/** The evaluator of an agent; undefined if it is known in another process alone. Throws InputError. */
async function evaluatorOf(plan: TournamentPlan, spec: AgentSpec): Promise<Evaluator | undefined> {
  const game = await gameOf(plan);
  const { evaluator } = spec;
  return isHosted(game, spec)
    ? undefined
    : loadEvaluator(game, typeof evaluator === "string" ? evaluator : "none");
}

/** Fills in a weight that is tuned. Throws InputError, whose paths are relative to it. */
function planWeight(
  key: string,
  given: z.output<typeof number>,
  spec: AgentSpec,
  evaluator: Evaluator | undefined,
): TunedOption {
  const changed = spec["weights"] as ChangedWeights | undefined;
  const value = changed?.[key] ?? (evaluator && weightOf(evaluator, key));
  const { start = value, step } = given;
  const bound = (sides: number) =>
    start === undefined || step === undefined ? undefined : start + sides * WEIGHT_STEPS * step;
  const { min = bound(-1), max = bound(1) } = given;
  if (step === undefined && (given.min === undefined || given.max === undefined))
    throw new InputError([{ path: "step", message: "missing; without it, min and max must be given" }]);
  return {
    option: "weights",
    key,
    ...planNumber({ ...given, min, max }, { value, minimum: undefined, maximum: undefined, whole: false }),
  };
}

/** Fills in a number that is tuned. Throws InputError. */
function planNumber(
  given: z.output<typeof number>,
  {
    value,
    minimum,
    maximum,
    whole,
  }: { value: unknown; minimum: number | undefined; maximum: number | undefined; whole: boolean },
): TunedNumber {
  const problems = new Problems();
  const filled = {
    start: given.start ?? (typeof value === "number" ? value : undefined),
    min: given.min ?? minimum,
    max: given.max ?? maximum,
  };
  for (const [key, one] of Object.entries(filled)) {
    if (one === undefined) problems.add([key], "missing; the agent names none");
    else if (whole && !Number.isInteger(one)) problems.add([key], `must be a whole number, got ${one}`);
  }
  problems.throwIfAny();
  const { start, min, max } = filled as Record<keyof typeof filled, number>;
  if (minimum !== undefined && min < minimum)
    problems.add(["min"], `must be at least ${minimum}, got ${min}`);
  if (maximum !== undefined && max > maximum) problems.add(["max"], `must be at most ${maximum}, got ${max}`);
  if (min >= max) problems.add(["max"], `must be above min, which is ${min}; got ${max}`);
  else if (start < min || start > max) problems.add(["start"], `must be from ${min} to ${max}, got ${start}`);
  const least = whole ? LEAST_WHOLE_STEP : 0;
  const step = given.step ?? Math.max(least, STEP_SHARE * (max - min));
  if (step < least) problems.add(["step"], `must be at least ${least} for whole numbers, got ${step}`);
  if (max > min && step > max - min)
    problems.add(["step"], `must be at most the range, which is ${max - min}; got ${step}`);
  problems.throwIfAny();
  return { start, min, max, step, isWhole: whole };
}

interface NumberSchema {
  readonly type: "number" | "integer";
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** The options of an agent that are or may be numbers, as JSON Schema has them. Limits of all safe integers are none. */
function numbersIn(options: z.ZodObject): Readonly<Record<string, NumberSchema>> {
  const { properties } = toJsonSchema(options) as { properties: Record<string, JsonSchema> };
  const limit = (value: unknown) =>
    Number.isSafeInteger(Math.abs(Number(value)) + 1) ? Number(value) : undefined;
  return Object.fromEntries(
    Object.entries(properties)
      .map(([name, schema]) => [name, ((schema["anyOf"] as JsonSchema[]) ?? [schema])[0]!] as const)
      .filter(([, { type }]) => type === "number" || type === "integer")
      .map(([name, { type, minimum, maximum }]) => [
        name,
        { type: type as NumberSchema["type"], minimum: limit(minimum), maximum: limit(maximum) },
      ]),
  );
}

/** A warning that results depend on the machine; undefined if they do not. */
export function describeTime({ time, entrants }: TournamentPlan): string | undefined {
  if (time === undefined && entrants.every(({ spec }) => spec["timeMs"] === undefined)) return undefined;
  return "the budget is a time, so the values depend on the machine, and on what else it does; nodes or simulations do not";
}

/** JSON Schema of tunings, for editors. @public schema/write.mjs reads it from build */
export function tuningJsonSchema(): JsonSchema {
  const schema = toJsonSchema(tuningSchema) as { properties: Record<string, JsonSchema> };
  return configJsonSchema("tuning", schema, {
    game: gameJsonSchema(),
    agent: { ...entrantJsonSchema(), description: "the agent, in short form or as a mapping" },
  });
}
