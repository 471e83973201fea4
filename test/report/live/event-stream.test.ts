import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import type { RunEntry } from "../../../src/report/page/data.ts";
import { EventStream } from "../../../src/report/live/event-stream.ts";

/** A page that takes what it is sent, or leaves it lying. */
class Reader extends EventEmitter {
  reads = true;
  readonly got: string[] = [];

  readonly heads: unknown[] = [];

  writeHead(...head: readonly unknown[]): void {
    this.heads.push(head);
  }

  write(text: string): boolean {
    this.got.push(text);
    return this.reads;
  }

  end(): void {
    this.emit("close");
  }
}

const entry = (folder: string, done: number) => ({ folder, done }) as RunEntry;
const event = (folder: string, done: number) => `event: run\ndata: {"folder":"${folder}","done":${done}}\n\n`;

function follow(stream: EventStream): Reader {
  const reader = new Reader();
  expect(stream.add(reader as unknown as ServerResponse)).toBe(true);
  expect(reader.heads).toEqual([[200, { "Content-Type": "text/event-stream; charset=utf-8" }]]);
  expect(reader.got.splice(0)).toEqual(["retry: 2000\n\n"]);
  return reader;
}

test("a page that does not read is sent nothing more; once it reads, it gets the latest of each run", () => {
  const stream = new EventStream();
  const [slow, quick] = [follow(stream), follow(stream)];
  slow.reads = false;
  for (let done = 0; done < 1000; done++) stream.send({ changed: [entry("a", done)], gone: [] });
  stream.send({ changed: [entry("b", 1)], gone: [] });
  stream.greet();
  stream.send({ changed: [], gone: ["b"] });
  expect(slow.got).toEqual([event("a", 0)]);
  expect(quick.got).toHaveLength(1003);
  slow.reads = true;
  slow.emit("drain");
  expect(slow.got.slice(1)).toEqual([`${event("a", 999)}event: gone\ndata: "b"\n\n`]);
  stream.send({ changed: [entry("a", 1000)], gone: [] });
  expect([slow.got.at(-1), quick.got.at(-1)]).toEqual([event("a", 1000), event("a", 1000)]);
});

test("a page that goes makes room for another", () => {
  const stream = new EventStream();
  const readers = Array.from({ length: 100 }, () => follow(stream));
  const another = new Reader() as unknown as ServerResponse;
  expect(stream.add(another)).toBe(false);
  readers[7]!.emit("close");
  expect(stream.add(another)).toBe(true);
  stream.close();
  expect(stream.isUsed).toBe(false);
});
