import { InputError } from "../../base/errors.ts";
import type { Decision, Turn } from "../../agents/agent.ts";
import type { Game, State } from "../../games/contract/game.ts";
import type { Dialect } from "../dialect.ts";
import { PlayerFault, type PlayerProcess } from "../player-process.ts";

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

/**
 * The start of each line that the script writes; all other lines are GNU Backgammon's own.
 * @internal tests alone import it.
 */
export const MARK = "agon ";

/**
 * Python code that GNU Backgammon runs. `agon(id, large, small, count)` writes the best turns of the player on roll as JSON. The
 * whole position is set each time. A line of its own program may be cut off there, so that each answer begins a line.
 * @internal tests alone import it.
 */
export const SCRIPT = `
import gnubg, json, os, sys
def agon_write(answer):
    sys.stdout.flush()
    os.write(1, ("\\n${MARK}" + json.dumps(answer) + "\\n").encode())
def agon_hint(id, large, small, count):
    for line in ("set turn 1", "set board " + id, "set dice %d %d" % (large, small)):
        gnubg.command(line)
    info = gnubg.posinfo()
    if gnubg.positionid() != id or sorted(info["dice"]) != [small, large] or info["turn"] != 1:
        raise ValueError("it has another position: " + gnubg.positionid() + " " + str(info))
    return [[one["move"], one["equity"]] for one in gnubg.hint(count)["hint"]]
def agon(*given):
    try:
        agon_write({"hints": agon_hint(*given)})
    except Exception as error:
        agon_write({"error": repr(error)})
agon_write({"ready": True})
`;

/**
 * The commands that make its own program quiet, and its evaluations cubeless.
 * @internal tests alone import it.
 */
export function setUp({ plies, gammons }: { plies: number; gammons: boolean }): readonly string[] {
  const evaluation = "set evaluation chequerplay evaluation";
  return [
    "set display off",
    "set output rawboard on",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set jacoby off",
    "set cube use off",
    "set player 0 human",
    "set player 1 human",
    // In a match to one point gammons do not count.
    gammons ? "new session" : "new match 1",
    `${evaluation} plies ${plies}`,
    `${evaluation} cubeful off`,
    `${evaluation} noise 0`,
  ];
}
