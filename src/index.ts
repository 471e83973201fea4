/** The library: the functions behind the command line, and the contracts of games, agents and evaluators. */
export * from "./browser.ts";
export { raiseInliningBudget } from "./arena/play/inlining.ts";
export { inspectWeights } from "./report/inspect-weights.ts";
export { importModel } from "./specs/files/import-model.ts";
export { loadLayersModel, saveLayersModel } from "./specs/files/layers-model-file.ts";
export { findEvaluator, loadEvaluator } from "./specs/evaluators.ts";
export { loadWeights, saveWeights } from "./specs/files/weights-file.ts";
export {
  formatAgentSpec,
  loadAgent,
  locateAgent,
  parseAgentSpec,
  type Entrant,
  readAgent as prepareAgent,
} from "./specs/agents.ts";
export type { BlockScore, Match, Past } from "./arena/formats/format.ts";
export { loadTournament, planTournament, type TournamentConfig } from "./arena/plan/config.ts";
export type { Openings, TournamentPlan } from "./arena/plan/plan.ts";
export { Referee, type GameResult, type Seat } from "./arena/play/referee.ts";
export { loadRounds, loadRuns, reportRun, saveReports } from "./arena/results/runs.ts";
export { runTournament, type RunOptions, type RunOutcome } from "./arena/play/run.ts";
export type { RunProgress } from "./arena/play/standings.ts";
export { playTournament, type TournamentRequest, type TournamentResult } from "./arena/tournament.ts";
export { openRun } from "./arena/store/run-folder.ts";
export { Store } from "./arena/store/store.ts";
export { verifyRun, type Verification } from "./arena/play/verify.ts";
export { formatCurveTable } from "./training/curve/formats.ts";
export { trainFromConfig, type TrainingRequest } from "./training/run/train.ts";
export type { TrainingProgress } from "./training/run/times.ts";
export type { TrainingResult } from "./training/run/training.ts";
export { runSweep, type SweepRequest } from "./training/sweep/run-sweep.ts";
export { loadSweep, planSweep, type Sweep } from "./training/sweep/sweep.ts";
export type { SweepReport } from "./training/sweep/sweep-report.ts";
export type { TrainingConfig } from "./training/plan/config.ts";
