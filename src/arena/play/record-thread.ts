import { parentPort, workerData } from "node:worker_threads";
import { answerCalls } from "../../base/caller.ts";
import { loadAdjudicationTables } from "../plan/adjudication.ts";
import { loadGame } from "../../specs/games.ts";
import { RecordCheck } from "./record-check.ts";
import type { CheckAnswer, CheckOrder, CheckSetup } from "./record-checker.ts";
import { unpackRecords } from "./worker-messages.ts";

/* The thread of a RecordChecker. */

const { game, dir, ...rules } = workerData as CheckSetup;
const check = loadGame(game).then(
  (made) => new RecordCheck(made, rules, loadAdjudicationTables(made, rules.adjudicate, dir)),
);

answerCalls(parentPort!, async (packed: CheckOrder): Promise<CheckAnswer> => {
  const made = await check;
  return unpackRecords(packed).map((record) => made.problem(record));
});
