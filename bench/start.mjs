// npm run bench -- NAME [ARG ...]: builds the benchmarks and runs bench/NAME.ts
const name = process.argv[2] ?? "";
process.argv.splice(2, 1);
await import(new URL(`../dist-bench/bench/${name}.js`, import.meta.url).href);
