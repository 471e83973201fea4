import { createRandom, createRandoms } from "../base/random.ts";
import { InputError } from "../base/errors.ts";
import { describeGiven } from "../base/thrown.ts";
import type { Budget } from "../agents/agent.ts";
import { GameInProgress } from "../agents/game-in-progress.ts";
import type { CheckResult, Finding } from "../games/check/finding.ts";
import { describePath, nameAction } from "../games/check/game-trial.ts";
import { CHANCE, TERMINAL, type Game, type State } from "../games/contract/game.ts";
import type { Dialect } from "./dialect.ts";
import { GREETING_MS, type Hosting } from "./hosted-agent.ts";
import { PlayerFault, PlayerProcess } from "./player-process.ts";

/*
 * Trial games of a program against random moves, which show what its author has to mend.
 */

/** A program, its game, and what is asked of it. */
export interface PlayerTrial {
  readonly game: Game;
  readonly hosting: Hosting;
  readonly budget: Budget;
  /** Games to play. Each seat is its own in turn. */
  readonly games: number;
  /** The time that it has for an answer, in ms. */
  readonly limitMs: number;
  /** The time that it has to say hello, in ms [10 000]. */
  readonly greetingMs?: number;
  /** Its opponents' moves, the dice and its own seeds descend from it. */
  readonly seed: string;
}

/** The findings, and what is right. */
export interface PlayerCheckResult extends CheckResult {
  /** The player's words about itself; absent if it did not say hello. */
  readonly about?: string;
  /** The median time of its decisions, in ms; absent if there was none. */
  readonly medianMs?: number;
  /** Findings that may be intended. */
  readonly remarks: readonly string[];
}

const DEMANDS = {
  hello:
    "a program that has been started answers hello within ten seconds, in the protocol that it is spoken to in",
  answers: "each question is answered once, within the limit, by a legal action",
  "in-turn": "nothing is printed to standard output but the answers to questions",
  "end-of-input": "a program ends when its input ends, and leaves no processes behind",
} as const;
type CheckName = keyof typeof DEMANDS;

/** A program has so long to end after its input. */
const FAREWELL_MS = 2000;
/** Empty lines, more than the system holds for a program that does not read. */
const MUCH_INPUT = "\n".repeat(300_000);
const READING_MS = 1000;

/** Plays the games of a trial, and one of them twice. */
export async function checkPlayer(trial: PlayerTrial): Promise<PlayerCheckResult> {
  const player = new TrialPlayer(trial);
  const findings: Finding[] = [];
  const remarks: string[] = [];
  let at: CheckName = "hello";
  try {
    await player.greet();
    at = "answers";
    for (let number = 0; number < trial.games; number++) await player.play(number);
    at = "end-of-input";
    const { ended, left } = await player.process.finish(FAREWELL_MS);
    if (left.length > 0) throw fault(`it leaves processes behind: ${left.join(", ")}`);
    if (!ended) remarks.push(`it goes on for more than ${FAREWELL_MS} ms after its input has ended`);
    at = "in-turn";
    const [line, ...others] = player.process.forget();
    const more = others.length === 0 ? "" : `, and ${others.length} lines more`;
    if (line !== undefined) throw fault(`it says ${describeGiven(line)} without a question${more}`);
  } catch (error) {
    if (!(error instanceof PlayerFault || error instanceof InputError)) throw error;
    const found = await explained(trial, player, error);
    const moves = player.moves();
    findings.push({ check: at, found, demand: DEMANDS[at], ...(moves === undefined ? {} : { moves }) });
  } finally {
    player.process.kill();
  }
  if (findings.length === 0 && (await playsAnew(trial, player.first)))
    remarks.push("it plays a game with the same seed differently, so agon verify cannot repeat its games");
  const times = player.times.toSorted((a, b) => a - b);
  return {
    checks: Object.keys(DEMANDS),
    games: player.games,
    positions: times.length,
    findings,
    remarks,
    ...(player.about === undefined ? {} : { about: player.about }),
    ...(times.length === 0 ? {} : { medianMs: times[times.length >> 1]! }),
  };
}

/** True if a new process plays the trial's first game differently. */
async function playsAnew(trial: PlayerTrial, first: readonly number[]): Promise<boolean> {
  const again = new TrialPlayer(trial);
  try {
    await again.greet();
    await again.play(0);
    return String(again.first) !== String(first);
  } catch {
    return true;
  } finally {
    again.process.kill();
  }
}

