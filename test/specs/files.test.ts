import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { writeWhole } from "../../src/specs/files.ts";
import { temporaryFolder, writeInto } from "../support/agon.ts";

describe("writeWhole", () => {
  test("makes the folders, replaces what is there and leaves no other file", () => {
    const dir = temporaryFolder();
    const path = join(dir, "deep", "er", "file.txt");
    writeWhole(path, "one");
    expect(readFileSync(path, "utf8")).toBe("one");
    writeWhole(path, Uint8Array.of(0, 255));
    expect([...readFileSync(path)]).toEqual([0, 255]);
    expect(readdirSync(join(dir, "deep", "er"))).toEqual(["file.txt"]);
  });

  test("what cannot be replaced stays as it is, with nothing beside it", () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "taken"));
    writeInto(join(dir, "taken"), "old.txt", "old");
    expect(() => writeWhole(join(dir, "taken"), "new")).toThrow();
    expect(readdirSync(dir)).toEqual(["taken"]);
    expect(readFileSync(join(dir, "taken", "old.txt"), "utf8")).toBe("old");
  });

  /* A limit of the file size cuts a write short as a full disk does: the first call writes a part, the next fails. */
  test.skipIf(process.platform === "win32")("a full disk leaves the old file whole", () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "file.txt", "old");
    const files = new URL("../../dist/specs/files.js", import.meta.url).href;
    const script = writeInto(
      dir,
      "write.mjs",
      `import { writeWhole } from ${JSON.stringify(files)};
       for (const content of [Buffer.alloc(100_000, "n"), "n".repeat(100_000)])
         try { writeWhole(${JSON.stringify(path)}, content); console.log("written"); }
         catch (error) { console.log(error.code); }`,
    );
    const said = execFileSync("sh", ["-c", 'ulimit -f 8; exec "$0" "$1"', process.execPath, script]);
    expect(said.toString()).toBe("EFBIG\nEFBIG\n");
    expect(readFileSync(path, "utf8")).toBe("old");
    expect(readdirSync(dir).toSorted()).toEqual(["file.txt", "write.mjs"]);
  });
});
