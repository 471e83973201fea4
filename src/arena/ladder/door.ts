import { sandboxHere } from "../../players/sandbox.ts";
import type { Ladder } from "./ladder.ts";
import { ownerOf } from "./tokens.ts";
import { type Trial, Uploads } from "./uploads.ts";

/** The side of a ladder that answers those who send bots: who may, what was found, and how one's own bot does. */
export class LadderDoor {
  /** The reason for which nobody may send bots; undefined if all with a token may. */
  readonly refusal: string | undefined;
  private readonly ladder: Ladder;
  private readonly uploads: Uploads;

  private constructor(ladder: Ladder, uploads: Uploads, refusal: string | undefined) {
    this.ladder = ladder;
    this.uploads = uploads;
    this.refusal = refusal;
  }

  /** @param trust true if bots are run without a sandbox, with the rights of the user */
  static async open(ladder: Ladder, { trust }: { trust: boolean }): Promise<LadderDoor> {
    const { game, limitMs } = await ladder.rules();
    const here = sandboxHere();
    const refusal =
      trust || here.works
        ? undefined
        : `This ladder takes no bots: without a sandbox they would have the rights of its user, and ${here.reason}.`;
    return new LadderDoor(ladder, new Uploads(ladder.dir, { game, limitMs, sandbox: !trust }), refusal);
  }

  /** The name that a token is for; undefined if it is nobody's. */
  owner(token: string): string | undefined {
    return ownerOf(this.ladder.dir, token);
  }

  /** Tries a program and, if nothing is wrong with it, makes it the bot of that name. Throws InputError for a wrong file name. */
  async take(name: string, file: string, content: Uint8Array): Promise<Trial> {
    return this.uploads.take(name, file, content);
  }

  /** A bot's state, the findings of its last trial, and its forfeits, as its owner may know them. */
  about(name: string): object {
    const { ladder } = this;
    return {
      bot: name,
      now: ladder.bot(name) ?? null,
      trial: this.uploads.last(name) ?? null,
      forfeits: ladder.forfeitsOf(name),
    };
  }
}
