import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import {
  readPositions as readTestPositions,
  type TestPosition,
} from "../../arena/positions/position-file.ts";
import { InputError } from "../../base/errors.ts";
import { checkParts, Problems, type Parts } from "../../base/check.ts";
import { unknownName } from "../../base/text.ts";
import type { AgentSpec } from "../../agents/agent.ts";
import { noEvaluator } from "../../evaluators/index.ts";
import type { Evaluator, Game } from "../../games/contract/game.ts";
import { loadAgent, locateAgent, planEntrants, readAgent, type Entrant } from "../../specs/agents.ts";
import type { PreparedAgent } from "../../agents/prepare.ts";
import { equipGame } from "../../specs/evaluators.ts";
import { gameIdOf, loadGame, locateGame } from "../../specs/games.ts";
import {
  agentFamilies,
  ObjectTaker,
  takeAt,
  type AgentFamilies,
  type GivenObjects,
} from "../../specs/families.ts";
import { isChat, isHosted, isProgram } from "../../specs/hosts.ts";
import { locateName, referTo } from "../../specs/references.ts";
import { withFiles } from "../learn/initial-weights.ts";
import type { Note } from "../../arena/plan/config.ts";
import { readFitGames, type FitGames } from "../fit/learned-games.ts";
import type { StartOptions } from "../self-play/start-positions.ts";
import { checkCheckpoints, checkPast } from "./checkpoints.ts";
import { checkEvaluator, checkSearch, checkSight, checkTogether, checkWindow } from "./checks.ts";
import { selfPlaySchema, trainingSchema, type CheckedConfig } from "./config.ts";
import { locateOpenings, planStarts } from "./openings.ts";

/** A checked training with its defaults filled in: the config as data, and the objects that it names. */
export interface TrainingPlan {
  /** The training's folder keeps the config; `planTraining` makes the same plan from it. */
  readonly config: CheckedConfig;
  readonly game: Game;
  /** The beginnings of games of self-play: `openings` of the config. */
  readonly starts: readonly StartOptions[];
  /** The agent that searches in TDLeaf and TreeStrap; undefined for other rules. */
  readonly search: LearningAgent | undefined;
  /** The games that a fit learns from; undefined for other rules. */
  readonly played: FitGames | undefined;
  /** The agents that have a seat in a share of the games: `opponents.pool` of the config. */
  readonly opponents: readonly PoolOpponent[];
  /** The agents that checkpoints play against: `rating.pool` of the config. */
  readonly pool: readonly Entrant[];
  /** The test positions that checkpoints are asked for: `rating.positions` of the config; empty without it. */
  readonly positions: readonly TestPosition[];
  /** The agent of the pool whose Elo is fixed: the intervals of the curve are of differences from it. */
  readonly anchor: { readonly entrant: string; readonly elo: number };
  /** The agent that plays with a checkpoint's weights, without an evaluator: `rating.player` of the config. */
  readonly checkpointAgent: AgentSpec;
  /** The games and agents that a program wrote into the config. With such objects, all games are played in this thread. */
  readonly objects: GivenObjects;
}

/** An agent that plays with the weights of the training. */
interface LearningAgent {
  /** Its spec without an evaluator. */
  readonly spec: AgentSpec;
  prepare(evaluator: Evaluator): PreparedAgent;
}

/** An agent that plays in self-play and does not learn. */
interface PoolOpponent {
  readonly share: number;
  readonly prepared: PreparedAgent;
}

/** The origin of a config. */
interface PlanSources {
  /** Folder that relative paths in the config are taken from. */
  readonly baseDir: string;
  /** The config's path, for messages. */
  readonly source?: string;
  /** Takes notes for the user on how files of games were read. */
  readonly note?: Note;
}

