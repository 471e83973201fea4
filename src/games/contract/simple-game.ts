import { z } from "zod";
import { check, method } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import { formatJson, canonicalJson, PlainHash } from "../../base/plain.ts";
import {
  CHANCE,
  defineGame,
  TERMINAL,
  type FeatureSet,
  type GameFamily,
  type State,
  isDuel,
} from "./game.ts";
import { toPicture, type SimplePicture } from "./simple-picture.ts";

/** A fixed value, or one that depends on the options. */
type Fixed<Options, Value> = Value | ((options: Options) => Value);

/**
 * A game as pure functions over positions. A position is a plain value: a number, a text, or arrays and objects of
 * these. It holds everything that the future depends on, the player on turn included. No function changes a position
 * that it is given; each function's answer depends on its arguments alone. `options` is the last argument of every
 * function.
 */
interface SimpleRules<Position, Options> {
  start(options: Options): Position;
  /** The player who decides next, from 0, or CHANCE. Called only while the game goes on. */
  toMove(position: Position, options: Options): number;
  /** The legal actions in any order: distinct int32, at least one. Called only when a player is to move. */
  legalActions(position: Position, options: Options): readonly number[];
  /** The position after an action or a chance outcome. */
  apply(position: Position, action: number, options: Options): NoInfer<Position>;
  /** The return of each player at the end; undefined while the game goes on. */
  result(position: Position, options: Options): readonly number[] | undefined;
  /** Every outcome with its probability. Called only if `toMove` is CHANCE. Default: a game without chance. */
  chance?(position: Position, options: Options): readonly (readonly [outcome: number, probability: number])[];
  /** The text of an action or of a chance outcome, one word if possible. Default: its number. */
  formatAction?(position: Position, action: number, options: Options): string;
  /** The board for people, on several lines. Default: the position as JSON. */
  render?(position: Position, options: Options): string;
}

/** Knowledge about a simple game, besides its rules. */
interface SimpleFacets<Position, Options> {
  /**
   * Estimates of a player's final return from a position, by name. In a two-player zero-sum game the value is half the
   * difference between both players' estimates.
   */
  readonly heuristics?: Readonly<
    Record<string, (position: Position, player: number, options: Options) => number>
  >;
  /**
   * Numbers that learned evaluators read, by the name of their set. A set always has the same names of numbers. In a
   * two-player zero-sum game a feature's value is the player's number less the other player's.
   */
  readonly features?: Readonly<
    Record<string, (position: Position, player: number, options: Options) => Readonly<Record<string, number>>>
  >;
  picture?(options: Options): SimplePicture<Position>;
}

/** The definition of a simple game. Its traits are those of `Rules`; each may be a function of the options. */
export interface SimpleDefinition<Position, Schema extends z.ZodObject>
  extends SimpleRules<Position, z.output<Schema>>, SimpleFacets<Position, z.output<Schema>> {
  readonly id: string;
  readonly version?: number;
  readonly summary: string;
  readonly options?: Schema;
  readonly players?: Fixed<z.output<Schema>, number>;
  readonly zeroSum?: Fixed<z.output<Schema>, boolean>;
  readonly minReturn?: Fixed<z.output<Schema>, number>;
  readonly maxReturn?: Fixed<z.output<Schema>, number>;
  readonly outcomes?: Fixed<z.output<Schema>, readonly number[]>;
  /** Default: 256. */
  readonly maxActions?: Fixed<z.output<Schema>, number>;
  /** Default: 1000. */
  readonly maxPlies?: Fixed<z.output<Schema>, number>;
}

const fixed = z.unknown().optional();
const named = z.record(z.string(), method).optional();
/** The members of a definition. The check of a game tells wrong traits. */
const simpleShape = z.strictObject({
  id: z.string().min(1),
  version: fixed,
  summary: z.string(),
  options: fixed,
  players: fixed,
  zeroSum: fixed,
  minReturn: fixed,
  maxReturn: fixed,
  outcomes: fixed,
  maxActions: fixed,
  maxPlies: fixed,
  start: method,
  toMove: method,
  legalActions: method,
  apply: method,
  result: method,
  chance: method.optional(),
  formatAction: method.optional(),
  render: method.optional(),
  heuristics: named,
  features: named,
  picture: method.optional(),
} satisfies Record<keyof SimpleDefinition<unknown, z.ZodObject>, z.ZodType>);

const MAX_ACTIONS = 256;
const MAX_PLIES = 1000;

/**
 * A family of games from pure functions. States, hashes, `undo` and texts are derived; the game is slower than one written
 * by `defineGame`, and the same everywhere else.
 */
