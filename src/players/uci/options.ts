import { InputError, type Problem } from "../../base/errors.ts";
import { unknownName } from "../../base/text.ts";

/** An option of an engine, as it tells it in a line `option`. */
export interface EngineOption {
  readonly name: string;
  readonly type: (typeof TYPES)[number];
  readonly default?: string;
  /** The range of a spin. */
  readonly min?: number;
  readonly max?: number;
  /** The values of a combo. */
  readonly values?: readonly string[];
}
const TYPES = ["check", "spin", "combo", "button", "string"] as const;

/** A value for an option in a config. A button is pressed by true. */
export type Setting = boolean | number | string;

/** Reads a line `option`; undefined for other lines and for types of options that are not known. */
export function parseOption(line: string): EngineOption | undefined {
  const [, name, given, rest = ""] = /^\s*option\s+name\s+(.*?)\s+type\s+(\w+)\s*(.*)$/.exec(line) ?? [];
  const type = TYPES.find((one) => one === given);
  if (name === undefined || type === undefined) return undefined;
  if (type === "string") return { name, type, default: textOf(rest.replace(/^default ?/, "")) };
  const parts = rest.split(/(?:^|\s+)(default|min|max|var)(?:\s+|$)/).slice(1);
  const found = parts.flatMap((word, at) => (at % 2 === 0 ? [[word, parts[at + 1]!.trim()] as const] : []));
  const last = (key: string) => found.findLast(([word]) => word === key)?.[1];
  const numbers = (["min", "max"] as const).flatMap((key) => {
    const value = last(key);
    return value !== undefined && Number.isFinite(Number(value)) ? [[key, Number(value)]] : [];
  });
  const usual = last("default");
  return {
    name,
    type,
    ...(usual === undefined ? {} : { default: usual }),
    ...Object.fromEntries(numbers),
    ...(type === "combo" && { values: found.filter(([word]) => word === "var").map(([, value]) => value) }),
  };
}

/** Writes a line `option`. */
export function formatOption({ name, type, default: usual, min, max, values = [] }: EngineOption): string {
  const parts = [
    ...(usual === undefined ? [] : [`default ${usual === "" ? "<empty>" : usual}`]),
    ...(min === undefined ? [] : [`min ${min}`]),
    ...(max === undefined ? [] : [`max ${max}`]),
    ...values.map((value) => `var ${value}`),
  ];
  return ["option name", name, "type", type, ...parts].join(" ");
}

/** Protocols write the empty text as `<empty>`. */
function textOf(written: string): string {
  return written === "<empty>" ? "" : written;
}

/**
 * The commands that set options of an engine. Throws InputError for names that it has not got and for values that it does
 * not take; the paths are those of the settings in the agent's spec.
 * @param needed the settings by which it plays the game and no other
 */
export function formatSettings(
  settings: Readonly<Record<string, Setting>>,
  options: readonly EngineOption[],
  needed: Readonly<Record<string, Setting>> = {},
): string[] {
  const problems: Problem[] = [];
  const only = new Map(Object.entries(needed).map(([name, value]) => [name.toLowerCase(), value]));
  const chosen = Object.keys(settings).map((name) => name.toLowerCase());
  // An engine need not have the option of a game that is its usual one.
  const unset = Object.entries(needed).filter(([name, value]) => {
    const usual = findOption(name, options)?.default;
    return (
      !chosen.includes(name.toLowerCase()) && (usual === undefined ? value === true : !isSame(usual, value))
    );
  });
  const lines = [...unset, ...Object.entries(settings)].flatMap(([name, setting]) => {
    const refuse = (message: string) => {
      problems.push({ path: `options.${name}`, message });
      return [];
    };
    const option = findOption(name, options);
    if (option === undefined && !chosen.includes(name.toLowerCase()))
      return refuse(`this game needs it, and the engine has no such option`);
    if (option === undefined) {
      const names = options.map((one) => one.name);
      return refuse(unknownName("option of this engine:", name, names));
    }
    const must = only.get(name.toLowerCase());
    if (must !== undefined && !isSame(setting, must))
      return refuse(`must be ${String(must)} in this game, got ${String(setting)}`);
    const value = valueFor(option, setting);
    if (value === undefined) return refuse(`must be ${allowedBy(option)}, got ${String(setting)}`);
    if (option.type === "button") return value === "true" ? [`setoption name ${option.name}`] : [];
    return [`setoption name ${option.name} value ${value === "" ? "<empty>" : value}`];
  });
  if (problems.length > 0) throw new InputError(problems);
  return lines;
}

/** Names are the same in capitals and small letters, as the protocol has it. */
export function findOption(name: string, options: readonly EngineOption[]): EngineOption | undefined {
  return options.find((one) => isSame(one.name, name));
}

function isSame(one: Setting, other: Setting): boolean {
  return String(one).toLowerCase() === String(other).toLowerCase();
}

/** The value as the engine reads it; undefined if the option does not take it. */
export function valueFor({ type, min, max, values }: EngineOption, setting: Setting): string | undefined {
  const text = String(setting).trim();
  switch (type) {
    case "check":
    case "button":
      return ["true", "false"].find((one) => isSame(one, text));
    case "spin": {
      const number = typeof setting === "boolean" || text === "" ? NaN : Number(text);
      const fits =
        Number.isSafeInteger(number) && number >= (min ?? -Infinity) && number <= (max ?? Infinity);
      return fits ? String(number) : undefined;
    }
    case "combo":
      return values!.find((one) => isSame(one, text));
    case "string":
      return /[\r\n]/.test(text) ? undefined : text;
  }
}

function allowedBy({ type, min, max, values }: EngineOption): string {
  switch (type) {
    case "check":
      return "true or false";
    case "button":
      return "true, which presses the button";
    case "spin": {
      const range = [min === undefined ? "" : ` from ${min}`, max === undefined ? "" : ` to ${max}`];
      return `a whole number${range.join("")}`;
    }
    case "combo":
      return `one of ${values!.join(", ")}`;
    case "string":
      return "a text in one line";
  }
}
