import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP } from "node:net";
import { performance } from "node:perf_hooks";
import { InputError } from "../../base/errors.ts";
import { parseGameQuery } from "../page/game-list.ts";
import type { RunEntry } from "../page/data.ts";
import { reasonOf } from "../reason.ts";
import { livePage } from "../write-report.ts";
import { type BotDoor, LadderApi } from "./ladder-api.ts";
import { LiveRuns, restAfter } from "./live-runs.ts";

const FIRST_PORT = 8642;
/** The number of ports that are tried, one after the other. */
const PORTS_TRIED = 20;
/** The least time between two refreshes. */
const REFRESH_MS = 1000;
/** A page that is open asks for the list more often than this. */
const SILENCE_MS = 5000;

interface ServeOptions {
  readonly dir: string;
  /** The name or address to listen at; with any other than this machine's own, other machines can read the runs. */
  readonly host: string;
  /** 0 for any that is free [8642 or the next free one]. */
  readonly port?: number | undefined;
  /** True if pages get the user's code [false]. */
  readonly withCode?: boolean;
  /** The side of a ladder that takes bots [nobody can send any]. */
  readonly door?: BotDoor | undefined;
}

/** A server that shows runs while they go on. */
export interface LiveServer {
  /** The URL for a browser, with a slash at the end. */
  readonly address: string;
  /** Looks at the runs now. */
  refresh(): void;
  /** True if the folder had no run at the last look. */
  readonly isEmpty: boolean;
  /** True if a page is open. */
  readonly isUsed: boolean;
  close(): Promise<void>;
}

/**
 * Serves the page that follows runs: `/`, `/runs`, `/runs/FOLDER`, `/runs/FOLDER/games`, `/runs/FOLDER/games/ID`,
 * `/runs/FOLDER/at-play`; docs/report.md describes them. With a door, `/api/bots` takes bots for
 * a ladder; nothing else writes. Throws InputError if there is no such folder or the port is taken.
 */
