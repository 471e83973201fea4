import type { z } from "zod";
import { InputError } from "../../base/errors.ts";
import { didYouMean } from "../../base/text.ts";
import type { Facets } from "./facets.ts";
import { parseLegal } from "./notation.ts";
import type { Rules, State } from "./rules.ts";

export type { Picture, Shape } from "./picture.ts";

export { CHANCE, TERMINAL, type Rules, type State } from "./rules.ts";
export type {
  EndgameClass,
  Endgames,
  Evaluator,
  Facets,
  FeatureGrid,
  FeatureSet,
  Heuristic,
  Layout,
  Phase,
  PlayedGame,
  Policy,
  PolicyFamily,
  PolicyHead,
  ProtocolNotation,
  Transcript,
  TranscriptFormat,
  TupleBoard,
} from "./facets.ts";
export type { DecisiveMoves, Finish, Foresight, Pass, Solving, Tactics } from "./tactics.ts";

/** Members of Rules and Facets that a complete game may lack. */
type MayLack =
  | "teams"
  | "outcomes"
  | "describeEnding"
  | "canWin"
  | "plyOf"
  | "renderUnicode"
  | "pieces"
  | "starts"
  | "phase"
  | "tupleBoard"
  | "tactics"
  | "solving"
  | "solver"
  | "decisiveMoves"
  | "picture"
  | "endgames"
  | "policyHead"
  | "abstraction"
  | "deeds"
  | "privacy";

/** Everything that a game's author wrote, with the defaults filled in. */
type Complete<Part> = Required<Omit<Part, MayLack>> & Pick<Part, keyof Part & MayLack>;

/** A game as everyone reads it: its rules under its options, and its facets. Made by `defineGame`. */
export interface Game<S extends State = State> extends Complete<Rules<S>>, Complete<Facets<S>> {
  readonly id: string;
  /** See GameDefinition. */
  readonly version: number;
  /**
   * The spec from which another thread or process makes the same game; undefined if the family was given as an object.
   */
  readonly spec: GameSpec | undefined;
  /** The positions that games begin at, as texts; undefined if all begin at the start. See setups.ts. */
  readonly setups?: readonly string[] | undefined;
}

/** A game in a config: its id or the path of its file, or either of them with options: `{ id: "nim", piles: [3, 5, 7] }`. */
export type GameSpec = string | ({ readonly id: string } & Readonly<Record<string, unknown>>);

/** The parts from which `defineGame` makes a family of games. */
export interface GameDefinition<Options extends z.ZodObject, S extends State> {
  /** The game's name in commands and configs, such as `connect-four`. */
  readonly id: string;
  /** Increased when behaviour changes, so that older results and weights are not mixed with newer. Default: 1. */
  readonly version?: number;
  /** One line for `agon games`. */
  readonly summary: string;
  /** Schema of the options, each with a default where the game has a usual form. */
  readonly options: Options;
  /** By option that takes a list: reads a line of a file that stands for the list; undefined leaves it out. Throws InputError. */
  readonly lists?: Lists;
  /** The rules under checked options. */
  rules(options: z.output<Options>): Rules<S>;
  /**
   * The facets under checked options. Called once, when a facet is first read. Until it has returned, only the rules of
   * `game` may be read.
   */
  facets?(options: z.output<Options>, game: Game<S>): Facets<S>;
}

/** See GameDefinition. */
type Lists = Readonly<Record<string, (line: string) => unknown>>;

/** Makes the games of one kind. */
export interface GameFamily<Options extends z.ZodObject = z.ZodObject> {
  readonly id: string;
  readonly summary: string;
  readonly options: Options;
  /** See GameDefinition. */
  readonly lists?: Lists | undefined;
  /** The game under checked options. */
  create(options: z.output<Options>): Game;
}

/** The traits of most games, so that their rules need not give them. */
const USUAL_TRAITS = {
  players: 2,
  chance: false,
  dealt: false,
  hiddenInformation: false,
  zeroSum: true,
  rewardsAlongTheWay: false,
  minReturn: -1,
  maxReturn: 1,
} as const satisfies Partial<Rules>;

// All keys: the compiler compares them with the types.

const DEFINITION_KEYS = Object.keys({
  id: 1,
  version: 1,
  summary: 1,
  options: 1,
  lists: 1,
  rules: 1,
  facets: 1,
} satisfies Record<keyof GameDefinition<z.ZodObject, State>, 1>);
const RULES_KEYS = Object.keys({
  maxActions: 1,
  maxPlies: 1,
  start: 1,
  formatAction: 1,
  formatState: 1,
  parseState: 1,
  render: 1,
  players: 1,
  teams: 1,
  chance: 1,
  dealt: 1,
  hiddenInformation: 1,
  zeroSum: 1,
  rewardsAlongTheWay: 1,
  minReturn: 1,
  maxReturn: 1,
  outcomes: 1,
  parseAction: 1,
  describeEnding: 1,
  canWin: 1,
  plyOf: 1,
  renderUnicode: 1,
  options: 1,
  pieces: 1,
  starts: 1,
} satisfies Record<keyof Rules, 1>);
const FACETS_KEYS = Object.keys({
  featureSets: 1,
  heuristics: 1,
  policies: 1,
  transcripts: 1,
  books: 1,
  protocols: 1,
  phase: 1,
  tupleBoard: 1,
  tactics: 1,
  solving: 1,
  solver: 1,
  decisiveMoves: 1,
  picture: 1,
  endgames: 1,
  policyHead: 1,
  abstraction: 1,
  deeds: 1,
  privacy: 1,
} satisfies Record<keyof Facets, 1>);

