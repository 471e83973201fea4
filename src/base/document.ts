import { readFileSync } from "node:fs";
import { parseDocument } from "yaml";
import { InputError } from "./errors.ts";

/** Reads a YAML or JSON file; throws InputError with the line of each syntax error. */
export function readDocument(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new InputError(`cannot be read: ${(error as Error).message}`, path);
  }
  const document = parseDocument(text);
  if (document.errors.length > 0) {
    throw new InputError(
      document.errors.map(({ message }) => ({
        path: "",
        message: message.split("\n")[0]!.replace(/:$/, ""),
      })),
      path,
    );
  }
  return document.toJS();
}
