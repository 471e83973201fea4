import { readFileSync } from "node:fs";

/** A room of the source, as docs/architecture.md describes it. */
export interface Room {
  readonly name: string;
  /** The other rooms that it may import. */
  readonly imports: readonly string[];
  /** True if the room may import Node's modules. */
  readonly node: boolean;
}

/** The table under `## Rooms` in docs/architecture.md. */
export function readRooms(): Room[] {
  const page = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
  const section = page.split(/^## /m).find((part) => part.startsWith("Rooms\n"));
  if (section === undefined) throw new Error("docs/architecture.md has no section ## Rooms");
  return section
    .split("\n")
    .filter((line) => line.startsWith("| `src/"))
    .map((line) => {
      const [room, imports, , node] = line
        .split("|")
        .slice(1)
        .map((cell) => cell.trim());
      return {
        name: room!.slice("`src/".length, -1),
        imports: imports === "nothing" ? [] : imports!.split(", "),
        node: node === "yes",
      };
    });
}
