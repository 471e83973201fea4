import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BUDGET_KEYS } from "../src/agents/agent.ts";
import { readDocument } from "../src/specs/files/documents.ts";
import { findProgram } from "../src/players/player-process.ts";
import { loadAblation } from "../src/arena/suite/ablation.ts";
import { loadSuite } from "../src/arena/suite/config.ts";
import { loadTournament } from "../src/arena/plan/config.ts";
import { loadTuning } from "../src/arena/plan/tuning.ts";
import type { TournamentPlan } from "../src/arena/plan/plan.ts";
import { schedule } from "../src/arena/schedule/rounds.ts";
import { playHere } from "../src/arena/play/worker-pool.ts";
import { checkTraining } from "../src/training/run/train.ts";
import { loadSweep } from "../src/training/sweep/sweep.ts";
import { createGame } from "../src/games/index.ts";
import { temporaryFolder, writeInto } from "./support/agon.ts";
import { everyFew, slowTest } from "./support/thorough.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const tournaments = readdirSync(join(root, "configs/tournaments"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".yaml"))
  .map((name) => join(root, "configs/tournaments", name));

/** Small enough for a test, large enough for every agent to decide. */
const TINY: Readonly<Record<(typeof BUDGET_KEYS)[number], number>> = {
  depth: 2,
  nodes: 50,
  simulations: 5,
  timeMs: 5,
};

const tunings = readdirSync(join(root, "configs/tuning")).map((name) => join(root, "configs/tuning", name));

test.each(tunings)("%s names its schema, loads, and is named after its file", async (path) => {
  expect(readFileSync(path, "utf8").split("\n")[0]).toBe(
    "# yaml-language-server: $schema=../../schema/tuning.json",
  );
  expect((await loadTuning(path)).plan.name).toBe(basename(path, ".yaml"));
});

const ablations = readdirSync(join(root, "configs/ablations")).map((name) =>
  join(root, "configs/ablations", name),
);

test.each(ablations)("%s names its schema, loads, and is named after its file", async (path) => {
  expect(readFileSync(path, "utf8").split("\n")[0]).toBe(
    "# yaml-language-server: $schema=../../schema/ablation.json",
  );
  expect((await loadAblation(path)).name).toBe(basename(path, ".yaml"));
});

const sweeps = readdirSync(join(root, "configs/sweeps")).map((name) => join(root, "configs/sweeps", name));

test.each(sweeps)("%s names its schema, loads, and is named after its file", async (path) => {
  expect(readFileSync(path, "utf8").split("\n")[0]).toBe(
    "# yaml-language-server: $schema=../../schema/training.json",
  );
  expect((await loadSweep(path)).name).toBe(basename(path, ".yaml"));
});

const trainings = readdirSync(join(root, "configs/training")).map((name) =>
  join(root, "configs/training", name),
);

test.each([
  ["tournament", tournaments.find((path) => path.endsWith("quick.yaml"))!, loadTournament],
  ["suite", tournaments.find((path) => path.endsWith("suite.yaml"))!, loadSuite],
  ["ablation", ablations[0]!, loadAblation],
  ["tuning", tunings[0]!, loadTuning],
  ["training", trainings.find((path) => path.endsWith("nim-linear.yaml"))!, checkTraining],
  ["sweep", sweeps[0]!, loadSweep],
])("an error in a %s names line and column", async (_, shipped, load) => {
  const text = `${readFileSync(shipped, "utf8").trimEnd()}\nanchr: 7\n`;
  const path = writeInto(temporaryFolder(), "wrong.yaml", text);
  const [, at] = /^.*wrong\.yaml:(\d+:\d+): anchr: unknown key "anchr"/m.exec(
    await load(path).then(
      () => "",
      (error: Error) => error.message,
    ),
  )!;
  expect(at).toBe(`${text.split("\n").length - 1}:8`);
});

const played = everyFew(tournaments, 12);

/** The programs that a config names and that are not here. */
function missingPrograms(path: string): string[] {
  const { entrants } = readDocument(path) as { entrants: readonly { command?: readonly string[] }[] };
  return entrants.flatMap(({ command = [] }) => command.slice(0, 1)).filter((one) => !findProgram(one));
}

const here = tournaments.filter((path) => missingPrograms(path).length === 0);
const elsewhere = tournaments.filter((path) => !here.includes(path));

test.skip.each(elsewhere.map((path) => [path.slice(root.length), missingPrograms(path).join(", ")]))(
  "%s (left out: there is no %s here)",
  () => {},
);

describe.each(here.map((path) => [path.slice(root.length), path] as const))("%s", (name, path) => {
  test("names its schema, and its run after the file", () => {
    const first = readFileSync(path, "utf8").split("\n")[0]!;
    const schema = /^# yaml-language-server: \$schema=(.*)$/.exec(first)?.[1] ?? "";
    expect(join(dirname(name), schema)).toBe("schema/tournament.json");
  });

  test("loads", async () => {
    expect((await loadSuite(path)).name).toBe(basename(path, ".yaml"));
  });

  const playTest = played.includes(path) ? test : slowTest;
  playTest("has every entrant play in its tiny form", async () => {
    for (const { plan } of (await loadSuite(path)).tournaments) await playTiny(plan, dirname(path));
  });
});

/** Plays the first games that bring all entrants to the board, with small budgets. */
async function playTiny(plan: TournamentPlan, dir: string): Promise<void> {
  const tiny = {
    ...plan,
    blocks: 1,
    ...(plan.time && { time: { ...plan.time, mainMs: 300, incrementMs: 30 } }),
    entrants: plan.entrants.map((entrant) => {
      const budgets = BUDGET_KEYS.filter((key) => entrant.spec[key] !== undefined);
      return {
        ...entrant,
        spec: { ...entrant.spec, ...Object.fromEntries(budgets.map((key) => [key, TINY[key]])) },
      };
    }),
  };
  const players = await playHere({ plan: tiny, dir, writes: false });
  const seen = new Set<number>();
  const games = [...schedule(tiny, createGame(plan.game))].filter(({ seats }) => {
    const before = seen.size;
    for (const entrant of seats) seen.add(entrant);
    return seen.size > before;
  });
  const records = await players.play(games);
  await players.close();
  expect(records).toHaveLength(games.length);
  const allowed = plan.adjudicate === undefined ? ["finished"] : ["finished", "adjudicated"];
  for (const { ending } of records) expect(allowed).toContain(ending);
}
