import type { ServerResponse } from "node:http";
import type { Changes } from "./live-runs.ts";
import type { RunEntry } from "../page/data.ts";

/** Pages that can follow at the same time. */
const MOST_CLIENTS = 100;

/** A page that follows. */
interface Client {
  readonly response: ServerResponse;
  /** Whether what was sent has not been taken yet. Nothing more is sent until then. */
  isFull: boolean;
  /** What it has missed meanwhile, by folder: the latest entry, or undefined where the folder is gone. */
  readonly missed: Map<string, RunEntry | undefined>;
}

/** Server-sent events for all pages that are open: `run` with an entry of the list, `gone` with a folder's name. */
export class EventStream {
  private readonly clients = new Set<Client>();

  /** Whether anybody listens. */
  get isUsed(): boolean {
    return this.clients.size > 0;
  }

  /** Takes another page; false where there are too many. The head must not have been sent. */
  add(response: ServerResponse): boolean {
    if (this.clients.size >= MOST_CLIENTS) return false;
    const client: Client = { response, isFull: false, missed: new Map() };
    response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
    response.on("close", () => this.clients.delete(client));
    response.on("drain", () => {
      client.isFull = false;
      this.catchUp(client);
    });
    this.clients.add(client);
    this.write(client, "retry: 2000\n\n");
    return true;
  }

  /** Tells everybody. A page that does not read gets the latest entries once it does, and takes no memory meanwhile. */
  send({ changed, gone }: Changes): void {
    for (const client of this.clients) {
      for (const entry of changed) client.missed.set(entry.folder, entry);
      for (const folder of gone) client.missed.set(folder, undefined);
      this.catchUp(client);
    }
  }

  /** Lets the system notice pages that went away without a word. */
  greet(): void {
    for (const client of this.clients) if (!client.isFull) this.write(client, ": still here\n\n");
  }

  close(): void {
    for (const { response } of this.clients) response.end();
    this.clients.clear();
  }

  private catchUp(client: Client): void {
    if (client.isFull || client.missed.size === 0) return;
    const events = Array.from(client.missed, ([folder, entry]) =>
      entry === undefined ? formatEvent("gone", folder) : formatEvent("run", entry),
    );
    client.missed.clear();
    this.write(client, events.join(""));
  }

  private write(client: Client, text: string): void {
    client.isFull = !client.response.write(text);
  }
}

/** JSON has no line breaks, so it is one line of data. */
function formatEvent(name: "run" | "gone", data: unknown): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
