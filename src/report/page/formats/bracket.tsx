import type { JSX } from "preact";
import type { KnockoutResults } from "../../../ratings/format-results.ts";
import { formatPoints } from "../../../ratings/sections/section.ts";
import { addressOf } from "../address.ts";
import type { TournamentData } from "../data.ts";
import { Panel, Wide } from "../parts.tsx";

type Round = KnockoutResults["rounds"][number];
type Match = Round["matches"][number];

/** A place of the bracket, at which entrants meet or one has a bye. */
interface Slot {
  /** Names, the higher seed first; undefined while nobody is known. */
  readonly names: readonly (string | undefined)[];
  /** The match, once both are known. */
  readonly match?: Match;
  readonly winner?: string | undefined;
}

interface BracketRound {
  readonly name: string;
  readonly slots: readonly Slot[];
}

/** The bracket of a knockout: a column for each round, and the third place below the final. A match opens its games. */
export function Bracket({ run, results }: { run: TournamentData; results: KnockoutResults }): JSX.Element {
  const rounds = bracketOf(results);
  const third = results.rounds.find(isForThird)?.matches[0];
  const champion = rounds.at(-1)!.slots[0]!.winner;
  const usual = Math.min(...results.rounds.flatMap(({ matches }) => matches.map(({ blocks }) => blocks)));
  const slot = (one: Slot, at: number) => (
    <SlotBox key={at} run={run} slot={one} champion={champion} usual={usual} />
  );
  return (
    <Panel
      title="Knockout"
      note={
        `${champion === undefined ? "The matches so far" : `${champion} wins`}. ` +
        "A match shows the seeds and the sums of its blocks' scores; it opens its games."
      }
    >
      <Wide label="Bracket">
        <div class="bracket" style={`--rounds: ${rounds.length}`}>
          {rounds.map(({ name, slots }, at) => (
            <section key={at}>
              <h3>{name}</h3>
              <ol>{slots.map(slot)}</ol>
            </section>
          ))}
          {third !== undefined && (
            <section class="third">
              <h3>third place</h3>
              <ol>{slot(slotOf(third), 0)}</ol>
            </section>
          )}
        </div>
      </Wide>
    </Panel>
  );
}

function isForThird({ name }: Round): boolean {
  return name === "third place";
}

/** All rounds to the final; those that have not begun have the winners so far. */
function bracketOf({ rounds: played }: KnockoutResults): BracketRound[] {
  const rounds: BracketRound[] = [];
  for (const { name, byes, matches } of played.filter((round) => !isForThird(round))) {
    const slots: Slot[] = Array(byes.length + matches.length);
    for (const match of matches) slots[match.place] = slotOf(match);
    const left = [...byes];
    for (let place = 0; place < slots.length; place++)
      slots[place] ??= { names: [left[0]!], winner: left.shift() };
    rounds.push({ name, slots });
  }
  for (let { slots } = rounds.at(-1)!; slots.length > 1; { slots } = rounds.at(-1)!) {
    const name = slots.length === 2 ? "final" : "next round";
    const next = Array.from({ length: slots.length / 2 }, (_, place) => ({
      names: [slots[2 * place]!.winner, slots[2 * place + 1]!.winner],
    }));
    rounds.push({ name, slots: next });
  }
  return rounds;
}

function slotOf(match: Match): Slot {
  return { names: match.entrants, match, winner: match.winner ?? undefined };
}

function SlotBox({
  run,
  slot: { names, match, winner },
  champion,
  usual,
}: {
  run: TournamentData;
  slot: Slot;
  champion: string | undefined;
  /** Blocks of a match that was not level. */
  usual: number;
}): JSX.Element {
  const sides = names.map((name, side) => (
    <span key={side} class={name !== undefined && name === winner ? "side winner" : "side"}>
      <small>{name === undefined ? "" : seedOf(run, name)}</small>
      <span class="name">{name ?? "…"}</span>
      <span>{match === undefined ? names.length === 1 && "bye" : formatPoints(match.scores[side]!)}</span>
    </span>
  ));
  const isOnPath = champion !== undefined && winner === champion;
  return (
    <li class={isOnPath ? "path" : ""}>
      {match === undefined ? (
        <div class="match faint">{sides}</div>
      ) : (
        <a
          class="match"
          href={addressOf(run.folder, "games", { entrant: match.entrants[0], opponent: match.entrants[1] })}
          title={matchText(match)}
        >
          {sides}
          {match.blocks > usual && <small class="longer">{match.blocks} blocks</small>}
        </a>
      )}
    </li>
  );
}

/** The seeds are in the order of the config. */
function seedOf({ entrants }: TournamentData, name: string): number {
  return 1 + entrants.findIndex((entrant) => entrant.name === name);
}

/** `a 6.5, b 3.5 after 10 blocks; a goes on`. */
function matchText({ entrants, scores, blocks, winner }: Match): string {
  const result = entrants.map((name, side) => `${name} ${formatPoints(scores[side]!)}`).join(", ");
  const isLevel = winner !== null && scores[0] === scores[1];
  const end = winner === null ? "it goes on" : `${winner} wins${isLevel ? " as the higher seed" : ""}`;
  return `${result} after ${blocks} blocks; ${end}`;
}
