/** What another program imports: everything that the command line does, and the contracts to add to it. */
export { z } from "zod";
export { InputError, type Problem } from "./base/errors.ts";
export { raiseInliningBudget } from "./base/inlining.ts";
export { createRandom, type Random } from "./base/random.ts";
export { zobristTable } from "./base/zobrist.ts";
export {
  CHANCE,
  defineGame,
  TERMINAL,
  type Board,
  type Evaluator,
  type FeatureSet,
  type Game,
  type GameFamily,
  type Heuristic,
  type Policy,
  type PolicyFamily,
  type State,
} from "./games/game.ts";
export { createGame, games, type GameSpec } from "./games/index.ts";
export { parseLegal, possibleActions } from "./games/notation.ts";
export { divide, perft, type DivideRow } from "./games/perft.ts";
export { takeBest } from "./games/policy.ts";
export { inspectWeights, type Inspection } from "./evaluators/inspect/inspect.ts";
export { LinearEvaluator, OUTPUTS, type Output } from "./evaluators/linear.ts";
export { tupleFeatures, walkTuples } from "./evaluators/n-tuple.ts";
export { loadLayersModel, saveLayersModel } from "./evaluators/network/layers-model.ts";
export { createNetwork, type DenseLayer, type Network } from "./evaluators/network/network.ts";
export { NetworkEvaluator } from "./evaluators/network/network-evaluator.ts";
export { loadEvaluator } from "./evaluators/index.ts";
export { describeWeights, loadWeights, saveWeights, type WeightsFile } from "./evaluators/weights-file.ts";
export {
  defineAgent,
  type Agent,
  type AgentFamily,
  type AgentParts,
  type Decision,
  type Turn,
} from "./agents/agent.ts";
export type { Budget } from "./agents/budget.ts";
export { agents } from "./agents/index.ts";
export { fittingAgents, prepareAgent, type PreparedAgent } from "./agents/prepare.ts";
export { formatAgentSpec, parseAgentSpec, type AgentSpec } from "./agents/spec.ts";
export { checkAgent, type AgentCheckOptions, type AgentSource } from "./checks/check-agent.ts";
export { checkEvaluator } from "./checks/check-evaluator.ts";
export { checkGame, type GameCheckOptions } from "./checks/check-game.ts";
export { formatFinding, type CheckResult, type Finding } from "./checks/finding.ts";
export { loadTournament, planTournament, type TournamentConfig } from "./arena/config.ts";
export type { Entrant, Openings, TournamentPlan } from "./arena/plan.ts";
export { Table, type GameResult, type GameSetup, type Seat } from "./arena/play-game.ts";
export { rate, type Anchor, type Rating } from "./arena/ratings/rate.ts";
export { ENDINGS, type Ending, type GameRecord } from "./arena/record.ts";
export { loadRuns, reportRun, saveReports } from "./arena/report-run.ts";
export { formatReport, type ReportFormat } from "./arena/report/format.ts";
export { createReport, type Report } from "./arena/report/report.ts";
export { runTournament, type Progress, type RunOptions, type RunOutcome } from "./arena/run.ts";
export { openRun } from "./arena/run-folder.ts";
export { Store } from "./arena/store.ts";
export { verifyRun, type Verification } from "./arena/verify.ts";
export { trainFromConfig, type TrainingRequest, type TrainingResult } from "./training/index.ts";
