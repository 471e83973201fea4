import { InputError } from "../../../base/errors.ts";
import { createRandom } from "../../../base/random.ts";
import { zobristTable } from "../../../base/hashing.ts";
import { takeBest } from "../../../games/contract/facets.ts";
import { CHANCE, defineGame, TERMINAL } from "../../../games/contract/game.ts";
import { describeResult, parseLegal, possibleActions } from "../../../games/contract/notation.ts";
import { divide, perft } from "../../../games/contract/perft.ts";
import { formatPicture, PAINTS } from "../../../games/contract/picture.ts";
import { simpleGame } from "../../../games/contract/simple-game.ts";
import { createGame, games } from "../../../games/index.ts";
import { defineEvaluator, defineFeatures } from "../../../evaluators/index.ts";
import { LinearEvaluator, OUTPUTS } from "../../../evaluators/linear.ts";
import { tupleFeatures, walkTuples } from "../../../evaluators/n-tuple.ts";
import { createNetwork } from "../../../evaluators/network/network.ts";
import { NetworkEvaluator } from "../../../evaluators/network/network-evaluator.ts";
import { describeWeights } from "../../../evaluators/stored-weights.ts";
import { defineAgent } from "../../../agents/agent.ts";
import { agents } from "../../../agents/index.ts";
import { fittingAgents } from "../../../agents/prepare.ts";
import * as schemas from "./schemas.ts";

/**
 * The values of `agon-arena` that the page does not have, by the reason.
 * @internal A test compares them with the library.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  "needs files":
    "importModel loadLayersModel saveLayersModel loadWeights saveWeights inspectWeights findEvaluator loadEvaluator " +
    "loadAgent locateAgent prepareAgent loadTournament loadRounds loadRuns saveReports openRun Store verifyRun",
  "plays, rates or trains":
    "planTournament playTournament runTournament Referee raiseInliningBudget reportRun formatReport createReport rate " +
    "ENDINGS parseAgentSpec formatAgentSpec trainFromConfig formatCurveTable loadSweep planSweep runSweep",
  "examines code before it is used": "checkAgent checkEvaluator checkGame formatFinding",
  "solves endgames": "buildClass classesFor ClassTables UNKNOWN solveWhole",
  "shows searches": "ALGORITHMS algorithmOf observeSearch stepsOf drawSearchTree formatSearchTree",
};

const reasons = new Map(
  Object.entries(LEFT_OUT).flatMap(([reason, names]) => names.split(" ").map((name) => [name, reason])),
);

/** `agon-arena` for the user's code in a page. A value that is left out throws a TypeError when it is read. */
export const library: Readonly<Record<string, unknown>> = guarded(
  {
    // The user's code is CommonJS by now, and asks whether this was an ES module.
    __esModule: true,
    z: guarded(
      { ...schemas },
      (name) => `z.${name} is not in the page, which has the part of zod for options`,
    ),
    InputError,
    createRandom,
    zobristTable,
    takeBest,
    CHANCE,
    defineGame,
    TERMINAL,
    describeResult,
    parseLegal,
    possibleActions,
    divide,
    perft,
    formatPicture,
    PAINTS,
    simpleGame,
    createGame,
    games,
    defineEvaluator,
    defineFeatures,
    LinearEvaluator,
    OUTPUTS,
    tupleFeatures,
    walkTuples,
    createNetwork,
    NetworkEvaluator,
    describeWeights,
    defineAgent,
    agents,
    fittingAgents,
  },
  (name) => {
    const reason = reasons.get(name);
    return reason === undefined
      ? `agon-arena has no ${name}`
      : `${name} of agon-arena is not in the page: it ${reason}`;
  },
);

/** The members, whose names alone can be read. */
function guarded(
  members: Readonly<Record<string, unknown>>,
  problem: (name: string) => string,
): Readonly<Record<string, unknown>> {
  return new Proxy(members, {
    get(_, name) {
      if (typeof name === "symbol" || Object.hasOwn(members, name)) return members[name as string];
      throw new TypeError(problem(name));
    },
  });
}
