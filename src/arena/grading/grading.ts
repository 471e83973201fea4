import { join } from "node:path";
import { z } from "zod";
import { check } from "../../base/check.ts";
import { InputError, type Problem } from "../../base/errors.ts";
import { eloOfScore } from "../../ratings/elo/scale.ts";
import type { GameRecord } from "../../ratings/record.ts";
import { agentSchema, nameEntrant } from "../../specs/agents.ts";
import { planDocument, type Source } from "../../specs/files/documents.ts";
import {
  configJsonSchema,
  entrantJsonSchema,
  gameJsonSchema,
  toJsonSchema,
  type JsonSchema,
} from "../../specs/json-schema.ts";
import { planTournament } from "../plan/config.ts";
import { MAX_BLOCKS, type TournamentPlan } from "../plan/plan.ts";
import { tournamentSchema } from "../plan/tournament-schema.ts";
import type { Play, TournamentResult } from "../tournament.ts";

/*
 * A grading tests a bot against opponents. Each test is a sequential test of the bot's expected score, and a run of its own.
 */

/** The name of the bot in the runs. */
const BOT = "bot";
/** Plays in place of the bot while the config is checked. */
const STAND_IN = "random";

const percent = z.number().min(1).max(99);

/** The keys that a grading has, and each of its tests. */
const shared = tournamentSchema
  .pick({ game: true, time: true, openings: true, moveTimeoutMs: true, memoryMb: true })
  .extend({
    confidence: z
      .number()
      .min(50.01)
      .max(99.99)
      .describe(
        "percent of the bots at `score` that pass, and of those `margin` below it that fail, at least [95]",
      ),
    margin: percent.describe("percent below `score` at which a bot shall fail"),
    games: z.int().min(2).max(MAX_BLOCKS).describe("the most games of a test"),
    round: z
      .int()
      .min(1)
      .describe("blocks between two looks at the results; a block is one opening with each seat"),
  });

const testSchema = shared.partial().extend({
  name: z.string().min(1).optional().describe("its name in the marks [score and opponent]"),
  against: agentSchema.describe("the opponent"),
  score: percent.describe("percent of the points of a game that the bot shall reach; a draw is half a point"),
  points: z.number().min(0).max(1000).default(1).describe("the marks for passing"),
});

/** The shape of a grading's file. Games and agents are checked after it. */
const gradingSchema = shared.extend({
  name: tournamentSchema.shape.name,
  confidence: shared.shape.confidence.default(95),
  margin: shared.shape.margin.default(5),
  games: shared.shape.games.default(1000),
  round: shared.shape.round.default(5),
  seed: tournamentSchema.shape.seed,
  sandbox: z.boolean().default(false).describe("shuts the bot in (docs/reliability.md)"),
  tests: z
    .array(testSchema)
    .min(1)
    .describe("the tests, each against one opponent; keys of the grading may be others for a test"),
});

/** A checked grading. */
export interface GradingPlan {
  readonly name: string;
  readonly sandbox: boolean;
  readonly tests: readonly TestPlan[];
}

interface TestPlan {
  readonly name: string;
  readonly opponent: string;
  /** Percent. */
  readonly score: number;
  /** Percent: at this score a bot shall fail. */
  readonly low: number;
  /** Percent. */
  readonly confidence: number;
  readonly points: number;
  /** The run of a bot, an entrant as configs write it. Throws InputError where it cannot play. */
  plan(bot: object): Promise<TournamentPlan>;
}

/** Reads and checks a grading's file; throws InputError with its problems. */
export async function loadGrading(path: string): Promise<GradingPlan> {
  return planDocument(path, planGrading);
}

/**
 * Checks a grading; throws InputError with the problems of the first wrong test.
 * @internal tests have no files
 */
export async function planGrading(config: unknown, from: Source): Promise<GradingPlan> {
  const { name, sandbox, seed, tests, ...common } = check(gradingSchema, config, from.source);
  const plans: TestPlan[] = [];
  for (const [at, { name: label, against, score, points, ...own }] of tests.entries()) {
    const { confidence, margin, games, ...keys } = { ...common, ...own } as typeof common;
    const error = 1 - confidence / 100;
    if (score <= margin)
      throw new InputError(
        [{ path: `tests[${at}].score`, message: `must be above the margin of ${margin}` }],
        from.source,
      );
    const opponent = nameEntrant(against);
    const low = score - margin;
    const [elo0, elo1] = [low, score].map((one) => eloOfScore(one / 100));
    const plan = async (bot: object): Promise<TournamentPlan> => {
      const planned = await planTournament(
        {
          name: `${name}-${at + 1}`,
          seed,
          format: { type: "sprt", elo0, elo1, alpha: error, beta: error },
          blocks: games,
          ...keys,
          entrants: [{ ...bot, name: BOT }, opponent],
        },
        { baseDir: from.baseDir },
      );
      return { ...planned, blocks: Math.ceil(games / planned.players) };
    };
    try {
      await plan({ agent: STAND_IN });
    } catch (thrown) {
      if (!(thrown instanceof InputError)) throw thrown;
      throw new InputError(
        thrown.problems.map((problem) => placed(problem, at, Object.keys(own))),
        from.source,
      );
    }
    plans.push({
      name: label ?? `${score}% against ${opponent.name}`,
      opponent: opponent.name,
      score,
      low,
      confidence,
      points,
      plan,
    });
  }
  return { name, sandbox, tests: plans };
}

