import { createHash } from "node:crypto";
import { z } from "zod";
import { defineAgent, type Agent, type Decision, type NewGame, type Turn } from "../../agents/agent.ts";
import { InputError } from "../../base/errors.ts";
import type { Game, State } from "../../games/contract/game.ts";
import { EndOfRun, PlayerFault } from "../player-process.ts";
import { Exchanges, type Spent } from "./exchanges.ts";
import { ask, introduce, readAction, rulesOf } from "./prompt.ts";
import { ChatServer, keyOf, type Message, type Reply } from "./server.ts";

const price = z.number().min(0);
const options = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .refine(
      (url) => !/^[^/]*\/\/[^/]*@/.test(url),
      "must have no password: name a variable that has it by `key`",
    )
    .describe("address of the server, up to and with /v1; its interface is /chat/completions"),
  model: z.string().min(1).describe("the model, as the server names it"),
  key: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, "must be the name of a variable of the environment, not the key itself")
    .optional()
    .describe("name of the variable of the environment that has the key; the key itself is stored nowhere"),
  temperature: z.number().min(0).max(2).optional().describe("randomness of the answers [the server's]"),
  maxTokens: z.int().min(1).optional().describe("the longest answer, in tokens [the server's]"),
  body: z
    .record(z.string(), z.unknown())
    .optional()
    .describe("more keys of each request, such as reasoning_effort, as the server knows them"),
  timeoutMs: z
    .int()
    .min(1)
    .max(300_000)
    .default(120_000)
    .describe(
      "milliseconds that one answer may take; moveTimeoutMs of the tournament limits the whole decision",
    ),
  retries: z
    .int()
    .min(0)
    .max(20)
    .default(2)
    .describe("times that the model is told what is wrong with its answer, before it forfeits"),
  actions: z.boolean().default(true).describe("true: the legal actions are listed"),
  rules: z.string().optional().describe("the rules in words [those in docs/games.md]"),
  price: z
    .strictObject({ input: price, output: price })
    .optional()
    .describe("price of a million tokens that it reads, `input`, and writes, `output`"),
});
type ChatOptions = z.output<typeof options>;

export const chat = defineAgent({
  id: "chat",
  summary: "a chat model behind a server with the interface /v1/chat/completions (docs/chat.md)",
  options,
  budgets: [],
  unsupported: () => undefined,
  create: ({ game, options: given }) => new ChatAgent(game, given),
});

/** The time that a chat model may take for all answers of a decision, in ms. */
export function patienceOf({ timeoutMs, retries }: Readonly<Record<string, unknown>>): number {
  return Number(timeoutMs) * (Number(retries) + 1);
}

/** Asks a chat model for each decision. */
export class ChatAgent implements Agent {
  readonly isHosted = true;
  private readonly game: Game;
  private readonly options: ChatOptions;
  private readonly rules: string | undefined;
  private server: ChatServer | undefined;
  private ending = new AbortController();
  private exchanges = new Exchanges(undefined);

  constructor(game: Game, given: ChatOptions) {
    this.game = game;
    this.options = given;
    this.rules = given.rules ?? rulesOf(game.id);
  }

  /** Throws InputError if its key is not in the environment. */
  start(): ChatServer {
    const { url, key, timeoutMs } = this.options;
    return (this.server ??= new ChatServer({
      url,
      key: key === undefined ? undefined : keyOf(key),
      timeoutMs,
    }));
  }

  newGame(game?: NewGame): void {
    this.ending = new AbortController();
    this.exchanges = new Exchanges(game);
  }

  async choose(state: State, turn: Turn): Promise<Decision> {
    const { game, rules, options: given } = this;
    const { limitMs = patienceOf(given) } = turn;
    const time = { limitMs, until: performance.now() + limitMs };
    const lists = given.actions;
    const question = ask(game, state, { turn, lists });
    const messages: Message[] = [
      { role: "system", content: introduce(game, { seat: state.toMove, rules }) },
      { role: "user", content: question.text },
    ];
    const decision = createHash("sha256").update(question.place).digest("hex").slice(0, 24);
    for (let attempt = 0; ; attempt++) {
      const kept = this.exchanges.find({ decision, attempt });
      const begun = performance.now();
      const reply = kept ?? (await this.request(messages, time));
      const { words, isCut } = answerOf(reply);
      const read = readAction(game, state, { words, isCut, lists });
      if (kept === undefined) {
        const spent = {
          ...this.price(reply),
          timeMs: Math.round(performance.now() - begun),
          legal: "action" in read,
        };
        this.exchanges.add({ decision, attempt, messages, reply }, spent);
      }
      if ("action" in read) return { action: read.action, nodes: 0, line: [read.action] };
      if (attempt === given.retries)
        throw new PlayerFault(
          "illegal action",
          `no legal action in ${attempt + 1} answers; what it was told of the last one: ${read.fault}`,
        );
      messages.push({ role: "assistant", content: words }, { role: "user", content: read.fault });
    }
  }

  /** Gives the request at hand up. */
  close(): void {
    this.ending.abort();
  }

  private async request(
    messages: readonly Message[],
    time: { readonly limitMs: number; readonly until: number },
  ): Promise<Reply> {
    const { model, temperature, maxTokens, body, retries } = this.options;
    const { signal } = this.ending;
    this.exchanges.checkCost();
    return this.reach().ask(
      {
        model,
        messages,
        ...(temperature !== undefined && { temperature }),
        ...(maxTokens !== undefined && { max_tokens: maxTokens }),
        ...body,
      },
      { ...time, retries, signal },
    );
  }

  private price({ usage }: Reply): Pick<Spent, "tokensIn" | "tokensOut" | "cost"> {
    const { input, output } = this.options.price ?? { input: 0, output: 0 };
    const { prompt_tokens: tokensIn = 0, completion_tokens: tokensOut = 0 } = usage ?? {};
    return { tokensIn, tokensOut, cost: (tokensIn * input + tokensOut * output) / 1e6 };
  }

  private reach(): ChatServer {
    try {
      return this.start();
    } catch (error) {
      throw error instanceof InputError ? new EndOfRun(error.message) : error;
    }
  }
}

/** The words of a reply, and whether they end at the longest length. */
function answerOf({ choices: [choice] }: Reply): { words: string; isCut: boolean } {
  const content = choice!.message.content ?? "";
  const words = typeof content === "string" ? content : content.map(({ text = "" }) => text).join("");
  return { words, isCut: choice!.finish_reason === "length" };
}
