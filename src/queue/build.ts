import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The rooms whose code only shows results. The code of all other rooms may decide a game. */
const SHOWING = new Set(["cli", "report", "league"]);

/** A build of agon. */
export interface Build {
  /** The version of the package. */
  readonly version: string;
  /** 16 hexadecimal digits: two programs with the same ones play every game alike. */
  readonly code: string;
}

let known: Build | undefined;

/**
 * The build that runs. `code` is a hash of all files but those that only show results, and of some values of Math.exp and
 * similar functions, whose last bits the language leaves open.
 */
export function thisBuild(): Build {
  return (known ??= { version: packageVersion(), code: hashCode() });
}

function packageVersion(): string {
  const file = new URL("../../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function hashCode(): string {
  const hash = createHash("sha256");
  const folder = fileURLToPath(new URL("../", import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  for (const file of files.filter((name) => /(?<!\.d)\.[jt]s$/.test(name))) {
    if (SHOWING.has(file.split(/[/\\]/)[0]!)) continue;
    const text = readFileSync(`${folder}${file}`);
    hash.update(`${file}\n${text.length}\n`).update(text);
  }
  return hash.update(arithmetic()).digest("hex").slice(0, 16);
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