export async function startServer({
  dir,
  host,
  port,
  withCode = false,
  door,
}: ServeOptions): Promise<LiveServer> {
  const clock = () => performance.timeOrigin + performance.now();
  const runs = new LiveRuns(dir, clock, { withCode });
  const handler = new Handler(runs, { host, clock, door });
  const server = createServer((request, response) => void handler.answer(request, response));
  const taken = await listen(server, host, port);
  return {
    address: `http://${hostForPeople(host)}:${taken}/`,
    refresh: () => handler.refresh(),
    get isEmpty() {
      return runs.entries().length === 0;
    },
    get isUsed() {
      return handler.isUsed;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

class Handler {
  private readonly runs: LiveRuns;
  private readonly host: string;
  private readonly clock: () => number;
  private readonly api: LadderApi | undefined;
  private readonly page = livePage();
  private refreshedAt = -Infinity;
  private tookMs = 0;
  private askedAt = -Infinity;
  /** Grows with each change of the list. */
  private version = 0;

  constructor(
    runs: LiveRuns,
    { host, clock, door }: { host: string; clock: () => number; door: BotDoor | undefined },
  ) {
    this.api = door && new LadderApi(door);
    this.runs = runs;
    this.host = host;
    this.clock = clock;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.on("error", () => {});
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    response.setHeader("Content-Security-Policy", this.page.policy);
    try {
      if (!isHostAllowed(request.headers.host, this.host))
        return sendText(response, 403, "This server answers at its own address alone.");
      const [first, ...rest] = partsOf(request.url ?? "") ?? [];
      if (first === "api" && this.api !== undefined)
        return await this.api.answer(request, response, rest.join("/"));
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.setHeader("Allow", "GET, HEAD");
        return sendText(response, 405, "This server is read only: GET and HEAD.");
      }
      await this.route(request, response);
    } catch (error) {
      // The server goes on if a run is damaged or its game cannot be loaded.
      if (!response.headersSent) sendJson(response, JSON.stringify({ error: reasonOf(error) }), 503);
    }
    return undefined;
  }

  /** True if a page has asked for the list a moment ago. */
  get isUsed(): boolean {
    return this.clock() < this.askedAt + SILENCE_MS;
  }

  private get takesBots(): Pick<RunEntry, "takesBots"> {
    return this.api?.isOpen === true ? { takesBots: true } : {};
  }

  /** Looks at the runs. */
  refresh(): void {
    const begun = this.clock();
    const { changed, gone } = this.runs.refresh();
    this.refreshedAt = this.clock();
    this.tookMs = this.refreshedAt - begun;
    if (changed.length + gone.length > 0) this.version = Math.max(this.version + 1, Math.round(begun));
  }

  private async route(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts = partsOf(request.url ?? "");
    const [first, folder, third, id, ...rest] = parts ?? ["?"];
    if (first === "" && folder === undefined)
      return send(response, 200, { type: "text/html", body: this.page.html });
    if (first !== "runs" || rest.length > 0) return sendNotFound(response);
    if (this.clock() > this.refreshedAt + restAfter(this.tookMs, REFRESH_MS)) this.refresh();
    if (folder === undefined) {
      this.askedAt = this.clock();
      return sendChanged(request, response, {
        change: this.version,
        json: () => JSON.stringify(this.runs.entries().map((entry) => ({ ...entry, ...this.takesBots }))),
      });
    }
    if (third === undefined) return this.sendRun(request, response, folder);
    const found = await this.listed(folder, third, id, request.url!);
    return found === undefined ? sendNotFound(response) : sendJson(response, found);
  }

  /** The games of a run that an address asks for, as JSON; undefined if there are none of that name. */
  private async listed(
    folder: string,
    list: string,
    id: string | undefined,
    url: string,
  ): Promise<string | undefined> {
    if (list === "at-play" && id === undefined) return this.runs.atPlay(folder);
    if (list !== "games") return undefined;
    if (id !== undefined) return this.runs.game(folder, id);
    return this.runs.games(folder, parseGameQuery(new URL(url, "http://agon").searchParams));
  }

  private async sendRun(request: IncomingMessage, response: ServerResponse, folder: string): Promise<void> {
    const page = await this.runs.page(folder);
    if (page === undefined) return sendNotFound(response);
    return sendChanged(request, response, { change: page.change, json: () => page.json });
  }
}

const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** The parts of a path, decoded; undefined if it cannot be decoded. Parts are looked up, and never used as a path. */
function partsOf(url: string): string[] | undefined {
  const path = url.split("?")[0]!;
  if (!path.startsWith("/")) return undefined;
  try {
    return path.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * True if a request names the server by an allowed name. A foreign page whose name leads to this machine (DNS rebinding) is
 * refused. If the server listens at all addresses, any numeric address is allowed.
 */
function isHostAllowed(header: string | undefined, host: string): boolean {
  const name = header
    ?.replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1")
    .toLowerCase();
  if (name === undefined) return false;
  if (["localhost", "127.0.0.1", "::1", host.toLowerCase()].includes(name)) return true;
  return isEverywhere(host) && isIP(name) !== 0;
}

function isEverywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}

function hostForPeople(host: string): string {
  if (isEverywhere(host)) return "localhost";
  return isIP(host) === 6 ? `[${host}]` : host;
}

/** Listens at the port, or at the first free one; returns the port. */
async function listen(server: Server, host: string, wanted: number | undefined): Promise<number> {
  const first = wanted ?? FIRST_PORT;
  const last = wanted ?? FIRST_PORT + PORTS_TRIED - 1;
  for (let port = first; ; port++) {
    try {
      await new Promise<void>((resolve, reject) => {
        server.once("error", reject);
        server.listen(port, host, () => {
          server.off("error", reject);
          resolve();
        });
      });
      return (server.address() as { port: number }).port;
    } catch (error) {
      server.removeAllListeners("error");
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EADDRINUSE" && port < last) continue;
      throw new InputError(refusalOf(error as NodeJS.ErrnoException, { host, first, last }));
    }
  }
}

function refusalOf(
  { code, message }: NodeJS.ErrnoException,
  { host, first, last }: { host: string; first: number; last: number },
): string {
  const ports = first === last ? `port ${first} is` : `the ports ${first} to ${last} are`;
  switch (code) {
    case "EADDRINUSE":
      return `${ports} in use; give another with --port, or 0 for any that is free`;
    case "EACCES":
      return `port ${first} is not allowed to you; give one of 1024 or more with --port`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `--host ${host} is no address of this machine; leave it out for 127.0.0.1`;
    default:
      return `cannot listen at ${host}, port ${first}: ${message}`;
  }
}

function sendJson(response: ServerResponse, json: string, code = 200): void {
  send(response, code, { type: "application/json", body: json });
}

/** Sends JSON whose ETag is its last change, unless the page has it already. */
function sendChanged(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { change, json }: { readonly change: number; readonly json: () => string },
): void {
  const tag = `"${change}"`;
  response.setHeader("ETag", tag);
  if (headers["if-none-match"] !== tag) return sendJson(response, json());
  response.writeHead(304).end();
  return undefined;
}

function sendText(response: ServerResponse, code: number, text: string): void {
  send(response, code, { type: "text/plain", body: `${text}\n` });
}

function sendNotFound(response: ServerResponse): void {
  sendText(response, 404, "There is nothing of that name here.");
}

/** Sends an answer; Node leaves out the body for HEAD. */
function send(response: ServerResponse, code: number, { type, body }: { type: string; body: string }): void {
  response.writeHead(code, {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}
