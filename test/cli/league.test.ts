import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agon, startAgon, temporaryFolder } from "../support/agon.ts";
import { readRun, storeGames } from "../support/servers/league-runs.ts";
import { freePort } from "../support/servers/redis.ts";
import {
  newDatabase,
  PASSWORD,
  postgresTest,
  sharedPostgres,
  slowPostgresTest,
  sql,
} from "../support/servers/postgres.ts";

const shared = sharedPostgres();
const CONFIG = { name: "mine", game: "tic-tac-toe", blocks: 2, entrants: ["random", "mcts:simulations=1"] };

/** A run of four games. */
async function someRun(): Promise<string> {
  const dir = join(temporaryFolder(), "run");
  await storeGames(dir, CONFIG);
  return dir;
}

postgresTest("says what was exported, as text and as JSON", async () => {
  const url = await newDatabase(shared.server);
  const [one, two] = [await someRun(), await someRun()];
  const first = await agon(["league", url, one, "--schema", "club", "--quiet"]);
  expect(first).toEqual({ code: 0, stdout: `${one}: 4 games (4 new), 2 entrants\n`, stderr: "" });
  const { code, stdout } = await agon(["league", url, one, two, "--schema=club", "--json"]);
  expect(code).toBe(0);
  const same = { games: 4, entrants: 2, rated: true };
  expect(JSON.parse(stdout)).toEqual([
    { folder: one, id: readRun(one).id, run: 1, newGames: 0, ...same },
    { folder: two, id: readRun(two).id, run: expect.any(Number) as number, newGames: 4, ...same },
  ]);
  expect(await sql(url, "select count(*)::integer as runs from club.runs")).toEqual([{ runs: 2 }]);
});

slowPostgresTest("takes the password from the environment and from ~/.pgpass", async () => {
  const url = (await newDatabase(shared.server)).replace(/:[^:@]*@/, "@");
  const dir = await someRun();
  const home = temporaryFolder();
  writeFileSync(join(home, ".pgpass"), `127.0.0.1:*:*:owner:${PASSWORD.replaceAll(":", "\\:")}\n`, {
    mode: 0o600,
  });
  for (const env of [{ PGPASSWORD: PASSWORD }, { HOME: home }]) {
    const { code, stdout } = await startAgon(["league", url, dir, "--quiet"], { env }).outcome;
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("4 games") as string });
  }
});

/** The message of a command that fails as it should. */
async function refusal(args: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const { child, outcome } = startAgon(["league", ...args], { env });
  child.stdin!.end();
  const { code, stdout, stderr } = await outcome;
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  return stderr;
}

describe("what is refused is told in one sentence, with exit code 2", () => {
  test("a folder that is none, before the database is asked", async () => {
    const parent = temporaryFolder();
    expect(await refusal(["postgres://127.0.0.1:1/games", parent])).toBe(
      `${parent}: no run here: it has no results.sqlite\n`,
    );
  });

  test("a server that is not there", async () => {
    const [dir, port] = [await someRun(), await freePort()];
    expect(await refusal([`postgres://me:secret@127.0.0.1:${port}/games`, dir])).toBe(
      `postgres://127.0.0.1:${port}/games: does not answer: ECONNREFUSED\n`,
    );
  });

  test("a package that is missing", async () => {
    const dir = await someRun();
    const hooks = `export async function resolve(name, context, next) {
      if (name === "pg") throw Object.assign(new Error("none"), { code: "ERR_MODULE_NOT_FOUND" });
      return next(name, context);
    }`;
    const data = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const load = `import { register } from "node:module"; register(${JSON.stringify(data(hooks))});`;
    expect(
      await refusal(["postgres://127.0.0.1:1/games", dir], { NODE_OPTIONS: `--import ${data(load)}` }),
    ).toBe("a league needs one more package, which is not installed; say: npm install pg\n");
  });
});
