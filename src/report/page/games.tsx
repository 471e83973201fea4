import { createContext, type JSX } from "preact";
import { useContext, useEffect, useMemo, useState } from "preact/hooks";
import { addressOf, readPlace } from "./address.ts";
import type { AtPlayData, GameData, TournamentData } from "./data.ts";
import {
  boundsOfPage,
  chooseGames,
  formatGameQuery,
  GAMES_A_PAGE,
  parseGameQuery,
  type GameQuery,
  type GamesPage,
} from "./game-list.ts";
import { endingOf, pairingOf, resultOf } from "./game-text.ts";
import { Panel, PrintContext, Select, Wide } from "./parts.tsx";
import { ColumnHead } from "./section-table.tsx";
import { GameTree } from "./opinions.tsx";
import { Replay } from "./replay.tsx";
import { formatSeconds } from "../../base/text.ts";
import { Board } from "./board.tsx";

/** The source of a list that a server sends. */
export interface ListedRun {
  /** Asks for a page of the list; undefined if the server does not answer. */
  readonly ask: (query: GameQuery) => Promise<GamesPage | undefined>;
  /** Games of later numbers came in just now. */
  readonly freshAfter: number;
  /** The games that are being played. */
  readonly atPlay: readonly AtPlayData[];
  /** True if the server takes bots for a ladder. */
  readonly takesBots: boolean;
}

/** The server's list; undefined in a file, whose list is made of the games that it has. */
export const ListedRunContext = createContext<ListedRun | undefined>(undefined);

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
  const listed = useContext(ListedRunContext);
  const isFile = listed === undefined;
  const game = wanted === null ? undefined : run.games.find(({ id }) => id === wanted);
  const at = Math.trunc(Number(query.get("at"))) || 0;
  const searcher = query.get("tree");
  if (game !== undefined && searcher !== null)
    return <GameTree run={run} game={game} at={at} name={searcher} />;
  if (game !== undefined) return <Replay key={game.id} run={run} game={game} start={at} />;
  return (
    <>
      {wanted !== null && (
        <p class="notices">
          {isFile
            ? "This game is not in the sample that the page has."
            : "The server has no such game, or does not answer."}
        </p>
      )}
      <AtPlay games={listed?.atPlay ?? []} />
      <GameList run={run} query={parseGameQuery(query)} />
    </>
  );
}

/** A page of games; the address has the choice and the order. */
function GameList({ run, query }: { run: TournamentData; query: GameQuery }): JSX.Element {
  const listed = useListedGames(run, query);
  const place = (change: Partial<GameQuery>) =>
    addressOf(run.folder, "games", formatGameQuery({ ...query, page: 1, ...change }));
  // The way back of the browser leads to the view before the list, whatever was chosen in it. Two choices may follow each
  // other before the page is drawn again, so the address counts.
  const change = (to: Partial<GameQuery>) =>
    location.replace(place({ ...parseGameQuery(readPlace().query), page: 1, ...to }));
  const isFile = useContext(ListedRunContext) === undefined;
  const isSample = isFile && run.games.length < run.report.games;
  return (
    <Panel title="Games" {...(isSample && { note: sampleNote(run) })}>
      <Choice run={run} query={query} onChange={change} />
      {listed === undefined ? (
        <p>Loading the games…</p>
      ) : (
        <>
          <p aria-live="polite">{countText(listed, query)}</p>
          {listed.games.length > 0 && (
            <GameTable run={run} games={listed.games} query={query} onChange={change} />
          )}
          <Pages count={Math.ceil(listed.found / GAMES_A_PAGE)} current={query.page} place={place} />
        </>
      )}
    </Panel>
  );
}

/** The games of a page; undefined until they have come. */
function useListedGames(run: TournamentData, query: GameQuery): GamesPage | undefined {
  const listed = useContext(ListedRunContext);
  const [answer, setAnswer] = useState<GamesPage>();
  const key = JSON.stringify(query);
  const isPrinting = useContext(PrintContext);
  const own = useMemo(
    () => (listed === undefined ? pageOf(run, query, isPrinting) : undefined),
    [listed, run, key, isPrinting],
  );
  useEffect(() => {
    let isOld = false;
    void listed?.ask(query).then((page) => {
      // The last page stays if the server is gone.
      if (!isOld && page !== undefined) setAnswer(page);
    });
    return () => {
      isOld = true;
    };
  }, [listed?.ask, run.report, key]);
  return own ?? answer;
}

function pageOf({ games, entrants }: TournamentData, query: GameQuery, hasAll: boolean): GamesPage {
  const names = entrants.map(({ name }) => name);
  const byNumber = new Map(games.map((game) => [game.number, game]));
  const numbers = chooseGames(
    games.map(({ openingLength, ...game }) => ({
      ...game,
      length: lengthOf(game),
      opening: game.actions.slice(0, openingLength).join(),
    })),
    names,
    query,
  );
  const shown = hasAll ? numbers : numbers.slice(...boundsOfPage(query));
  return { found: numbers.length, games: shown.map((number) => byNumber.get(number)!) };
}

function lengthOf({ moves, actions }: Pick<GameData, "moves" | "actions">): number {
  return (moves ?? actions).length;
}

function countText({ found, games }: GamesPage, query: GameQuery): string {
  const [from] = boundsOfPage(query);
  const count = `${found.toLocaleString("en")} game${found === 1 ? "" : "s"}`;
  if (games.length === found) return count;
  if (games.length === 0) return `${count}; this page has none of them`;
  return `${count}; ${(from + 1).toLocaleString("en")} to ${(from + games.length).toLocaleString("en")} below`;
}

