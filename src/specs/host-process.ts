import { writeSync } from "node:fs";
// oxlint-disable-next-line no-restricted-imports -- it is the process of a hosted agent
import process from "node:process";
import { createInterface } from "node:readline";
import { describeThrown } from "../base/thrown.ts";
import { InputError } from "../base/errors.ts";
import { loadAgent, planSpec } from "./agents.ts";
import type { PlanMessage, PlannedMessage } from "./hosts.ts";
import { loadGame } from "./games.ts";
import type { FromPlayer, Hello } from "../players/json-lines/messages.ts";
import { JsonLinesEngine, type Prepared } from "../players/engine/json-lines.ts";

/*
 * The process of an agent that is code of the user's, or uses such code. It is a player of agon's own protocol, and fills in
 * the specs of such agents for the plan of a tournament.
 */

// Standard output has the messages alone; the agent's own output goes to standard error.
const output = 1;
process.stdout.write = process.stderr.write.bind(process.stderr);

function send(message: FromPlayer | PlannedMessage): void {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(output, rest));
    } catch (error) {
      // The agent has closed it.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") process.exit(1);
    }
  }
}

async function prepare({ game: spec, agent }: Hello): Promise<Prepared> {
  const game = await loadGame(spec);
  // The limits come with each decision.
  const prepared = await loadAgent(game, agent as Parameters<typeof loadAgent>[1], { hasClocks: true });
  return {
    game,
    agent: prepared.create(),
    budget: prepared.budget,
    heeds: prepared.family.budgets,
  };
}

/** Fills in specs and makes each agent once. */
async function plan({ game: spec, agents, limits }: PlanMessage): Promise<PlannedMessage> {
  const game = await loadGame(spec);
  const results: PlannedMessage["results"][number][] = [];
  for (const agent of agents) {
    try {
      results.push({ spec: await planSpec(game, agent, limits) });
    } catch (error) {
      const problems =
        error instanceof InputError
          ? error.problems
          : [{ path: "", message: `cannot be made: ${describeThrown(error)}` }];
      results.push({ problems: problems.map(({ path, message }) => ({ path: String(path), message })) });
    }
  }
  return { type: "planned", results };
}

const engine = new JsonLinesEngine("agon", { prepare, send });

async function hear(line: string): Promise<void> {
  const message = JSON.parse(line) as Hello | PlanMessage;
  if (message.type !== "plan") return engine.hear(line);
  try {
    send(await plan(message));
  } catch (error) {
    send({ type: "refuse", reason: error instanceof Error ? error.message : describeThrown(error) });
  }
}

// A timer or a promise that the agent left behind has thrown.
process.on("uncaughtException", (error: unknown) =>
  send({ type: "error", detail: `${describeThrown(error)}, in code that it left behind` }),
);
// One message is answered after the other.
let answered = Promise.resolve();
createInterface({ input: process.stdin }).on("line", (line) => {
  answered = answered.then(async () => hear(line));
});
process.stdin.on("end", () => process.exit());
