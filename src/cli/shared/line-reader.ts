import { createInterface } from "node:readline";

/** The names of the arrow keys. An action of the same name is played by its key. */
export const ARROWS: readonly string[] = ["up", "right", "down", "left"];

/** The lines that a person types. */
export interface LineReader {
  /**
   * Shows a prompt and returns the line that is typed; undefined when there is no more. With `arrows`, an arrow key on an
   * empty line types the key's name as a line.
   */
  readonly read: (prompt: string, options?: { readonly arrows?: boolean }) => Promise<string | undefined>;
  /** Ends reading, and leaves the terminal as it was. */
  readonly close: () => void;
}

/** Reads lines from a terminal, which can be edited and called up again, or from a file or pipe. */
export function createLineReader(input: NodeJS.ReadStream, output: NodeJS.WritableStream): LineReader {
  // In a terminal, readline turns the raw mode on, and off when it is closed. Ctrl-C closes it.
  const reader = createInterface({ input, output, terminal: input.isTTY });
  const lines = reader[Symbol.asyncIterator]();
  let arrowsPlay = false;
  // The keys would call up earlier lines instead.
  reader.on("history", (history) => {
    if (arrowsPlay) history.length = 0;
  });
  const onKey = (_: unknown, key: { name?: string; ctrl: boolean; meta: boolean; shift: boolean }) => {
    const isPlain = !key.ctrl && !key.meta && !key.shift;
    if (arrowsPlay && isPlain && reader.line === "" && ARROWS.includes(key.name!))
      reader.write(`${key.name}\n`);
  };
  // A stream that is no terminal has no such events.
  input.on("keypress", onKey);
  return {
    async read(prompt, { arrows = false } = {}) {
      arrowsPlay = arrows;
      reader.setPrompt(prompt);
      reader.prompt();
      const next = await lines.next();
      return next.done === true ? undefined : next.value;
    },
    close() {
      input.off("keypress", onKey);
      reader.close();
    },
  };
}
