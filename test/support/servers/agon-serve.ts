import { request, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import { startAgon, type Outcome } from "../agon.ts";

/** A server that was started by `agon serve`. */
interface Serving {
  /** `http://127.0.0.1:PORT/` */
  readonly address: string;
  /** Ctrl-C. */
  readonly stop: () => Promise<Outcome>;
}

/** Starts `agon serve` at a free port, unless the arguments say another one. It ends with the test. */
export async function startServing(dir: string, args: readonly string[] = ["--port", "0"]): Promise<Serving> {
  const { child, outcome } = startAgon(["serve", dir, ...args]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr!.on("data", (text: string) => {
      said += text;
      const [, found] = / at (http:\S+); Ctrl-C ends it\.\n/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(said)));
  });
  return {
    address,
    stop: async () => {
      child.kill("SIGINT");
      return outcome;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Asks for a path as it is written: browsers and `fetch` would make it a proper one. */
export async function ask(
  address: string,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers, agent: false }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => (body += text));
      response.on("end", () => resolve({ status: response.statusCode!, headers: response.headers, body }));
    });
    asked.on("error", reject).end();
  });
}
