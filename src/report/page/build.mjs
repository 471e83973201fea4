/*
 * Makes the page of reports: one script and one style sheet in dist/report/page, which reports carry within them. Part of `npm run
 * build`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = (name) => here(`../../../dist/report/page/${name}`);

const bundle = await rolldown({
  input: here("main.tsx"),
  platform: "browser",
  tsconfig: here("tsconfig.json"),
  // seedrandom asks for `crypto` only where it is not given a seed.
  external: ["crypto"],
});
const { output } = await bundle.write({
  file: out("page.js"),
  format: "iife",
  minify: true,
  globals: { crypto: "undefined" },
});
await bundle.close();
if (output.length !== 1) throw new Error(`the page is ${output.length} files, not one`);

// The script stands within a page, where this would end it.
const script = readFileSync(out("page.js"), "utf8");
writeFileSync(out("page.js"), script.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--"));
const sheets = ["page.css", "formats/formats.css"].map((name) => readFileSync(here(name), "utf8"));
writeFileSync(out("page.css"), sheets.join("\n"));