/** Checks the config of a training and makes its plan; throws InputError with all problems found. */
export async function planTraining(
  given: unknown,
  { baseDir, source = "", note = () => {} }: PlanSources,
): Promise<TrainingPlan> {
  const problems = new Problems();
  const { data, objects } = takeObjects(given);
  const parts = checkSchema(data, problems);
  const rating: Partial<CheckedConfig["rating"]> = parts.rating ?? {};
  const { learner } = parts;
  const evaluator = parts.evaluator && locateEvaluator(parts.evaluator, baseDir);
  const located = parts.game === undefined ? undefined : locateGame(parts.game, baseDir);
  const unequipped =
    located === undefined
      ? undefined
      : await problems.atAsync(["game"], async () => {
          return loadGame(located, objects);
        });
  const features =
    evaluator !== undefined && "features" in evaluator ? [referTo("features", evaluator.features)] : [];
  const game =
    unequipped && (await problems.atAsync(["evaluator", "features"], () => equipGame(unequipped, features)));
  const pool = await planEntrants(rating.pool ?? [], {
    game,
    baseDir,
    limits: {},
    agents: objects.agents,
    path: ["rating", "pool"],
    problems,
  });
  const planLearningAgent = async (given: AgentSpec | string, path: readonly PropertyKey[]) => {
    const spec = problems.at(path, () => locateAgent(given, baseDir));
    const families =
      spec && (await problems.atAsync([...path, "agent"], () => agentFamilies(spec.agent, objects.agents)));
    const standIn = evaluator?.policy ? undecided : undefined;
    return spec && game && families && problems.at(path, () => planLearning(game, spec, families, standIn));
  };
  const checkpointAgent =
    rating.player === undefined ? undefined : await planLearningAgent(rating.player, ["rating", "player"]);
  const search =
    learner && "search" in learner
      ? await planLearningAgent(learner.search, ["learner", "search"])
      : undefined;
  checkSearch(search?.spec, { ...parts, game }, problems);
  if (game !== undefined && evaluator !== undefined && typeof parts.seed === "string") {
    const { seed } = parts;
    problems.at(["evaluator"], () => checkEvaluator(game, { evaluator, seed }));
  }
  const openings = parts.openings && locateOpenings(parts.openings, baseDir);
  const starts = game && openings && planStarts(game, openings, problems);
  if (parts.sweep !== undefined)
    problems.add(
      ["sweep"],
      "makes several trainings of one config, and one was asked for; leave it out here",
    );
  checkTogether(parts, problems);
  if (game !== undefined && evaluator !== undefined) checkWindow(game, { ...parts, evaluator }, problems);
  if (game !== undefined) checkSight(game, parts, problems);
  checkCheckpoints(parts, problems);
  if (game !== undefined && parts.opponents !== undefined && parts.opponents.past > 0)
    checkPast(game, parts, problems);
  const opponents = await planOpponents(parts.opponents, {
    game,
    baseDir,
    families: objects.agents,
    problems,
  });
  const anchor = findAnchor(rating, pool, problems);
  const positionFile = rating.positions === undefined ? undefined : resolve(baseDir, rating.positions);
  const tested =
    game &&
    positionFile &&
    (await problems.atAsync(["rating", "positions"], () => readTestPositions(game, positionFile)));
  const rule =
    learner?.rule === "fit"
      ? { ...learner, games: learner.games.map((path) => resolve(baseDir, path)) }
      : learner;
  const played =
    rule?.rule === "fit" && game !== undefined && typeof parts.seed === "string"
      ? await readFitGames(game, rule, { id: gameIdOf(located!), seed: parts.seed, problems, note })
      : undefined;
  problems.throwIfAny(source);

  const checked = parts as CheckedConfig;
  const config: CheckedConfig = {
    ...checked,
    game: { ...game!.options, id: gameIdOf(located!) },
    evaluator: evaluator!,
    learner: "search" in rule! ? { ...rule, search: search!.spec } : rule!,
    openings: openings!,
    ...(checked.opponents?.pool && {
      opponents: {
        ...checked.opponents,
        pool: opponents.map(({ share, prepared }) => ({ ...prepared.spec, share })),
      },
    }),
    rating: {
      ...checked.rating,
      pool: pool.map(({ name, spec }) => ({ name, ...spec })),
      player: checkpointAgent!.spec,
      ...(positionFile && { positions: positionFile }),
    },
  };
  return {
    config,
    game: game!,
    starts: starts!,
    search,
    played,
    opponents,
    pool,
    positions: tested ? tested.positions : [],
    anchor: anchor!,
    checkpointAgent: checkpointAgent!.spec,
    objects,
  };
}

/** Checks the config's schema. Of a fit, games are its epochs, and what is for self-play is left out. */
function checkSchema(data: unknown, problems: Problems): Parts<z.output<typeof selfPlaySchema>> {
  const { learner } = (data ?? {}) as { learner?: { rule?: unknown } };
  if (learner?.rule !== "fit") return checkParts(selfPlaySchema, data, problems);
  const parts = checkParts(trainingSchema, data, problems);
  if (parts.learner?.rule !== "fit") return parts;
  const filled = {
    games: parts.learner.epochs,
    exploration: { kind: "epsilon-greedy", epsilon: 0 } as const,
    openings: { randomPlies: 0 },
  };
  const empty = { round: undefined, worlds: undefined, opponents: undefined, average: undefined };
  for (const [key, value] of Object.entries({ ...filled, ...empty })) {
    const given = parts[key as keyof typeof parts];
    if (given === undefined || isDeepStrictEqual(given, value)) continue;
    const instead = key === "games" ? "has `learner.epochs` in place of games" : "plays no games";
    problems.add([key], `a fit ${instead}: leave it out`);
  }
  return { ...parts, ...filled };
}

/** The config as data, and the games and agents that a program wrote into it. */
function takeObjects(given: unknown): { data: unknown; objects: GivenObjects } {
  const taker = new ObjectTaker();
  const agent = (one: unknown) => taker.agent(one);
  const takeRating = (rating: unknown) => takeAt(takeAt(rating, "pool", agent), "player", agent);
  const takeOpponents = (opponents: unknown) => takeAt(opponents, "pool", agent);
  const takeLearner = (learner: unknown) => takeAt(learner, "search", agent);
  const withGame = takeAt(given, "game", (one) => taker.game(one));
  const withOpponents = takeAt(withGame, "opponents", takeOpponents);
  const data = takeAt(takeAt(withOpponents, "rating", takeRating), "learner", takeLearner);
  return { data, objects: taker.objects };
}

