import type { JSX } from "preact";
import { formatPace } from "../../base/pace.ts";
import { formatSeconds } from "../../base/text.ts";
import { addressOf, usePlace, type Place } from "./address.ts";
import { Panel, TopBar } from "./parts.tsx";
import type { RunEntry } from "./data.ts";
import { useEffect, useMemo } from "preact/hooks";
import { App } from "./app.tsx";
import { ListedRunContext } from "./games.tsx";
import { useGamesAtPlay, useRunData, useRuns } from "./live-data.ts";

const STATES = {
  "going on": "▶ going on",
  finished: "✓ finished",
  stopped: "■ stopped",
};

/** All runs of a folder; running ones come first. */
function Runs({ entries }: { entries: readonly RunEntry[] }): JSX.Element {
  if (entries.length === 0)
    return <p>There are no runs here yet: agon run and agon train make them. They appear by themselves.</p>;
  return (
    <Panel title="Runs" note="Runs and trainings of this folder; the list follows them by itself.">
      <div class="scroll">
        <table class="runs">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Game</th>
              <th scope="col">Progress</th>
              <th scope="col">State</th>
              <th scope="col" class="number">
                Games/s
              </th>
              <th scope="col" class="number">
                Time left
              </th>
              <th scope="col">Leader</th>
            </tr>
          </thead>
          <tbody>
            {ordered(entries).map((entry) => (
              <Row key={entry.folder} entry={entry} />
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

/** Runs that go on by name, so that they keep their places; then the others, last written first. */
function ordered(entries: readonly RunEntry[]): RunEntry[] {
  const isGoingOn = ({ state }: RunEntry) => state === "going on";
  const going = entries.filter(isGoingOn).toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
  const others = entries.filter((entry) => !isGoingOn(entry));
  return [...going, ...others.toSorted((a, b) => b.writtenAt - a.writtenAt)];
}

function Row({ entry }: { entry: RunEntry }): JSX.Element {
  const { folder, kind, name, game, state, leader, notice } = entry;
  return (
    <tr data-folder={folder}>
      <th scope="row">
        {canBeShown(entry) ? <a href={homeOf(entry)}>{name}</a> : name}
        <small>
          {kind === "training" && "training, "}
          {folder}
        </small>
        {notice !== "" && <p class="notices">{notice}</p>}
      </th>
      <td>{game}</td>
      <td>{canBeShown(entry) && <Bar entry={entry} />}</td>
      <td class="state">{canBeShown(entry) && STATES[state]}</td>
      <td class="number">{paceOf(entry)}</td>
      <td class="number">{leftOf(entry)}</td>
      <td>{leader}</td>
    </tr>
  );
}

/** False for a folder that could not be read. */
function canBeShown({ planned, notice }: RunEntry): boolean {
  return planned > 0 || notice === "";
}

function homeOf({ folder, kind, ladder }: RunEntry): string {
  if (kind === "training") return addressOf(`training of ${folder}`, "curve");
  return addressOf(folder, ladder === undefined ? "standings" : "ladder");
}

function Bar({ entry }: { entry: RunEntry }): JSX.Element {
  const { done, planned, ladder } = entry;
  const text = progressOf(entry);
  if (ladder === "endless") return <small>{text}</small>;
  return (
    <>
      <progress max={Math.max(1, planned)} value={done} aria-label={text} />
      <small>{text}</small>
    </>
  );
}

/** The progress of a run, above its views, with links to the list and to the games at play. */
function Strip({ entry, atPlay }: { entry: RunEntry; atPlay: number }): JSX.Element {
  const { done, planned, state, notice, ladder } = entry;
  const [pace, left] = [paceOf(entry), leftOf(entry)];
  const parts = [
    progressOf(entry),
    ...(pace === "" ? [] : [`${pace} games/s`]),
    ...(left === "" ? [] : [`${left} left`]),
  ];
  return (
    <section class="strip" aria-label="How the run stands">
      <a href="#/">All runs</a>
      <b class="state">{STATES[state]}</b>
      {ladder !== "endless" && (
        <progress max={Math.max(1, planned)} value={done} aria-label={progressOf(entry)} />
      )}
      <span>{parts.join(" · ")}</span>
      {atPlay > 0 && (
        <a href={addressOf(entry.folder, "games")}>
          {atPlay} game{atPlay > 1 && "s"} at play
        </a>
      )}
      {notice !== "" && <p class="notices">{notice}</p>}
    </section>
  );
}

function progressOf({ done, planned, ladder }: RunEntry): string {
  if (ladder === "endless") return `${done.toLocaleString("en")} games`;
  return `${done.toLocaleString("en")} of ${planned.toLocaleString("en")} games`;
}

function paceOf({ gamesPerSecond }: RunEntry): string {
  return gamesPerSecond === undefined ? "" : formatPace(gamesPerSecond);
}

function leftOf({ secondsLeft }: RunEntry): string {
  return secondsLeft === undefined ? "" : formatSeconds(secondsLeft);
}

/** The page of `agon serve`: all runs, or one of them, while they go on. */
export function LiveApp(): JSX.Element {
  const place = usePlace();
  const { entries, isLost } = useRuns();
  const entry = entries?.find((one) => isPlaceOf(one, place));
  const title = entry === undefined ? "agon" : `${entry.name} - agon`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  // The address of a ladder's server leads to the ladder; "All runs" is a place of its own.
  const only = entries?.length === 1 ? entries[0] : undefined;
  useEffect(() => {
    if (location.hash === "" && only?.ladder !== undefined) location.replace(homeOf(only));
  }, [only]);
  return (
    <>
      <p role="status" class={isLost ? "notices" : ""}>
        {isLost && "The server does not answer; perhaps it has ended. The page shows the last data."}
      </p>
      {entry === undefined ? (
        <>
          <TopBar />
          <main>
            {entries === undefined ? (
              <p>Loading the runs…</p>
            ) : place.folder === "" ? (
              <Runs entries={entries} />
            ) : (
              <Missing folder={place.folder} />
            )}
          </main>
          <footer>Read only: nothing here changes a run.</footer>
        </>
      ) : (
        <LiveRun key={entry.folder} entry={entry} place={place} />
      )}
    </>
  );
}

/** True if the place is in this run; a training has two names, its own and that of its rating. */
function isPlaceOf({ folder, kind }: RunEntry, place: Place): boolean {
  return place.folder === folder || (kind === "training" && place.folder === `training of ${folder}`);
}

function Missing({ folder }: { folder: string }): JSX.Element {
  return (
    <>
      <p class="notices">There is no run “{folder}” here.</p>
      <p>
        <a href="#/">All runs</a>
      </p>
    </>
  );
}

function LiveRun({ entry, place }: { entry: RunEntry; place: Place }): JSX.Element {
  const game = place.query.get("game") ?? "";
  const isReading = game !== "" || place.view === "play";
  const { data, freshAfter, problem, ask } = useRunData(entry, { isReading, game });
  const atPlay = useGamesAtPlay(entry);
  const { takesBots = false } = entry;
  const listed = useMemo(
    () => ({ ask, freshAfter, atPlay, takesBots }),
    [ask, freshAfter, atPlay, takesBots],
  );
  const strip = <Strip entry={entry} atPlay={atPlay.length} />;
  if (data !== undefined)
    return (
      <ListedRunContext.Provider value={listed}>
        <App data={data} live={strip} />
      </ListedRunContext.Provider>
    );
  return (
    <>
      <TopBar title={entry.name} />
      {strip}
      <main>{problem === "" ? <p>Reading the games…</p> : <p class="notices">{problem}</p>}</main>
      <footer>Read only: nothing here changes a run.</footer>
    </>
  );
}
