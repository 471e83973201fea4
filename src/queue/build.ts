import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
// oxlint-disable-next-line no-restricted-imports -- the version of Node is part of a build
import { versions } from "node:process";
import { fileURLToPath } from "node:url";

/** The rooms whose code only shows results. The code of all other rooms may decide a game. */
const SHOWING = new Set(["cli", "report"]);

/** A build of agon. */
export interface Build {
  /** The version of the package. */
  readonly version: string;
  /** The version of Node. */
  readonly node: string;
  /** 16 hexadecimal digits: two programs with the same ones play every game alike. */
  readonly code: string;
}

let known: Build | undefined;

/** The build that runs. */
export function thisBuild(): Build {
  return (known ??= buildIn(fileURLToPath(new URL("../", import.meta.url)), versions.node));
}

/**
 * The build in a folder, such as dist. `code` is a hash of all files but those that only show results, of the versions of
 * Node and of the packages, and of some values of Math.exp and similar functions, whose last bits the language leaves open.
 * @internal the tests hash builds that they have changed
 */
export function buildIn(folder: string, node: string): Build {
  const { version, dependencies } = readPackage(join(folder, ".."));
  const hash = createHash("sha256");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  for (const file of files.filter((name) => /(?<!\.d)\.[jt]s$/.test(name))) {
    if (SHOWING.has(file.split(/[/\\]/)[0]!)) continue;
    const text = readFileSync(join(folder, file));
    hash.update(`${file}\n${text.length}\n`).update(text);
  }
  hash.update(`node ${node}\n`);
  for (const [name, wanted] of Object.entries(dependencies)) {
    // A container may lack packages that no worker loads.
    const installed = installedVersion(name, folder) ?? wanted;
    hash.update(`${name} ${installed}\n`);
  }
  return { version, node, code: hash.update(arithmetic()).digest("hex").slice(0, 16) };
}

/** A build in words. */
export function describeBuild({ version, node, code }: Build): string {
  return `${version}, Node ${node}, code ${code}`;
}

interface Package {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Package;
}

/** The version of the package that code in the folder would import; undefined if it is not installed. */
function installedVersion(name: string, folder: string): string | undefined {
  const place = join(folder, "node_modules", name);
  if (existsSync(join(place, "package.json"))) return readPackage(place).version;
  return dirname(folder) === folder ? undefined : installedVersion(name, dirname(folder));
}

/** Functions whose last bit may differ between machines, with numbers of all sizes. */
function arithmetic(): Uint8Array {
  const functions = [Math.exp, Math.log, Math.tanh, Math.sin, Math.cbrt, Math.log1p, Math.expm1];
  const values = functions.flatMap((of) =>
    Array.from({ length: 64 }, (_, at) => of(1.37 ** (at - 32) * 1.0009)),
  );
  const powers = Array.from({ length: 64 }, (_, at) => Math.pow(1.1 + at / 7, at / 3 - 9.7));
  return new Uint8Array(Float64Array.from([...values, ...powers]).buffer);
}
