import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import { canonicalJson } from "../../base/plain.ts";
import { check } from "../../base/check.ts";
import { InputError } from "../../base/errors.ts";
import type { Game } from "../../games/contract/game.ts";
import { readBytes } from "./documents.ts";
import { writeWhole } from "./write-file.ts";

/** A policy for a whole game with hidden information, and the numbers with which its calculation goes on. */
export interface StoredStrategy {
  readonly algorithm: string;
  readonly seed: string;
  readonly iterations: number;
  /** The mean gain of a best response, in the game's units; absent where sets are merged. */
  readonly exploitability?: number | undefined;
  /** Merged information states: the number of buckets of the game's abstraction. Absent: codes name the sets. */
  readonly buckets?: number | undefined;
  /** The information sets, in the order of the numbers below. */
  readonly sets: readonly {
    readonly player: number;
    /** The player's codes, with blanks between them, or the key of the abstraction. */
    readonly key: string;
    readonly actions: readonly number[];
  }[];
  /** By action of each set: its regret. */
  readonly regrets: Float64Array;
  /** By action of each set: its weight. The probabilities of a set's actions are in proportion to it, uniform where all are 0. */
  readonly sums: Float64Array;
}

/** Bytes of an unpacked file: far more than any game that a tree in memory holds. */
const MOST_BYTES = 2 ** 30;
const float64s = z.base64().transform((text) => {
  const bytes = Buffer.from(text, "base64");
  return new Float64Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength - (bytes.byteLength % 8)),
  );
});

const strategyFile = z.strictObject({
  format: z.literal("agon-strategy"),
  formatVersion: z.literal(1),
  game: z.looseObject({ id: z.string() }),
  gameVersion: z.int(),
  algorithm: z.string(),
  seed: z.string(),
  iterations: z.int().min(1),
  exploitability: z.number().optional(),
  buckets: z.int().min(1).optional(),
  sets: z.array(z.tuple([z.int().min(0), z.string(), z.array(z.int().min(0)).min(1)])).min(1),
  regrets: float64s,
  sums: float64s,
});

/** Writes a strategy, whole or not at all. */
export function saveStrategy(path: string, game: Game, strategy: StoredStrategy): void {
  const { algorithm, seed, iterations, exploitability, buckets, sets, regrets, sums } = strategy;
  const base64 = (values: Float64Array) =>
    Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");
  const content = {
    format: "agon-strategy",
    formatVersion: 1,
    game: { ...game.options, id: game.id },
    gameVersion: game.version,
    algorithm,
    seed,
    iterations,
    exploitability,
    buckets,
    sets: sets.map(({ player, key, actions }) => [player, key, actions]),
    regrets: base64(regrets),
    sums: base64(sums),
  };
  writeWhole(path, gzipSync(`${JSON.stringify(content)}\n`));
}

/** Reads a strategy for `game`. Throws InputError if it is damaged, or for other rules. */
export function loadStrategy(path: string, game: Game): StoredStrategy {
  const { game: rules, gameVersion, sets, ...rest } = check(strategyFile, parse(path), path);
  const own = { ...game.options, id: game.id };
  if (canonicalJson(rules) !== canonicalJson(own) || gameVersion !== game.version)
    throw new InputError(
      `is for version ${gameVersion} of ${JSON.stringify(rules)}; wanted: version ${game.version} of ${JSON.stringify(own)}`,
      path,
    );
  const count = sets.reduce((sum, [, , actions]) => sum + actions.length, 0);
  if (rest.sums.length !== count || rest.regrets.length !== count)
    throw new InputError(`is damaged: it has ${rest.sums.length} numbers for ${count} actions`, path);
  return { ...rest, sets: sets.map(([player, key, actions]) => ({ player, key, actions })) };
}

function parse(path: string): unknown {
  const bytes = readBytes(path);
  try {
    return JSON.parse(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }).toString("utf8"));
  } catch {
    throw new InputError("is no strategy of agon solve: it cannot be unpacked", path);
  }
}
