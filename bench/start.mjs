// npm run bench -- NAME [ARG ...]: builds the benchmarks and runs bench/NAME.ts
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";

const all = readdirSync(new URL(".", import.meta.url)).filter((file) => file.endsWith(".ts"));
const text = all.map((file) => readFileSync(new URL(file, import.meta.url), "utf8")).join("\n");
// A file that another one names is a part of it.
const names = all
  .map((file) => file.slice(0, -3))
  .filter((name) => !new RegExp(`"(\\./)?${name}\\.[jt]s"`).test(text));

const name = process.argv[2];
if (names.includes(name)) {
  process.argv.splice(2, 1);
  await import(new URL(`../dist-bench/bench/${name}.js`, import.meta.url).href);
} else {
  const problem = name === undefined ? "NAME is missing" : `there is no benchmark ${name}`;
  console.error(`npm run bench -- NAME [ARG ...]: ${problem}. NAME is one of\n  ${names.join("\n  ")}`);
  process.exitCode = 2;
}
