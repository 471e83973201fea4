import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { expect, test } from "vitest";
import { Store } from "../../../src/arena/store/store.ts";
import { playTournament } from "../../../src/arena/tournament.ts";
import { temporaryFolder } from "../../support/agon.ts";

/** The statements of the block of SQL in docs/formats.md. */
function documented(): string[] {
  const page = readFileSync(new URL("../../../docs/formats.md", import.meta.url), "utf8");
  const section = page.split("### Many runs at once\n")[1]!;
  const block = /```sql\n([^]*?)```/.exec(section)![1]!;
  return block
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

test("the query of docs/formats.md counts the seats of two runs", async () => {
  const folder = temporaryFolder();
  const runs = {
    one: ["random", { name: "deep", agent: "mcts", simulations: 20 }],
    two: ["random", { name: "quick", agent: "mcts", simulations: 5 }],
  };
  const counts = new Map<string, { runs: number; games: number; sum: number; forfeits: number }>();
  for (const [name, entrants] of Object.entries(runs)) {
    const config = { name, game: "tic-tac-toe", blocks: 3, entrants };
    const dir = join(folder, name);
    await playTournament(config, { outDir: dir, workers: 0 });
    const store = Store.openExisting(dir);
    const plan = store.requirePlan(dir);
    const seen = new Set<string>();
    for (const { seats, returns, forfeitSeat } of store.games())
      for (const [seat, entrant] of seats.entries()) {
        const own = plan.entrants[entrant]!.name;
        const before = counts.get(own) ?? { runs: 0, games: 0, sum: 0, forfeits: 0 };
        counts.set(own, {
          runs: before.runs + (seen.has(own) ? 0 : 1),
          games: before.games + 1,
          sum: before.sum + returns[seat]!,
          forfeits: before.forfeits + (forfeitSeat === seat ? 1 : 0),
        });
        seen.add(own);
      }
    store.close();
  }

  const database = new Database(":memory:");
  const statements = documented().map((sql) => sql.replace("'runs/", `'${folder}/`));
  for (const sql of statements.slice(0, -1)) database.exec(sql);
  const rows = database.prepare(statements.at(-1)!).all() as { entrant: string; mean: number }[];
  database.close();
  const expected = Array.from(counts, ([entrant, { runs, games, sum, forfeits }]) => ({
    entrant,
    runs,
    games,
    mean: Math.round((1000 * sum) / games) / 1000,
    forfeits,
  }));
  expect(counts.get("random")!.runs).toBe(2);
  expect(rows).toEqual(expected.toSorted((a, b) => b.mean - a.mean || (a.entrant < b.entrant ? -1 : 1)));
});
