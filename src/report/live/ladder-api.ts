import type { IncomingMessage, ServerResponse } from "node:http";
import { InputError } from "../../base/errors.ts";

/** The most bytes of an uploaded bot. @internal the tests send one that is larger */
export const MAX_UPLOAD_BYTES = 1_000_000;
/** The most uploads that are tried at a time. */
const MAX_AT_ONCE = 3;

/** The side of a ladder that answers those who send bots. */
export interface BotDoor {
  /** The name that a token is for; undefined if it is nobody's. */
  owner(token: string): string | undefined;
  /** The reason for which nobody may send bots; undefined if all with a token may. */
  readonly refusal: string | undefined;
  /** Takes a bot; the answer is for its sender alone. Throws InputError where the file name is wrong. */
  take(name: string, file: string, content: Uint8Array): Promise<{ readonly accepted: boolean }>;
  /** All that the owner of a bot may know. */
  about(name: string): object;
}

/** An answer: a code, and data to send as JSON. */
interface Answer {
  readonly code: number;
  readonly data: object;
}

/** Answers `/api/bots`: POST sends a bot, GET asks how one's own bot does. Both need a token. */
export class LadderApi {
  private readonly door: BotDoor;
  /** Names whose uploads are being tried. */
  private readonly busy = new Set<string>();

  constructor(door: BotDoor) {
    this.door = door;
  }

  /** True if those with a token can send bots. */
  get isOpen(): boolean {
    return this.door.refusal === undefined;
  }

  async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const { code, data } = await this.route(request, path);
    if (code === 401) response.setHeader("WWW-Authenticate", "Bearer");
    if (code === 405) response.setHeader("Allow", "GET, POST");
    // The rest of a body that is too large is not read.
    if (code === 413) response.setHeader("Connection", "close");
    const body = JSON.stringify(data);
    response.writeHead(code, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(body),
    });
    response.end(body);
  }

  private async route(request: IncomingMessage, path: string): Promise<Answer> {
    if (path !== "bots") return refused(404, "There is nothing of that name here.");
    const { method, headers } = request;
    if (method !== "GET" && method !== "POST") return refused(405, "GET or POST.");
    const token = /^Bearer ([\w-]{1,100})$/.exec(headers.authorization ?? "")?.[1];
    const name = token === undefined ? undefined : this.door.owner(token);
    if (name === undefined) return refused(401, "A token is needed: Authorization: Bearer TOKEN.");
    if (method === "GET") return { code: 200, data: this.door.about(name) };
    if (this.door.refusal !== undefined) return refused(403, this.door.refusal);
    if (this.busy.has(name))
      return refused(409, "Your last upload is still being tried; send the next one after it.");
    if (this.busy.size >= MAX_AT_ONCE)
      return refused(503, "Other bots are being tried; try again in a minute.");
    this.busy.add(name);
    try {
      return await this.take(name, request);
    } finally {
      this.busy.delete(name);
    }
  }

  private async take(name: string, request: IncomingMessage): Promise<Answer> {
    const file = new URL(request.url!, "http://agon").searchParams.get("file") ?? "";
    if (file === "") return refused(400, "The file's name is missing: POST /api/bots?file=bot.py.");
    const content = await read(request);
    if (content === undefined) return refused(413, `A bot has at most ${MAX_UPLOAD_BYTES} bytes.`);
    if (content.length === 0) return refused(400, "The file is empty.");
    try {
      const trial = await this.door.take(name, file, content);
      return { code: trial.accepted ? 200 : 422, data: trial };
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return refused(400, error.message);
    }
  }
}

function refused(code: number, error: string): Answer {
  return { code, data: { error } };
}

/** The body of a request; undefined if it is too large. */
async function read(request: IncomingMessage): Promise<Uint8Array | undefined> {
  if (Number(request.headers["content-length"] ?? 0) > MAX_UPLOAD_BYTES) return undefined;
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_UPLOAD_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
