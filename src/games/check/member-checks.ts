import { z } from "zod";
import { check, method } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { Game } from "../contract/game.ts";
import { fail, type Check } from "./finding.ts";
import type { GameTrial } from "./game-trial.ts";

const count = z.int().min(1);

/** The members that a heuristic must have. */
export const heuristicShape = z.looseObject({
  summary: z.string(),
  evaluate: method,
  atMost: method.optional(),
});

/** The members that a feature set must have. */
export const featuresShape = z.looseObject({
  summary: z.string(),
  version: count,
  size: count,
  maxActive: count,
  unit: z.boolean().optional(),
  symmetry: z.enum(["negated", "mirrored"]).optional(),
  viewer: method.optional(),
  extract: method,
  weigh: method.optional(),
  describe: method,
});

/** The members that every game has, or may have. */
const gameShape = z.looseObject({
  start: method,
  formatAction: method,
  parseAction: method,
  formatState: method,
  parseState: method,
  render: method,
  renderUnicode: method.optional(),
  describeEnding: method.optional(),
  canWin: method.optional(),
  plyOf: method.optional(),
});

/** The facets of a game: they are made when they are first read. */
const facetsShape = z.object({
  heuristics: z.record(z.string(), heuristicShape).optional(),
  featureSets: z.record(z.string(), featuresShape).optional(),
  policies: z.record(z.string(), z.looseObject({ summary: z.string(), create: method })).optional(),
  transcripts: z.record(z.string(), z.looseObject({})).optional(),
  protocols: z.record(z.string(), z.looseObject({ formatAction: method, parseAction: method })).optional(),
  phase: z.looseObject({ max: z.number(), of: method }).optional(),
  tupleBoard: z.looseObject({ cells: count, digits: count, read: method }).optional(),
  policyHead: z.looseObject({ version: z.number(), size: count, index: method }).optional(),
  deeds: z.looseObject({ kinds: z.array(z.string()), kindOf: method }).optional(),
  picture: z
    .looseObject({ width: z.number(), height: z.number(), draw: method, describe: method, touches: method })
    .optional(),
});

const stateShape = z.looseObject({
  toMove: z.number(),
  legalActions: method,
  apply: method,
  undo: method,
  returns: method,
  copyFrom: method,
  hashLow: z.number(),
  hashHigh: z.number(),
});

/** The check on which all others rely. */
export const membersCheck: Check<GameTrial> = {
  name: "members",
  demand: "the game, its facets and its states have the members of the contract, each of its type",
  run({ game }) {
    demand(() => game, gameShape, "");
    const shape = game.chance ? stateShape.extend({ chanceOutcomes: method }) : stateShape;
    demand(() => game.start(), shape, "the state that `start` returns: ");
    const names = Object.keys(facetsShape.shape) as (keyof typeof facetsShape.shape & keyof Game)[];
    demand(() => Object.fromEntries(names.map((name) => [name, game[name]])), facetsShape, "");
  },
};

/** Fails unless `read` gives an object with the members of the schema. */
function demand(read: () => unknown, schema: z.ZodObject, subject: string): void {
  try {
    check(schema, read());
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const lines = error.problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
    fail(`${subject}${lines.join("; ")}`);
  }
}
