import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { usePlace, type Place } from "./address.ts";
import { App } from "./app.tsx";
import type { RunEntry } from "./data.ts";
import { ListedRunContext } from "./games.tsx";
import { useGamesAtPlay, useRunData, useRuns } from "./live-data.ts";
import { TopBar } from "./parts.tsx";
import { Runs, Strip } from "./runs.tsx";

/** The page of `agon serve`: all runs, or one of them, while they go on. */
export function LiveApp(): JSX.Element {
  const place = usePlace();
  const { entries, isLost } = useRuns();
  const entry = entries?.find((one) => isPlaceOf(one, place));
  const title = entry === undefined ? "agon" : `${entry.name} - agon`;
  useEffect(() => {
    document.title = title;
  }, [title]);
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
  const listed = useMemo(() => ({ ask, freshAfter, atPlay }), [ask, freshAfter, atPlay]);
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
