import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { createGame } from "../../src/games/index.ts";
import { checkPlayer } from "../../src/players/check-player.ts";
import { HostedAgent } from "../../src/players/hosted-agent.ts";
import { loadAgent } from "../../src/specs/agents.ts";
import { agon, fixture, temporaryFolder } from "../support/agon.ts";
import { agonEngine } from "../support/players.ts";
import { everyFew, slowTest } from "../support/thorough.ts";

const program = (...args: readonly string[]) => [process.execPath, fixture("engines/bad.mjs"), ...args];

/** Two games of connect four, or of another game. */
async function check(
  command: readonly string[],
  { game: id = "connect-four", limitMs = 20_000, games = 2 } = {},
) {
  const game = createGame(id);
  const agent = (await loadAgent(game, { agent: "program", command })).create() as HostedAgent;
  const { hosting } = agent;
  const greetingMs = limitMs;
  return checkPlayer({ game, hosting, budget: {}, games, limitMs, greetingMs, seed: "checks" });
}

describe("check-engine", () => {
  slowTest.each(["connect-four", "backgammon", "chinese-checkers", "2048"])(
    "finds nothing wrong with a right program: %s",
    async (game) => {
      const result = await check(program("nothing"), { game });
      expect(result).toMatchObject({
        findings: [],
        remarks: [],
        about: "nothing, which wants texts",
        games: 2,
      });
      expect(result.positions).toBeGreaterThan(2);
    },
  );

  slowTest("finds nothing wrong with an agent of agon's", async () => {
    const { findings, remarks } = await check(agonEngine("--agent", "mcts:simulations=20"), { game: "pig" });
    expect({ findings, remarks }).toEqual({ findings: [], remarks: [] });
  });

  test.each(
    everyFew(
      [
        [
          "garbage",
          "hello",
          "Connect Four bot 1.0 ready is no message; standard output is for messages alone",
        ],
        ["old version", "hello", "the player speaks version 0 of the protocol; this program speaks 1"],
        ["odd wants", "hello", 'wants text (did you mean "texts"?); allowed: moves, numbers, texts'],
        ["refuses", "hello", "I play chess alone"],
        ["dies at once", "hello", "its process ended: exit code 3"],
        ["wrong type", "hello", 'it said a message of type greeting where "hello" or "refuse" is due'],
        ["illegal", "answers", "z9 is not a legal action; legal are 1, 2, 3, 4, 5, 6, 7"],
        [
          "column 99",
          "answers",
          "99 is not a legal action; legal are 0 (1), 1 (2), 2 (3), 3 (4), 4 (5), 5 (6), 6 (7)",
        ],
        ["twice", "answers", '{"type":"decision","action":"7"} before it was asked'],
        ["prints", "answers", "thinking... is no message"],
        ["dies", "answers", "its process ended: exit code 1"],
        ["throws", "answers", "TypeError: a fault of mine"],
        ["error", "answers", "I have lost count"],
        ["says goodbye", "answers", "goodbye"],
      ],
      6,
    ),
  )("says what is wrong: %s", async (deed, name, sentence) => {
    const { findings } = await check(program(deed));
    expect(findings).toMatchObject([{ check: name, found: expect.stringContaining(sentence) }]);
  });

  slowTest.each([
    ["silent", "hello", "it reads its input and says nothing: does it flush its output after each line?"],
    ["deaf", "hello", "it does not read its standard input"],
    ["late", "answers", "no action within 1500 ms"],
  ])("says what is missing: %s", async (deed, name, sentence) => {
    const { findings } = await check(program(deed), { limitMs: 1500 });
    expect(findings).toMatchObject([{ check: name, found: expect.stringContaining(sentence) }]);
  });

  test("sees a line that comes after the last game", async () => {
    const { findings } = await check(program("says goodbye"), { games: 1 });
    expect(findings).toMatchObject([{ check: "in-turn", found: expect.stringContaining("goodbye") }]);
  });

  test("gives the program each seat in turn", async () => {
    const heard = join(temporaryFolder(), "heard");
    const command = ["sh", "-c", 'tee -a "$0" | "$@"', heard, ...program("nothing")];
    expect(await check(command, { games: 3 })).toMatchObject({ findings: [] });
    const lines = readFileSync(heard, "utf8").split("\n");
    const seats = lines.flatMap((line) => /"type":"new-game".*"seat":(\d)/.exec(line)?.[1] ?? []);
    // The first game is played once more.
    expect(seats).toEqual(["0", "1", "0", "0"]);
  });

  test("names the moves that led to the fault", async () => {
    const { findings } = await check(program("illegal", "3"));
    expect(findings[0]!.moves).toHaveLength(4);
  });

  test.runIf(process.platform === "linux")("sees processes that are left behind", async () => {
    const { findings } = await check(program("orphan"));
    expect(findings).toMatchObject([{ check: "end-of-input", found: "it leaves processes behind: sleep" }]);
  });

  slowTest(
    "remarks on a program that goes on, and on one that plays otherwise with the same seed",
    async () => {
      expect(await check(program("lingers"))).toMatchObject({
        findings: [],
        remarks: ["it goes on for more than 2000 ms after its input has ended"],
      });
      const { findings, remarks } = await check(program("careless", join(temporaryFolder(), "file")));
      expect(findings).toEqual([]);
      expect(remarks).toEqual([expect.stringContaining("with the same seed differently")]);
    },
  );
});

describe("agon check -- PROGRAM", () => {
  const run = async (...args: readonly string[]) => agon(["check", ...args]);

  slowTest("ends with exit code 0 where nothing is wrong", async () => {
    const { code, stdout } = await run("--games", "2", "--", ...program("nothing"));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^It is nothing, which wants texts\.\n\d+ decisions, the median takes [\d.]+ ms\./,
    );
    expect(stdout).toContain("4 checks, 2 games");
    expect(stdout).toContain("nothing wrong");
  });

  test("ends with exit code 1 where something is", async () => {
    const { code, stdout } = await run("--json", "--", ...program("illegal"));
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ games: 1, findings: [{ check: "answers" }] });
  });

  test.each([
    [["--as", "engine"], "a program is missing: agon check -- PROGRAM ARGUMENTS"],
    [["--", fixture("games/matches.ts")], "matches.ts may not be executed; allow it with: chmod +x "],
    [["--", "no-such-program"], "there is no program no-such-program on the PATH or in /usr/games"],
    [
      ["--protocol", "gtb", "--", "node"],
      '--protocol: unknown protocol "gtb" (did you mean "gtp"?); allowed: ',
    ],
    [["--protocol", "uci", "--game", "go", "--", "node"], "uci cannot play go"],
    [["--limit", "0", "--", "node"], "--limit must be a number of seconds up to 3600, got 0"],
  ])("ends with exit code 2 where the line is wrong: %j", async (args, sentence) => {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});
