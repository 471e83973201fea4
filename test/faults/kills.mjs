/*
 * Kills: a tournament or a training is killed at random moments and resumed, until it comes to its end. What it leaves
 * must be what an undisturbed run leaves: the same games, weights and reports, no file more and none less.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import {
  agon,
  atMost,
  ending,
  gamesOf,
  isTold,
  killGroup,
  put,
  ROOT,
  start,
  withoutTimes,
} from "./support.mjs";

const MAX_KILLS = 16;
/** All: the workers die with the program, as in a power cut; else they must notice that it is gone. */
const ALL = "SIGKILL of all";
const SIGNALS = ["SIGKILL", "SIGKILL", ALL, ALL, "SIGINT", "SIGTERM", "SIGQUIT", "SIGSTOP"];
const LIMIT_MS = 240_000;
/** A stop for this time at most. */
const STOP_MS = 1500;

export const TOURNAMENTS = [
  { game: "tic-tac-toe", blocks: 60, openings: { randomPlies: 2 } },
  { game: "connect-four", blocks: 12, openings: { randomPlies: 3 } },
  { game: "breakthrough", blocks: 6, openings: { randomPlies: 2 } },
  { game: { id: "nim", piles: [3, 5, 7], players: 3 }, blocks: 30 },
  { game: "pig", blocks: 25 },
  { game: { id: "othello", size: 6 }, blocks: 8, openings: { randomPlies: 4 } },
];
/** Agents that play all of these games, and end with the same games whenever they are killed. */
export const ENTRANTS = [
  "random",
  "max-n:depth=2",
  "mcts:simulations=40",
  "mcts:simulations=15",
  "greedy:evaluator=none",
];
const PLUGINS = ["last.mjs", "throws.ts", "illegal.ts", "exits.ts"].map((name) =>
  join(ROOT, "test/fixtures/agents", name),
);

const RATING = { player: "greedy", pool: ["random", "max-n:depth=1"], blocks: 4 };
const TRAININGS = [
  {
    game: "tic-tac-toe",
    games: 4000,
    evaluator: { kind: "linear", features: "lines" },
    learner: { lambda: 0.7, stepSize: { from: 0.1, to: 0.01 } },
    exploration: { epsilon: 0.2 },
  },
  {
    game: "connect-four",
    games: 1200,
    evaluator: { kind: "n-tuple", tuples: [{ lines: 4 }, { count: 3, length: 5 }] },
    learner: { lambda: 0.8, stepSize: 0.5, normalized: true, coherence: true },
    exploration: { epsilon: 0.1 },
  },
  {
    game: "pig",
    games: 600,
    evaluator: { kind: "network", features: undefined, hidden: [8], head: "value" },
    learner: { rule: "lambda-returns", lambda: 0.7, stepSize: 0.003, batch: 32 },
    exploration: { epsilon: 0.1 },
  },
  {
    game: "tic-tac-toe",
    games: 300,
    evaluator: { kind: "linear", features: "lines" },
    learner: { rule: "td-leaf", search: "alpha-beta:depth=2", lambda: 0.7, stepSize: 0.05 },
    exploration: { epsilon: 0.1 },
  },
];

export async function killsCase({ dir, dice, report }) {
  return dice.chance(0.5) ? killTournament(dir, dice, report) : killTraining(dir, dice, report);
}

async function killTournament(dir, dice, report) {
  const plugins = dice.chance(0.5) ? dice.draw(PLUGINS, dice.between(1, 2)) : [];
  const chosen = dice.pick(TOURNAMENTS);
  // An agent that ends its worker costs the start of another one in each of its games.
  const share = plugins.some((path) => path.endsWith("exits.ts")) ? 8 : 1;
  const config = {
    ...chosen,
    blocks: Math.ceil(chosen.blocks / share),
    name: "killed",
    seed: dice.below(1000),
    entrants: [...dice.draw(ENTRANTS, dice.between(3, 4)), ...plugins],
  };
  const path = put(join(dir, "config.json"), config);
  const kills = await killed("run", {
    path,
    dir,
    dice,
    report,
    workers: () => ["--workers", dice.between(1, 3)],
  });
  if (kills === undefined) return 0;
  const [whole, resumed] = [join(dir, "whole"), join(dir, "resumed")];
  const [games, again] = [gamesOf(whole), gamesOf(resumed)];
  compareGames(games, again, report);
  const [first, second] = [whole, resumed].map((run) => withoutTimes(join(run, "report.json")));
  if (first !== second) report("the reports differ", { first, second });
  return kills;
}

