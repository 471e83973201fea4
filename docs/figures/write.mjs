// Makes the figures of docs/search-trees.md by the commands that stand under them: npm run figures
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = readFileSync(new URL("../search-trees.md", import.meta.url), "utf8");
const root = fileURLToPath(new URL("../../", import.meta.url));

for (const [, name, command] of page.matchAll(/\]\(figures\/(\S+)\.svg\)\\\s+`npx agon (.*)`\n/g)) {
  const args = command.split(" ");
  execFileSync(process.execPath, ["dist/cli/main.js", ...args, "--svg", `docs/figures/${name}.svg`], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
