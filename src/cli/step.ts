import process from "node:process";
import { createInterface } from "node:readline";
import { z } from "zod";
import { check } from "../base/check.ts";
import { InputError } from "../base/errors.ts";
import { Environment, type Stepped } from "../players/environment.ts";
import { agentArgument, gameArgument } from "./shared/arguments.ts";
import { defineCommand, print } from "./shared/command.ts";

/** A request: games that begin, games that go on, games to draw. */
const requestSchema = z.strictObject({
  reset: z.array(z.tuple([z.int().min(0), z.string()])).optional(),
  step: z.array(z.tuple([z.int().min(0), z.int()])).optional(),
  render: z.array(z.int().min(0)).optional(),
});

export const step = defineCommand({
  builder: (yargs) =>
    yargs
      .positional("game", { type: "string", demandOption: true, describe: "id, or id:option=value,..." })
      .option("against", {
        type: "string",
        describe: "the agent in the other seats, agent:key=value,... [you step all seats]",
      })
      .option("seat", { type: "number", default: 1, describe: "your seat against an agent, from 1" })
      .option("observation", {
        type: "string",
        describe: "board, codes, or a feature set [codes where something is hidden, else the board]",
      })
      .option("all-views", {
        type: "boolean",
        default: false,
        describe: "tell what every player observes, and not only the one to move",
      }),
  examples: [
    ["agon step connect-four", "for programs: a request a line, an answer a line"],
    ["agon step connect-four --against mcts:simulations=100", "the other seat is played"],
  ],
  async handler(args) {
    const game = await gameArgument(args.game);
    const prepared = args.against === undefined ? undefined : await agentArgument(game, args.against);
    const environment = new Environment(game, {
      observation: args.observation,
      seat: args.seat - 1,
      allViews: args.allViews,
      ...(prepared && { opponent: { create: () => prepared.create(), budget: prepared.budget } }),
    });
    print(JSON.stringify(environment.hello));
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === "") continue;
      print(JSON.stringify(await answer(environment, line)));
    }
  },
});

/** Answers a request. Games before a wrong one have been played. */
async function answer(environment: Environment, line: string): Promise<object> {
  const games: Stepped[] = [];
  const drawn: string[] = [];
  try {
    const { reset = [], step: steps = [], render = [] } = check(requestSchema, parse(line));
    for (const [game, seed] of reset) games.push(await environment.reset(game, seed));
    for (const [game, action] of steps) games.push(await environment.step(game, action));
    for (const game of render) drawn.push(environment.render(game));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { games, error: error.message };
  }
  return { games, ...(drawn.length > 0 && { drawn }) };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new InputError("a request is a JSON object on one line");
  }
}