/** The anchor that the config names, else the entrant that plays at random. */
function findAnchor(
  { pool: given, anchor }: Partial<CheckedConfig["rating"]>,
  entrants: readonly Entrant[],
  problems: Problems,
): TrainingPlan["anchor"] | undefined {
  const names = entrants.map(({ name }) => name);
  if (anchor !== undefined) {
    if (!names.includes(anchor.entrant))
      problems.add(["rating", "anchor", "entrant"], unknownName("agent of the pool", anchor.entrant, names));
    return anchor;
  }
  const entrant = entrants.find(({ spec }) => spec.agent === "random")?.name;
  if (given !== undefined && entrant === undefined)
    problems.add(
      ["rating", "pool"],
      "must have `random` in it, whose Elo is 0, or `rating.anchor` names another",
    );
  return entrant === undefined ? undefined : { entrant, elo: 0 };
}

function locateEvaluator(evaluator: CheckedConfig["evaluator"], baseDir: string): CheckedConfig["evaluator"] {
  const { initial } = evaluator;
  return {
    ...evaluator,
    ...("features" in evaluator && { features: locateName("features", evaluator.features, baseDir) }),
    ...(initial !== undefined && { initial: withFiles(initial, (file) => resolve(baseDir, file)) }),
  };
}

/** An evaluator with a policy before there are weights. */
const undecided: Evaluator = {
  ...noEvaluator,
  prefer: (_state, _actions, at, end, out) => void out.fill(0, at, end),
};

/**
 * Checks an agent that will play with the training's evaluator; throws InputError if it does not fit the game.
 * @param standIn stands for an evaluator with a policy [none]
 */
function planLearning(
  game: Game,
  spec: AgentSpec,
  families: AgentFamilies,
  standIn: Evaluator | undefined,
): LearningAgent {
  const { agent, ...options } = evaluatingAgent(spec);
  const family = Object.hasOwn(families, agent) ? families[agent] : undefined;
  if (family !== undefined && "search" in family.options.shape)
    throw new InputError(
      `${agent} needs the agent that evaluates positions in it, such as \`search: { agent: greedy }\``,
    );
  if (family !== undefined && !("evaluator" in family.options.shape))
    throw new InputError(`${agent} has no evaluator to put the weights into`);
  if ("evaluator" in options)
    throw new InputError("the evaluator is the checkpoint's: leave `evaluator` out");
  const prepare = (evaluator: Evaluator | undefined) =>
    readAgent(game, withEvaluator(spec, "none"), { families, ...(evaluator && { evaluator }) });
  prepare(standIn);
  return { spec, prepare };
}

/** Loads the agents of the pool of opponents. */
async function planOpponents(
  given: CheckedConfig["opponents"],
  {
    game,
    baseDir,
    families,
    problems,
  }: { game: Game | undefined; baseDir: string; families: AgentFamilies; problems: Problems },
): Promise<PoolOpponent[]> {
  const { past = 0, pool = [] } = given ?? {};
  const path = ["opponents", "pool"];
  if (game === undefined || pool.length === 0) return [];
  const sum = pool.reduce((total, { share }) => total + share, past);
  if (sum > 1 + 1e-9) problems.add(path, `its shares and \`past\` make ${sum} of the games; at most 1`);
  const refuse = (why: string) => problems.add(path, why);
  if (game.players === 1) refuse(`has no meaning in ${game.id}, which one player plays`);
  if (game.hiddenInformation) refuse("games of hidden information have none yet: leave it out");
  const planned = pool.map(async ({ share, ...given }, at) =>
    problems.atAsync([...path, at], async () => {
      const located = locateAgent(given, baseDir);
      const isOutside = isProgram(located) || isChat(located);
      if (isOutside || (!Object.hasOwn(families, located.agent) && isHosted(game, located)))
        throw new InputError("decides outside of agon; opponents decide at once, in the thread that plays");
      const prepared = await loadAgent(game, located, { families });
      const { spec } = prepared;
      if (spec["timeMs"] !== undefined)
        throw new InputError("timeMs: the weights would depend on the machine; give it nodes or a depth");
      if (Number(spec["threads"] ?? 1) > 1)
        throw new InputError("threads: must be 1: opponents decide at once");
      return { share, prepared };
    }),
  );
  return (await Promise.all(planned)).filter((one) => one !== undefined);
}

/** The agent that evaluates positions: the one that is given, or the one that searches for it, as in `determinized`. */
export function evaluatingAgent(spec: AgentSpec): AgentSpec {
  const { search } = spec as { readonly search?: AgentSpec };
  return search === undefined ? spec : evaluatingAgent(search);
}

/** The spec of an agent that plays with an evaluator. */
export function withEvaluator(spec: AgentSpec, evaluator: string): AgentSpec {
  const { search } = spec as { readonly search?: AgentSpec };
  return search === undefined
    ? { ...spec, evaluator }
    : { ...spec, search: withEvaluator(search, evaluator) };
}
