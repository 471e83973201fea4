import type { ServerResponse } from "node:http";
import type { Changes } from "./live-runs.ts";
import type { RunEntry } from "../page/data.ts";

/** The most pages that can follow at the same time. */
const MOST_CLIENTS = 100;

interface Client {
  readonly response: ServerResponse;
  /** True until the page has read everything sent; until then nothing more is sent. */
  isFull: boolean;
  /** The changes that were not sent yet, by folder: the latest entry, or undefined if the folder is gone. */
  readonly missed: Map<string, RunEntry | undefined>;
}

/** Server-sent events for all pages that are open: `run` with an entry of the list, `gone` with a folder's name. */
export class EventStream {
  private readonly clients = new Set<Client>();

  /** True if a page is connected. */
  get isUsed(): boolean {
    return this.clients.size > 0;
  }

  /** Adds a page; returns false if there are too many. The response's head must not have been sent. */
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

  /** Sends changes to all pages. A page that does not read gets only the latest entries later. */
  send({ changed, gone }: Changes): void {
    for (const client of this.clients) {
      for (const entry of changed) client.missed.set(entry.folder, entry);
      for (const folder of gone) client.missed.set(folder, undefined);
      this.catchUp(client);
    }
  }

  /** Writes to all pages, so that the system notices closed connections. */
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
