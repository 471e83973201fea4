import { createRandom, type Random } from "../../base/random.ts";
import { describeGiven, describeThrown } from "../../base/thrown.ts";
import type { Agent, Budget, BudgetKey, Decision, Turn } from "../../agents/agent.ts";
import { readThought } from "../../agents/own-thought.ts";
import type { Game, State } from "../../games/contract/game.ts";
import {
  PROTOCOL,
  type Decide,
  type EndGame,
  type FromPlayer,
  type Hello,
  type NewGameMessage,
  type ToPlayer,
} from "../json-lines/messages.ts";

/** A game, and an agent that plays it. */
export interface Prepared {
  readonly game: Game;
  readonly agent: Agent;
  /** The budget of its decisions where a message has none that it heeds. */
  readonly budget: Budget;
  /** The limits that it heeds. */
  readonly heeds: readonly BudgetKey[];
}

/** One of agon's agents as a player of agon's own protocol. */
export class JsonLinesEngine {
  private readonly name: string;
  private readonly prepare: (hello: Hello) => Promise<Prepared>;
  private readonly send: (message: FromPlayer) => void;
  private prepared: Prepared | undefined;
  private position: State | undefined;
  private copy: State | undefined;
  private played: number[] = [];
  private from: string | undefined;
  private random: Random = createRandom("engine");

  /** @param prepare makes the agent; what it throws refuses the game */
  constructor(
    name: string,
    { prepare, send }: { prepare: (hello: Hello) => Promise<Prepared>; send: (message: FromPlayer) => void },
  ) {
    this.name = name;
    this.prepare = prepare;
    this.send = send;
  }

  /** Answers one message. */
  async hear(line: string): Promise<void> {
    const message = parseMessage(line);
    if (message === undefined)
      return this.send({ type: "error", detail: `${describeGiven(line)} is no message` });
    try {
      if (message.type === "hello") await this.greet(message);
      else if (message.type === "new-game") await this.newGame(message);
      else if (message.type === "decide") await this.decide(message);
      else if (message.type === "end-game") this.endGame(message);
    } catch (error) {
      this.send({ type: "error", detail: describeThrown(error) });
    }
  }

  private async greet(hello: Hello): Promise<void> {
    try {
      if (hello.protocol !== PROTOCOL)
        throw new Error(
          `the protocol's version is ${String(hello.protocol)}; this player speaks ${PROTOCOL}`,
        );
      this.prepared = await this.prepare(hello);
    } catch (error) {
      this.send({ type: "refuse", reason: error instanceof Error ? error.message : describeThrown(error) });
      return;
    }
    const { game } = this.prepared;
    this.position = game.start();
    this.copy = game.start();
    this.send({ type: "hello", protocol: PROTOCOL, name: this.name, wants: "moves" });
  }

  private async newGame({ id, seat, seed, limitMs = Infinity }: NewGameMessage): Promise<void> {
    const { game, agent } = this.prepared!;
    this.position!.copyFrom(game.start());
    this.played = [];
    this.from = undefined;
    this.random.restore(seed as [number, number, number, number]);
    await agent.newGame?.({ id, seat, random: this.random, limitMs });
  }

  private endGame({ moves = [], returns }: EndGame): void {
    this.prepared?.agent.endGame?.(returns, [...this.played, ...(moves as readonly number[])]);
  }

  private async decide(message: Decide): Promise<void> {
    const { agent, budget: usual, heeds } = this.prepared!;
    const { budget, clocks } = message;
    const copy = this.copy!;
    const told = message.codes === undefined ? this.follow(message) : this.enter(message);
    const heeded = Object.fromEntries(heeds.flatMap((key) => (key in budget ? [[key, budget[key]]] : [])));
    const decision: unknown = await agent.choose(copy, {
      random: this.random,
      budget: Object.keys(heeded).length > 0 ? heeded : usual,
      clock: () => performance.now(),
      ...told,
      ...(clocks === undefined ? {} : { clocks }),
    });
    this.send(messageOf(decision as Partial<Decision> | undefined));
  }

  /** Goes on with the play, to which the agent's state is set. */
  private follow({ moves = [], from }: Decide): Pick<Turn, "played"> {
    const position = this.position!;
    if (from !== this.from && from !== undefined) position.copyFrom(this.prepared!.game.parseState(from));
    this.from = from;
    for (const move of moves as readonly number[]) {
      position.apply(move);
      this.played.push(move);
    }
    this.copy!.copyFrom(position);
    return { played: () => ({ ...(from === undefined ? {} : { from }), actions: [...this.played] }) };
  }

  /** Sets the agent's state to a world that was drawn from what the player knows. */
  private enter({ codes: given = [], world }: Decide): Pick<Turn, "played" | "knowledge"> {
    const { privacy, start, id } = this.prepared!.game;
    if (privacy === undefined || world === undefined)
      throw new Error(`a question at ${id} has ${privacy === undefined ? "codes" : "no world"}`);
    const state = this.copy!;
    state.copyFrom(start());
    for (const action of world) state.apply(action);
    const codes = Int32Array.from(given);
    const worlds = privacy.worlds(codes, codes.length, state.toMove);
    return { played: () => ({ actions: world }), knowledge: { codes, worlds } };
  }
}

function parseMessage(line: string): ToPlayer | undefined {
  try {
    const message: unknown = JSON.parse(line);
    return typeof message === "object" && message !== null ? (message as ToPlayer) : undefined;
  } catch {
    return undefined;
  }
}

/** A decision as a message. Reading it may run the agent's code. */
function messageOf(decision: Partial<Decision> | undefined): FromPlayer {
  const action: unknown = decision?.action;
  if (typeof action !== "string" && !Number.isFinite(action))
    return {
      type: "error",
      ending: "illegal action",
      detail: `${describeGiven(action)} is not a legal action`,
    };
  const nodes: unknown = decision!.nodes;
  if (!Number.isFinite(nodes))
    return {
      type: "error",
      detail: `\`nodes\` of a decision must be a whole number from 0 on, got ${describeGiven(nodes)}`,
    };
  return {
    type: "decision",
    action: action as number,
    nodes: nodes as number,
    ...readThought(decision, action),
  };
}
