import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, parse, resolve } from "node:path";
import { InputError } from "../../base/errors.ts";
import { formatFinding } from "../../games/check/finding.ts";
import type { Game } from "../../games/contract/game.ts";
import { checkPlayer } from "../../players/check-player.ts";
import { HostedAgent } from "../../players/hosted-agent.ts";
import { loadAgent, locateAgent } from "../../specs/agents.ts";
import { RUNNERS } from "../../specs/bots.ts";
import { readJson } from "../../specs/files/documents.ts";
import { writeWhole } from "../../specs/files/write-file.ts";
import { BOTS } from "./bot-folder.ts";
import { botSpec, UPLOADS } from "./bot-spec.ts";

/** Trial games of an upload, and the longest time that it has for an answer in them, in ms. */
const TRIAL_GAMES = 2;
const TRIAL_MS = 10_000;

/** The findings of an uploaded bot's trial, for its sender alone. */
export interface Trial {
  readonly accepted: boolean;
  /** The faults for which it was refused, each in some lines. */
  readonly findings: readonly string[];
  /** Things that look odd and may be intended. */
  readonly remarks: readonly string[];
}

/** Takes uploaded bots: each is tried, and put into the folder of bots if nothing is wrong with it. */
export class Uploads {
  private readonly dir: string;
  private readonly game: Game;
  private readonly limitMs: number;
  private readonly sandbox: boolean;

  /**
   * @param dir the ladder's folder
   * @param rules its game, the time that a decision may take in its games, in ms, and whether bots are shut in
   */
  constructor(
    dir: string,
    rules: { readonly game: Game; readonly limitMs: number; readonly sandbox: boolean },
  ) {
    const { game, limitMs, sandbox } = rules;
    // Programs are started from folders of their own.
    this.dir = resolve(dir);
    this.game = game;
    this.sandbox = sandbox;
    this.limitMs = Math.min(limitMs, TRIAL_MS);
    mkdirSync(join(dir, UPLOADS), { recursive: true });
  }

  /**
   * Tries a program, and makes it the bot of that name if nothing is wrong with it.
   * @param file a file name, whose ending says how the program is run. Throws InputError for one that nothing runs.
   */
  async take(bot: string, file: string, content: Uint8Array): Promise<Trial> {
    const { ext } = parse(file);
    if (!Object.hasOwn(RUNNERS, ext)) {
      const allowed = Object.keys(RUNNERS).filter((one) => one !== "");
      throw new InputError(
        `"${file}" is no bot; allowed: ${allowed.join(", ")}, or a program without an ending`,
      );
    }
    const made = mkdtempSync(join(this.dir, UPLOADS, "."));
    try {
      const path = join(made, `${bot}${ext}`);
      writeFileSync(path, content);
      chmodSync(path, 0o755);
      const trial = await this.try(path);
      writeWhole(this.resultPath(bot), `${JSON.stringify(trial, null, 2)}\n`);
      if (trial.accepted) this.replace(bot, path);
      return trial;
    } finally {
      rmSync(made, { recursive: true, force: true });
    }
  }

  /** The trial of the last upload of that name; undefined if there was none. */
  last(bot: string): Trial | undefined {
    const path = this.resultPath(bot);
    return existsSync(path) ? (readJson(path) as Trial) : undefined;
  }

  private resultPath(bot: string): string {
    return join(this.dir, UPLOADS, `${bot}.json`);
  }

  private async try(path: string): Promise<Trial> {
    const { game, limitMs } = this;
    const agent = (
      await loadAgent(game, locateAgent(botSpec(path, this.dir, { sandbox: this.sandbox }), this.dir))
    ).create();
    if (!(agent instanceof HostedAgent)) throw new Error(`${path} is no program`);
    const { findings, remarks } = await checkPlayer({
      game,
      hosting: agent.hosting,
      budget: {},
      games: TRIAL_GAMES,
      limitMs,
      seed: "upload",
    });
    const shown = findings.map((one) => formatFinding(one).replaceAll(path, parse(path).base));
    return { accepted: findings.length === 0, findings: shown, remarks };
  }

  /** Puts a file into the folder of bots, in place of any file or folder of that name. */
  private replace(bot: string, path: string): void {
    const folder = join(this.dir, BOTS);
    const { base } = parse(path);
    renameSync(path, join(folder, base));
    for (const other of readdirSync(folder))
      if (other !== base && (other === bot || parse(other).name === bot))
        rmSync(join(folder, other), { recursive: true, force: true });
  }
}
