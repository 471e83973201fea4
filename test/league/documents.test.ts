import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { League } from "../../src/league/league.ts";
import { temporaryFolder } from "../support/agon.ts";
import { storeGames } from "../support/servers/league-runs.ts";
import { newDatabase, postgresTest, sharedPostgres, sql } from "../support/servers/postgres.ts";

const shared = sharedPostgres();

postgresTest("the queries of docs/league.md have the columns that it shows", async () => {
  const dir = join(temporaryFolder(), "run");
  const entrants = ["random", { name: "deep", agent: "mcts", simulations: 1 }];
  await storeGames(dir, { name: "docs", game: "connect-four", blocks: 30, entrants });
  const url = await newDatabase(shared.server);
  const league = await League.open(url, "agon");
  await league.export(dir);
  await league.close();
  await sql(
    url,
    `update agon.runs set is_training = true, plan = plan || '{"format": {"type": "pool", "size": 1}}'`,
  );
  const text = readFileSync(new URL("../../docs/league.md", import.meta.url), "utf8");
  const queries = [...text.matchAll(/```sql\n([^`]+)```\n\n```\n([^\n]+)\n/g)];
  expect(queries).toHaveLength(3);
  for (const [, query, head] of queries) {
    const rows = await sql(url, query!);
    expect(Object.keys(rows[0] ?? {}), query).toEqual(head!.split("|").map((name) => name.trim()));
  }
});
