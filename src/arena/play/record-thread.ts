import { parentPort, workerData } from "node:worker_threads";
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

async function answer({ number, packed }: CheckOrder): Promise<CheckAnswer> {
  try {
    const rules = await check;
    return { number, problems: unpackRecords(packed).map((record) => rules.problem(record)) };
  } catch (error) {
    return { number, failure: error instanceof Error ? error.message : String(error) };
  }
}

const port = parentPort!;
port.on("message", (order: CheckOrder) => void answer(order).then((given) => port.postMessage(given)));