/** A problem of a test's run, at its place in the config. */
function placed({ path, message }: Problem, at: number, own: readonly string[]): Problem {
  const test = `tests[${at}]`;
  const [, inside] = /^entrants\[\d+\](.*)$/.exec(path) ?? [];
  if (inside !== undefined) return { path: `${test}.against${inside === ".agent" ? "" : inside}`, message };
  const isOwn = own.some((key) => path.startsWith(key));
  return { path: isOwn ? `${test}.${path}` : path, message };
}

/** The way in which a test ended. */
type Verdict = "reached" | "missed" | "undecided" | "unplayable";

/** The mark of a test. Its keys are part of the JSON contract. */
export interface Mark {
  readonly name: string;
  readonly opponent: string;
  readonly passed: boolean;
  /** The marks that the bot got: `maxPoints` or 0. */
  readonly points: number;
  readonly maxPoints: number;
  /** `undecided`: the games were over before the test was; `unplayable`: the bot did not start, or refused the game. */
  readonly verdict: Verdict;
  /** Percent: what it takes to pass. */
  readonly wanted: number;
  /** Percent of the points; null without games. */
  readonly score: number | null;
  readonly games: number;
  readonly wins: number;
  readonly draws: number;
  readonly losses: number;
  /** The bot's own forfeits by ending, most frequent first, each with the sentence of the first one. */
  readonly forfeits: readonly { readonly ending: string; readonly games: number; readonly detail: string }[];
  /** The reason in a sentence. */
  readonly reason: string;
}

/** The marks of a bot. */
export interface Grades {
  readonly name: string;
  readonly passed: boolean;
  readonly points: number;
  readonly maxPoints: number;
  readonly tests: readonly Mark[];
}

/**
 * Plays the tests of a grading. A bot that cannot play gets no points, with the reason. Undefined if it was stopped.
 * @param bot an entrant as configs write it, with absolute paths
 * @param options.dir the folder of the runs, each in a folder named by its number [none: games are not kept]
 */
export async function grade(
  grading: GradingPlan,
  bot: object,
  { dir, resume, play }: { readonly dir: string | undefined; readonly resume: boolean; readonly play: Play },
): Promise<Grades | undefined> {
  const marks: Mark[] = [];
  for (const [at, test] of grading.tests.entries()) {
    const planned = await test
      .plan({ ...bot, ...(grading.sandbox && { sandbox: true }) })
      .catch((error: unknown) => {
        if (error instanceof InputError) return error;
        throw error;
      });
    if (planned instanceof InputError) {
      marks.push(
        markOf(
          test,
          "unplayable",
          `The bot cannot play: ${planned.problems.map(({ message }) => message).join("; ")}.`,
        ),
      );
      continue;
    }
    const folder = dir === undefined ? undefined : join(dir, String(at + 1));
    const played = await play(planned, { outDir: folder, resume });
    if (!played.complete) return undefined;
    const { decision, llr } = played.report.sprt!;
    const verdict = decision === "H1" ? "reached" : decision === "H0" ? "missed" : "undecided";
    marks.push(markOf(test, verdict, sentenceOf(test, verdict, llr), { played, isLikely: llr > 0 }));
  }
  return {
    name: grading.name,
    passed: marks.every(({ passed }) => passed),
    points: sum(marks.map(({ points }) => points)),
    maxPoints: sum(marks.map(({ maxPoints }) => maxPoints)),
    tests: marks,
  };
}

function sentenceOf({ score, low, confidence }: TestPlan, verdict: Verdict, llr: number): string {
  if (verdict === "reached") return `Its expected score is above ${low}% (${confidence}% confidence).`;
  if (verdict === "missed") return `Its expected score is below ${score}% (${confidence}% confidence).`;
  return `The games are over before the test was decided; ${score}% fits them ${llr > 0 ? "better" : "worse"} than ${low}%.`;
}

function markOf(
  test: TestPlan,
  verdict: Verdict,
  reason: string,
  { played, isLikely = false }: { readonly played?: TournamentResult; readonly isLikely?: boolean } = {},
): Mark {
  const passed = verdict === "reached" || (verdict === "undecided" && isLikely);
  const {
    score,
    games = 0,
    wins = 0,
    draws = 0,
    losses = 0,
  } = played?.report.entrants.find(({ name }) => name === BOT) ?? {};
  return {
    name: test.name,
    opponent: test.opponent,
    passed,
    points: passed ? test.points : 0,
    maxPoints: test.points,
    verdict,
    wanted: test.score,
    score: score === undefined ? null : 100 * score,
    games,
    wins,
    draws,
    losses,
    forfeits: forfeitsIn(played?.records ?? []),
    reason,
  };
}

function forfeitsIn(records: readonly GameRecord[]): Mark["forfeits"] {
  const found = new Map<string, Mark["forfeits"][number]>();
  for (const { seats, forfeitSeat, ending, detail } of records) {
    if (seats[forfeitSeat] !== 0) continue;
    const known = found.get(ending) ?? { ending, games: 0, detail };
    found.set(ending, { ...known, games: known.games + 1 });
  }
  return [...found.values()].toSorted((one, other) => other.games - one.games);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** JSON Schema of grading files, for editors. */
export function gradingJsonSchema(): JsonSchema {
  const schema = toJsonSchema(gradingSchema) as { properties: Record<string, JsonSchema> };
  const tests = schema.properties["tests"] as { items: { properties: JsonSchema } };
  const { items } = tests;
  const inner = {
    ...items.properties,
    game: gameJsonSchema(),
    against: { description: "the opponent", ...entrantJsonSchema() },
  };
  return configJsonSchema("grading", schema, {
    game: gameJsonSchema(),
    tests: { ...tests, items: { ...items, properties: inner } },
  });
}
