import { join } from "node:path";
import { readFileSync } from "node:fs";
import type { SearchTree } from "../explain/tree/search-tree.ts";
import { checkWritable, writeWhole } from "../specs/files/documents.ts";
import { collect } from "./collect.ts";
import { formatPage } from "./page-html.ts";

/** The version of agon, from its package. */
export function ownVersion(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The default for the most games of a run that can be replayed. */
const GAMES = 1000;

/** The user's code in a page. */
export interface CodeInPage {
  readonly hasCode: boolean;
  /** The reasons why entrants cannot play in the page, each once. */
  readonly misses: readonly string[];
}

/**
 * Writes one HTML file about the runs and trainings in these folders.
 * @param games the most games of a run that can be replayed
 * @param out by default report.html in the first folder
 * @param withCode true if the page gets the user's code
 */
export async function writeReport(
  dirs: readonly string[],
  {
    games = GAMES,
    out = join(dirs[0]!, "report.html"),
    withCode = false,
  }: { games?: number; out?: string; withCode?: boolean } = {},
): Promise<{ path: string; bytes: number } & CodeInPage> {
  const data = await collect(dirs, { version: ownVersion(), games, withCode });
  checkWritable(out);
  const names = [...new Set([...data.tournaments, ...data.trainings].map(({ name }) => name))];
  const text = formatPage(data, `${names.join(", ")} - agon`);
  writeWhole(out, text);
  const hasCode = data.tournaments.some(({ code }) => code !== undefined);
  const misses = data.tournaments.flatMap(({ entrants }) => entrants.flatMap((one) => one.misses ?? []));
  return { path: out, bytes: Buffer.byteLength(text), hasCode, misses: [...new Set(misses)] };
}

/** Writes a page that shows a search step by step. Throws InputError if the file cannot be written. */
export function writeSearchPage(tree: SearchTree, out: string): void {
  const data = { version: ownVersion(), tournaments: [], trainings: [], weights: {}, trees: [tree] };
  checkWritable(out);
  writeWhole(out, formatPage(data, `${tree.agent}, ${tree.game} - agon`));
}
