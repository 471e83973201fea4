import { readFileSync, realpathSync } from "node:fs";
import module from "node:module";
import { extname } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- process.emitWarning: Node warns of what strips the types
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { initSync, parse } from "es-module-lexer";
import { InputError } from "../../base/errors.ts";
import { importedFile } from "./portable-code.ts";

/*
 * The modules of the user's: a plugin, and what it imports by relative paths. They import the running program as
 * `agon-arena`, so that there is never a second copy of it. A file that imports or exports is an ES module, whatever the
 * nearest package.json says and also below node_modules, where Node itself strips no types.
 */

interface Context {
  readonly parentURL?: string;
  readonly importAttributes: Readonly<Record<string, string>>;
}
interface Resolved {
  readonly url: string;
  readonly importAttributes?: Readonly<Record<string, string>>;
  readonly shortCircuit?: true;
}
interface Loaded {
  readonly format: string;
  readonly source: string;
  readonly shortCircuit: true;
}
interface Hooks {
  resolve(request: string, context: Context, next: (request: string, context: Context) => Resolved): Resolved;
  load(url: string, context: unknown, next: (url: string, context: unknown) => Loaded): Loaded;
}

/** Functions of node:module that Node 20 lacks. */
const { registerHooks, stripTypeScriptTypes } = module as unknown as {
  readonly registerHooks?: (hooks: Hooks) => void;
  readonly stripTypeScriptTypes?: (source: string) => string;
};

type Exports = Readonly<Record<string, unknown>>;

/** The public entry point of the running program: src/index.ts, or its compiled form. */
const ENTRY = new URL(`../../index${extname(import.meta.url)}`, import.meta.url);

const urls = new Set<string>();
let hooked = false;

/**
 * Imports a file of the user's. Node runs it through hooks where it has them; jiti runs it otherwise, and for the sources of
 * agon, whose tests have a loader of their own.
 */
export async function importModule(path: string): Promise<Exports> {
  // The program is whole before a file asks for it: Node 22 cannot load it within a `require`.
  const entry = (await import(ENTRY.href)) as Exports;
  if (!registerHooks || !stripTypeScriptTypes || ENTRY.href.endsWith(".ts")) return importByJiti(path, entry);
  if (!hooked) registerHooks({ resolve, load });
  hooked = true;
  try {
    return (await import(urlOf(path))) as Exports;
  } catch (error) {
    // jiti compiles enums and parameter properties as well, and names the line of a fault.
    const { code } = error as NodeJS.ErrnoException;
    if (!/^ERR_\w+_TYPESCRIPT_SYNTAX$/.test(String(code))) throw error;
    return importByJiti(path, entry);
  }
}

async function importByJiti(path: string, entry: Exports): Promise<Exports> {
  const { createJiti } = await import("jiti");
  const virtualModules = { "agon-arena": entry };
  const jiti = createJiti(import.meta.url, { interopDefault: false, virtualModules });
  try {
    return await jiti.import(path);
  } catch (error) {
    const [, fault, place] = /^ParseError: (.*?)\s*\n\s*(.+:\d+:\d+)$/.exec((error as Error).message) ?? [];
    throw fault === undefined ? error : new InputError(`${fault}, at ${place}`);
  }
}

/** The URL of a file that is the user's from now on. */
function urlOf(path: string): string {
  const url = pathToFileURL(realpathSync(path)).href;
  urls.add(url);
  return url;
}

const resolve: Hooks["resolve"] = (request, context, next) => {
  if (request === "agon-arena") return { url: ENTRY.href, shortCircuit: true };
  const { parentURL, importAttributes } = context;
  if (parentURL === undefined || !urls.has(parentURL) || !/^\.{1,2}\//.test(request))
    return next(request, context);
  const file = importedFile(fileURLToPath(parentURL), request);
  if (file === undefined) return next(request, context);
  const attributes = file.endsWith(".json") ? { type: "json" } : importAttributes;
  return { url: urlOf(file), importAttributes: attributes, shortCircuit: true };
};

const load: Hooks["load"] = (url, context, next) => {
  const [, common, typescript] = /\.([cm]?)(?:js|(ts))$/.exec(url) ?? [];
  if (!urls.has(url) || common === undefined) return next(url, context);
  const text = readFileSync(fileURLToPath(url), "utf8");
  const source = typescript === undefined ? text : stripTypes(text);
  const isModule = common === "m" || (common === "" && importsOrExports(source));
  return { format: isModule ? "module" : "commonjs", source, shortCircuit: true };
};

function importsOrExports(source: string): boolean {
  initSync();
  try {
    return parse(source)[3];
  } catch {
    return true; // Node says what is wrong with it
  }
}

/** Replaces types by blanks, without the warning that Node may change how. */
function stripTypes(source: string): string {
  const warn = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes!(source);
  } finally {
    process.emitWarning = warn;
  }
}
