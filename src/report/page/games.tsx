import type { JSX } from "preact";
import { useContext, useMemo, useState } from "preact/hooks";
import { addressOf } from "./address.ts";
import type { GameData, TournamentData } from "./data.ts";
import { endingOf, pairingOf, resultOf } from "./game-text.ts";
import { FreshContext } from "./live-data.ts";
import { Panel, Select } from "./parts.tsx";
import { Replay } from "./replay.tsx";

/** The number of games that the list shows. */
const SHOWN = 200;

/** The filter of the list; an empty text filters nothing. */
interface Filter {
  readonly entrant: string;
  readonly opponent: string;
  readonly result: string;
  readonly opening: string;
  readonly longest: string;
  readonly shortest: string;
}

const RESULTS = {
  "": "any result",
  won: "player 1 won",
  drawn: "shared",
  lost: "player 1 lost",
  forfeit: "forfeit",
};

/** All games of the page, or one of them. */
export function Games({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  const wanted = query.get("game");
  const game = wanted === null ? undefined : run.games.find(({ id }) => id === wanted);
  if (game !== undefined) return <Replay key={game.id} run={run} game={game} />;
  return (
    <>
      {wanted !== null && <p class="notices">This game is not in the sample that the page has.</p>}
      <GameList key={query.toString()} run={run} query={query} />
    </>
  );
}

function GameList({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  const given = (name: string) => query.get(name) ?? "";
  const [filter, setFilter] = useState<Filter>({
    entrant: given("entrant"),
    opponent: given("opponent"),
    result: given("result"),
    opening: given("opening"),
    shortest: "",
    longest: "",
  });
  const fresh = useContext(FreshContext);
  const found = useMemo(() => run.games.filter((game) => passes(run, game, filter)), [run, filter]);
  const set = (name: keyof Filter) => (value: string) => setFilter({ ...filter, [name]: value });
  const names = run.report.entrants.map(({ name }) => name);
  const choice = (name: "entrant" | "opponent", all: string) => (
    <Select
      name={name}
      value={filter[name]}
      options={[{ value: "", text: all }, ...names.map((one) => ({ value: one, text: one }))]}
      onChange={set(name)}
    />
  );
  const length = (name: "shortest" | "longest") => (
    <label>
      <span>{name}</span>
      <input
        type="number"
        min="0"
        value={filter[name]}
        onInput={(event) => set(name)(event.currentTarget.value)}
      />
    </label>
  );
  return (
    <Panel title="Games" {...(run.games.length < run.report.games && { note: sampleNote(run) })}>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        {choice("entrant", "everybody")}
        {run.report.players > 1 && choice("opponent", "anybody")}
        <Select
          name="result"
          value={filter.result}
          options={Object.entries(RESULTS).map(([value, text]) => ({ value, text }))}
          onChange={set("result")}
        />
        {length("shortest")}
        {length("longest")}
        {filter.opening !== "" && (
          <button type="button" onClick={() => setFilter({ ...filter, opening: "" })}>
            all openings
          </button>
        )}
      </form>
      <p aria-live="polite">
        {found.length} game{found.length === 1 ? "" : "s"}
        {found.length > SHOWN && `, the first ${SHOWN} of them below`}
      </p>
      <ol class="games">
        {found.slice(0, SHOWN).map((game) => (
          <li key={game.id}>
            <a href={addressOf(run.folder, "games", { game: game.id })}>
              <span class="pairing">
                {fresh.has(game.id) && <b class="fresh">new</b>}
                {pairingOf(run, game)}
              </span>
              <b>{resultOf(game)}</b>
              <span class="faint">
                {(game.moves ?? game.actions).length} actions
                {game.forfeitSeat >= 0 && `, ${endingOf(run, game)}`}
              </span>
            </a>
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function sampleNote({ games, newest, report }: TournamentData): string {
  const shown = `${games.length} of the ${report.games} games, with the forfeits`;
  const what =
    newest === undefined
      ? `A sample of ${shown}.`
      : `The ${newest} games that were stored last, the newest first; then a sample. Together ${shown}.`;
  return `${what} The figures on the other pages are of all games.`;
}

function passes({ entrants }: TournamentData, game: GameData, filter: Filter): boolean {
  const { seats, returns, actions, forfeitSeat, openingLength } = game;
  const names = seats.map((entrant) => entrants[entrant]!.name);
  const seat = names.indexOf(filter.entrant);
  if (filter.entrant !== "" && seat < 0) return false;
  if (filter.opponent !== "" && !names.some((name, at) => at !== seat && name === filter.opponent))
    return false;
  const length = (game.moves ?? actions).length;
  if (filter.shortest !== "" && length < Number(filter.shortest)) return false;
  if (filter.longest !== "" && length > Number(filter.longest)) return false;
  if (filter.opening !== "" && actions.slice(0, openingLength).join(" ") !== filter.opening) return false;
  const best = Math.max(...returns.slice(1), -Infinity);
  switch (filter.result) {
    case "won":
      return returns[0]! > best;
    case "drawn":
      return returns[0] === best;
    case "lost":
      return returns[0]! < best;
    case "forfeit":
      return forfeitSeat >= 0;
    default:
      return true;
  }
}
