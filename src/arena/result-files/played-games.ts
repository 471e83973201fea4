import { InputError } from "../../base/errors.ts";
import type { Game, PlayedGame } from "../../games/contract/game.ts";
import type { FileProblems } from "./file-problems.ts";
import { endingOf, readForeign } from "../../specs/files/foreign-file.ts";

/** True if the ending of the file's name says that it has played games. */
export function hasPlayedGames(game: Game, path: string): boolean {
  const ending = endingOf(path);
  return ending === ".jsonl" || Object.hasOwn(game.transcripts, ending.slice(1));
}

/**
 * Reads the played games of a file, of each the first `plies` decisions. Games that cannot be read go to `problems`, which
 * may pass over them. Throws InputError if the file cannot be read.
 * @param note takes notes for the user on how the file was read
 */
export async function readPlayedGames(
  game: Game,
  path: string,
  { plies, problems, note }: { plies?: number; problems: FileProblems; note: (text: string) => void },
): Promise<PlayedGame[]> {
  const ending = endingOf(path);
  const format = Object.hasOwn(game.transcripts, ending.slice(1))
    ? game.transcripts[ending.slice(1)]
    : undefined;
  if (format?.read === undefined) {
    const readable = Object.keys(game.transcripts).filter((name) => "read" in game.transcripts[name]!);
    const allowed = readable.length === 0 ? "none" : readable.map((name) => `.${name}`).join(", ");
    throw new InputError(`games of ${game.id} in ${ending} cannot be read; files that can: ${allowed}`, path);
  }
  const { text, notes } = await readForeign(path, declaredIn);
  for (const line of notes) note(line);
  const games: PlayedGame[] = [];
  for (const found of format.read(text, plies)) {
    if ("actions" in found) games.push(found);
    else problems.passOver(found);
  }
  return games;
}

/** The encoding that a file of the Smart Game Format declares. */
function declaredIn(begin: string): string | undefined {
  return /\bCA\s*\[([^\]]*)\]/.exec(begin)?.[1];
}
