import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { Problems } from "../base/problems.ts";
import type { AgentFamily } from "../agents/agent.ts";
import { formatAgentSpec, parseAgentSpec, type AgentSpec } from "../agents/spec.ts";
import { prepareAgent } from "../agents/prepare.ts";
import { agentFamilies, gameFamilies, resolvePluginId } from "../arena/plugins.ts";
import type { Entrant } from "../arena/plan.ts";
import { loadEvaluator, resolveEvaluatorName } from "../specs/evaluators.ts";
import { TERMINAL, type Game, type GameFamily, type State } from "../games/game.ts";
import { createGame } from "../games/index.ts";
import { trainingSchema, type CheckedConfig } from "./config.ts";
import { createLearnable, initialWeights, storedModel } from "./learnable.ts";

/** A checked training with everything filled in: as data, and as what the data names. */
export interface TrainingPlan {
  /** Frozen in the run's folder; checking it again gives the same plan. */
  readonly config: CheckedConfig;
  readonly game: Game;
  /** Positions that games begin from; undefined for the start of the game. */
  readonly states: readonly State[] | undefined;
  /** The agent that searches in TDLeaf, its evaluator left open. */
  readonly search: AgentSpec | undefined;
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
    agentFamilies([...searchOf(located), rating.player, ...rating.pool].map((spec) => spec.agent)),
  );

  const { learner } = located;
  const search = learner.rule === "td-leaf" ? (learner.search as AgentSpec) : undefined;
  if (game !== undefined) {
    problems.at(["evaluator"], () => checkEvaluator(game, located));
    if (search !== undefined && agents !== undefined)
      problems.at(["learner", "search"], () => checkPlayer(game, search, agents));
  }
  if ((evaluator.kind === "network") !== (learner.rule === "lambda-returns"))
    problems.add(
      ["learner", "rule"],
      `networks learn by lambda-returns, linear evaluators and n-tuples by td or td-leaf; this is a ${evaluator.kind} evaluator`,
    );
  if (learner.rule === "lambda-returns" && learner.engine === "tensorflow" && located.workers > 1)
    problems.add(["workers"], "the engine tensorflow trains in one thread");
  if (learner.rule === "td-leaf" && located.exploration.kind !== "epsilon-greedy")
    problems.add(["exploration", "kind"], "TDLeaf explores epsilon-greedily");
  const states = game && problems.at(["openings", "states"], () => readStates(game, openings.states));
  if (game !== undefined && agents !== undefined) {
    for (const [at, { name: _, ...spec }] of rating.pool.entries())
      problems.at(["rating", "pool", at], () =>
        prepareAgent(game, spec, { families: agents, loadEvaluator }),
      );
    problems.at(["rating", "player"], () => checkPlayer(game, rating.player, agents));
  }
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
    states,
    search,
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
  const { evaluator, learner, openings } = checked;
  const { initial } = evaluator;
  return {
    ...checked,
    evaluator:
      initial !== undefined && "file" in initial
        ? { ...evaluator, initial: { file: resolve(baseDir, initial.file) } }
        : evaluator,
    learner:
      learner.rule === "td-leaf"
        ? {
            ...learner,
            search: locateAgent(
              typeof learner.search === "string"
                ? parse(learner.search, ["learner", "search"])
                : learner.search,
            ),
          }
        : learner,
    openings:
      typeof openings.states === "string"
        ? { ...openings, states: resolve(baseDir, openings.states) }
        : openings,
    game: { ...game, id: resolvePluginId(game.id, baseDir) },
    rating: { ...rating, player: locateAgent(player), pool },
  };
}

function searchOf({ learner }: { learner: CheckedConfig["learner"] }): AgentSpec[] {
  return learner.rule === "td-leaf" ? [learner.search as AgentSpec] : [];
}

/** Throws InputError where the evaluator does not fit the game or its initial weights do not fit it. */
function checkEvaluator(game: Game, config: CheckedConfig): void {
  const model = storedModel(game, config.evaluator);
  if (model.kind === "network") createLearnable(game, model, initialWeights(game, config, ofZeros));
  else if (config.evaluator.initial !== undefined && !("value" in config.evaluator.initial))
    initialWeights(game, config, ofZeros);
}

function ofZeros(_: string, length: number): Float32Array {
  return new Float32Array(length);
}

function readStates(game: Game, given: string | readonly string[] | undefined): State[] | undefined {
  if (given === undefined) return undefined;
  const texts = typeof given === "string" ? readLines(given) : given;
  const states = texts.map((text) => game.parseState(text));
  const over = texts[states.findIndex((state) => state.toMove === TERMINAL)];
  if (over !== undefined) throw new InputError(`the game is over in "${over}"`);
  return states;
}

function readLines(path: string): string[] {
  try {
    const lines = readFileSync(path, "utf8").split("\n");
    return lines.map((line) => line.trim()).filter((line) => line !== "");
  } catch (error) {
    throw new InputError(`cannot be read: ${(error as Error).message}`, path);
  }
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
