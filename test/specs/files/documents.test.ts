import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";
import { describe, expect, onTestFinished, test } from "vitest";
import { beside, readDocument, readJson, readLines } from "../../../src/specs/files/documents.ts";
import { checkWritable, makeFolder, writeWhole } from "../../../src/specs/files/write-file.ts";
import { temporaryFolder, writeInto } from "../../support/agon.ts";
import { slowTest, thorough } from "../../support/thorough.ts";

/** Makes 1,000 folders, each in a parent that another thread begins to make a folder in at the same moment. */
const ROUNDS = thorough(1000, 100);
const MAKE_FOLDERS = `
  const { join } = require("node:path");
  const { files, dir, begun, name } = require("node:worker_threads").workerData;
  import(files).then(({ makeFolder }) => {
    try {
      for (let round = 1; round <= ${ROUNDS}; round++) {
        Atomics.add(begun, 0, 1);
        while (Atomics.load(begun, 0) < 2 * round);
        makeFolder(join(dir, String(round), name));
      }
    } finally {
      // The other one waits for nobody who has failed.
      Atomics.add(begun, 0, ${2 * ROUNDS});
    }
  });`;

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

  test("content in pieces is written whole, or not at all", () => {
    const path = writeInto(temporaryFolder(), "x.txt", "before");
    const broken = function* () {
      yield "some";
      throw new Error("no more");
    };
    expect(() => writeWhole(path, broken())).toThrow("no more");
    expect(readdirSync(dirname(path))).toEqual(["x.txt"]);
    expect(readFileSync(path, "utf8")).toBe("before");
    writeWhole(path, ["a", "b"]);
    expect(readFileSync(path, "utf8")).toBe("ab");
  });

  test.skipIf(process.platform === "win32")("a link to where nothing is stays", () => {
    const dir = temporaryFolder();
    const link = join(dir, "latest.html");
    symlinkSync("www/index.html", link);
    checkWritable(link);
    expect(readdirSync(join(dir, "www"))).toEqual([]);
    writeWhole(link, "new");
    expect(readlinkSync(link)).toBe("www/index.html");
    expect(readFileSync(join(dir, "www", "index.html"), "utf8")).toBe("new");
  });

  test.skipIf(process.platform === "win32")("a link stays, and the file behind it is written", () => {
    const dir = temporaryFolder();
    mkdirSync(join(dir, "www"));
    const page = join(dir, "www", "index.html");
    const link = join(dir, "latest.html");
    symlinkSync("www/index.html", link);
    for (const content of ["new", "newer"]) {
      writeWhole(link, content);
      expect(readlinkSync(link)).toBe("www/index.html");
      expect(readFileSync(page, "utf8")).toBe(content);
    }
    expect(readdirSync(join(dir, "www"))).toEqual(["index.html"]);
  });

  test.skipIf(process.platform === "win32")("a private file stays private", () => {
    const path = writeInto(temporaryFolder(), "private.txt", "old");
    chmodSync(path, 0o600);
    writeWhole(path, "new");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("files of the user's are left alone, whatever their names are", () => {
    const dir = temporaryFolder();
    writeInto(dir, "book.txt.part", "a download");
    writeWhole(join(dir, "book.txt"), "new");
    expect(readFileSync(join(dir, "book.txt.part"), "utf8")).toBe("a download");
    expect(readdirSync(dir).toSorted()).toEqual(["book.txt", "book.txt.part"]);
  });

  slowTest.skipIf(process.platform === "win32")("what is no file gets the content as it comes", () => {
    const dir = temporaryFolder();
    const pipe = join(dir, "pipe");
    execFileSync("mkfifo", [pipe]);
    const files = new URL("../../../build/specs/files/write-file.js", import.meta.url).href;
    const script = writeInto(
      dir,
      "write.mjs",
      `import { writeWhole } from ${JSON.stringify(files)};
       writeWhole(process.argv[2], "content");`,
    );
    const run = (command: string) =>
      execFileSync("sh", ["-c", command, process.execPath, script], { cwd: dir }).toString();
    expect(run('cat pipe & "$0" "$1" pipe; wait')).toBe("content");
    expect(run('echo before > out; "$0" "$1" /dev/stdout >> out; cat out')).toBe("before\ncontent");
    expect(run('"$0" "$1" /dev/stdout | cat')).toBe("content");
    writeWhole("/dev/null", "content");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    expect(readdirSync(dir).toSorted()).toEqual(["out", "pipe", "write.mjs"]);
  });

  /* A limit of the file size cuts a write short as a full disk does: the first call writes a part, the next fails. */
  test.skipIf(process.platform === "win32")("a full disk leaves the old file whole", () => {
    const dir = temporaryFolder();
    const path = writeInto(dir, "file.txt", "old");
    const files = new URL("../../../build/specs/files/write-file.js", import.meta.url).href;
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

describe("only files are read", () => {
  const READERS = [readDocument, readJson, (path: string) => readLines(path, (line) => line)];
  const NO_FILE = "is a device, a pipe or a socket; write the content into a file and name that";

  test("a file that is nowhere, not even among those of agon", () => {
    for (const path of ["weights/none.json", join(temporaryFolder(), "package.json")])
      for (const read of READERS) expect(() => read(path)).toThrow(/cannot be read: ENOENT[^;]*$/);
  });

  test("a folder", () => {
    const dir = temporaryFolder();
    for (const read of READERS) expect(() => read(dir)).toThrow(`${dir}: is a folder; name a file`);
  });

  test.skipIf(process.platform === "win32")("devices, pipes and sockets, which may have no end", async () => {
    const dir = temporaryFolder();
    const pipe = join(dir, "pipe.yaml");
    execFileSync("mkfifo", [pipe]);
    const socket = join(dir, "socket.yaml");
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    for (const path of ["/dev/zero", "/dev/null", pipe, socket])
      for (const read of READERS) expect(() => read(path)).toThrow(`${path}: ${NO_FILE}`);
  });

  test("a config of up to 1 MB", () => {
    const text = (bytes: number) => writeInto(temporaryFolder(), "config.yaml", "x".repeat(bytes));
    expect(readDocument(text(2 ** 20))).toBe("x".repeat(2 ** 20));
    expect(() => readDocument(text(2 ** 20 + 1))).toThrow(
      /config\.yaml: is too large: 1048577 bytes; at most 1048576 are read$/,
    );
  });

  test("a file of lines of up to 64 MB", () => {
    const path = writeInto(temporaryFolder(), "positions.txt", "a\n# b\n\n c \n");
    expect(readLines(path, (line) => line)).toEqual(["a", "c"]);
    truncateSync(path, 64 * 2 ** 20 + 1);
    expect(() => readLines(path, (line) => line)).toThrow(
      `${path}: is too large: 67108865 bytes; at most 67108864 are read`,
    );
  });
});

describe("a text that is not UTF-8 is refused, with the place of the first wrong byte", () => {
  const READERS = [readDocument, readJson, (path: string) => readLines(path, (line) => line)];

  test.each([
    ["Latin-1", Buffer.from('{"a":\n"caf\u00e9"}', "latin1"), "line 2, byte 5 is 0xe9"],
    [
      "UTF-16",
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("1", "utf16le")]),
      "line 1, byte 1 is 0xff",
    ],
    ["cut in a character", Buffer.from('"\u00e9\n\u20ac').subarray(0, -1), "line 2, byte 1 is 0xe2"],
    ["after the sign for a wrong byte", Buffer.from("\n\n\ufffd\xff", "latin1"), "line 3, byte 1 is 0xfd"],
  ])("%s", (_, bytes, place) => {
    const path = join(temporaryFolder(), "x.yaml");
    writeFileSync(path, bytes);
    for (const read of READERS)
      expect(() => read(path)).toThrow(`${path}: is not UTF-8: ${place}; save the file as UTF-8`);
  });

  test("a binary file is no text to be saved in another way", () => {
    const path = join(temporaryFolder(), "book.bin");
    writeFileSync(path, Buffer.from([0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0, 0, 3, 0x1c]));
    for (const read of READERS)
      expect(() => read(path)).toThrow(`${path}: is no text: a file of another kind, such as a book`);
  });

  test("signs of any kind are read", () => {
    const path = writeInto(temporaryFolder(), "x.json", '"é€🙂\ufffd"');
    expect(READERS.map((read) => read(path))).toEqual(["é€🙂\ufffd", "é€🙂\ufffd", ['"é€🙂\ufffd"']]);
  });
});

describe("a file that a document names", () => {
  test("is in the same folder or below it, and so is what a symbolic link leads to", () => {
    const dir = temporaryFolder();
    const own = join(dir, "own");
    mkdirSync(join(own, "deep"), { recursive: true });
    writeInto(dir, "secret", "");
    writeInto(own, "real", "");
    const path = writeInto(own, "weights.json", "{}");
    symlinkSync("real", join(own, "inside"));
    symlinkSync(join("..", "secret"), join(own, "outside"));
    symlinkSync(join("..", ".."), join(own, "deep", "up"));
    symlinkSync("nowhere", join(own, "broken"));
    for (const name of ["real", "inside", "deep/new", "new", "broken"])
      expect(beside(path, name)).toBe(join(own, name));
    for (const name of ["outside", "deep/up/secret"])
      expect(() => beside(path, name)).toThrow(
        `${path}: names the file "${name}", a symbolic link to ${join(realpathSync(dir), "secret")}; files must be in the same folder or below it`,
      );
    expect(() => beside(path, "../secret")).toThrow(/names the file "\.\.\/secret"; files must be/);
    // The folder itself may be reached by a link.
    symlinkSync(own, join(dir, "link"));
    expect(beside(join(dir, "link", "weights.json"), "real")).toBe(join(dir, "link", "real"));
  });
});

describe("places to write to", () => {
  test("a folder is made with those around it, and may be there", () => {
    const dir = join(temporaryFolder(), "a", "b", "c");
    for (let time = 0; time < 2; time++) makeFolder(dir);
    expect(readdirSync(dir)).toEqual([]);
  });

  slowTest("folders with a new parent are made by two threads at the same moment", async () => {
    const files = new URL("../../../build/specs/files/write-file.js", import.meta.url).href;
    const workerData = { files, dir: temporaryFolder(), begun: new Int32Array(new SharedArrayBuffer(4)) };
    const failures = ["a", "b"].map(
      (name) =>
        new Promise((settle) => {
          const worker = new Worker(MAKE_FOLDERS, { eval: true, workerData: { ...workerData, name } });
          worker.once("error", settle).once("exit", () => settle(undefined));
        }),
    );
    expect(await Promise.all(failures)).toEqual([undefined, undefined]);
  });

  test("what is no folder is told", () => {
    const file = writeInto(temporaryFolder(), "x", "");
    for (const path of [file, join(file, "y"), join(file, "y", "z")])
      expect(() => makeFolder(path)).toThrow(/: is no folder: E\w+: .*; name another folder$/);
    expect(() => makeFolder("")).toThrow(/cannot be written into: ENOENT/);
  });

  test.runIf(process.platform === "linux")("a folder that the system refuses does not take for ever", () => {
    expect(() => makeFolder("/proc/no/such")).toThrow(/^\/proc\/no\/such: cannot be written into: ENOENT/);
  });

  test("a file that can be written leaves no trace of the look, but its folder", () => {
    const dir = temporaryFolder();
    const path = join(dir, "new", "x.json");
    checkWritable(path);
    expect(existsSync(path)).toBe(false);
    expect(readdirSync(dir)).toEqual(["new"]);
    const there = writeInto(dir, "there.json", "kept");
    checkWritable(there);
    expect(readFileSync(there, "utf8")).toBe("kept");
    expect(() => checkWritable(dir)).toThrow(`${dir}: is a folder; name a file`);
    expect(() => checkWritable(join(there, "y"))).toThrow("is no folder");
    if (process.platform === "linux")
      expect(() => checkWritable("/proc/x")).toThrow("/proc/x: cannot be written: E");
  });
});
