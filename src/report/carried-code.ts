import { InputError } from "../base/errors.ts";
import { checkCode } from "../specs/plugins/code.ts";
import { PortableCode } from "../specs/plugins/portable-code.ts";
import type { TournamentPlan } from "../arena/plan/plan.ts";
import { withoutFolders } from "./reason.ts";

/** The user's code of one run, which its page carries. */
export class CarriedCode {
  private readonly code = new PortableCode();

  /** The code as a script; undefined without any. */
  get script(): string | undefined {
    return this.code.script;
  }

  /** Adds the run's game, a file of the user's. */
  addGame({ game: { id }, gameCode }: TournamentPlan): ReturnType<CarriedCode["add"]> {
    return this.add(id, { files: [id], hash: gameCode });
  }

  /**
   * Adds a file; returns its key in the script, or the reason why the page cannot carry it.
   * @param files the files whose hash the plan has
   */
  async add(
    path: string,
    { files, hash }: { files: readonly string[]; hash: string | undefined },
  ): Promise<{ key: string } | { misses: string }> {
    try {
      checkCode(files, hash);
      return { key: await this.code.add(path) };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return { misses: withoutFolders(error.message, files) };
    }
  }
}
