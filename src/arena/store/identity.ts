import { basename } from "node:path";
import { InputError } from "../../base/errors.ts";
import { canonicalJson } from "../../base/plain.ts";
import { gameKey, type TournamentPlan } from "../plan/plan.ts";
import type { Entrant } from "../../specs/agents.ts";
import { hashOf } from "../../specs/files/hashes.ts";
import { referTo, ResolvedAgent, type FileReference } from "../../specs/references.ts";

/*
 * Identities that are equal in two runs, whatever their folders and machines.
 */

/** Hash of the rules: equal for one file of the user's in two places. */
export function rulesOf(plan: TournamentPlan): string {
  // The positions that games begin at are no rules.
  const { setups: _, ...game } = plan.game as TournamentPlan["game"] & { setups?: unknown };
  return hashOf(gameKey({ ...plan, game: { ...game, id: nameOf(game.id) } }));
}

/** The make of an entrant: a hash of everything but its name. */
export interface Make {
  /** Hash of its weights; undefined if there are none, or they cannot be read. */
  readonly weights: string | undefined;
  /** Hash of spec, code and weights: equal in two runs for the same player. */
  readonly make: string;
}

/**
 * The make of an entrant of the run in `dir`.
 * @param unknown a part of the make where files or the hash of code are missing, so that it is not known
 */
export function makeOf({ spec, code }: Entrant, dir: string, unknown: string): Make {
  const agent = new ResolvedAgent(spec, dir);
  const { files } = agent;
  const file = files.find(({ kind }) => kind === "weights");
  const weights = file && readableHash(file);
  const hasCode = files.some(({ kind }) => kind === "code");
  const isKnown = (file === undefined || weights !== undefined) && (!hasCode || code !== undefined);
  const portable = agent.renamed(({ kind, name }) => {
    if (kind === "code") return basename(name);
    return kind === "weights" ? (weights ?? name) : name;
  });
  return { weights, make: hashOf(canonicalJson(portable), code ?? "", isKnown ? "" : unknown) };
}

/** The name of a file of the user's without its folder, any other name as it is. */
function nameOf(id: string): string {
  return referTo("game", id).kind === "code" ? basename(id) : id;
}

/** The hash of a file's content; undefined if it cannot be read. */
function readableHash(file: FileReference): string | undefined {
  try {
    return file.hash;
  } catch (error) {
    const isRefused = error instanceof InputError || typeof (error as { code?: unknown }).code === "string";
    if (!isRefused) throw error;
    return undefined;
  }
}
