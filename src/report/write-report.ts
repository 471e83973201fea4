import { join } from "node:path";
import { readFileSync } from "node:fs";
import type { SearchTree } from "../explain/tree/search-tree.ts";
import { checkWritable, writeWhole } from "../specs/files/write-file.ts";
import { collect } from "./collect.ts";
import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { escapeText } from "../base/text.ts";
import type { PageData } from "./page/data.ts";

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
  const names = [
    ...new Set(
      [...data.tournaments, ...data.trainings, ...(data.sweeps ?? [])].map(
        ({ name, about }) => about.title ?? name,
      ),
    ),
  ];
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

/** The page's program and style, as `npm run build` makes them. */
function asset(name: "page.js" | "page.css"): string {
  return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
}

/** The page's content security policy: it may run its own program, and load nothing. */
function policyOf(script: string, more: readonly string[] = []): string {
  const hash = createHash("sha256").update(script).digest("base64");
  return [
    "default-src 'none'",
    // Agents run WebAssembly, and decide in a thread that is made from the script itself.
    `script-src 'sha256-${hash}' 'wasm-unsafe-eval'`,
    "worker-src blob:",
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ...more,
  ].join("; ");
}

/**
 * The page as one file that needs nothing else: its policy allows its own program alone. The data is gzipped JSON in
 * base64, so that no text of a user can end its element.
 */
function formatPage(data: PageData, title: string): string {
  const script = asset("page.js");
  const policy = `<meta http-equiv="Content-Security-Policy" content="${policyOf(script)}">`;
  const text = gzipSync(JSON.stringify(data)).toString("base64");
  const carried = `<script type="application/octet-stream" id="data">${text}</script>`;
  return formatDocument({ head: policy, title, carried, script });
}

/** The page without data, which asks its server for it, and the policy that the server sends with the page. */
export function livePage(): { html: string; policy: string } {
  const script = asset("page.js");
  // Browsers ask for an icon unless one is named.
  const head = '<link rel="icon" href="data:,">';
  const policy = policyOf(script, ["connect-src 'self'", "frame-ancestors 'none'"]);
  return { html: formatDocument({ head, title: "agon", carried: "", script }), policy };
}

function formatDocument({
  head,
  title,
  carried,
  script,
}: {
  head: string;
  title: string;
  carried: string;
  script: string;
}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${head}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<style>${asset("page.css")}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript.</noscript></div>
${carried}
<script id="program">${script}</script>
</body>
</html>
`;
}
