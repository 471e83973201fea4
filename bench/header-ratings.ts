import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { formatWeights, parseWeights } from "../src/evaluators/stored-weights.ts";
import { readDocument } from "../src/specs/files/documents.ts";
import { filesOfWeights } from "../src/specs/files/weights-file.ts";
import { checkpointPath, CheckpointRating } from "../src/training/curve/curve.ts";
import { planTraining } from "../src/training/plan/plan.ts";
import { withRating } from "../src/training/run/deliver.ts";

/**
 * The ratings in the headers of weights files, measured anew by the rating of their trainings' configs, the weights as they
 * are: `npm run bench -- header-ratings WEIGHTS...`, with `--write` into the files. Run it in the project's folder.
 */
const given = process.argv.slice(2);

for (const path of given.filter((word) => word !== "--write")) {
  const { weights, sha256, ...header } = parseWeights(JSON.parse(readFileSync(path, "utf8")), path);
  const { games: trained, epochs, config } = header.training;
  const games = Number(epochs ?? trained);
  const source = join("configs/training", `${String(config)}.yaml`);
  const plan = await planTraining(readDocument(source), { baseDir: resolve(dirname(source)), source });
  const dir = mkdtempSync(join(tmpdir(), "agon-ratings-"));
  const checkpoint = join(dir, checkpointPath(games));
  mkdirSync(dirname(checkpoint));
  for (const part of filesOfWeights(path))
    copyFileSync(part, part === path ? checkpoint : join(dirname(checkpoint), basename(part)));
  const rating = new CheckpointRating(plan, { dir, workers: undefined, clock: () => performance.now() });
  await rating.enter(games, {});
  const rated = withRating(header, rating.curve(), games);
  rating.close();
  rmSync(dir, { recursive: true });
  console.log(path, JSON.stringify(rated.training["rating"]));
  if (given.includes("--write")) writeFileSync(path, formatWeights(rated, { sha256, weights }));
}
