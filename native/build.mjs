/**
 * Builds the native backend of TensorFlow.js (`npm run tensorflow:native`) with TensorFlow's library from PyPI, and
 * shows that it works. For Linux on x86-64, where the install step of @tensorflow/tfjs-node can download nothing.
 * Needs Python with pip, `make` and a C++ compiler, 0.7 GB of disk and some two minutes. docs/native-backend.md says
 * what each step is for.
 */
import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

const TENSORFLOW = "2.12.1";
const NODE_BACKEND = "@tensorflow/tfjs-node";
const LIBRARIES = ["libtensorflow_cc.so.2", "libtensorflow_framework.so.2"];

/** Extracts the members of a wheel that the binding needs: argv is wheel, target folder, and the libraries' names. */
const EXTRACT = `
import sys, zipfile
wheel, target, *libraries = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    archive.extractall(target, [name for name in archive.namelist()
        if name.startswith("tensorflow/include/") or name.removeprefix("tensorflow/") in libraries])
`;

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const version = manifest.peerDependencies[NODE_BACKEND];
// The folder whose node_modules has TensorFlow.js: agon's own, or that of the project it is installed in.
const project = join(dirname(resolveCore()), "../../..");
const addon = join(project, "node_modules", NODE_BACKEND);

if (process.platform !== "linux" || process.arch !== "x64")
  fail(`this recipe is for linux on x64, not for ${process.platform} on ${process.arch}`);
for (const [command, ...args] of [
  ["python3", "-m", "pip", "--version"],
  ["make", "--version"],
  ["c++", "--version"],
])
  need(command, args);

if (!existsSync(join(addon, "package.json"))) {
  console.log(`== ${NODE_BACKEND} ${version}, without its install step`);
  // An optional peer of the project at hand: since npm 11.19 only `--save-dev` or the like brings it.
  const options = ["--no-save", "--save-dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  run("npm", ["install", ...options, `${NODE_BACKEND}@${version}`], project);
}

console.log(`== the library of TensorFlow ${TENSORFLOW} and its headers`);
const wheels = mkdtempSync(join(tmpdir(), "agon-native-"));
try {
  const platform = ["--only-binary=:all:", "--python-version", "3.11", "--platform", "manylinux2014_x86_64"];
  const what = [...platform, `tensorflow-cpu==${TENSORFLOW}`];
  run("python3", ["-m", "pip", "download", "--quiet", "--no-deps", "--dest", ".", ...what], wheels);
  const wheel = readdirSync(wheels).find((name) => name.endsWith(".whl"));
  run("python3", ["-c", EXTRACT, wheel, wheels, ...LIBRARIES], wheels);
  const deps = join(addon, "deps");
  rmSync(deps, { recursive: true, force: true });
  mkdirSync(join(deps, "lib"), { recursive: true });
  cpSync(join(wheels, "tensorflow/include"), join(deps, "include"), { recursive: true });
  for (const library of LIBRARIES) {
    cpSync(join(wheels, "tensorflow", library), join(deps, "lib", library));
    symlinkSync(library, join(deps, "lib", library.replace("_cc", "").replace(/\.2$/, "")));
  }
} finally {
  rmSync(wheels, { recursive: true });
}

console.log("== the binding");
// node-gyp downloads Node's headers, unless they are beside this Node.
const prefix = join(dirname(process.execPath), "..");
const hasHeaders = existsSync(join(prefix, "include/node/node.h"));
if (hasHeaders) process.env["npm_config_nodedir"] ??= prefix;
run("npm", ["run", "--silent", "build-addon-from-source"], addon);
run(process.execPath, ["dist/cli/main.js", "doctor"], join(import.meta.dirname, ".."));

function resolveCore() {
  try {
    return createRequire(import.meta.url).resolve("@tensorflow/tfjs-core/package.json");
  } catch {
    return fail("TensorFlow.js is not installed");
  }
}

function need(command, args) {
  try {
    execFileSync(command, args, { stdio: "ignore" });
  } catch {
    fail(
      `${command} ${args.slice(0, -1).join(" ")} does not run here: install Python with pip, make and a C++ compiler`,
    );
  }
}

function run(command, args, cwd) {
  try {
    execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
  } catch (error) {
    fail(`${command} ${args[0]} ended with ${error.status ?? error.message}`);
  }
}

function fail(why) {
  console.error(`The native backend was not built: ${why}. docs/native-backend.md has the steps one by one.`);
  process.exit(1);
}
