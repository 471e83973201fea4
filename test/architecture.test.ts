import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readRooms } from "./support/rooms.ts";

const src = fileURLToPath(new URL("../src", import.meta.url));

/** Every source file, from `src`; what test/lint.test.ts writes for a moment is left out. */
const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes("canary"),
);

/** The imports of a file: all forms of `import` and `export ... from`. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(src, file), "utf8");
  const statements = text.matchAll(/^(?:import|export)\b(?:[^;"]*?\bfrom)? *"([^"]+)"/gm);
  const calls = text.matchAll(/\bimport\(\s*"([^"]+)"/g);
  return [...statements, ...calls].map(([, name]) => name!);
}

/** The files that each file imports. */
function importGraph(): Map<string, string[]> {
  return new Map(
    files.map((file) => [
      file,
      importsOf(file)
        .filter((name) => name.startsWith("."))
        .map((name) => relative(src, join(src, dirname(file), name))),
    ]),
  );
}

const graph = importGraph();

const names = readRooms().map(({ name }) => name);

/** The room of a file: rooms may lie in rooms, and the innermost counts. */
const roomOf = (file: string) =>
  names
    .filter((name) => file.startsWith(`${name}/`))
    .toSorted((a, b) => b.length - a.length)
    .at(0) ?? file.split("/")[0]!;

test("every import of a file leads to a file", () => {
  const targets = [...new Set([...graph.values()].flat())];
  expect(targets.length).toBeGreaterThan(200);
  expect(targets.filter((file) => !existsSync(join(src, file)))).toEqual([]);
});

/** The library, and its part without Node, which are no rooms. */
const LIBRARY = ["index.ts", "browser.ts"];

test("nothing imports the library, but the whole has the part without Node", () => {
  const importers = files.filter(
    (file) =>
      importsOf(file).includes("agon-arena") || graph.get(file)!.some((other) => LIBRARY.includes(other)),
  );
  expect(importers).toEqual(["index.ts"]);
});

test("the table of rooms in docs/architecture.md is what the source imports", () => {
  const found = new Map<string, Set<string>>();
  for (const [file, imported] of graph) {
    if (LIBRARY.includes(file)) continue;
    const room = roomOf(file);
    if (!found.has(room)) found.set(room, new Set());
    for (const other of imported) if (roomOf(other) !== room) found.get(room)!.add(roomOf(other));
  }
  const sorted = (rooms: Iterable<[string, Iterable<string>]>) =>
    Object.fromEntries(Array.from(rooms, ([room, imports]) => [room, [...imports].toSorted()]));
  expect(sorted(readRooms().map(({ name, imports }) => [name, imports]))).toEqual(sorted(found));
});

test("rooms without Node import nothing of it", () => {
  const rooms = readRooms().filter(({ node }) => !node);
  expect(graph.get("browser.ts")!.filter((file) => rooms.every(({ name }) => name !== roomOf(file)))).toEqual(
    [],
  );
  const importers = files.filter(
    (file) =>
      rooms.some(({ name }) => name === roomOf(file)) &&
      importsOf(file).some((name) => name.startsWith("node:")),
  );
  expect(importers).toEqual([]);
});

test("no files import each other in a circle, types included", () => {
  const done = new Set<string>();
  const path: string[] = [];
  const visit = (file: string) => {
    if (path.includes(file)) throw new Error([...path.slice(path.indexOf(file)), file].join(" -> "));
    if (done.has(file)) return;
    path.push(file);
    for (const other of graph.get(file)!) visit(other);
    path.pop();
    done.add(file);
  };
  for (const file of files) visit(file);
  expect(done.size).toBe(files.length);
});

test("every path that docs/architecture.md names is there", () => {
  const root = join(src, "..");
  const page = readFileSync(join(root, "docs/architecture.md"), "utf8");
  const paths = Array.from(page.matchAll(/`([\w.-]+\/[\w./-]*)`/g), ([, path]) => path!);
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !existsSync(join(root, path)) && !existsSync(join(src, path)))).toEqual([]);
});

describe("the walks of docs/architecture.md", () => {
  const page = readFileSync(join(src, "../docs/architecture.md"), "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith("Four walks"))!;
  const walks = section
    .split(/^### /m)
    .slice(1)
    .map(
      (walk) =>
        [
          walk.split("\n")[0]!,
          Array.from(walk.matchAll(/^\d+\. `([^`]+)`(.*)$/gm), ([, file, text]) => ({
            file: file!,
            text: text!,
          })),
        ] as const,
    );

  test("are four, of at most 20 files", () => {
    expect(walks.map(([name]) => name)).toHaveLength(4);
    for (const [, steps] of walks) {
      expect(steps.length).toBeGreaterThan(10);
      expect(steps.length).toBeLessThanOrEqual(20);
    }
  });

  test.each(walks)(
    "%s: each file is imported by one before it, or the line says how it is reached",
    (_, steps) => {
      const jumps = steps.filter(
        ({ file }, at) =>
          at > 0 && !steps.slice(0, at).some((earlier) => graph.get(earlier.file)!.includes(file)),
      );
      expect(jumps.filter(({ text }) => !/\([^)]+\)\.$/.test(text)).map(({ file }) => file)).toEqual([]);
    },
  );
});

test("the injected faults import what the compiled files export", async () => {
  const folder = join(src, "../test/faults");
  const imported = readdirSync(folder).flatMap((file) => [
    ...readFileSync(join(folder, file), "utf8").matchAll(
      /^import \{([^}]+)\} from "\.\.\/\.\.\/build\/(.*)\.js"/gm,
    ),
  ]);
  expect(imported.length).toBeGreaterThan(20);
  for (const [, list, file] of imported) {
    const exported = Object.keys((await import(join(src, `${file}.ts`))) as object);
    for (const name of list!.split(",").map((one) => one.trim())) expect(exported, file).toContain(name);
  }
});
