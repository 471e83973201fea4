import { didYouMean } from "../../base/text.ts";
import { InputError } from "../../base/errors.ts";
import type { Decision, NewGame, Played, Turn } from "../../agents/agent.ts";
import type { Game, State } from "../../games/contract/game.ts";
import type { Dialect } from "../dialect.ts";
import { PlayerFault, type PlayerProcess } from "../player-process.ts";
import {
  PROTOCOL,
  WANTS,
  type Decide,
  type FromPlayer,
  type Hello,
  type ToPlayer,
  type Wants,
} from "./messages.ts";

const MAX_SHOWN = 60;

/** Speaks agon's own protocol. */
export class JsonLines implements Dialect {
  private readonly process: PlayerProcess;
  private readonly game: Game;
  private readonly agent: Hello["agent"];
  private name = "";
  private wants: Wants = "moves";
  private view = false;
  /** The play that the player knows. */
  private told: Played = { actions: [] };
  /** The position after it, if it is told as texts. */
  private position: State | undefined;
  private begun: NewGame | undefined;
  private isAtPlay = false;

  /** @param agent the spec of the agent that one of agon's own processes shall be */
  constructor(process: PlayerProcess, game: Game, agent?: Hello["agent"]) {
    this.process = process;
    this.game = game;
    this.agent = agent;
  }

  get about(): string {
    return `${this.name}, which wants ${this.wants}${this.view ? " and a view" : ""}`;
  }

  async greet(): Promise<void> {
    const { agent } = this;
    const { options, players, spec } = this.game;
    // The id of a user's game is the path of its file.
    const id = typeof spec === "object" ? spec.id : (spec ?? this.game.id);
    this.say({
      type: "hello",
      protocol: PROTOCOL,
      game: { id, ...options },
      players,
      ...(agent === undefined ? {} : { agent }),
    });
    const answer = await this.hear("hello", "refuse");
    if (answer.type === "refuse") throw new InputError(String(answer.reason));
    if (answer.protocol !== PROTOCOL)
      throw new InputError(
        `the player speaks version ${String(answer.protocol)} of the protocol; this program speaks ${PROTOCOL}`,
      );
    if (!WANTS.includes(answer.wants))
      throw new InputError(
        `the player wants ${shown(answer.wants)}${didYouMean(String(answer.wants), WANTS)}; allowed: ${WANTS.join(", ")}`,
      );
    this.name = shown(answer.name);
    this.wants = answer.wants;
    this.view = answer.view === true;
  }

  async newGame(game: NewGame | undefined): Promise<void> {
    this.refuseEarly();
    this.told = { actions: [] };
    this.position = undefined;
    this.begun = game;
    this.isAtPlay = true;
    const { id = "", seat = 0, random, limitMs = Infinity } = game ?? {};
    const limit = Number.isFinite(limitMs) ? { limitMs } : {};
    this.say({ type: "new-game", id, seat, seed: random?.save() ?? [0, 0, 0, 1], ...limit });
  }

  async decide(state: State, turn: Turn): Promise<Decision> {
    const { game, wants } = this;
    const known = game.hiddenInformation ? this.knownTo(turn) : await this.playTo(state, turn);
    this.refuseEarly();
    const legal = wants === "moves" ? [] : legalOf(game, state);
    const texts = wants === "texts" ? legal.map((action) => game.formatAction(action, state)) : [];
    this.say({
      type: "decide",
      ...known,
      ...(wants === "moves" ? {} : { legal: wants === "texts" ? texts : legal }),
      budget: turn.budget as Readonly<Record<string, number>>,
      ...(turn.clocks === undefined ? {} : { clocks: turn.clocks }),
      ...(this.view ? viewOf(game, state) : {}),
    });
    const answer = await this.hear("decision");
    const { action, line, nodes = 0 } = answer;
    return {
      ...answer,
      nodes,
      action: wants === "texts" ? this.actionOf(action, texts, legal) : (action as number),
      // Texts of later positions are not read.
      line: wants === "texts" ? [] : ((line ?? []) as readonly number[]),
    };
  }

  endGame(returns: readonly number[], actions: readonly number[], from?: string): void {
    // A game that another player's fault has ended may not have begun here.
    if (!this.isAtPlay) return;
    this.isAtPlay = false;
    const moves = this.game.hiddenInformation
      ? {}
      : { moves: this.news({ actions, ...(from !== undefined && { from }) }) };
    this.say({ type: "end-game", ...moves, returns });
  }