async function killTraining(dir, dice, report) {
  const chosen = dice.pick(TRAININGS);
  const isNetwork = chosen.evaluator.kind === "network";
  const config = {
    ...chosen,
    name: "killed",
    seed: dice.below(1000),
    // Learning in one thread, and in rounds.
    ...(dice.chance(0.5) && { round: dice.between(1, 60) }),
    checkpoints: dice.between(1, 4),
    rating: RATING,
    evaluator: isNetwork
      ? { ...chosen.evaluator, features: dice.pick(await featuresOf("pig")) }
      : chosen.evaluator,
  };
  const path = put(join(dir, "config.json"), config);
  const workers = () => ["--workers", dice.between(1, 2)];
  const kills = await killed("train", { path, dir, dice, report, workers });
  if (kills === undefined) return 0;
  const [whole, resumed] = [join(dir, "whole"), join(dir, "resumed")];
  for (const name of filesOf(whole).filter((file) =>
    /(weights|best|model|\d+)\.json$|\.bin$|curve/.test(file),
  )) {
    // The header has the day.
    const [first, second] = [whole, resumed].map((run) =>
      readFileSync(join(run, name), "latin1").replace(/"date":\s*"[^"]*"/, ""),
    );
    if (first !== second)
      report(`${name} differs from that of an undisturbed training`, { kind: `file ${name}` });
  }
  compareGames(gamesOf(whole), gamesOf(resumed), report);
  return kills;
}

async function featuresOf(id) {
  const { createGame } = await import("../../build/games/index.js");
  return Object.keys(createGame(id).featureSets);
}

/** An undisturbed run in `whole`, and one that is killed again and again in `resumed`. Returns the number of kills. */
async function killed(command, { path, dir, dice, report, workers }) {
  const line = (out, ...more) => [command, path, "--out", out, "--quiet", ...workers().map(String), ...more];
  const begun = performance.now();
  const undisturbed = await agon(line("whole"), { cwd: dir, limitMs: LIMIT_MS });
  const wholeMs = performance.now() - begun;
  if (undisturbed.code !== 0) {
    report(`undisturbed, ${ending(undisturbed)}`);
    return undefined;
  }
  let kills = 0;
  for (let count = dice.between(1, MAX_KILLS); count > 0; count--) {
    const { child, outcome } = start(line("resumed", "--resume"), { cwd: dir, limitMs: LIMIT_MS });
    const signal = dice.pick(SIGNALS);
    await atMost(wholeMs * dice.random.float(), outcome);
    kills++;
    if (signal === ALL) {
      killGroup(child);
    } else if (signal === "SIGSTOP") {
      child.kill("SIGSTOP");
      await setTimeout(dice.below(STOP_MS));
      child.kill("SIGCONT");
      await atMost(wholeMs * dice.random.float(), outcome);
      killGroup(child);
    } else {
      child.kill(signal);
    }
    const ended = await outcome;
    const isStopped = ended.signal !== null || ended.code === 130 || ended.code === 0;
    if (ended.late || (!isStopped && !isTold(ended)) || (!isStopped && ended.code !== 130))
      report(`after ${signal}, ${ending(ended)}`, { kind: `after ${signal} ${ended.code}`, ...ended });
    await setTimeout(20);
  }
  const last = await agon(line("resumed", "--resume"), { cwd: dir, limitMs: LIMIT_MS });
  if (last.code !== 0) {
    report(`resumed after ${kills} kills, ${ending(last)}`, { kind: "resumed", ...last });
    return undefined;
  }
  const [first, second] = ["whole", "resumed"].map((run) => filesOf(join(dir, run)));
  if (!isDeepStrictEqual(first, second)) {
    const more = second.filter((name) => !first.includes(name));
    const less = first.filter((name) => !second.includes(name));
    report(`files: more ${more.join(", ") || "none"}; less ${less.join(", ") || "none"}`, { kind: "files" });
  }
  return kills;
}

export function compareGames(games, again, report) {
  const lost = [...games.keys()].filter((id) => !again.has(id));
  const added = [...again.keys()].filter((id) => !games.has(id));
  const changed = [...games].filter(([id, game]) => again.has(id) && !isDeepStrictEqual(game, again.get(id)));
  if (lost.length + added.length > 0) report(`${lost.length} games are lost, ${added.length} are too many`);
  if (changed.length > 0)
    report(`${changed.length} games differ`, { game: changed[0][1], again: again.get(changed[0][0]) });
}

/** All files, sorted; not those that SQLite has while a database is read. */
function filesOf(dir) {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-(wal|shm)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(dir.length + 1))
    .toSorted();
}
