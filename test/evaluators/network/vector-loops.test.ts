import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "vitest";
import { VECTORS_WASM } from "../../../src/evaluators/network/vectors-wasm.ts";
import { slowTest } from "../../support/thorough.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

slowTest(
  "the compiled loops are those of assembly/vectors.ts (else: npm run assembly)",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "agon-assembly-"));
    try {
      const file = join(folder, "vectors.wasm");
      const compiler = join(root, "node_modules/assemblyscript/bin/asc.js");
      await promisify(execFile)(
        process.execPath,
        [compiler, "--config", "assembly/asconfig.json", "--outFile", file],
        { cwd: root },
      );
      expect(readFileSync(file).toString("hex")).toBe(VECTORS_WASM);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  60_000,
);
