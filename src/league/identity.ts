import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import { InputError } from "../base/errors.ts";
import { isPluginPath, isWeightsPath } from "../evaluators/index.ts";
import { canonicalJson, gameKey, hashOf, withoutFormat, type TournamentPlan } from "../arena/plan/plan.ts";
import type { Store } from "../arena/store/store.ts";
import type { Entrant } from "../specs/agents.ts";
import { filesOfWeights } from "../files/weights-file.ts";

/*
 * What is the same in two runs, whatever folders and machines they are from.
 */

/**
 * Names a run whose store has no id, as stores had none once: a hash of its plan and of its first game, whose measured times
 * no other run has. What may change when a run goes on is no part of it. Undefined of a run without games.
 */
export function fingerprint(store: Store, plan: TournamentPlan): string | undefined {
  const first = store.first();
  if (first === undefined) return undefined;
  const { blocks: _, rankBy: _rankBy, thoughts: _thoughts, entrants, ...lasting } = withoutFormat(plan);
  const pool = entrants.slice(0, lasting.pool);
  return hashOf(canonicalJson({ ...lasting, entrants: pool }), canonicalJson(first));
}

/** Hash of the rules: equal for one file of the user's in two places. */
export function rulesOf(plan: TournamentPlan): string {
  const { game } = plan;
  return hashOf(gameKey({ ...plan, game: { ...game, id: nameOf(game.id) } }));
}

/** What an entrant is made of. */
export interface Make {
  /** Hash of its weights; undefined where there are none, or they cannot be read. */
  readonly weights: string | undefined;
  /** Hash of spec, code and weights: equal in two runs for the same player. */
  readonly make: string;
}

/** The make of an entrant of the run in `dir`. Where not all of it is known, it equals that of no other run. */
export async function makeOf({ spec, code }: Entrant, dir: string, runId: string): Promise<Make> {
  const { agent, evaluator } = spec as { agent: string; evaluator?: unknown };
  const path =
    typeof evaluator === "string" && isWeightsPath(evaluator) ? resolve(dir, evaluator) : undefined;
  const weights = path === undefined ? undefined : await hashOfWeights(path);
  const hasCode = isPluginPath(agent) || (typeof evaluator === "string" && isPluginPath(evaluator));
  const isKnown = (path === undefined || weights !== undefined) && (!hasCode || code !== undefined);
  const named = typeof evaluator === "string" ? nameOf(evaluator) : evaluator;
  const portable = { ...spec, agent: nameOf(agent), evaluator: weights ?? named };
  return { weights, make: hashOf(canonicalJson(portable), code ?? "", isKnown ? "" : runId) };
}

/** The name of a file of the user's without its folder, any other name as it is. */
function nameOf(id: string): string {
  return isPluginPath(id) ? basename(id) : id;
}

/** Files of weights may be larger than the memory. */
async function hashOfWeights(path: string): Promise<string | undefined> {
  try {
    const hashes: string[] = [];
    for (const file of filesOfWeights(path)) {
      const hash = createHash("sha256");
      for await (const bytes of createReadStream(file)) hash.update(bytes as Buffer);
      hashes.push(hash.digest("hex"));
    }
    return hashOf(...hashes);
  } catch (error) {
    const isRefused = error instanceof InputError || typeof (error as { code?: unknown }).code === "string";
    if (!isRefused) throw error;
    return undefined;
  }
}
