import { check } from "../base/check.ts";
import { InputError, unknownName } from "../base/errors.ts";
import { Problems } from "../base/problems.ts";
import type { AgentFamily } from "../agents/agent.ts";
import { formatAgentSpec, parseAgentSpec, type AgentSpec } from "../agents/spec.ts";
import { prepareAgent } from "../agents/prepare.ts";
import { agentFamilies, gameFamilies, resolvePluginId } from "../arena/plugins.ts";
import type { Entrant } from "../arena/plan.ts";
import { resolveEvaluatorName } from "../evaluators/index.ts";
import type { FeatureSet, Game, GameFamily } from "../games/game.ts";
import { createGame } from "../games/index.ts";
import { trainingSchema, type CheckedConfig } from "./config.ts";

/** A checked training with everything filled in: as data, and as what the data names. */
export interface TrainingPlan {
  /** Frozen in the run's folder; checking it again gives the same plan. */
  readonly config: CheckedConfig;
  readonly game: Game;
  readonly features: FeatureSet;
  readonly pool: readonly Entrant[];
  /** Which of the pool plays at random; its Elo is 0. */
  readonly anchor: number;
  readonly player: AgentSpec;
  readonly agents: Readonly<Record<string, AgentFamily>>;
}

export interface PlanSources {
  /** Folder that relative paths in the config are taken from. */
  readonly baseDir: string;
  /** Named in messages: the config's path. */
  readonly source?: string;
  /** Games in place of the index. */
  readonly games?: Readonly<Record<string, GameFamily>> | undefined;
}

/** Checks a training; throws InputError with all its problems. */
export async function planTraining(
  given: unknown,
  { baseDir, source = "", games }: PlanSources,
): Promise<TrainingPlan> {
  const checked = check(trainingSchema, given, source);
  const problems = new Problems();
  const located = locate(checked, baseDir, problems);
  const { rating, evaluator, openings } = located;
  const families = games ?? (await problems.atAsync(["game"], () => gameFamilies(located.game.id)));
  const game = families && problems.at(["game"], () => createGame(located.game, families));
  const agents = await problems.atAsync(["rating"], () =>
    agentFamilies([rating.player, ...rating.pool].map((spec) => spec.agent)),
  );

  const features = game && problems.at(["evaluator", "features"], () => featureSet(game, evaluator.features));
  if (game !== undefined && agents !== undefined) {
    for (const [at, { name: _, ...spec }] of rating.pool.entries())
      problems.at(["rating", "pool", at], () => prepareAgent(game, spec, { families: agents }));
    problems.at(["rating", "player"], () => checkPlayer(game, rating.player, agents));
  }
  if (game?.players === 1)
    problems.add(["game"], `${game.id} has one player; checkpoints are rated in games of two or more`);
  const names = rating.pool.map(({ name }) => name);
  for (const [at, name] of names.entries())
    if (names.indexOf(name) < at) problems.add(["rating", "pool", at, "name"], `"${name}" is used twice`);
  const anchor = rating.pool.findIndex(({ agent }) => agent === "random");
  if (anchor < 0) problems.add(["rating", "pool"], "must have `random` in it, whose Elo is 0");
  if (typeof openings.randomPlies === "object" && openings.randomPlies.from > openings.randomPlies.to)
    problems.add(["openings", "randomPlies"], "`from` must be at most `to`");
  problems.throwIfAny(source);
  return {
    config: { ...located, game: { ...game!.options, id: located.game.id } },
    game: game!,
    features: features!,
    pool: rating.pool.map(({ name, ...spec }) => ({ name, spec })),
    anchor,
    player: rating.player,
    agents: agents!,
  };
}

/** Short forms as data, names filled in, relative paths as absolute ones. */
function locate(checked: CheckedConfig, baseDir: string, problems: Problems) {
  const { rating } = checked;
  const locateAgent = (given: AgentSpec): AgentSpec => {
    const evaluator = given["evaluator"];
    const named =
      typeof evaluator === "string" ? { evaluator: resolveEvaluatorName(evaluator, baseDir) } : {};
    return { ...given, agent: resolvePluginId(given.agent, baseDir), ...named };
  };
  const parse = (text: string, path: readonly PropertyKey[]): AgentSpec =>
    problems.at(path, () => parseAgentSpec(text)) ?? { agent: "random" };
  const player =
    typeof rating.player === "string" ? parse(rating.player, ["rating", "player"]) : rating.player;
  const pool = rating.pool.map((given, at) => {
    if (typeof given === "string")
      return { name: given, ...locateAgent(parse(given, ["rating", "pool", at])) };
    const { name = formatAgentSpec(given), ...spec } = given;
    return { name, ...locateAgent(spec) };
  });
  const game = typeof checked.game === "string" ? { id: checked.game } : checked.game;
  return {
    ...checked,
    game: { ...game, id: resolvePluginId(game.id, baseDir) },
    rating: { ...rating, player: locateAgent(player), pool },
  };
}

function featureSet(game: Game, name: string): FeatureSet {
  if (Object.hasOwn(game.featureSets, name)) return game.featureSets[name]!;
  throw new InputError(unknownName("feature set", name, Object.keys(game.featureSets)));
}

function checkPlayer(game: Game, player: AgentSpec, families: Readonly<Record<string, AgentFamily>>): void {
  const family = Object.hasOwn(families, player.agent) ? families[player.agent] : undefined;
  if (family !== undefined && !("evaluator" in family.options.shape))
    throw new InputError(`${player.agent} has no evaluator to put the weights into`);
  if ("evaluator" in player) throw new InputError("the evaluator is the checkpoint's: leave `evaluator` out");
  prepareAgent(game, { ...player, evaluator: "none" }, { families });
}

/** After how many games a checkpoint is taken: ascending, from the untrained start to the end. */
export function checkpointGames({ games, checkpoints }: CheckedConfig): number[] {
  const taken = [0];
  if (typeof checkpoints === "number") {
    for (let part = 1; part <= checkpoints; part++) taken.push(Math.round((games * part) / checkpoints));
  } else {
    for (let at = checkpoints.every; at < games; at += checkpoints.every) taken.push(at);
    taken.push(games);
  }
  return [...new Set(taken)];
}
