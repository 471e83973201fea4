import type { AgentFamily, AgentSpec } from "../../../agents/agent.ts";
import { agents } from "../../../agents/index.ts";
import type { EvaluatorFamily, FeatureFamily } from "../../../evaluators/index.ts";
import type { WeightsHeader } from "../../../evaluators/stored-weights.ts";
import { varyGame, type Game, type GameFamily } from "../../../games/contract/game.ts";
import { games } from "../../../games/index.ts";
import { library } from "./library.ts";

/*
 * The user's code in a page. A script before this one sets `agonModules`, the user's files as functions: `PortableCode`
 * makes it. They are run here, when somebody asks for what they export.
 */

/** A file: the keys of the files that it imports, by its own names for them, and its code. */
type PortableModule = readonly [
  Readonly<Record<string, string>>,
  (exports: object, require: (name: string) => unknown, module: { exports: unknown }) => void,
];

interface Families {
  readonly game: GameFamily;
  readonly agent: AgentFamily;
  readonly evaluator: EvaluatorFamily;
  readonly features: FeatureFamily;
}

/** The user's files that were run. */
const loaded = new Map<PortableModule, { exports: unknown }>();

/** True if the name in a spec is the key of a user's file. */
function isUserFile(name: unknown): name is string {
  return typeof name === "string" && Object.hasOwn(userModules(), name);
}

/** The built-in games, and the game of the file `id` if that is a user's. Throws what the user's code throws. */
export function gameFamilies(id: string): Readonly<Record<string, GameFamily>> {
  return isUserFile(id) ? { ...games, [id]: loadFamily(id, "game") } : games;
}

/** The built-in agents, and the agent of the file `id` if that is a user's. Throws what the user's code throws. */
export function agentFamilies(id: string): Readonly<Record<string, AgentFamily>> {
  return isUserFile(id) ? { ...agents, [id]: loadFamily(id, "agent") } : agents;
}

/** The game, agent, evaluator or feature set of a user's file. Its default export counts as any of them. */
function loadFamily<Kind extends keyof Families>(key: string, kind: Kind): Families[Kind] {
  const exports = loadModule(key) as Readonly<Record<string, unknown>>;
  // The whole of CommonJS exports is a default export, as Node has it.
  const byDefault = exports["__esModule"] === undefined ? exports : exports["default"];
  const found = exports[kind] ?? byDefault;
  if (found === undefined) throw new TypeError(`${key} exports no ${kind}`);
  return found as Families[Kind];
}

/** The game with the evaluator of an agent and the features of its weights, if they are a user's, under their keys. */
export function equipFromFiles(
  game: Game,
  { evaluator }: AgentSpec,
  model: WeightsHeader["evaluator"] | undefined,
): Game {
  const features = model !== undefined && "features" in model ? model.features : undefined;
  if (!isUserFile(evaluator) && !isUserFile(features)) return game;
  return varyGame(game, {
    ...(isUserFile(evaluator) && {
      heuristics: { ...game.heuristics, [evaluator]: loadFamily(evaluator, "evaluator").create(game) },
    }),
    ...(isUserFile(features) && {
      featureSets: { ...game.featureSets, [features]: loadFamily(features, "features").create(game) },
    }),
  });
}

function userModules(): Readonly<Record<string, PortableModule>> {
  return (globalThis as { agonModules?: Readonly<Record<string, PortableModule>> }).agonModules ?? {};
}

/** The exports of a user's file. In a circle of imports, they are those that are there so far, as CommonJS has it. */
function loadModule(key: string): unknown {
  const file = userModules()[key]!;
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const [imports, run] = file;
  const module = { exports: {} };
  loaded.set(file, module);
  const load = (name: string): unknown => {
    if (name === "agon-arena") return library;
    if (!Object.hasOwn(imports, name))
      throw new TypeError(`${key} requires ${name}, which the page does not have`);
    return loadModule(imports[name]!);
  };
  try {
    run(module.exports, load, module);
  } catch (error) {
    loaded.delete(file);
    throw error;
  }
  return module.exports;
}
