/** The part of the library that needs no Node: games, agents, evaluators, search trees and ratings. */
export { z } from "zod";
export { InputError, type Problem } from "./base/errors.ts";
export type { Thought } from "./base/thought.ts";
export { createRandom, type Random } from "./base/random.ts";
export { zobristTable } from "./base/hashing.ts";
export {
  CHANCE,
  defineGame,
  TERMINAL,
  type DecisiveMoves,
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
  type ProtocolNotation,
  type Rules,
  type Shape,
  type State,
  type Transcript,
  type TranscriptFormat,
  type TupleBoard,
} from "./games/contract/game.ts";
export { formatPicture, PAINTS, type Place } from "./games/contract/picture.ts";
export { simpleGame, type SimpleDefinition } from "./games/contract/simple-game.ts";
export { createGame, games, type GameSpec } from "./games/index.ts";
export { describeResult, parseLegal, possibleActions } from "./games/contract/notation.ts";
export type { Inspection } from "./explain/weights/inspect.ts";
export { takeBest } from "./games/contract/facets.ts";
export { divide, perft, type DivideRow, type PerftOptions } from "./games/contract/perft.ts";
export { LinearEvaluator, OUTPUTS, type Output } from "./evaluators/linear.ts";
export { tupleFeatures, walkTuples } from "./evaluators/n-tuple.ts";
export { createNetwork, type DenseLayer, type Network } from "./evaluators/network/network.ts";
export { NetworkEvaluator } from "./evaluators/network/network-evaluator.ts";
export {
  defineEvaluator,
  defineFeatures,
  type EvaluatorFamily,
  type FeatureFamily,
} from "./evaluators/index.ts";
export { describeWeights, type WeightsFile } from "./evaluators/stored-weights.ts";
export { buildClass, classesFor } from "./games/endgames/retrograde.ts";
export { ClassTables, type ClassTable, type EndgameTables } from "./games/endgames/endgame-tables.ts";
export { UNKNOWN } from "./games/endgames/endgame-tables.ts";
export { solveWhole } from "./games/endgames/whole-game.ts";
export {
  defineAgent,
  type Agent,
  type AgentFamily,
  type AgentParts,
  type AgentSpec,
  type Budget,
  type Decision,
  type SeatClock,
  type Turn,
} from "./agents/agent.ts";
export { agents } from "./agents/index.ts";
export { fittingAgents, prepareAgent, type AgentSources, type PreparedAgent } from "./agents/prepare.ts";
export { ALGORITHMS, algorithmOf, type Algorithm, type LineKey } from "./explain/tree/text/steps.ts";
export { observeSearch } from "./explain/tree/record/observe.ts";
export type { RecordLimits } from "./explain/tree/record/observer.ts";
export type { SearchIteration, SearchNode, SearchTree } from "./explain/tree/search-tree.ts";
export type { ShownLimits } from "./explain/tree/search-tree.ts";
export { stepsOf, type Step } from "./explain/tree/text/steps.ts";
export { drawSearchTree } from "./explain/tree/picture/svg.ts";
export { formatSearchTree } from "./explain/tree/text/text.ts";
export { rate, type Rating } from "./ratings/elo/rate.ts";
export type { Anchor } from "./ratings/elo/scale.ts";
export { ENDINGS, type Ending, type GameRecord, type GameSource } from "./ratings/record.ts";
export type {
  FormatResults,
  GauntletResults,
  KnockoutResults,
  RunReport,
  SwissResults,
} from "./ratings/format-results.ts";
export { formatReport, type ReportFormat } from "./ratings/sections/format-report.ts";
export { checkAgent, type AgentCheckOptions, type AgentSource } from "./agents/check/check-agent.ts";
export { checkEvaluator } from "./games/check/check-evaluator.ts";
export { checkGame, type GameCheckOptions } from "./games/check/check-game.ts";
export { formatFinding, type CheckResult, type Finding } from "./games/check/finding.ts";
export { createReport, type Report } from "./ratings/report.ts";
