import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { InputError } from "../../base/errors.ts";
import { environmentOf, EndOfRun, PlayerFault } from "../player-process.ts";

/*
 * A server with the interface of chat completions. It is asked again where it is busy, and where its answer is none.
 */

/** A message of a conversation. */
export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The parts of a server's reply that count; others are kept as they are. */
const replyShape = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({
          content: z
            .union([z.string(), z.null(), z.array(z.looseObject({ text: z.string().optional() }))])
            .optional(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z
    .looseObject({ prompt_tokens: z.int().min(0).optional(), completion_tokens: z.int().min(0).optional() })
    .nullish(),
});
/** A server's reply, as it came. */
export type Reply = z.output<typeof replyShape>;

/** The most bytes of an answer. */
const MAX_BYTES = 1_000_000;
/** The wait after the first answer of a busy server; each one after it is twice as long, up to the longest one. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const MAX_SHOWN = 200;
/** Answers of HTTP, besides those from 500 on, after which asking again may help: time-out, too early, too many. */
const BUSY: readonly number[] = [408, 425, 429];

/** The outcome of one request. */
type Outcome =
  | { readonly reply: Reply }
  /** The server may answer later. */
  | { readonly busy: string; readonly waitMs?: number | undefined }
  /** The server has answered, and the answer is none. */
  | { readonly broken: string; readonly ending: "exception" | "time-out" };

/** The conditions of a question. */
interface Asking {
  /** The time that the decision may take, in ms, and when it is over. */
  readonly limitMs: number;
  readonly until: number;
  /** The number of answers that may be none before the last one. */
  readonly retries: number;
  /** Ends the question when it aborts. */
  readonly signal: AbortSignal;
}

/** The key that a variable of the environment has. Throws InputError if there is none. */
export function keyOf(variable: string): string {
  const key = environmentOf([variable])[variable]?.trim();
  if (key) return key;
  throw new InputError([{ path: "key", message: `not in the environment of agon: ${variable}` }]);
}

export class ChatServer {
  private readonly url: string;
  private readonly key: string | undefined;
  private readonly timeoutMs: number;

  /** @param server.key the key itself [none] */
  constructor({ url, key, timeoutMs }: { url: string; key: string | undefined; timeoutMs: number }) {
    const base = url.replace(/\/+$/, "");
    this.url = base.endsWith("/chat/completions") ? base : `${base}/chat/completions`;
    this.key = key;
    this.timeoutMs = timeoutMs;
  }

  /**
   * Asks until there is a reply. Throws PlayerFault where the answers are none or take too long, and EndOfRun where the server
   * refuses, or is busy or away for all of the time: that is no fault of the player.
   */
  async ask(body: object, { limitMs, until, retries, signal }: Asking): Promise<Reply> {
    for (let waits = 0, broken = 0; ;) {
      const leftMs = until - performance.now();
      const limits = [signal, AbortSignal.timeout(Math.max(0, Math.ceil(Math.min(leftMs, this.timeoutMs))))];
      const outcome = await this.request(body, AbortSignal.any(limits));
      if ("reply" in outcome) return outcome.reply;
      if (signal.aborted) throw new PlayerFault("time-out", "it was ended before it answered");
      const isOver = performance.now() >= until;
      if ("broken" in outcome) {
        if (isOver) throw new PlayerFault("time-out", `no action within ${limitMs} ms`);
        if (broken++ === retries) throw new PlayerFault(outcome.ending, outcome.broken);
        continue;
      }
      const waitMs = outcome.waitMs ?? Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** waits++);
      if (performance.now() + waitMs >= until)
        throw new EndOfRun(
          `${this.url} gave no answer within ${limitMs} ms: ${outcome.busy}; go on when it is there`,
        );
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  private async request(body: object, signal: AbortSignal): Promise<Outcome> {
    let response: Response;
    try {
      response = await fetch(this.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(this.key !== undefined && { authorization: `Bearer ${this.key}` }),
        },
        body: JSON.stringify(body),
        redirect: "manual",
        signal,
      });
    } catch (error) {
      return signal.aborted ? this.late() : { busy: this.shown(reasonOf(error)) };
    }
    const { text, fault } = await readText(response);
    const { status } = response;
    if (status >= 500 || BUSY.includes(status))
      return { busy: this.shown(`HTTP ${status}: ${wordsOf(text)}`), waitMs: retryAfter(response.headers) };
    if (!response.ok)
      throw new EndOfRun(this.shown(`${this.url} refuses the request, HTTP ${status}: ${wordsOf(text)}`));
    if (signal.aborted) return this.late();
    if (fault !== undefined) return { broken: fault, ending: "exception" };
    return this.read(text);
  }

  private read(text: string): Outcome {
    const broken = (what: string): Outcome => ({ broken: this.shown(what), ending: "exception" });
    let given: unknown;
    try {
      given = JSON.parse(this.withoutKey(text));
    } catch {
      return broken(`its server's answer is no JSON: ${text}`);
    }
    const { data } = replyShape.safeParse(given);
    return data === undefined
      ? broken(`its server's answer has no message: ${wordsOf(text)}`)
      : { reply: data };
  }

  private late(): Outcome {
    return { broken: `its server gave no answer within ${this.timeoutMs} ms`, ending: "time-out" };
  }

  private withoutKey(text: string): string {
    return this.key === undefined ? text : text.replaceAll(this.key, "[key]");
  }

  private shown(text: string): string {
    const whole = this.withoutKey(text);
    return whole.length > MAX_SHOWN ? `${whole.slice(0, MAX_SHOWN)}...` : whole;
  }
}

/** The body of a response, or its beginning and why there is no more. */
async function readText(response: Response): Promise<{ text: string; fault?: string }> {
  const parts: Uint8Array[] = [];
  let size = 0;
  let fault: string | undefined;
  try {
    for await (const part of response.body ?? []) {
      parts.push(part);
      size += part.length;
      if (size <= MAX_BYTES) continue;
      fault = `its server's answer has more than ${MAX_BYTES} bytes`;
      break;
    }
  } catch {
    fault = `its server's answer ends after ${size} bytes, in the middle`;
  }
  return { text: Buffer.concat(parts).toString(), ...(fault !== undefined && { fault }) };
}

/** The message of a server's error, or the whole text. */
function wordsOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: { message?: unknown } | string };
    const words = typeof error === "object" ? error.message : error;
    return typeof words === "string" ? words : text;
  } catch {
    return text;
  }
}

/** The time in ms after which a server wants to be asked again: seconds, or a date beside the server's own. */
function retryAfter(headers: Headers): number | undefined {
  const given = headers.get("retry-after");
  if (given === null) return undefined;
  const seconds = Number(given);
  const waitMs = Number.isNaN(seconds)
    ? Date.parse(given) - Date.parse(headers.get("date") ?? "")
    : 1000 * seconds;
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}

/** The reason why there was no answer. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error & { cause?: Error & { code?: string } };
  const reason = cause?.message || cause?.code;
  return reason ? `${message}: ${reason}` : message;
}