export function simpleGame<Position, Schema extends z.ZodObject = z.ZodObject<{}>>(
  definition: SimpleDefinition<Position, Schema>,
): GameFamily<Schema> {
  check(simpleShape, definition, "simpleGame");
  const { id, version = 1, summary } = definition;
  const definedAt = new Error("definition").stack ?? "";
  type Options = z.output<Schema>;
  return defineGame<Schema, SimpleState<Position>>({
    id,
    version,
    summary,
    options: definition.options ?? (z.strictObject({}) as unknown as Schema),
    rules(options) {
      const of = <Value>(trait: Fixed<Options, Value> | undefined, usual: Value): Value =>
        typeof trait === "function" ? (trait as (options: Options) => Value)(options) : (trait ?? usual);
      const rules: BoundRules<Position> = {
        definition: definition as SimpleRules<Position, unknown>,
        options,
        maxActions: of(definition.maxActions, MAX_ACTIONS),
        players: of(definition.players, 2),
        definedAt,
      };
      return {
        maxActions: rules.maxActions,
        maxPlies: of(definition.maxPlies, MAX_PLIES),
        players: rules.players,
        chance: definition.chance !== undefined,
        zeroSum: of(definition.zeroSum, true),
        minReturn: of(definition.minReturn, -1),
        maxReturn: of(definition.maxReturn, 1),
        outcomes: of(definition.outcomes, undefined),
        start: () => new SimpleState(rules, definition.start(options)),
        formatAction: (action, { position }) =>
          definition.formatAction?.(position, action, options) ?? String(action),
        formatState: ({ position }) => canonicalJson(position),
        parseState: (text) => parsePosition(rules, text),
        render: ({ position }) =>
          definition.render?.(position, options) ?? formatJson(JSON.parse(canonicalJson(position))),
      };
    },
    facets(options, game) {
      const areOpposed = isDuel(game);
      const { heuristics = {}, features = {} } = definition;
      const picture = definition.picture?.(options);
      const summaryOf = (name: string) => `${name}, by the author of ${id}`;
      return {
        heuristics: mapValues(heuristics, (estimate, name) => ({
          summary: summaryOf(name),
          evaluate: ({ position }, player) =>
            areOpposed
              ? (estimate(position, player, options) - estimate(position, 1 - player, options)) / 2
              : estimate(position, player, options),
        })),
        featureSets: mapValues(features, (read, name): FeatureSet<SimpleState<Position>> => {
          const names = namesOf(name, read(definition.start(options), 0, options));
          return {
            summary: summaryOf(name),
            version,
            size: names.length,
            maxActive: names.length,
            describe: (index) => names[index]!,
            extract({ position }, player, index, value) {
              const own = read(position, player, options);
              const others = areOpposed ? read(position, 1 - player, options) : undefined;
              names.forEach((feature, at) => {
                index[at] = at;
                value[at] = own[feature]! - (others?.[feature] ?? 0);
              });
              return names.length;
            },
          };
        }),
        picture: picture && toPicture(picture, (state: SimpleState<Position>) => state.position),
      };
    },
  });
}

function mapValues<From, To>(
  given: Readonly<Record<string, From>>,
  make: (value: From, name: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, make(value, name)]));
}

/** The names of the features that a function of `features` gives. Throws InputError unless they are named numbers. */
function namesOf(set: string, given: unknown): string[] {
  const names =
    typeof given === "object" && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
  if (names.length > 0) return names;
  throw new InputError(
    `features.${set} gives ${JSON.stringify(given)}; it must give numbers by name, such as { men: 3, kings: 1 }`,
  );
}

/** The functions of a simple game with the options that they get. */
interface BoundRules<Position> {
  readonly definition: SimpleRules<Position, unknown>;
  readonly options: unknown;
  readonly maxActions: number;
  readonly players: number;
  /** The stack of the call of `simpleGame`. */
  readonly definedAt: string;
}

const hasher = new PlainHash();

/** A position of a simple game, with the positions before it. */
export class SimpleState<Position = unknown> implements State {
  toMove = TERMINAL;
  position: Position;
  readonly rules: BoundRules<Position>;
  /** The returns at the end; undefined before. */
  private result: readonly number[] | undefined;
  private readonly past: Position[] = [];
  private depth = 0;
  private isHashed = false;
  private low = 0;
  private high = 0;

  constructor(rules: BoundRules<Position>, position: Position) {
    this.rules = rules;
    this.position = position;
    this.settle();
  }

