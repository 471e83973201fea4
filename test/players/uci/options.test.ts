import { describe, expect, test } from "vitest";
import { formatOption, formatSettings, parseOption, type Setting } from "../../../src/players/uci/options.ts";

const LINES = [
  // The examples of the protocol's text, and one with words of the protocol in its default.
  "option name Nullmove type check default true",
  "option name Selectivity type spin default 2 min 0 max 4",
  "option name Style type combo default Normal var Solid var Normal var Very Risky",
  "option name NalimovPath type string default c:\\min max\\",
  "option name Clear Hash type button",
  "option name SyzygyPath type string default <empty>",
];

describe("options", () => {
  test("of the protocol's text", () => {
    expect(LINES.map(parseOption)).toEqual([
      { name: "Nullmove", type: "check", default: "true" },
      { name: "Selectivity", type: "spin", default: "2", min: 0, max: 4 },
      { name: "Style", type: "combo", default: "Normal", values: ["Solid", "Normal", "Very Risky"] },
      { name: "NalimovPath", type: "string", default: "c:\\min max\\" },
      { name: "Clear Hash", type: "button" },
      { name: "SyzygyPath", type: "string", default: "" },
    ]);
  });

  test.each(LINES)("%s is written again", (line) => expect(formatOption(parseOption(line)!)).toBe(line));

  test.each(["id name x", "option name x", "option name x type slider", "", "uciok"])("%s is none", (line) =>
    expect(parseOption(line)).toBeUndefined(),
  );
});

describe("settings", () => {
  const options = LINES.map((line) => parseOption(line)!);
  const set = (settings: Record<string, Setting>) => formatSettings(settings, options);

  test("are commands with the engine's names and values", () => {
    expect(
      set({
        nullMove: false,
        selectivity: 0,
        Style: "very risky",
        nalimovpath: "/tables of mine",
        "clear hash": true,
        SyzygyPath: "",
      }),
    ).toEqual([
      "setoption name Nullmove value false",
      "setoption name Selectivity value 0",
      "setoption name Style value Very Risky",
      "setoption name NalimovPath value /tables of mine",
      "setoption name Clear Hash",
      "setoption name SyzygyPath value <empty>",
    ]);
    expect(set({ "Clear Hash": false, Selectivity: "4" })).toEqual(["setoption name Selectivity value 4"]);
  });

  test.each<[string, Setting, string]>([
    ["Nullmove", 1, "options.Nullmove: must be true or false, got 1"],
    ["Selectivity", 5, "options.Selectivity: must be a whole number from 0 to 4, got 5"],
    ["Selectivity", 1.5, "options.Selectivity: must be a whole number from 0 to 4, got 1.5"],
    ["Selectivity", "", "options.Selectivity: must be a whole number from 0 to 4, got "],
    ["Selectivity", true, "options.Selectivity: must be a whole number from 0 to 4, got true"],
    ["Style", "Risky", "options.Style: must be one of Solid, Normal, Very Risky, got Risky"],
    ["NalimovPath", "a\nquit", "options.NalimovPath: must be a text in one line, got a\nquit"],
    ["Clear Hash", "now", "options.Clear Hash: must be true, which presses the button, got now"],
    [
      "NulMove",
      true,
      'options.NulMove: unknown option of this engine: "NulMove" (did you mean "Nullmove"?); allowed: Nullmove, Selectivity, Style, NalimovPath, Clear Hash, SyzygyPath',
    ],
  ])("%s: %s is refused", (name, value, message) => {
    expect(() => set({ [name]: value })).toThrow(message);
  });

  test("that change the game are refused, and all problems are told at once", () => {
    const variants = [
      { name: "UCI_Chess960", type: "check" as const, default: "false" },
      { name: "UCI_Variant", type: "combo" as const, values: ["chess", "atomic"] },
    ];
    const needed = { UCI_Chess960: false, UCI_Variant: "chess" };
    expect(() => formatSettings({ uci_chess960: true, UCI_Variant: "atomic" }, variants, needed)).toThrow(
      "options.uci_chess960: must be false in this game, got true\n" +
        "options.UCI_Variant: must be chess in this game, got atomic",
    );
    expect(formatSettings(needed, variants, needed)).toHaveLength(2);
    expect(formatSettings({}, variants, needed)).toEqual([]);
  });

  test("that the game needs are set", () => {
    const needed = { UCI_Chess960: true, UCI_Variant: "chess" };
    const check = { name: "uci_chess960", type: "check", default: "false" } as const;
    const set = ["setoption name uci_chess960 value true"];
    expect(formatSettings({}, [check], needed)).toEqual(set);
    expect(formatSettings({ UCI_Chess960: true }, [check], needed)).toEqual(set);
    expect(() => formatSettings({}, options, needed)).toThrow(
      "options.UCI_Chess960: this game needs it, and the engine has no such option",
    );
  });
});
