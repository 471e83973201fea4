/** One mistake in the input of a person: its place, and a message with the allowed values. */
export interface Problem {
  /** The path inside the document, such as `entrants[2].depth`; empty for the whole document. */
  readonly path: string;
  readonly message: string;
  /** Line and column in the text of the document, such as `7:12`. */
  readonly place?: string;
}

/** The most problems that a message names; it counts the others. */
export const MAX_TOLD = 20;
/** The most characters of a problem in a message. A file may name a thing by a text of a megabyte. */
const MAX_CHARACTERS = 4000;

/** Wrong input of a person: a config, a notation, a file. Commands show it without a stack and exit with code 2. */
export class InputError extends Error {
  /** All problems, including those that the message only counts. */
  readonly problems: readonly Problem[];
  /** The path of the wrong file, or empty. */
  readonly source: string;

  constructor(problems: string | readonly Problem[], source = "") {
    const list = typeof problems === "string" ? [{ path: "", message: problems }] : problems;
    const told = list.slice(0, MAX_TOLD).map((problem) => formatProblem(problem, source));
    const more = list.length - told.length;
    super([...told, ...(more > 0 ? [`and ${more} more`] : [])].join("\n"));
    this.name = "InputError";
    this.problems = list;
    this.source = source;
  }

  /** The problems as a document tells them that names the wrong file: their messages have the file's name. */
  get named(): readonly Problem[] {
    if (this.source === "") return this.problems;
    return this.message.split("\n").map((message) => ({ path: "", message }));
  }
}

function formatProblem(problem: Problem, source: string): string {
  const file = source === "" || problem.place === undefined ? source : `${source}:${problem.place}`;
  const where = [file, problem.path].filter((part) => part !== "").join(": ");
  return shortened(where === "" ? problem.message : `${where}: ${problem.message}`, MAX_CHARACTERS);
}

/** The text, or of a longer one its begin and its end, with `...` for what is left out. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor((most - 3) / 2);
  return `${text.slice(0, half)}...${text.slice(-half)}`;
}

/** The text with control characters, line breaks among them, as escapes: `\\n`, `\\u001b`. */
export function escapeControls(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    return known ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
