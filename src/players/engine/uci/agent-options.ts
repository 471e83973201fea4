import type { AgentSpec } from "../../../agents/agent.ts";
import type { PreparedAgent } from "../../../agents/prepare.ts";
import { tablesAndBookOptions } from "../../../agents/tables-and-book.ts";
import type { EngineOption } from "../../uci/options.ts";
import { describeOptions } from "../../../base/check.ts";

/** An option of an agent as an option of its engine. */
export interface AgentOption extends EngineOption {
  /** The key in the agent's spec. */
  readonly key: string;
  /** The value in the spec; undefined to leave the key out. */
  read(text: string): unknown;
}

/** The value of options that are left out of the spec: the agent decides. */
const AUTO = "auto";
/** The names by which programs know some options. */
const USUAL_NAMES: Readonly<Record<string, string>> = { threads: "Threads" };
const MOST = 2 ** 31 - 1;

/** The JSON Schema of one value, as far as options have it. */
interface ValueSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/**
 * The options of an agent that an engine can have: switches, choices, whole numbers and texts. Other numbers are texts.
 * Their defaults are the values in the agent's spec.
 */
export function agentOptions({ family, options }: PreparedAgent): AgentOption[] {
  const described = [...describeOptions(family.options), ...describeOptions(tablesAndBookOptions)];
  return described.flatMap(({ name: key, schema }) => {
    const hash = family.id === "alpha-beta" && key === "table" ? [hashOption(options[key])] : undefined;
    return hash ?? optionOf(key, schema as ValueSchema, options[key]);
  });
}

/** The size of the transposition table, by the name and the unit of all engines: MiB. */
function hashOption(value: unknown): AgentOption {
  const size = Math.max(1, Math.round(Number(value)));
  return { key: "table", name: "Hash", type: "spin", default: String(size), min: 1, max: 8192, read: Number };
}

function optionOf(key: string, schema: ValueSchema, value: unknown): AgentOption[] {
  const name = USUAL_NAMES[key] ?? key;
  const isOpen = value === undefined;
  const given = isOpen ? AUTO : typeof value === "string" ? value : JSON.stringify(value);
  const readText = (text: string) => (text === AUTO || text === "" ? undefined : text);
  switch (schema.type) {
    case "boolean": {
      if (!isOpen) return [{ key, name, type: "check", default: given, read: (text) => text === "true" }];
      const read = (text: string) => (text === AUTO ? undefined : text === "true");
      return [{ key, name, type: "combo", default: AUTO, values: [AUTO, "true", "false"], read }];
    }
    case "integer": {
      const min = Math.max(schema.minimum ?? -MOST, -MOST);
      const max = Math.min(schema.maximum ?? MOST, MOST);
      return [{ key, name, type: "spin", default: isOpen ? String(min) : given, min, max, read: Number }];
    }
    case "number":
      return [
        {
          key,
          name,
          type: "string",
          default: given,
          read: (text) => (text === AUTO ? undefined : Number(text)),
        },
      ];
    case "string":
      if (schema.enum === undefined)
        return [{ key, name, type: "string", default: isOpen ? "" : given, read: readText }];
      return [
        {
          key,
          name,
          type: "combo",
          default: given,
          values: isOpen ? [AUTO, ...schema.enum] : schema.enum,
          read: readText,
        },
      ];
    default:
      return [];
  }
}

/** The spec with another value of one option. */
export function withOption(spec: AgentSpec, option: AgentOption, text: string): AgentSpec {
  const { key } = option;
  const { [key]: _, ...rest } = spec;
  const value = option.read(text);
  return (value === undefined ? rest : { ...rest, [key]: value }) as AgentSpec;
}
