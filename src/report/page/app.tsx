import type { JSX } from "preact";
import { useContext } from "preact/hooks";
import type { SearchTree } from "../../explain/tree/search-tree.ts";
import { paintRules, paintVariables } from "../../games/contract/picture.ts";
import { addressOf, usePlace, type Place } from "./address.ts";
import type { PageData, TournamentData, TrainingData } from "./data.ts";
import { Games } from "./games.tsx";
import { AboutRun } from "./about.tsx";
import { Breakdown } from "./breakdown.tsx";
import { Ladder } from "./ladder/ladder.tsx";
import { Notices, PrintContext, TopBar, usePrinting } from "./parts.tsx";
import { SearchTreeView } from "./search-tree.tsx";
import { Play, WeightsContext } from "./play/play.tsx";
import { Standings } from "./standings.tsx";
import { Sweep, Training } from "./training.tsx";

const PAINTS = paintRules() + paintVariables();

const TOURNAMENT_VIEWS = {
  standings: "Standings",
  origins: "Where it comes from",
  games: "Games",
  play: "Play",
};

/**
 * The page: reports of runs, or searches step by step.
 * @param live the run's progress, if the page follows the run
 */
export function App({ data, live }: { data: PageData; live?: JSX.Element }): JSX.Element {
  const isPrinting = usePrinting();
  return data.trees === undefined ? (
    <PrintContext.Provider value={isPrinting}>
      <Reports data={data} live={live} />
    </PrintContext.Provider>
  ) : (
    <Trees trees={data.trees} version={data.version} />
  );
}

function Trees({ trees, version }: { trees: readonly SearchTree[]; version: string }): JSX.Element {
  return (
    <>
      <TopBar title="search tree" />
      <main>
        {trees.map((tree, at) => (
          <SearchTreeView key={at} tree={tree} />
        ))}
      </main>
      <Footer version={version} />
    </>
  );
}

function Footer({ version, isLive = false }: { version: string; isLive?: boolean }): JSX.Element {
  return (
    <footer>
      Made by agon {version}.{" "}
      {!isLive && <span class="faint">Everything is in this file; nothing is loaded.</span>}
    </footer>
  );
}

function Reports({ data, live }: { data: PageData; live: JSX.Element | undefined }): JSX.Element {
  const place = usePlace();
  const runs = [
    ...data.tournaments.map((run) => ({ kind: "tournament" as const, run, key: run.folder })),
    ...(data.sweeps ?? []).map((run) => ({ kind: "sweep" as const, run, key: `sweep ${run.folder}` })),
    ...data.trainings.map((run) => ({ kind: "training" as const, run, key: `training of ${run.folder}` })),
  ];
  const training = runs.find(({ kind }) => kind === "training");
  const chosen = runs.find(({ key }) => key === place.folder) ?? training ?? runs[0]!;
  return (
    <WeightsContext.Provider value={data.weights}>
      <style>{PAINTS}</style>
      <TopBar title={chosen.run.about.title ?? chosen.run.name}>
        {runs.length > 1 && (
          <nav aria-label="Runs">
            {runs.map(({ key, kind, run }) => (
              <a
                key={key}
                href={addressOf(key, kind === "tournament" ? "standings" : "curve")}
                aria-current={key === chosen.key ? "page" : undefined}
              >
                {run.about.title ?? run.name}
                <small>
                  {kind !== "tournament"
                    ? kind
                    : training && isRatingOf(run, data)
                      ? "its rating"
                      : run.folder}
                </small>
              </a>
            ))}
          </nav>
        )}
      </TopBar>
      {live}
      {chosen.kind === "training" ? (
        <main>
          <AboutRun about={chosen.run.about} />
          <Notices of={chosen.run.notices} label="Notices" />
          <Training training={chosen.run} all={data.trainings} />
        </main>
      ) : chosen.kind === "sweep" ? (
        <main>
          <AboutRun about={chosen.run.about} />
          <Notices of={chosen.run.notices} label="Notices" />
          <Sweep sweep={chosen.run} />
        </main>
      ) : (
        <Tournament run={chosen.run} place={place} />
      )}
      <Footer version={data.version} isLive={live !== undefined} />
    </WeightsContext.Provider>
  );
}

function isRatingOf(run: TournamentData | TrainingData, { trainings }: PageData): boolean {
  return trainings.some(({ folder }) => folder === run.folder);
}

function Tournament({ run, place }: { run: TournamentData; place: Place }): JSX.Element {
  const { ladder } = run;
  const views = { ...(ladder && { ladder: "Ladder" }), ...TOURNAMENT_VIEWS };
  const view = Object.hasOwn(views, place.view) ? place.view : Object.keys(views)[0]!;
  const isPrinting = useContext(PrintContext);
  // On paper there are no tabs; a game or a board that is shown is printed alone.
  const isAll = isPrinting && view !== "play" && !place.query.has("game");
  const shows = (one: string) => isAll || view === one;
  const query = place.folder === run.folder ? place.query : new URLSearchParams();
  return (
    <>
      <nav class="views" aria-label="Views">
        {Object.entries(views).map(([key, title]) => (
          <a key={key} href={addressOf(run.folder, key)} aria-current={key === view ? "page" : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <main>
        <Notices of={run.notices} label="Notices" />
        {ladder && shows("ladder") && <Ladder run={run} ladder={ladder} query={query} />}
        {shows("standings") && <AboutRun about={run.about} />}
        {shows("standings") && <Standings run={run} />}
        {shows("origins") && <Breakdown run={run} />}
        {shows("games") && <Games run={run} query={query} />}
        {view === "play" && <Play run={run} query={query} />}
      </main>
    </>
  );
}
