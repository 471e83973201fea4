import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLineReader } from "../../../src/cli/shared/line-reader.ts";

const [UP, RIGHT, SHIFT_UP, BACKSPACE, CTRL_C] = ["\u001b[A", "\u001b[C", "\u001b[1;2A", "\u007f", "\u0003"];

/** A reader at a terminal, or at a pipe, and the calls that turn the terminal's raw mode on and off. */
function readerAt({ isTTY }: { isTTY: boolean }) {
  const raw: boolean[] = [];
  const setRawMode = (on: boolean) => void raw.push(on);
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode });
  const reader = createLineReader(input as unknown as NodeJS.ReadStream, new PassThrough());
  return { input, reader, raw };
}

test("an arrow key on an empty line types its name; words and other lines stay as they are", async () => {
  const { input, reader } = readerAt({ isTTY: true });
  const typed = async (text: string) => {
    const line = reader.read("> ", { arrows: true });
    input.write(text);
    return line;
  };
  expect(await typed("left\r")).toBe("left");
  // The line before is not called up.
  expect(await typed(UP)).toBe("up");
  expect(await typed(RIGHT)).toBe("right");
  expect(await typed(`dow${UP}n\r`)).toBe("down");
  expect(await typed(`x${BACKSPACE}${RIGHT}`)).toBe("right");
  expect(await typed(`${SHIFT_UP}help\r`)).toBe("help");
  reader.close();
});

test("where no arrows play, they edit the line and call up the one before", async () => {
  const { input, reader } = readerAt({ isTTY: true });
  const first = reader.read("> ");
  input.write("4\r");
  expect(await first).toBe("4");
  const second = reader.read("> ");
  input.write(`${UP}2\r`);
  expect(await second).toBe("42");
  reader.close();
});

test("the raw mode of a terminal is on while lines are read, and off after Ctrl-C or the end", async () => {
  for (const end of ["Ctrl-C", "close"]) {
    const { input, reader, raw } = readerAt({ isTTY: true });
    const line = reader.read("> ", { arrows: true });
    expect(raw).toEqual([true]);
    if (end === "close") reader.close();
    else input.write(CTRL_C);
    expect(await line).toBeUndefined();
    expect(raw).toEqual([true, false]);
  }
});

test("a pipe has lines and no keys, and no raw mode", async () => {
  const { input, reader, raw } = readerAt({ isTTY: false });
  input.end(`${UP}\nup\n`);
  expect(await reader.read("> ", { arrows: true })).toBe(UP);
  expect(await reader.read("> ", { arrows: true })).toBe("up");
  expect(await reader.read("> ", { arrows: true })).toBeUndefined();
  expect(raw).toEqual([]);
});