/** One process of the program, which plays games. */
class TrialPlayer {
  readonly process: PlayerProcess;
  private readonly dialect: Dialect;
  private readonly trial: PlayerTrial;
  /** The time of each decision, in ms. */
  readonly times: number[] = [];
  games = 0;
  /** The actions of its first game. */
  first: readonly number[] = [];
  private actions: number[] | undefined;
  about: string | undefined;
  hasSpoken = false;

  constructor(trial: PlayerTrial) {
    this.trial = trial;
    const { hosting } = trial;
    this.process = new PlayerProcess({
      ...hosting.command,
      apart: false,
      onLine: (_, from) => void (from === "heard" && (this.hasSpoken = true)),
    });
    this.dialect = hosting.speak(this.process);
  }

  /** The moves of the game at hand. */
  moves(): string[] | undefined {
    return this.actions && describePath(this.trial.game, this.actions);
  }

  async greet(): Promise<void> {
    const { greetingMs = GREETING_MS } = this.trial;
    await this.process.within(greetingMs, "it did not say hello", async () => this.dialect.greet());
    this.about = this.dialect.about;
  }

  /** Plays a game against random moves. What is wrong is thrown. */
  async play(number: number): Promise<void> {
    const { process, dialect, trial } = this;
    const { game, seed, limitMs, budget } = trial;
    const seat = number % game.players;
    const others = createRandom(seed, "check-engine", number);
    const [random] = createRandoms(1, seed, "check-engine", "own", number);
    const [worlds] = createRandoms(1, seed, "check-engine", "worlds", number);
    const progress = new GameInProgress(game);
    progress.begin({ chance: others });
    const { state, actions, views } = progress;
    this.actions = actions;
    this.games++;
    await process.within(limitMs, "it was not ready for a game", async () =>
      dialect.newGame({ id: `check-${number}`, seat, random: random!, limitMs }),
    );
    while (state.toMove !== TERMINAL) {
      if (state.toMove === CHANCE) {
        progress.drawChance();
        continue;
      }
      const legal = [...progress.legalActions()];
      let action: number;
      if (state.toMove === seat) {
        const told = progress.see(worlds);
        const begun = performance.now();
        const turn = { random: random!, budget, clock: () => performance.now(), limitMs, ...told };
        const decision = await process.within(limitMs, "no action", async () =>
          dialect.decide(views[seat]!, turn),
        );
        this.times.push(performance.now() - begun);
        ({ action } = decision);
        if (!legal.includes(action)) throw illegal(game, state, { action, legal });
      } else action = legal[others.below(legal.length)]!;
      progress.apply(action);
    }
    if (number === 0) this.first = actions;
    this.actions = undefined;
    dialect.endGame?.(progress.returns(), actions);
  }
}

const MOST_SHOWN = 20;

function illegal(
  game: Game,
  state: State,
  { action, legal }: { action: unknown; legal: readonly number[] },
): PlayerFault {
  const names = legal.slice(0, MOST_SHOWN).map((one) => `${one} (${nameAction(game, one, state)})`);
  const more = legal.length > MOST_SHOWN ? ` and ${legal.length - MOST_SHOWN} more` : "";
  return fault(`${describeGiven(action)} is not a legal action; legal are ${names.join(", ")}${more}`);
}

function fault(message: string): PlayerFault {
  return new PlayerFault("exception", message);
}

/** A fault in words, with more about a program that says nothing, and the last words of one that has died. */
async function explained(
  trial: PlayerTrial,
  { hasSpoken, process }: TrialPlayer,
  error: PlayerFault | InputError,
): Promise<string> {
  if (error instanceof InputError) return error.message;
  if (error.ending === "worker died") return error.with(process.lastWords).message;
  if (error.ending !== "time-out" || hasSpoken) return error.message;
  const reader = new PlayerProcess({ ...trial.hosting.command, apart: false });
  try {
    reader.say(MUCH_INPUT);
    await new Promise((resolve) => setTimeout(resolve, READING_MS));
    return reader.unreadInput === 0
      ? `${error.message}; it reads its input and says nothing: does it flush its output after each line?`
      : `${error.message}; it does not read its standard input`;
  } finally {
    reader.kill();
  }
}
