import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import type { RunReport } from "../src/ratings/format-results.ts";
import { MAIN, temporaryFolder, writeInto } from "./support/agon.ts";
import { slowTest } from "./support/thorough.ts";

const example = (name: string) => fileURLToPath(new URL(`../examples/chat-server/${name}`, import.meta.url));

/** A port that nobody uses. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

slowTest("the example's server answers for chat models while a tournament is played", async () => {
  const port = await freePort();
  const dir = temporaryFolder();
  const text = readFileSync(example("tournament.yaml"), "utf8").replaceAll("8377", String(port));
  const config = writeInto(dir, "tournament.yaml", text);
  const run = [process.execPath, MAIN, "run", config, "--out", join(dir, "run"), "--json", "--quiet"];
  const child = spawn(process.execPath, [example("server.mjs"), ...run], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (stdout += part));
  const code = await new Promise((resolve) => child.on("close", resolve));
  expect(code).toBe(0);
  const { entrants, chat = [] } = JSON.parse(stdout) as RunReport;
  expect(entrants.map(({ forfeits }) => forfeits)).toEqual([0, 0, 0, 0]);
  const [careless, last] = ["careless", "last"].map((name) => chat.find((one) => one.name === name)!);
  expect(last).toMatchObject({ games: 24, illegal: 0 });
  expect(careless!.illegal).toBeGreaterThan(0);
  expect(careless!.tokensOut).toBeGreaterThan(careless!.answers);
});
