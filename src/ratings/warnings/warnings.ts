import type { Groups } from "../counts/groups.ts";
import type { Forfeits } from "./forfeits.ts";
import type { RepeatedMatch } from "./repeats.ts";
import type { Tally } from "../counts/tally.ts";

/** With fewer blocks than this, the spread behind the intervals is uncertain itself. */
const FEW_BLOCKS = 10;
/** The number of items that a warning lists; it counts the others. */
const LISTED = 5;

/** The warnings of a report: one sentence for each reason to doubt its table. */
export function findWarnings(input: {
  entrants: readonly string[];
  tally: Tally;
  groups: Groups;
  forfeits: Forfeits;
  repeats: readonly RepeatedMatch[];
}): string[] {
  const { entrants, tally, groups, forfeits } = input;
  return [
    ...unconnected(entrants, groups, tally),
    ...oneSided(entrants, groups),
    ...gaps(entrants, groups),
    ...fewBlocks(entrants, tally),
    ...repeats(entrants, input.repeats),
    ...forfeits.warnings(entrants),
  ];
}

function unconnected(names: readonly string[], { connected }: Groups, tally: Tally): string[] {
  const warnings: string[] = [];
  const { blocksOf } = tally.entrants;
  const idle = names.filter((_, entrant) => blocksOf[entrant] === 0);
  if (idle.length > 0) warnings.push(`${list(idle)} played no game: the rating says nothing`);
  const groups = connected.filter((members) => blocksOf[members[0]] > 0);
  if (groups.length > 1) {
    warnings.push(
      `no game connects ${groups.map((members) => group(names, members)).join(" with ")}: ` +
        "ratings compare only inside a group",
    );
  }
  return warnings;
}

function oneSided(names: readonly string[], { wonAll, lostAll }: Groups): string[] {
  const won = names.filter((_, entrant) => wonAll[entrant]);
  const lost = names.filter((_, entrant) => lostAll[entrant]);
  return [
    ...won.map((name) => `${name} won all its games: only the lower end of its interval is known`),
    ...lost.map((name) => `${name} lost all its games: only the upper end of its interval is known`),
  ];
}

/** Groups that beat others in every game; entrants that won or lost everything have their own warning. */
function gaps(names: readonly string[], { connected, bounded, wonAll, lostAll }: Groups): string[] {
  return connected.flatMap((members) => {
    const open = bounded.filter(([first]) => members.includes(first) && !wonAll[first] && !lostAll[first]);
    if (open.length < 2) return [];
    return [
      `${open.map((inside) => group(names, inside)).join(" > ")}: the stronger never lost or drew against ` +
        "the weaker, so the distance between them is not known",
    ];
  });
}

function fewBlocks(names: readonly string[], { entrants: { blocksOf } }: Tally): string[] {
  const few = names
    .map((name, entrant) => ({ name, blocks: blocksOf[entrant] }))
    .filter(({ blocks }) => blocks > 0 && blocks < FEW_BLOCKS);
  if (few.length === 0) return [];
  const named = few.map(({ name, blocks }) => `${name} (${blocks})`);
  return [`fewer than ${FEW_BLOCKS} blocks, so intervals are rough: ${listSome(named, "entrant")}`];
}

function repeats(names: readonly string[], found: readonly RepeatedMatch[]): string[] {
  if (found.length === 0) return [];
  const named = found.map(
    ({ entrants, games, repeats: count }) =>
      `${entrants.map((entrant) => names[entrant]).join(" - ")} (${count} of ${games})`,
  );
  return [
    "games repeat move for move, so intervals are too narrow; use more openings: " +
      listSome(named, "match", "matches"),
  ];
}

function group(names: readonly string[], members: readonly number[]): string {
  return `{${members.map((entrant) => names[entrant]).join(", ")}}`;
}

function list(items: readonly string[]): string {
  return items.length === 1 ? items[0] : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

function listSome(items: readonly string[], one: string, many = `${one}s`): string {
  if (items.length <= LISTED) return items.join("; ");
  const more = items.length - LISTED;
  return `${items.slice(0, LISTED).join("; ")}; and ${more} more ${more === 1 ? one : many}`;
}
