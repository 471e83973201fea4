import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished } from "vitest";
import type { Report } from "../src/ratings/report.ts";
import { agon, temporaryFolder, writeInto } from "./support/agon.ts";
import { engineTest } from "./support/engines.ts";
import { slow } from "./support/thorough.ts";

const program = fileURLToPath(new URL("../examples/chat-agent.py", import.meta.url));

interface Asked {
  readonly key: string | undefined;
  readonly path: string | undefined;
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A server with the interface of chat models. `answer` gives its words, or the number of an error of HTTP. */
async function chatServer(answer: (asked: Asked, count: number) => string | number) {
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
      const words = answer(asked, all.length);
      response.statusCode = typeof words === "number" ? words : 200;
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content: words } }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, all };
}

/** The legal moves of a question. */
const legalIn = ({ messages }: Asked) => {
  const [, list] = /Legal moves: (.*)$/.exec(messages.at(-1)!.content)!;
  return list!.split(", ");
};

/** Two games against random moves; the forfeits, and what the program wrote to standard error. */
async function play(url: string, game: string) {
  const dir = temporaryFolder();
  const config = writeInto(dir, "config.json", {
    name: "chat",
    game,
    blocks: 1,
    entrants: [
      "random",
      {
        name: "chat",
        agent: "program",
        command: ["python3", program],
        environment: ["CHAT_URL", "CHAT_MODEL", "CHAT_KEY"],
        log: true,
      },
    ],
  });
  const out = join(dir, "run");
  const env = { CHAT_URL: url, CHAT_MODEL: "a-model", CHAT_KEY: "a-key" };
  const args = ["run", config, "--out", out, "--workers", "1", "--quiet", "--json"];
  const { code, stdout, stderr } = await agon(args, { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const { entrants } = JSON.parse(stdout) as Report;
  const folder = join(out, "dialogues");
  const dialogues = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
  return { forfeits: entrants.map(({ forfeits }) => forfeits), dialogue: dialogues.join("") };
}

const pythonTest = engineTest("python3");

describe("examples/chat-agent.py", () => {
  slow(pythonTest)("plays what a model says, in whatever words", async () => {
    const phrases = [
      (move: string) => move,
      (move: string) => `I play **${move}**.`,
      (move: string) => `Not a corner, but:\n"${move}"`,
    ];
    const { url, all } = await chatServer((asked, count) => phrases[count % 3]!(legalIn(asked).at(-1)!));
    const { forfeits, dialogue } = await play(url, "connect-four");
    expect(forfeits).toEqual([0, 0]);
    const decisions = dialogue.split("\n").filter((line) => line.startsWith('< {"type": "decision"'));
    expect(decisions.length).toBe(all.length);
    for (const { path, key, model, messages } of all) {
      expect({ path, key, model }).toEqual({
        path: "/v1/chat/completions",
        key: "Bearer a-key",
        model: "a-model",
      });
      expect(messages.map(({ role }) => role)).toEqual(["system", "user"]);
    }
    // Each decision is the last of the legal moves that the server was asked about.
    const played = decisions.map((line) => (JSON.parse(line.slice(2)) as { action: string }).action);
    expect(new Set(played)).toEqual(new Set(all.map((asked) => legalIn(asked).at(-1)!)));
  });

  slow(pythonTest)("asks again after an error and after a move that is not legal", async () => {
    const { url, all } = await chatServer((asked, count) =>
      count === 1 ? 500 : asked.messages.length === 2 ? "I resign" : `Then ${legalIn(asked)[0]}`,
    );
    const { forfeits, dialogue } = await play(url, "tic-tac-toe");
    expect(forfeits).toEqual([0, 0]);
    expect(dialogue).toContain("! try 1: HTTP Error 500");
    expect(all.some(({ messages }) => messages.at(-1)!.content.startsWith("That is no legal move."))).toBe(
      true,
    );
  });

  slow(pythonTest)("forfeits where the model gives no legal move", async () => {
    const { url } = await chatServer(() => "I would rather not.");
    const { forfeits, dialogue } = await play(url, "tic-tac-toe");
    expect(new Set(forfeits)).toEqual(new Set([0, 2]));
    expect(dialogue).toContain("the model gave no legal move in 3 tries");
  });
});
