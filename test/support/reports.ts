import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { agon, temporaryFolder, writeInto } from "./agon.ts";
import { planTournament, type TournamentConfig } from "../../src/arena/plan/config.ts";
import { runTournament } from "../../src/arena/play/run.ts";
import { openRun } from "../../src/arena/store/run-folder.ts";

/** The folder of the repository, from which configs name weights. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Plays a tournament in this thread into a new folder `name`; the folder. */
export async function playedRun(
  config: TournamentConfig,
  { name = "run", baseDir = ROOT }: { name?: string; baseDir?: string } = {},
): Promise<string> {
  const dir = join(temporaryFolder(), name);
  const { plan, store } = openRun(dir, await planTournament(config, { baseDir }), { resume: false });
  try {
    await runTournament({ plan, store, dir, workers: 0 });
  } finally {
    store.close();
  }
  return dir;
}

/** A short training with a rating, into a new folder `name`; the folder. */
export async function trainedRun(config: object, name = "run"): Promise<string> {
  const parent = temporaryFolder();
  const dir = join(parent, name);
  const file = writeInto(parent, "training.json", config);
  const { code, stderr } = await agon(["train", file, "--out", dir, "--workers", "1", "-q"]);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return dir;
}

/** Writes the report of these folders, as a user would; its path. */
export async function writtenReport(...dirs: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await agon(["report", ...dirs]);
  expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: "" });
  expect(stderr).toMatch(/^Written to .*report\.html, \d+\.\d MB; it opens in any browser\.\n$/);
  return join(dirs[0]!, "report.html");
}

/** Writes the report of a folder with the user's code in it, as a user would; its path. */
export async function reportWithCode(dir: string): Promise<string> {
  const { code, stderr } = await agon(["report", dir, "--with-code"]);
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /\nThe source of your files is in the page: whoever gets it can read and run it\.\n$/,
    ),
  });
  return join(dir, "report.html");
}