  /** The play that the player has not been told of. */
  private async playTo(state: State, turn: Turn): Promise<Pick<Decide, "moves" | "from">> {
    const played = turn.played?.() ?? { from: this.game.formatState(state), actions: [] };
    if (!continues(played, this.told)) await this.newGame(this.begun);
    const { from } = played;
    return { moves: this.news(played), ...(from === undefined ? {} : { from }) };
  }

  /** The knowledge of a player who does not see all, and the drawn world if it plays by the rules. */
  private knownTo({ knowledge, played }: Turn): Pick<Decide, "codes" | "world"> {
    const codes = Array.from(knowledge!.codes);
    return this.wants === "moves" ? { codes, world: played!().actions } : { codes };
  }

  /** The actions that the player has not been told of, as it wants them. */
  private news(played: Played): readonly (number | string)[] {
    const news = played.actions.slice(this.told.actions.length);
    this.told = played;
    return this.wants === "texts" ? this.textsOf(news, played.from) : news;
  }

  private actionOf(given: unknown, texts: readonly string[], legal: readonly number[]): number {
    const at = texts.indexOf(given as string);
    if (at >= 0) return legal[at]!;
    const fault =
      typeof given === "number" ? "is a number, and actions are sent as texts" : "is not a legal action";
    throw new PlayerFault("illegal action", `${shown(given)} ${fault}; legal are ${brief(texts)}`);
  }

  /** The actions as texts, each in the position before it. */
  private textsOf(actions: readonly number[], from: string | undefined): string[] {
    const { game } = this;
    const position = (this.position ??= from === undefined ? game.start() : game.parseState(from));
    return actions.map((action) => {
      const text = game.formatAction(action, position);
      position.apply(action);
      return text;
    });
  }

  /** A line that nobody has asked for would be taken for the answer to the next question. */
  private refuseEarly(): void {
    const [line] = this.process.forget();
    if (line === undefined) return;
    const message = parseMessage(line);
    if (message?.type === "error") throw faultOf(message);
    throw new PlayerFault("exception", `it said ${shown(line)} before it was asked`);
  }

  private say(message: ToPlayer): void {
    this.process.say(JSON.stringify(message));
  }

  /** The next message, of one of these types. */
  private async hear<Type extends FromPlayer["type"]>(
    ...types: readonly Type[]
  ): Promise<Extract<FromPlayer, { type: Type }>> {
    const line = await this.process.hear();
    const message = parseMessage(line);
    if (message === undefined)
      throw new PlayerFault(
        "exception",
        `${shown(line)} is no message; standard output is for messages alone, each one line of JSON`,
      );
    if (message.type === "error") throw faultOf(message);
    if (types.includes(message.type as Type)) return message as Extract<FromPlayer, { type: Type }>;
    const allowed = types.map((type) => `"${type}"`).join(" or ");
    throw new PlayerFault(
      "exception",
      `it said a message of type ${shown(message.type)} where ${allowed} is due`,
    );
  }
}

/** True if a player who knows the play `before` needs to be told the new actions alone. */
function continues({ actions, from }: Played, before: Played): boolean {
  if (before.actions.length === 0 && before.from === undefined) return true;
  return from === before.from && before.actions.every((action, at) => action === actions[at]);
}

function parseMessage(line: string): FromPlayer | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && message !== null ? (message as FromPlayer) : undefined;
  } catch {
    return undefined;
  }
}

function faultOf({ ending, detail }: Extract<FromPlayer, { type: "error" }>): PlayerFault {
  return new PlayerFault(ending === "illegal action" ? ending : "exception", String(detail));
}

/** The position as the player to move sees it. */
export function viewOf(game: Game, state: State): Pick<Decide, "position" | "board"> {
  return game.privacy === undefined
    ? { position: game.formatState(state), board: game.render(state) }
    : { board: game.privacy.formatView(state, state.toMove) };
}

function legalOf(game: Game, state: State): number[] {
  const actions = new Int32Array(game.maxActions);
  return [...actions.subarray(0, state.legalActions(actions, 0))];
}

function shown(given: unknown): string {
  const text = typeof given === "string" ? given : (JSON.stringify(given) ?? "nothing");
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}...` : text;
}

function brief(texts: readonly string[]): string {
  return texts.length <= 10
    ? texts.join(", ")
    : `${texts.slice(0, 10).join(", ")} and ${texts.length - 10} more`;
}
