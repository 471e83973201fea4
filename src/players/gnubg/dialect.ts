import { InputError } from "../../base/errors.ts";
import type { Decision, Turn } from "../../agents/agent.ts";
import type { Game, State } from "../../games/contract/game.ts";
import type { Dialect } from "../dialect.ts";
import { PlayerFault, type PlayerProcess } from "../player-process.ts";
import { MARK, SCRIPT, setUp } from "./script.ts";

/** An answer of the script: see script.ts. */
interface Answer {
  readonly ready?: boolean;
  /** The best turns, the best one first, with their equity for the player on roll, in points. */
  readonly hints?: readonly (readonly [turn: string, equity: number])[];
  readonly error?: string;
}

const MAX_SHOWN = 60;
/** GNU Backgammon's complaint if it was built without Python. */
const WITHOUT_PYTHON = /without Python/i;

/**
 * Speaks with GNU Backgammon, in text mode, by Python that it runs. Every decision hands over the whole position, so there is
 * no game that it could lose.
 */
export class GnuBackgammon implements Dialect {
  private readonly process: PlayerProcess;
  private readonly game: Game;
  private readonly plies: number;

  constructor(process: PlayerProcess, game: Game, plies: number) {
    this.process = process;
    this.game = game;
    this.plies = plies;
  }

  async greet(): Promise<void> {
    const gammons = this.game.options["gammons"] !== false;
    for (const command of setUp({ plies: this.plies, gammons })) this.process.say(command);
    // After `>`, a line is Python. JSON's texts are texts of Python.
    this.process.say(`>exec(${JSON.stringify(SCRIPT)}, globals())`);
    await this.hear();
  }

  async newGame(): Promise<void> {}

  async decide(state: State, turn: Turn): Promise<Decision> {
    const { game } = this;
    const [id = "", , dice = ""] = game.formatState(state).split(":");
    const actions = new Int32Array(game.maxActions);
    const count = state.legalActions(actions, 0);
    // There is nothing to decide, and GNU Backgammon has no hint where no die can be played.
    if (count === 1) return { action: actions[0]!, nodes: 0, line: [] };
    const { ranked = 1 } = turn;
    this.process.say(`>agon("${id}", ${dice.split("-").join(", ")}, ${ranked})`);
    const { hints = [] } = await this.hear();
    const ranking = hints.map(([text, equity]) => {
      const action = this.read(text, state);
      return { action, value: equity, line: [action] };
    });
    const [best] = ranking;
    if (best === undefined) throw new PlayerFault("exception", "it has no hint");
    return { ...best, nodes: count, depth: this.plies + 1, ...(turn.ranked !== undefined && { ranking }) };
  }

  private read(text: string, state: State): number {
    try {
      return this.game.parseAction(text, state);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new PlayerFault("illegal action", error.message);
    }
  }

  /** The script's next answer. */
  private async hear(): Promise<Answer> {
    for (;;) {
      const line = await this.process.hear();
      if (WITHOUT_PYTHON.test(line)) throw new InputError(`GNU Backgammon was built without Python: ${line}`);
      if (!line.startsWith(MARK)) continue;
      const answer = parseAnswer(line.slice(MARK.length));
      if (answer.error !== undefined) throw new PlayerFault("exception", answer.error);
      return answer;
    }
  }
}

function parseAnswer(text: string): Answer {
  try {
    return JSON.parse(text) as Answer;
  } catch {
    throw new PlayerFault("exception", `its answer is no JSON: ${text.slice(0, MAX_SHOWN)}`);
  }
}
