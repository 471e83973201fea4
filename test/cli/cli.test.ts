import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { createGame, games } from "../../src/games/index.ts";
import { formatPicture } from "../../src/games/contract/picture.ts";
import { engines } from "../../src/players/engines.ts";
import { findProgram } from "../../src/players/player-process.ts";
import { agon, MAIN, temporaryFolder, writeInto } from "../support/agon.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const json = async (args: readonly string[]) => {
  const { code, stdout, stderr } = await agon(args);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as unknown;
};

describe("wrong use", () => {
  const WRONG: readonly (readonly [args: string[], message: RegExp])[] = [
    [[], /a command is missing/],
    [["vrify", "x"], /unknown command "vrify" \(did you mean "verify"\?\); allowed: run, rate, /],
    [["xyzzy"], /unknown command "xyzzy"; allowed: run, rate, /],
    [["games", "nim", "chess"], /unknown argument "chess"/],
    [["match", "nim", "random", "--block", "3"], /unknown option --block \(did you mean "blocks"\?\)/],
    [["run"], /Not enough non-option arguments/],
    [["run", "x.yaml", "--wrokers", "2"], /unknown option --wrokers \(did you mean "workers"\?\)/],
    [["run", "no-such.yaml"], /no-such.yaml: cannot be read: ENOENT/],
    [["run", "x.yaml", "--workers", "0"], /--workers must be a whole number from 1 to 256, got 0/],
    [["run", "x.yaml", "--workers", "two"], /--workers must be a whole number from 1 to 256, got NaN/],
    [["games", "quoridor"], /unknown game "quoridor"/],
    [["agents", "alphabeta"], /unknown agent "alphabeta" \(did you mean "alpha-beta"\?\)/],
    [["perft", "connect-four", "-1"], /--depth must be a whole number of at least 1, got -1|Not enough/],
    [["perft", "connect-four:width=3", "2"], /width: must be at least 4, got 3/],
    [
      ["analyze", "connect-four", "--agent", "alpha-beta"],
      /alpha-beta: alpha-beta needs a budget: depth, nodes, timeMs/,
    ],
    [
      ["analyze", "connect-four", "--agent", "alpha-beta:depth"],
      /"depth" in "alpha-beta:depth" is not key=value/,
    ],
    [
      ["analyze", "connect-four", "--agent", "random", "--state", "48"],
      /move 2 of "48" is "8"; allowed: a column 1 to 7/,
    ],
    [
      ["analyze", "connect-four", "--agent", "random", "--state", "1213141"],
      /^the game is over in ".*": player 1 has won \(four in a line\)$/m,
    ],
    [
      ["play", "connect-four", "--agent", "random", "--seat", "3"],
      /--seat must be a whole number from 1 to 2, got 3/,
    ],
    [
      ["match", "nim", "random", "random", "--time", "soon"],
      /time: "soon" is no time control; write seconds:/,
    ],
    [["match", "connect-four", "random"], /entrants: 1 given; connect-four needs at least 2/],
    [
      ["match", "pig", "random", "alpha-beta:depth=2"],
      /alpha-beta cannot play pig, which has chance; agents that fit: /,
    ],
    [
      ["analyze", "nim", "--agent", "random", "--multipv", "0"],
      /--multipv must be a whole number of at least 1/,
    ],
    [["verify", "/no/such/run"], /no run here/],
    [["report"], /^agon report needs the folder of a run or training, .* agon serve shows all/],
  ];

  test.each(everyFew(WRONG, 12))("%j: exit code 2 and what is wrong", async (args, message) => {
    const { code, stdout, stderr } = await agon(args);
    expect(stderr).toMatch(message);
    expect(stdout).toBe("");
    expect(code).toBe(2);
  });

  slowTest("every command has help with examples", async () => {
    const { stdout } = await agon(["--help"]);
    const [, list] = /Commands:\n([^]*?)\n\n/.exec(stdout)!;
    expect(list!.split("\n").filter((line) => !/^ {2}agon .* {2}\S.{0,40}$/.test(line))).toEqual([]);
    const commands = [...stdout.matchAll(/^ {2}agon ([\w-]+)/gm)].map((found) => found[1]!);
    expect(commands).toEqual([
      "run",
      "rate",
      "cite",
      "report",
      "serve",
      "init",
      "match",
      "ladder",
      "grade",
      "plan",
      "train",
      "play",
      "analyze",
      "tree",
      "inspect",
      "import-model",
      "solve",
      "tables",
      "book",
      "openings",
      "positions",
      "perft",
      "check",
      "engine",
      "step",
      "gtp",
      "uci",
      "schema",
      "verify",
      "export",
      "worker",
      "games",
      "agents",
      "doctor",
      "completion",
    ]);
    for (const command of commands.slice(0, -1)) {
      const help = await agon([command, "--help"]);
      expect(help.code).toBe(0);
      const [, examples] = /^Examples:\n((?: {2}.*\n)+)/m.exec(help.stdout)!;
      // A line that is broken cannot be copied.
      expect(
        examples!
          .trimEnd()
          .split("\n")
          .filter((line) => !/^ {2}(# |agon )/.test(line)),
      ).toEqual([]);
      expect(help.stdout).toMatch(new RegExp(`^ {2}agon ${command}( |$)`, "m"));
    }
  });
});

describe("agon analyze", () => {
  slowTest("says what the agent thinks, as JSON of a fixed shape", async () => {
    const analysis = await json([
      "analyze",
      "tic-tac-toe",
      "--agent",
      "minimax:depth=9,ties=first",
      "--json",
    ]);
    expect(analysis).toEqual({
      action: "a1",
      value: 0,
      depth: 9,
      nodes: expect.any(Number) as number,
      timeMs: expect.any(Number) as number,
      line: expect.any(Array) as string[],
    });
    expect((analysis as { line: string[] }).line).toHaveLength(9);
  });

  slowTest("prints what docs/formats.md shows", async () => {
    const docs = readFileSync(new URL("../../docs/formats.md", import.meta.url), "utf8");
    const [, command, example] = /`agon (analyze connect-four .*)`[^`]*```json\n([^`]*)```/.exec(docs)!;
    const shown = JSON.parse(example!) as Record<string, unknown>;
    const printed = (await json(command!.split(" "))) as { value: number; best: { value: number }[] };
    expect(Object.keys(printed)).toEqual(Object.keys(shown));
    // The page rounds values and shows the first of the best actions.
    const rounded = <Part extends { value: number }>(part: Part) => ({
      ...part,
      value: Number(part.value.toFixed(4)),
    });
    const short = { ...rounded(printed), best: [rounded(printed.best[0]!), "..."] };
    expect({ ...short, timeMs: 0 }).toEqual({ ...shown, timeMs: 0 });
  });

  slowTest(
    "--svg writes the position, with the best action's places marked, besides what is printed",
    async () => {
      const dir = temporaryFolder();
      const svg = join(dir, "new", "x.svg");
      const spec = ["tic-tac-toe", "--agent", "minimax:depth=9", "--state", "xx./oo./..."];
      const { code, stdout, stderr } = await agon(["analyze", ...spec, "--json", "--svg", svg]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: `Written to ${svg}\n` });
      expect(JSON.parse(stdout)).toMatchObject({ action: "c1" });
      const { picture, formatState, parseState } = createGame("tic-tac-toe");
      const state = parseState(spec.at(-1)!);
      const title = `tic-tac-toe: ${formatState(state)}, best c1`;
      expect(readFileSync(svg, "utf8")).toBe(formatPicture(picture!, state, { marked: [2], title }));
      const shown = await agon(["analyze", ...spec, "--svg", svg]);
      expect(shown.stdout).toMatch(/^action {2}c1$/m);
      expect(shown.stderr).toBe(`Written to ${svg}\n`);
    },
  );

  slowTest("--svg is refused where there is nothing to draw, or too much", async () => {
    const dir = temporaryFolder();
    const svg = join(dir, "x.svg");
    const positions = writeInto(dir, "positions.txt", "start\n");
    const many = ["tic-tac-toe", "--agent", "random", "--states", positions];
    const game = fileURLToPath(new URL("../../examples/twenty-one/twenty-one.ts", import.meta.url));
    for (const [args, message] of [
      [many, /^agon: Arguments svg and states are mutually exclusive/],
      [[game, "--agent", "random"], /^--svg: .*twenty-one.* has no picture\n$/],
    ] as const) {
      const { code, stdout, stderr } = await agon(["analyze", ...args, "--svg", svg]);
      expect({ code, stdout, stderr }).toEqual({
        code: 2,
        stdout: "",
        stderr: expect.stringMatching(message) as string,
      });
    }
    expect(existsSync(svg)).toBe(false);
  });

  slowTest("draws the dice that come first, and says which; shows the best actions", async () => {
    const spec = ["backgammon", "--agent", "greedy:evaluator=pubeval", "--multipv", "2"];
    const { code, stdout } = await agon(["analyze", ...spec]);
    expect(code).toBe(0);
    const [, dice] = /^chance {2}\w:(\d-\d), drawn from the seed "agon"/m.exec(stdout)!;
    expect(stdout).toContain(`to play ${dice}`);
    expect(stdout).toMatch(/^#  +value  line\n-.*\n1 +-?\d\.\d{4}  \S.*\n2 +-?\d\.\d{4}  \S.*\n$/m);
    const found = (await json(["analyze", ...spec, "--json"])) as { state: string; chance: string[] };
    expect(found.chance).toEqual([`${found.state.split(":")[1]}:${dice}`]);
    const other = (await json(["analyze", ...spec, "--json", "--seed", "2"])) as { chance: string[] };
    expect(other.chance).not.toEqual(found.chance);
  });

  test("--verbose shows the position once, then each iteration", async () => {
    const spec = "alpha-beta:depth=4,evaluator=threats";
    const table = await agon(["analyze", "connect-four", "--agent", spec, "--verbose"]);
    expect(table.stdout.match(/^.*1 2 3 4 5 6 7.*$/gm)).toHaveLength(1);
    const rows = table.stdout.split("\n").filter((line) => /^ +[1-9] +-?0\.\d{4} +\d+ /.test(line));
    expect(rows.map((row) => row.trim().slice(0, 1))).toEqual(["1", "2", "3", "4"]);
  });

  slowTest("--verbose --json gives a line for each iteration", async () => {
    const spec = "alpha-beta:depth=4,evaluator=threats";
    const { stdout } = await agon(["analyze", "connect-four", "--agent", spec, "--verbose", "--json"]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { depth: number; timeMs: number });
    expect(lines.map(({ depth }) => depth)).toEqual([1, 2, 3, 4, 4]);
    expect({ ...lines[4], timeMs: 0 }).toEqual({ ...lines[3], timeMs: 0 });
  });

  slowTest("plain alpha-beta visits the nodes that an independent program visits", async () => {
    // OpenSpiel 1.6's alpha-beta on connect four, depth 14, left to right, 0 at the cut-off.
    const spec = "alpha-beta:depth=14,table=0,ordering=none,deepening=false";
    expect(await json(["analyze", "connect-four", "--agent", spec, "--json"])).toMatchObject({
      nodes: 60_313_995,
      value: 0,
    });
  });

  slowTest("a file of positions gives a JSON line each, and names its bad lines", async () => {
    const dir = temporaryFolder();
    const good = writeInto(dir, "good.txt", "# three in a column: win or lose at once\n121212\n\n1212127\n");
    const spec = "alpha-beta:depth=4";
    const { stdout } = await agon(["analyze", "connect-four", "--agent", spec, "--states", good]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(lines).toMatchObject([
      { state: "121212", action: "1", value: 1 },
      { state: "1212127", action: "2", value: 1 },
    ]);
    const bad = writeInto(dir, "bad.txt", "4\n49\nxx\n");
    const { code, stderr } = await agon(["analyze", "connect-four", "--agent", spec, "--states", bad]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/bad.txt: line 2: move 2 of "49"/);
    expect(stderr).toMatch(/bad.txt: line 3: move 1 of "xx"/);
  });
});

describe("agon perft", () => {
  test("counts connect four as published", async () => {
    const rows = (await json(["perft", "connect-four", "8", "--json"])) as { leaves: number }[];
    expect(rows.map(({ leaves }) => leaves)).toEqual([7, 49, 343, 2401, 16807, 117649, 823536, 5673234]);
  });

  slowTest("counts games that ended before the depth only with --finished, and says so", async () => {
    const count = async (...more: string[]) =>
      ((await json(["perft", "tic-tac-toe", "9", "--json", ...more])) as { leaves: number }[]).at(-1)!.leaves;
    expect([await count(), await count("--finished")]).toEqual([127_872, 255_168]);
    const help = (await agon(["perft", "--help"])).stdout.replace(/\s+/g, " ");
    expect(help).toContain("A game that ended before the depth has no leaf; with --finished it has one.");
  });

  slowTest("divides a count by the first action", async () => {
    const position = ["perft", "tic-tac-toe", "2", "--state", "x.o/.x./...", "--divide"];
    const { stdout } = await agon(position);
    const lines = stdout.trimEnd().split("\n");
    // Six squares are free for o, then five for x.
    expect(lines.slice(0, 6).every((line) => /^[abc][123]: 5$/.test(line))).toBe(true);
    expect(lines.slice(6)).toEqual(["", "30"]);
    expect(await json([...position, "--json"])).toMatchObject({ depth: 2, leaves: 30 });
  });
});

describe("agon games and agon agents", () => {
  test("a game has its sets of tuples", async () => {
    const { stdout } = await agon(["games", "connect-four"]);
    expect(stdout).toMatch(/^ {4}supported-lines +36 tuples, \d+ weights: each line of four/m);
  });

  test("the list has each game, and those that have a board for n-tuples", async () => {
    const { stdout } = await agon(["games"]);
    const ids = Object.keys(games);
    expect(
      stdout
        .split("\n\n")[0]!
        .split("\n")
        .map((line) => line.split(" ")[0]),
    ).toEqual(ids);
    const learned = ids.filter((id) => {
      const defaults = games[id]!.options.safeParse({});
      return defaults.success && games[id]!.create(defaults.data).tupleBoard !== undefined;
    });
    expect(stdout).toContain(`\n\nEvaluators of the kind n-tuple learn ${learned.join(", ")}.\n`);
  });

  slowTest("tell what there is", async () => {
    const described = (await json(["games", "--json"])) as {
      id: string;
      agents?: string[];
      policies?: { name: string }[];
    }[];
    expect(described.map(({ id }) => id)).toEqual(
      expect.arrayContaining(["tic-tac-toe", "nim", "tree", "pig", "connect-four"]),
    );
    expect(described.find(({ id }) => id === "pig")!.agents).toEqual([
      "random",
      "policy",
      "greedy",
      "expectimax",
      "max-n",
      "mcts",
      "program",
      "chat",
    ]);
    expect(described.find(({ id }) => id === "pig")!.policies).toMatchObject([{ name: "perfect" }]);
    expect(described.find(({ id }) => id === "chess")!.policies).toEqual([]);
    const agents = (await json(["agents", "--json"])) as { id: string; games: string[] }[];
    expect(agents.map(({ id }) => id)).toEqual([
      "random",
      "policy",
      "greedy",
      "minimax",
      "alpha-beta",
      "expectimax",
      "max-n",
      "paranoid",
      "best-reply",
      "mcts",
      "descent",
      "determinized",
      "ismcts",
      "strategy",
      "local-best-response",
      ...Object.keys(engines),
      "chat",
    ]);
    expect(agents.find(({ id }) => id === "alpha-beta")!.games).not.toContain("pig");
    const { stdout } = await agon(["games", "connect-four"]);
    for (const word of ["width", "zeroSum: true", "threats", "lines", "perfect", "alpha-beta"])
      expect(stdout).toContain(word);
  });
});

describe("agon match", () => {
  slowTest("compares agents without a config and leaves nothing behind", async () => {
    const dir = temporaryFolder();
    const args = [
      "match",
      "tic-tac-toe",
      "minimax:depth=9",
      "random",
      "random",
      "--blocks",
      "10",
      "--workers",
      "1",
      "--random-plies",
      "1",
    ];
    const { code, stdout } = await agon([...args, "--json"], { cwd: dir });
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as { games: number; entrants: { name: string; losses: number }[] };
    expect(report.games).toBe(60);
    expect(report.entrants.map(({ name }) => name).toSorted()).toEqual([
      "minimax:depth=9",
      "random",
      "random (2)",
    ]);
    expect(report.entrants.find(({ name }) => name === "minimax:depth=9")!.losses).toBe(0);
  });
});

describe("--quiet", () => {
  slowTest("a match writes its table and nothing else", async () => {
    const args = ["match", "nim", "random", "random", "--blocks", "5"];
    const loud = await agon(args);
    expect(loud.stderr).toMatch(/^10 of 10 games, done, .* games\/s, 1\. random \d+%/m);
    const { code, stdout, stderr } = await agon([...args, "--quiet"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // The times are in the last column, which is as wide as the longest of them.
    const untimed = (text: string) => text.replace(/ *(?:ms|-+|[\d.]+)$/gm, "");
    expect(untimed(stdout)).toBe(untimed(loud.stdout));
  });

  slowTest("a run has no hints either", async () => {
    const dir = temporaryFolder();
    const tournament = {
      name: "t",
      game: "nim",
      blocks: 2,
      entrants: ["random", { agent: "random", name: "b" }],
    };
    const config = writeInto(dir, "t.json", tournament);
    expect(await agon(["run", config, "-q", "--out", join(dir, "run")])).toMatchObject({
      code: 0,
      stderr: "",
    });
    expect((await agon(["run", config, "--out", join(dir, "loud")])).stderr).toContain("Stored in");
    writeInto(dir, "lines.txt", "1x1\n1-1\n");
    const opened = writeInto(dir, "o.json", { ...tournament, openings: { file: "lines.txt" } });
    const { stderr } = await agon(["run", opened, "-q", "--out", join(dir, "opened")]);
    expect(stderr).toMatch(/lines\.txt: 1 fault passed over: line 1: /);
  });
});

describe("agon export", () => {
  slowTest("writes a run's games in the formats of its game", async () => {
    const dir = temporaryFolder();
    const out = join(dir, "run");
    const specs = ["alpha-beta:depth=2,evaluator=material", "random"];
    expect(
      (await agon(["match", "chess", ...specs, "--blocks", "1", "--workers", "1", "--out", out])).code,
    ).toBe(0);
    const pgn = (await agon(["export", out, "--format", "pgn"])).stdout;
    expect(pgn.match(/^\[Event "match"\]$/gm)).toHaveLength(2);
    expect(pgn).toContain('[White "random"]');
    expect(pgn).toMatch(/^1\. \S+ \S+ 2\. /m);
    const lines = (await agon(["export", out])).stdout.trim().split("\n");
    const games = lines.map(
      (line) => JSON.parse(line) as { names: string[]; moves: string[]; returns: number[] },
    );
    expect(games.map(({ names }) => names)).toEqual([specs, specs.toReversed()]);
    const { stdout } = await agon(["export", out, "--out", join(dir, "games.jsonl")]);
    expect(stdout).toBe("");
    const wrong = await agon(["export", out, "--format", "sgf"]);
    expect(wrong).toMatchObject({
      code: 2,
      stderr: 'unknown format of chess "sgf"; allowed: pgn, jsonl, positions\n',
    });
  });
});

describe("agon play", () => {
  const play = (input: string, ...more: string[]) =>
    agon(["play", "tic-tac-toe", "--agent", "minimax:depth=9,ties=first", "--seed", "1", ...more], { input });

  slowTest("plays to the end; commands and bad moves on the way", async () => {
    const { code, stdout } = await play(
      "help\nmoves\nz9\na1\nundo\nhint\nb2\nstate\nc3\nb3\nb1\na2\nc1\nc2\na3\nquit\n",
    );
    expect(code).toBe(0);
    expect(stdout).toContain("your action, or: undo, hint, moves, state, save FILE, help, quit");
    expect(stdout).toContain("(you) > a1 b1 c1 a2 b2 c2 a3 b3 c3\n");
    expect(stdout).toMatch(/"z9" is not possible here; allowed: a1/);
    expect(stdout).toMatch(/player 2 plays \w\d {3}\(value .*, depth \d, \d+ nodes, line .*\)/);
    // The first move was taken back: the hint is for the empty board.
    expect(stdout).toMatch(/\(you\) > a1 {3}\(value 0.000, depth 9,/);
    expect(stdout).toMatch(/\(you\) > o\.\.\/\.x\.\/\.\.\.\n/);
    expect(stdout).toContain("The game is over: player 2 has won. You lose.");
  });

  slowTest("the end of the input leaves the game unfinished, and it is said how to go on", async () => {
    const { code, stdout, stderr } = await play("b2\n", "--seat", "2");
    expect(code).toBe(130);
    expect(stdout).toContain("The game is left unfinished.");
    const [, state] = /^ {2}agon play tic-tac-toe --agent \S+ --seat 2 --state (\S+)$/m.exec(stderr)!;
    expect(state).toMatch(/^[xo./]{11}$/);
    expect(await play("quit\n", "--seat", "2", "--state", state!)).toMatchObject({ code: 0 });
  });

  slowTest("a game of one player is played alone; another one needs an agent", async () => {
    const alone = await agon(["play", "2048", "--seed", "1"], { input: "left\nup\nquit\n" });
    expect(alone.code).toBe(0);
    expect(alone.stdout).toContain("player 1 (you) > ");
    expect(await agon(["play", "nim"])).toMatchObject({
      code: 2,
      stderr: "--agent is missing: nim has 2 players\n",
    });
  });

  slowTest(
    "the game is kept: in the game's own format, or as JSON lines that can be played again",
    async () => {
      const dir = temporaryFolder();
      const pgn = join(dir, "game.pgn");
      const args = ["play", "chess", "--agent", "greedy:evaluator=material", "--seed", "1"];
      const saved = await agon(args, { input: `e4\nsave ${pgn}\nsave /no/such/folder/x.pgn\nquit\n` });
      expect(saved.stdout).toContain(`The game is in ${pgn}, as pgn.`);
      expect(saved.stdout).toContain("ENOENT");
      const packed = join(dir, "game.pgn.gz");
      const refused = await agon([...args, "--save", packed]);
      expect(refused.stderr).toBe(
        `${packed}: is packed, and a game is added to plain files alone; name another file\n`,
      );
      expect(readFileSync(pgn, "utf8")).toMatch(/\[White "you"\][^]*\n1\. e4 \S+ \*\n$/);
      const first = readFileSync(pgn, "utf8");
      const next = await agon([...args, "--save", pgn], { input: `d4\nsave ${pgn}\ne3\nquit\n` });
      expect(next.stderr).toContain(`The game is in ${pgn}, as pgn, behind what it held before.`);
      const both = readFileSync(pgn, "utf8");
      expect(both.slice(0, first.length)).toBe(first);
      expect(both.slice(first.length)).toMatch(/^\n\[Event [^]*\n1\. d4 \S+ 2\. e3 \S+ \*\n$/);
      expect(both.match(/^1\./gm)).toHaveLength(2);
      const lines = join(dir, "game.jsonl");
      expect((await play("b2\n", "--save", lines, "--state", "x../.../..o")).stderr).toContain("as jsonl");
      const kept = JSON.parse(readFileSync(lines, "utf8")) as { from: string; moves: string[] };
      expect(kept).toMatchObject({
        from: "x../.../..o",
        returns: [],
        names: ["you", "minimax:depth=9,ties=first"],
      });
      const game = createGame({ id: "tic-tac-toe" });
      const state = game.parseState(kept.from);
      for (const move of kept.moves) state.apply(game.parseAction(move, state));
      expect(kept.moves).toHaveLength(2);
      expect(state.toMove).toBe(0);
    },
  );
});

test("the version is agon's own, whatever project it is called in; a shell learns the commands", async () => {
  const dir = temporaryFolder();
  writeInto(dir, "package.json", { name: "mine", version: "7.7.7" });
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect((await agon(["--version"], { cwd: dir })).stdout.trim()).toBe(version);
  expect((await agon(["completion"])).stdout).toContain("agon-completions");
  vi.stubEnv("SHELL", "/usr/bin/fish");
  expect((await agon(["completion"])).stdout).toMatch(/^complete -c agon -a '\(SHELL=fish agon /m);
  vi.unstubAllEnvs();
});

slowTest.skipIf(findProgram("fish") === undefined)(
  "fish completes commands, options and names of files",
  async () => {
    const dir = temporaryFolder();
    symlinkSync(MAIN, join(dir, "agon"));
    writeInto(dir, "my-config.yaml", "");
    const env = { ...process.env, SHELL: "/usr/bin/fish", PATH: `${dir}:${process.env["PATH"]}`, HOME: dir };
    const fish = (script: string) =>
      execFileSync("fish", ["-c", script], { cwd: dir, env, encoding: "utf8" });
    const completed = (line: string) => fish(`agon completion | source; complete -C '${line}'`);
    expect(completed("agon ma")).toBe("match\tcompare agents without a config\n");
    expect(completed("agon run my-config.yaml --wor")).toMatch(/^--workers\tworkers, /);
    expect(completed("agon run my")).toBe("my-config.yaml\n");
  },
);

slowTest("verify takes several runs, rate prints JSON", async () => {
  const dir = temporaryFolder();
  const dirs = ["one", "two"].map((name) => join(dir, name));
  for (const [at, out] of dirs.entries())
    await agon([
      "match",
      "nim",
      "random",
      "greedy:evaluator=none",
      "--blocks",
      "2",
      "--workers",
      "1",
      "--seed",
      `${at}`,
      "--out",
      out,
    ]);
  const { code, stdout } = await agon(["verify", ...dirs]);
  expect(code).toBe(0);
  expect(stdout).toBe(dirs.map((one) => `${one}: 4 of 4 games verified, 0 differ\n`).join(""));
  const report = JSON.parse((await agon(["rate", ...dirs, "--json"])).stdout) as { games: number };
  expect(report.games).toBe(8);
});
