/*
 * Makes the program in dist from the compiled modules in build: a few files that load quickly, in place of 500. Part of
 * `npm run build`. A module still believes that it stands where it stood: `import.meta.url` names its place in dist.
 */
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [BUILD, DIST] = [here("../build"), here("../dist")];
/** The modules that are started or imported by their path. */
const ENTRIES = [
  "cli/main",
  "cli/program",
  "index",
  "arena/play/watchdog",
  "arena/play/worker-thread",
  "arena/play/record-thread",
  "players/helper-thread",
  "specs/host-process",
  "players/engine/search-thread",
  "specs/agents",
  "training/rounds/actor-thread",
  "training/sweep/sweep-process",
];
/** Packages that are loaded only where they are needed, and that users may leave out. */
const EXTERNAL = [/^@tensorflow\//, "bullmq", "ioredis", "jiti", "libsql"];
/**
 * The rooms that only show results, whose bundles are no part of the hash of a build: queue/build.ts. A module that others load
 * as well is in another bundle.
 */
const SHOWING = ["cli", "report"];

const GAMES = join(BUILD, "games/index.js");
/** The import of a game in the index of all games, with its name and its file. */
const GAME = /^import \{ (\w+) \} from "\.\/((?!contract)[\w-]+\/[\w-]+)\.js";\n/gm;
const STRING_WIDTH = here("../node_modules/string-width/index.js");
/** A segmenter, or a regular expression with properties of Unicode, as a constant of a module. */
const UNICODE = /^const (\w+) = (?:(new Intl\.Segmenter\(\))|\/(.*\\p\{.*)\/(\w+));$/gm;
const DIST_URL = "\0dist-url";
const slashed = (path) => path.replaceAll(sep, "/");
/** The names that declarations import. */
const IMPORTED = /(?<=(?:^(?:import|export) .*|^\} )from "|import\(")(?:\.|zod)[^"]*(?=")/gm;
const roomOf = (id) => relative(BUILD, id).split(sep)[0];

const ownPlaces = {
  name: "own-places",
  resolveId: (id) => (id === DIST_URL ? id : null),
  load: (id) => (id === DIST_URL ? `export const distUrl = new URL("../", import.meta.url);` : null),
  transform(code, id) {
    if (!id.startsWith(BUILD) || !code.includes("import.meta.url")) return null;
    const place = JSON.stringify(slashed(relative(BUILD, id)));
    const placed = code.replaceAll("import.meta.url", `new URL(${place}, distUrl).href`);
    return `${placed}\nimport { distUrl } from "${DIST_URL}";\n`;
  },
};

/** Has the tables of Unicode made when a text that is not ASCII is first measured. They take 20 ms. */
const lateUnicode = {
  name: "late-unicode",
  transform(code, id) {
    if (id !== STRING_WIDTH) return null;
    const names = [];
    const late = code.replaceAll(UNICODE, (_, name, segmenter, source, flags) => {
      names.push(name);
      const made = segmenter ?? `new RegExp(${JSON.stringify(source)}, "${flags}")`;
      return `let made_${name};\nconst late_${name} = () => (made_${name} ??= ${made});`;
    });
    if (names.length !== 5) throw new Error(`string-width has ${names.length} constants of Unicode, not 5`);
    return late.replaceAll(new RegExp(`\\b(?:${names.join("|")})\\b`, "g"), "late_$&()");
  },
};

const gameFiles = new Map(
  Array.from(readFileSync(GAMES, "utf8").matchAll(GAME), ([, name, file]) => [name, `games/${file}`]),
);
/** Has a game loaded when the index of games is asked for it, since most programs play one. */
const lateGames = {
  name: "late-games",
  transform(code, id) {
    if (id !== GAMES) return null;
    const late = code
      .replaceAll(GAME, "")
      .replaceAll(
        /^ {4}(?:"?([\w-]+)"?: )?(\w+),$/gm,
        (_, key, name) => `get "${key ?? name}"() { return load("./${gameFiles.get(name)}.js").${name}; },`,
      );
    return `${late}
      import { createRequire } from "node:module";
      import { distUrl } from "${DIST_URL}";
      const load = createRequire(distUrl);`;
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(
    [...ENTRIES, ...gameFiles.values()].map((name) => [name, join(BUILD, `${name}.js`)]),
  ),
  platform: "node",
  resolve: {
    alias: {
      // yargs has an older one, which loads tables of its own.
      "string-width": STRING_WIDTH,
      // As modules, of which unused ones are left out.
      yaml: here("../node_modules/yaml/browser/index.js"),
    },
  },
  // Paths in comments are relative to this folder, so that the same code is the same file wherever it is built.
  cwd: here(".."),
  external: EXTERNAL,
  plugins: [ownPlaces, lateUnicode, lateGames],
});
const { output } = await bundle.write({
  dir: DIST,
  format: "esm",
  comments: false,
  entryFileNames: "[name].js",
  chunkFileNames: ({ facadeModuleId, moduleIds }) =>
    [facadeModuleId, ...moduleIds].some((id) => id && SHOWING.includes(roomOf(id)))
      ? "cli/[name].js"
      : "shared/[name].js",
});
await bundle.close();

// The library without Node is one file, for pages and their workers.
const forBrowsers = await rolldown({
  input: join(BUILD, "browser.js"),
  platform: "browser",
  cwd: here(".."),
});
output.push(...(await forBrowsers.write({ dir: DIST, format: "esm", minify: true, comments: false })).output);
await forBrowsers.close();

const place = output.find(({ moduleIds }) => moduleIds.includes(DIST_URL));
if (place.fileName.split("/").length !== 2) throw new Error(`${place.fileName} is not one folder below dist`);

const written = new Set(output.map(({ fileName }) => fileName));
declare("index.d.ts");
// Files of an earlier build.
for (const name of readdirSync(DIST, { recursive: true })) {
  const file = slashed(name);
  if (/\.(js|d\.ts)$/.test(file) && file !== "report/page/page.js" && !written.has(file))
    rmSync(join(DIST, name));
}

/** Writes a file of declarations and those that it imports. zod's are among them: an installed agon has no such package. */
function declare(name) {
  if (written.has(name)) return;
  written.add(name);
  const source = name.startsWith("zod/") ? here(`../node_modules/${name}`) : join(BUILD, name);
  const text = readFileSync(source, "utf8").replaceAll(IMPORTED, (path) => {
    const target = path.startsWith(".") ? posix.join(posix.dirname(name), path) : `${path}/index.js`;
    declare(target.replace(/\.[jt]s$/, ".d.ts"));
    return path.startsWith(".") ? path : `./${posix.relative(posix.dirname(name), target)}`;
  });
  mkdirSync(join(DIST, posix.dirname(name)), { recursive: true });
  writeFileSync(join(DIST, name), text);
}

/** The modules in the bundles by the folder of their package. */
const packages = new Map();
for (const id of output.flatMap(({ moduleIds }) => moduleIds)) {
  const [folder] = /^[^\0]*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/.exec(id) ?? [];
  if (folder !== undefined) packages.set(folder, [...(packages.get(folder) ?? []), id]);
}
const licences = Array.from(packages, ([folder, ids]) => {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const texts = (file ? [join(folder, file)] : ids).map((path) => readFileSync(path, "utf8").trim());
  // Some packages have their licence in a comment alone.
  const text = file ? texts[0] : texts.flatMap((code) => code.match(/\/\*\s*Copyright[^]+?\*\//) ?? [])[0];
  return `${name} ${version}, ${license}\n\n${text}\n`;
});
const parts = ["The files here contain code of these packages.\n", ...new Set(licences.toSorted())];
writeFileSync(join(DIST, "LICENSES.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
chmodSync(join(DIST, "cli/main.js"), 0o755);