function sampleNote({ games, report }: TournamentData): string {
  const [shown, all] = [games.length, report.games].map((count) => count.toLocaleString("en"));
  return (
    `This file has a sample of ${shown} of the ${all} games, with the forfeits; agon serve lists all. ` +
    "The figures on the other pages are of all games."
  );
}

/** The fields that choose among the games. */
function Choice({
  run,
  query,
  onChange,
}: {
  run: TournamentData;
  query: GameQuery;
  onChange: (change: Partial<GameQuery>) => void;
}): JSX.Element {
  const names = run.report.entrants.map(({ name }) => name);
  const entrant = (name: "entrant" | "opponent", all: string) => (
    <Select
      name={name}
      value={query[name]}
      options={[{ value: "", text: all }, ...names.map((one) => ({ value: one, text: one }))]}
      onChange={(value) => onChange({ [name]: value })}
    />
  );
  const length = (name: "shortest" | "longest") => (
    <label>
      <span>{name}</span>
      <input
        type="number"
        min="0"
        value={query[name]}
        onInput={(event) => onChange({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      {entrant("entrant", "everybody")}
      {run.report.players > 1 && entrant("opponent", "anybody")}
      <Select
        name="result"
        value={query.result}
        options={Object.entries(RESULTS).map(([value, text]) => ({ value, text }))}
        onChange={(result) => onChange({ result })}
      />
      {length("shortest")}
      {length("longest")}
      {query.opening !== "" && (
        <button type="button" onClick={() => onChange({ opening: "" })}>
          all openings
        </button>
      )}
    </form>
  );
}

function GameTable({
  run,
  games,
  query,
  onChange,
}: {
  run: TournamentData;
  games: readonly GameData[];
  query: GameQuery;
  onChange: (change: Partial<GameQuery>) => void;
}): JSX.Element {
  const freshAfter = useContext(ListedRunContext)?.freshAfter ?? Infinity;
  const seats = Array.from({ length: run.report.players }, (_, seat) => seat);
  const columns = [
    { title: "No.", sort: "number", class: "number" },
    ...seats.map((seat) => ({ title: `Player ${seat + 1}`, sort: `seat-${seat + 1}`, class: "" })),
    { title: "Result", sort: "result", class: "" },
    { title: "Actions", sort: "actions", class: "number" },
  ];
  return (
    <Wide label="Games">
      <table class="games">
        <thead>
          <tr>
            {columns.map(({ title, sort, class: name }) => (
              <ColumnHead
                key={sort}
                title={title}
                isNumber={name === "number"}
                isDescending={sort === query.sort ? query.isDescending : undefined}
                onSort={() =>
                  // Names begin with the first one, figures with the largest.
                  onChange({
                    sort,
                    isDescending: sort === query.sort ? !query.isDescending : !sort.startsWith("seat"),
                  })
                }
              />
            ))}
          </tr>
        </thead>
        <tbody>
          {games.map((game) => (
            <tr key={game.id}>
              <td class="number">
                {game.number > freshAfter && <b class="fresh">new</b>}
                {game.number}
              </td>
              {seats.map((seat) => {
                const name = run.entrants[game.seats[seat]!]!.name;
                return seat > 0 ? (
                  <td key={seat}>{name}</td>
                ) : (
                  <th key={seat} scope="row">
                    <a
                      href={addressOf(run.folder, "games", { game: game.id })}
                      aria-label={`${pairingOf(run, game)}, game ${game.number}`}
                    >
                      {name}
                    </a>
                  </th>
                );
              })}
              <td>
                <b>{resultOf(game)}</b>
                <Ending text={endingOf(run, game)} />
              </td>
              <td class="number">{lengthOf(game)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Ending({ text }: { text: string | undefined }): JSX.Element | null {
  return text === undefined ? null : <span class="faint"> {text}</span>;
}

/** Links to the other pages of a list; one that leads nowhere keeps the keyboard's focus. */
function Pages({
  count,
  current,
  place,
}: {
  count: number;
  current: number;
  place: (change: Partial<GameQuery>) => string;
}): JSX.Element | null {
  if (count <= 1 && current === 1) return null;
  const last = Math.max(1, count);
  const link = (text: string, page: number) => {
    const leads = page >= 1 && page <= last && page !== current;
    return (
      <a
        {...(leads ? { href: place({ page }) } : { role: "link", "aria-disabled": "true", tabIndex: 0 })}
        key={text}
      >
        {text}
      </a>
    );
  };
  return (
    <nav class="pages" aria-label="Pages of games">
      {link("first", 1)}
      {link("previous", current - 1)}
      <span>
        page {current.toLocaleString("en")} of {last.toLocaleString("en")}
      </span>
      {link("next", current + 1)}
      {link("last", last)}
    </nav>
  );
}

/** The games that are being played, at their last positions; nothing if there are none. */
function AtPlay({ games }: { games: readonly AtPlayData[] }): JSX.Element | null {
  if (games.length === 0) return null;
  return (
    <Panel title="Now at play" note="Games that last longer than a second.">
      <div class="at-play">
        {games.map((game) => (
          <figure key={game.id} data-at-play={game.id}>
            <figcaption>
              <b>{playersOf(game)}</b>
              <small>{standOf(game)}</small>
            </figcaption>
            <Board board={game.board} />
          </figure>
        ))}
      </div>
    </Panel>
  );
}

/** The entrants by seat, with their clocks if they have any. */
function playersOf({ names, leftMs }: AtPlayData): string {
  return names
    .map((name, seat) => (leftMs === undefined ? name : `${name} (${formatSeconds(leftMs[seat]! / 1000)})`))
    .join(" - ");
}

function standOf({ length, last, turn }: AtPlayData): string {
  return length === 0 ? turn : `${length} action${length === 1 ? "" : "s"}, last ${last}; ${turn}`;
}