  legalActions(out: Int32Array, at: number): number {
    const { definition, options, maxActions } = this.rules;
    const actions = definition.legalActions(this.position, options);
    const count = actions.length;
    if (!(count >= 1 && count <= maxActions)) this.refuseCount("legalActions", actions);
    for (let index = 0; index < count; index++) {
      const action = actions[index]!;
      if (action !== (action | 0)) this.fail(`legalActions gives ${String(action)}, which is no int32`);
      // Inserted among those before it, which are ascending.
      let place = at + index;
      for (; place > at && out[place - 1] >= action; place--) {
        if (out[place - 1] === action) this.fail(`legalActions gives ${action} twice`);
        out[place] = out[place - 1];
      }
      out[place] = action;
    }
    return count;
  }

  chanceOutcomes(out: Int32Array, probabilities: Float64Array, at: number): number {
    const { definition, options, maxActions } = this.rules;
    if (definition.chance === undefined) this.fail("toMove gives CHANCE, and there is no function chance");
    const outcomes = [...definition.chance(this.position, options)].toSorted(([a], [b]) => a - b);
    if (!(outcomes.length >= 1 && outcomes.length <= maxActions)) this.refuseCount("chance", outcomes);
    for (const [index, [outcome, probability]] of outcomes.entries()) {
      out[at + index] = outcome;
      probabilities[at + index] = probability;
    }
    return outcomes.length;
  }

  apply(action: number): void {
    const { definition, options } = this.rules;
    const next = definition.apply(this.position, action, options);
    if (next === undefined) this.fail(`apply(position, ${action}) returns undefined, not the next position`);
    this.past[this.depth++] = this.position;
    this.position = next;
    this.settle();
  }

  undo(): void {
    this.position = this.past[--this.depth]!;
    this.result = undefined;
    this.isHashed = false;
    this.toMove = this.rules.definition.toMove(this.position, this.rules.options);
  }

  returns(player: number): number {
    // Adding 0 turns a negative zero into a plain one.
    return this.result === undefined ? 0 : this.result[player]! + 0;
  }

  get hashLow(): number {
    if (!this.isHashed) this.hash();
    return this.low;
  }

  get hashHigh(): number {
    if (!this.isHashed) this.hash();
    return this.high;
  }

  copyFrom(other: this): void {
    this.position = other.position;
    this.toMove = other.toMove;
    this.result = other.result;
    this.isHashed = other.isHashed;
    this.low = other.low;
    this.high = other.high;
    this.depth = 0;
  }

  private settle(): void {
    const { definition, options } = this.rules;
    this.isHashed = false;
    this.result = definition.result(this.position, options);
    this.toMove = this.result === undefined ? definition.toMove(this.position, options) : TERMINAL;
  }

  private hash(): void {
    hasher.hash(this.position);
    this.low = hasher.low;
    this.high = hasher.high;
    this.isHashed = true;
  }

  private refuseCount(name: string, given: readonly unknown[]): never {
    const { maxActions } = this.rules;
    if (!Array.isArray(given)) this.fail(`${name} returns ${String(given)}, not a list`);
    if (given.length === 0)
      this.fail(`${name} gives no action; a player without a move gets an action for passing`);
    this.fail(`${name} gives ${given.length} actions; declare maxActions, which is ${maxActions}`);
  }

  /** Throws an error that names the position, as if it came from the file of the game. */
  private fail(found: string): never {
    const error = new RangeError(`${found} (in the position ${canonicalJson(this.position)})`);
    error.stack = this.rules.definedAt.replace(/^.*\n/, `RangeError: ${error.message}\n`);
    throw error;
  }
}

/**
 * Reads a position that `canonicalJson` wrote. Throws InputError unless it has the form of the start and the rules accept
 * it.
 */
function parsePosition<Position>(rules: BoundRules<Position>, text: string): SimpleState<Position> {
  const example = canonicalJson(rules.definition.start(rules.options));
  const refuse = (why: string): never => {
    throw new InputError(`"${text}" is no position: ${why}; write one like ${example}`);
  };
  let position: unknown;
  try {
    position = JSON.parse(text);
  } catch {
    return refuse("it is no JSON");
  }
  const usual: unknown = JSON.parse(example);
  if (kindOf(position) !== kindOf(usual)) return refuse(`it is no ${kindOf(usual)}`);
  const keys = kindOf(usual) === "object" ? Object.keys(usual as object) : [];
  const missing = keys.find((key) => !Object.hasOwn(position as object, key));
  if (missing !== undefined) return refuse(`${missing} is missing`);
  try {
    const state = new SimpleState(rules, position as Position);
    const { toMove } = state;
    if (toMove === TERMINAL || toMove === CHANCE) return state;
    if (!Number.isInteger(toMove) || toMove < 0 || toMove >= rules.players)
      return refuse(`the player to move is ${String(toMove)}`);
    state.legalActions(new Int32Array(rules.maxActions), 0);
    return state;
  } catch (error) {
    if (error instanceof InputError) throw error;
    return refuse((error as Error).message);
  }
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}
