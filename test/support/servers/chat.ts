import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as the server got it. */
export interface Asked {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly [other: string]: unknown;
}

/** The server's part in a scene: words of the model, or anything else that a server may do. */
export type Part = string | ((response: ServerResponse) => void);

/** A reply as servers of chat models write it. */
export function replyOf(words: unknown, more: object = {}): object {
  return {
    id: "reply",
    choices: [{ index: 0, message: { role: "assistant", content: words }, finish_reason: "stop", ...more }],
    usage: { prompt_tokens: 1000, completion_tokens: 10 },
  };
}

/** The part of a server that answers with a status of HTTP and a JSON or text. */
export function status(
  code: number,
  body: unknown = "",
  headers: Readonly<Record<string, string>> = {},
): Part {
  return (response) => {
    response.writeHead(code, headers);
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

/** A server with the interface of chat models. `play` decides its part by the request and its number, from 1. It ends with the test. */
export async function chatServer(
  play: (asked: Asked, count: number) => Part,
): Promise<{ url: string; all: Asked[] }> {
  const all: Asked[] = [];
  const server = createServer((request: IncomingMessage, response) => {
    let body = "";
    request.on("data", (text: Buffer) => (body += String(text)));
    request.on("end", () => {
      const asked = {
        ...(JSON.parse(body) as Pick<Asked, "model" | "messages">),
        key: request.headers.authorization,
        path: request.url,
      };
      all.push(asked);
      const part = play(asked, all.length);
      if (typeof part === "string") response.end(JSON.stringify(replyOf(part)));
      else part(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, all };
}

/** The legal actions of the question that a request ends with. */
function legalIn({ messages }: Asked): string[] {
  const asked = messages.findLast(({ content }) => content.includes("\n\nLegal actions: "))!;
  const [, list] = /\n\nLegal actions: (.*)$/m.exec(asked.content)!;
  return list!.split(list!.includes(", ") ? ", " : " ");
}

/** Words that play the last legal action of the question. */
export function last(asked: Asked): string {
  return `I have thought.\n\n**ACTION: ${legalIn(asked).at(-1)!}**\n`;
}
