// npm run assembly: compiles assembly/vectors.ts and writes it to src/evaluators/network/vectors-wasm.ts
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agon-assembly-"));
try {
  const file = join(folder, "vectors.wasm");
  execFileSync(
    process.execPath,
    [
      join(root, "node_modules/assemblyscript/bin/asc.js"),
      "--config",
      "assembly/asconfig.json",
      "--outFile",
      file,
    ],
    { cwd: root, stdio: "inherit" },
  );
  writeFileSync(
    join(root, "src/evaluators/network/vectors-wasm.ts"),
    `/** assembly/vectors.ts, compiled: the bytes of a WebAssembly module, in hexadecimal. Written by \`npm run assembly\`. */
export const VECTORS_WASM =
  "${readFileSync(file).toString("hex")}";
`,
  );
} finally {
  rmSync(folder, { recursive: true });
}
