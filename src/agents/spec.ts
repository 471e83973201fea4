import { InputError } from "../base/errors.ts";

/** An agent as data: its id, its options and its budget side by side. */
export type AgentSpec = { readonly agent: string } & Readonly<Record<string, unknown>>;

/** `alpha-beta:depth=6,evaluator=threats` as data. */
export function parseAgentSpec(text: string): AgentSpec {
  const colon = text.indexOf(":");
  const agent = (colon < 0 ? text : text.slice(0, colon)).trim();
  const spec: Record<string, unknown> & { agent: string } = { agent };
  if (colon < 0) return spec;
  for (const part of text.slice(colon + 1).split(",")) {
    const [key = "", ...rest] = part.split("=");
    if (key.trim() === "" || rest.length === 0) {
      throw new InputError(
        `"${part}" in "${text}" is not key=value; write it like alpha-beta:depth=6,evaluator=threats`,
      );
    }
    const name = key.trim();
    if (Object.hasOwn(spec, name)) throw new InputError(`"${name}" is given twice in "${text}"`);
    spec[name] = parseValue(rest.join("=").trim());
  }
  return spec;
}

function parseValue(text: string): unknown {
  if (text === "true") return true;
  if (text === "false") return false;
  const number = Number(text);
  return text !== "" && Number.isFinite(number) ? number : text;
}

/** The spec in short form, its keys in the order given. */
export function formatAgentSpec({ agent, ...rest }: AgentSpec): string {
  const parts = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`);
  return parts.length === 0 ? agent : `${agent}:${parts.join(",")}`;
}
