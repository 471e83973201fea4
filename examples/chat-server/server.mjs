/*
 * A server with the interface of chat models, to try `agent: chat` without a model. It looks for the legal actions in the
 * question, and answers with one of them: model `first`, `last`, or `careless`, which forgets its action one time in four.
 *
 *   node examples/chat-server/server.mjs COMMAND ...
 *
 * runs the command while the server is there; without a command it stays. PORT is its port [8377].
 */
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import process from "node:process";

const LISTED = /^Legal actions: (.*)$/m;
let questions = 0;

function answer(model, messages) {
  const asked = messages.findLast(({ content }) => LISTED.test(content))?.content ?? "";
  const list = LISTED.exec(asked)?.[1] ?? "";
  const actions = list.split(list.includes(", ") ? ", " : " ");
  if (model === "careless" && ++questions % 4 === 0) return "I like this position.";
  const action = model === "first" ? actions[0] : actions.at(-1);
  return `There are ${actions.length} actions.\n\nACTION: ${action}`;
}

const tokens = (text) => text.split(/\s+/).length;

function reply({ model, messages }) {
  const content = answer(model, messages);
  const read = messages.reduce((sum, message) => sum + tokens(message.content), 0);
  return {
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: read, completion_tokens: tokens(content) },
  };
}

const server = createServer((request, response) => {
  let text = "";
  request.setEncoding("utf8").on("data", (part) => (text += part));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(reply(JSON.parse(text))));
  });
});

server.listen(Number(process.env.PORT ?? 8377), "127.0.0.1", () => {
  const [command, ...args] = process.argv.slice(2);
  if (command === undefined) return;
  const child = spawn(command, args, { stdio: "inherit" });
  child.on("exit", (code) => process.exit(code ?? 1));
});
