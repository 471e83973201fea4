import { PlayerFault, type PlayerProcess } from "../player-process.ts";

/** An answer of GTP: `= text` if the command succeeded, `? text` if not. */
export interface GtpAnswer {
  readonly succeeded: boolean;
  readonly text: string;
}

/** The most lines of one answer. GNU Go lists its 160 commands, one a line. */
const MAX_LINES = 5000;
const MAX_SHOWN = 60;

/**
 * Sends commands of the Go Text Protocol, version 2, one after the other, and reads their answers. An answer ends with an
 * empty line. Commands have no ids.
 */
export class GtpConnection {
  private readonly process: PlayerProcess;

  constructor(process: PlayerProcess) {
    this.process = process;
  }

  async ask(command: string): Promise<GtpAnswer> {
    this.process.say(command);
    let line = await this.process.hear();
    while (line.trim() === "") line = await this.process.hear();
    const [, sign, text = ""] = /^([=?])\d*\s*(.*)$/.exec(line) ?? [];
    if (sign === undefined)
      throw new PlayerFault(
        "exception",
        `"${brief(line)}" is no answer of GTP to "${command}": answers begin with = or ?`,
      );
    const lines = [text];
    for (line = await this.process.hear(); line.trim() !== ""; line = await this.process.hear()) {
      if (lines.push(line) > MAX_LINES)
        throw new PlayerFault("exception", `its answer to "${command}" has more than ${MAX_LINES} lines`);
    }
    return { succeeded: sign === "=", text: lines.join("\n").trim() };
  }

  /** The text of a successful answer. Throws PlayerFault for any other one. */
  async demand(command: string): Promise<string> {
    const { succeeded, text } = await this.ask(command);
    if (succeeded) return text;
    throw new PlayerFault("exception", `it answered "${command}" with "? ${brief(text)}"`);
  }
}

/** The beginning of a text of the player's. */
export function brief(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}