/** Throws InputError if `given` is no object or has a key that is not in `allowed`, which would be ignored. */
function checkKeys(given: unknown, allowed: readonly string[], what: string): void {
  if (typeof given !== "object" || given === null)
    throw new InputError(`${what} must be an object with the keys ${allowed.join(", ")}`);
  const key = Object.keys(given).find((name) => !allowed.includes(name));
  if (key === undefined) return;
  throw new InputError(
    `${what} has the unknown key "${key}"${didYouMean(key, allowed)}; allowed: ${allowed.join(", ")}`,
  );
}

/**
 * Makes a family of games from rules and, if there are any, facets. Fills in every default. Throws InputError for an
 * unknown key in the definition, and in the objects that `rules` and `facets` return.
 */
export function defineGame<Options extends z.ZodObject, S extends State>(
  definition: GameDefinition<Options, S>,
): GameFamily<Options> {
  checkKeys(definition, DEFINITION_KEYS, "the argument of defineGame");
  const { id, summary, options, lists } = definition;
  return {
    id,
    summary,
    options,
    ...(lists && { lists }),
    create: (checked) => createFrom(definition, checked),
  };
}

function createFrom<Options extends z.ZodObject, S extends State>(
  definition: GameDefinition<Options, S>,
  options: z.output<Options>,
): Game<S> {
  let known: Facets<S> | undefined;
  const facets = () => {
    if (known !== undefined) return known;
    const made = definition.facets?.(options, game) ?? {};
    checkKeys(made, FACETS_KEYS, `the result of \`facets\` of ${definition.id}`);
    return (known = made);
  };
  const rules = definition.rules(options);
  checkKeys(rules, RULES_KEYS, `the result of \`rules\` of ${definition.id}`);
  const game: Game<S> = {
    options,
    ...USUAL_TRAITS,
    parseAction(text, state) {
      return parseLegal(this, text, state);
    },
    ...rules,
    id: definition.id,
    version: definition.version ?? 1,
    spec: undefined,
    get featureSets() {
      return facets().featureSets ?? {};
    },
    get heuristics() {
      return facets().heuristics ?? {};
    },
    get policies() {
      return facets().policies ?? {};
    },
    get transcripts() {
      return facets().transcripts ?? {};
    },
    get books() {
      return facets().books ?? {};
    },
    get protocols() {
      return facets().protocols ?? {};
    },
    get phase() {
      return facets().phase;
    },
    get tupleBoard() {
      return facets().tupleBoard;
    },
    get tactics() {
      return facets().tactics;
    },
    get solving() {
      return facets().solving;
    },
    get solver() {
      return facets().solver;
    },
    get decisiveMoves() {
      return facets().decisiveMoves;
    },
    get picture() {
      return facets().picture;
    },
    get endgames() {
      return facets().endgames;
    },
    get policyHead() {
      return facets().policyHead;
    },
    get abstraction() {
      return facets().abstraction;
    },
    get deeds() {
      return facets().deeds;
    },
    get privacy() {
      return facets().privacy;
    },
  };
  return game;
}

/** The game with some members replaced. Members that are made on first use still are. */
export function varyGame<S extends State>(game: Game<S>, changes: Partial<Game<S>>): Game<S> {
  const members = [game, changes].map((part) => Object.getOwnPropertyDescriptors(part));
  return Object.defineProperties({}, Object.assign({}, ...members) as PropertyDescriptorMap) as Game<S>;
}

/*
 * Each of these functions names the trait that keeps a game from a kind of agent, such as `chance`; undefined if the
 * game fits.
 */

/** For agents that read the whole state. */
export function hidden(game: Game): string | undefined {
  return game.hiddenInformation ? "hidden information" : undefined;
}

/** For agents that decide by the codes of a player. */
export function notHidden(game: Game): string | undefined {
  return game.hiddenInformation ? undefined : "perfect information";
}

/** Throws InputError in games of hidden information. `done` is a participle, such as `analysed`. */
export function refuseHidden({ id, hiddenInformation }: Game, done: string): void {
  if (hiddenInformation)
    throw new InputError(`games of hidden information, such as ${id}, cannot be ${done} yet`);
}

/** For searches of two players whose returns sum to zero. */
export function notDuel(game: Game): string | undefined {
  if (game.players !== 2) return `${game.players} player${game.players === 1 ? "" : "s"}`;
  if (!game.zeroSum) return "returns that do not sum to zero";
  return hidden(game);
}

/** For searches of two players whose returns sum to zero, without chance. */
export function notDeterministicDuel(game: Game): string | undefined {
  return game.chance ? "chance" : notDuel(game);
}

/** For searches of two or more players, without chance. */
export function notDeterministicContest(game: Game): string | undefined {
  if (game.chance) return "chance";
  return game.players === 1 ? "1 player" : hidden(game);
}

/**
 * True for two players whose returns sum to zero, with nothing hidden. Then the values of the two players are each
 * other's negatives.
 */
export function isDuel(game: Game): boolean {
  return notDuel(game) === undefined;
}
