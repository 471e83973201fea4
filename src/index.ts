/** What another program imports: everything that the command line does, and the contracts to add to it. */
export { z } from "zod";
export { InputError, type Problem } from "./base/errors.ts";
export { raiseInliningBudget } from "./arena/play/inlining.ts";
export type { Thought } from "./base/thought.ts";
export { createRandom, type Random } from "./base/random.ts";
export { zobristTable } from "./base/hashing.ts";
export {
  CHANCE,
  defineGame,
  TERMINAL,
  type EndgameClass,
  type Endgames,
  type Evaluator,
  type Facets,
  type FeatureGrid,
  type FeatureSet,
  type Game,
  type GameDefinition,
  type GameFamily,
  type Heuristic,
  type Layout,
  type Phase,
  type Picture,
  type Policy,
  type PolicyFamily,
  type Rules,
  type Shape,
  type State,
  type Transcript,
  type TranscriptFormat,
  type TupleBoard,
  type Urgency,
} from "./games/game.ts";
export { formatPicture, PAINTS, type Place } from "./games/picture.ts";
export { createGame, games, type GameSpec } from "./games/index.ts";
export { describeResult, parseLegal, possibleActions } from "./games/notation.ts";
export { importModel } from "./specs/import-model.ts";
export { inspectWeights } from "./specs/weights-file.ts";
export type { Inspection } from "./evaluators/inspect/inspect.ts";
export { takeBest } from "./games/facets.ts";
export { divide, perft, type DivideRow, type PerftOptions } from "./games/perft.ts";
export { LinearEvaluator, OUTPUTS, type Output } from "./evaluators/linear.ts";
export { tupleFeatures, walkTuples } from "./evaluators/n-tuple.ts";
export { loadLayersModel, saveLayersModel } from "./specs/layers-model-file.ts";
export { createNetwork, type DenseLayer, type Network } from "./evaluators/network/network.ts";
export { NetworkEvaluator } from "./evaluators/network/network-evaluator.ts";
export {
  defineEvaluator,
  defineFeatures,
  type EvaluatorFamily,
  type FeatureFamily,
} from "./evaluators/index.ts";
export { findEvaluator, loadEvaluator } from "./specs/evaluators.ts";
export { describeWeights, type WeightsFile } from "./evaluators/stored-weights.ts";
export { loadWeights, saveWeights } from "./specs/weights-file.ts";
export { buildClass, classesFor } from "./tables/endgame-build.ts";
export { EndgameTables, type ClassTable, type Tables } from "./tables/tables.ts";
export { UNKNOWN } from "./tables/verdict.ts";
export { solveWhole } from "./tables/whole-game.ts";
export {
  defineAgent,
  type Agent,
  type AgentFamily,
  type AgentParts,
  type AgentSpec,
  type Budget,
  type Decision,
  type Turn,
} from "./agents/agent.ts";
export { agents } from "./agents/index.ts";
export { fittingAgents, type PreparedAgent } from "./agents/prepare.ts";
export {
  formatAgentSpec,
  loadAgent,
  locateAgent,
  parseAgentSpec,
  type Entrant,
  readAgent as prepareAgent,
} from "./specs/agents.ts";
export { ALGORITHMS, type Algorithm, type LineKey } from "./agents/search-tree/algorithms.ts";
export { observeSearch } from "./agents/search-tree/observe.ts";
export type { RecordLimits } from "./agents/search-tree/observer.ts";
export type { SearchIteration, SearchNode, SearchTree } from "./agents/search-tree/search-tree.ts";
export type { ShownLimits } from "./agents/search-tree/shown.ts";
export { stepsOf, type Step } from "./agents/search-tree/steps.ts";
export { drawSearchTree } from "./agents/search-tree/svg.ts";
export { formatSearchTree } from "./agents/search-tree/text.ts";
export { loadTournament, planTournament, type TournamentConfig } from "./arena/plan/config.ts";
export type { Openings, TournamentPlan } from "./arena/plan/plan.ts";
export { Referee, type GameResult, type GameSetup, type Seat } from "./arena/play/referee.ts";
export { rate, type Anchor, type Rating } from "./ratings/rate.ts";
export { ENDINGS, type Ending, type GameRecord, type GameSource } from "./ratings/record.ts";
export { loadRuns, reportRun, saveReports } from "./arena/report/runs.ts";
export { formatReport, type ReportFormat } from "./arena/report/formats.ts";
export { checkAgent, type AgentCheckOptions, type AgentSource } from "./checks/check-agent.ts";
export { checkEvaluator } from "./checks/check-evaluator.ts";
export { checkGame, type GameCheckOptions } from "./checks/check-game.ts";
export { formatFinding, type CheckResult, type Finding } from "./checks/finding.ts";
export { createReport, type Report } from "./ratings/report.ts";
export { runTournament, type RunOptions, type RunOutcome, type RunProgress } from "./arena/play/run.ts";
export { playTournament, type TournamentRequest, type TournamentResult } from "./arena/tournament.ts";
export { openRun } from "./arena/store/run-folder.ts";
export { Store } from "./arena/store/store.ts";
export { verifyRun, type Verification } from "./arena/play/verify.ts";
export { formatCurveTable } from "./training/curve/formats.ts";
export { trainFromConfig, type TrainingRequest } from "./training/run/train.ts";
export type { TrainingProgress, TrainingResult } from "./training/run/training.ts";
export type { TrainingConfig } from "./training/plan/config.ts";
