import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createGame, games } from "../../src/games/index.ts";

const page = readFileSync(new URL("../../docs/games.md", import.meta.url), "utf8").replace(
  /^```[^]*?^```$/gm,
  "",
);

/** The names in backquotes. */
function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`\n]+)`/g), ([, name]) => name!);
}

/** The names of a game's options, without former ones. */
function optionsOf(id: string): string[] {
  const { shape } = games[id]!.options;
  return Object.keys(shape).filter((name) => shape[name]!.meta()?.["deprecated"] !== true);
}

// A tree has no features before it is written.
test.each(Object.keys(games).filter((id) => id !== "tree"))("docs/games.md tells what %s has", (id) => {
  const game = createGame(id);
  const row = page.split("\n").find((line) => line.startsWith(`| [\`${id}\`]`))!;
  const [heuristics, policies, featureSets, transcripts] = row.split("|").slice(4, 8);
  expect(namesIn(heuristics!)).toEqual(Object.keys(game.heuristics));
  expect(namesIn(policies!)).toEqual(Object.keys(game.policies));
  expect(namesIn(transcripts!)).toEqual(Object.keys(game.transcripts));
  expect(namesIn(featureSets!)).toEqual(Object.keys(game.featureSets));
  for (const [name, { size }] of Object.entries(game.featureSets))
    expect(featureSets).toMatch(new RegExp(`\`${name}\` \\(${size.toLocaleString("en")}[;)]`));
  const optionRows = page.split("\n").filter((line) => namesIn(line.split("|")[1] ?? "").includes(id));
  const optionNames = optionRows.flatMap((line) => namesIn(line.split("|")[2]!));
  expect(optionNames.toSorted()).toEqual(optionsOf(id).toSorted());
});

test("boards of any width and height have one pair of names for them", () => {
  const other = /^(rows|columns|cols|ranks|files|[xy]|.*(width|height).+)$/i;
  for (const id of Object.keys(games)) {
    const options = optionsOf(id);
    // The ranks of hold'em are those of its cards.
    const odd = options.filter((name) => other.test(name) && `${id} ${name}` !== "holdem ranks");
    expect({ id, odd }).toEqual({ id, odd: [] });
    expect(options.includes("width")).toBe(options.includes("height"));
  }
  expect(Object.keys(games).filter((id) => optionsOf(id).includes("width"))).toEqual([
    "2048",
    "breakthrough",
    "connect-four",
    "battleship",
  ]);
});
