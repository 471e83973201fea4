import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AtPlayData, GameData, PageData, RunEntry } from "./data.ts";
import { formatGameQuery, type GamesPage } from "./game-list.ts";
import type { ListedRun } from "./games.tsx";

/*
 * The data from `agon serve`: the list of runs and the data of one run, both asked for again and again.
 */

/** The time between two questions for a run's data, in ms. */
const ASK_MS = 2000;
/** The time between two questions for the games at play, in ms. */
const AT_PLAY_MS = 1000;
/** The time for which games are marked as new, in ms. */
const FRESH_MS = 10_000;
/** The time between two questions for the list of runs, in ms. */
const LIST_MS = 1000;

/** The list of runs as it is now; undefined before it has come. `isLost` while there is no connection to the server. */
export function useRuns(): { entries: readonly RunEntry[] | undefined; isLost: boolean } {
  const [entries, setEntries] = useState<readonly RunEntry[]>();
  const [isLost, setLost] = useState(false);
  useEffect(() => followRuns({ setEntries, setLost }), []);
  return { entries, isLost };
}

/** Asks for the runs again and again as long as the page can be seen; returns how to stop. */
function followRuns({
  setEntries,
  setLost,
}: {
  setEntries: (entries: readonly RunEntry[]) => void;
  setLost: (isLost: boolean) => void;
}): () => void {
  let tag = "";
  return keepAsking(LIST_MS, async () => {
    const answer = await askChanged<RunEntry[]>("/runs", tag);
    setLost(answer === undefined);
    if (answer?.data === undefined) return;
    tag = answer.tag!;
    setEntries(answer.data);
  });
}

/** Calls `ask` at once, and again `restMs` after each end, while the page can be seen; returns how to stop. */
function keepAsking(restMs: number, ask: () => Promise<void>): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const next = async () => {
    if (!document.hidden) await ask();
    if (!isOver) timer = setTimeout(() => void next(), restMs);
  };
  void next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** The data of a run that the page follows. */
interface Followed {
  /** Undefined before it has come. */
  readonly data: PageData | undefined;
  /** Games of later numbers came in just now. */
  readonly freshAfter: number;
  /** The reason why there is no data; empty if there is. */
  readonly problem: string;
}

/**
 * The data of a run. The page asks again when the run's entry has changed, but not while somebody reads or plays a
 * game: that game stays as it is.
 * @param game the id of a game to include, or empty
 */
export function useRunData(
  { folder, change }: RunEntry,
  { isReading, game }: { isReading: boolean; game: string },
): Followed & Pick<ListedRun, "ask"> {
  const [shown, setShown] = useState<Followed>({ data: undefined, freshAfter: Infinity, problem: "" });
  const [extra, setExtra] = useState<ReadonlyMap<string, GameData | undefined>>(new Map());
  const asked = useRef({ at: -Infinity, tag: "", isAsking: false });
  const [answers, setAnswers] = useState(0);
  const { data } = shown;
  const keeps = useRef(false);
  keeps.current = isReading && data !== undefined;

  useEffect(() => {
    const { at, tag, isAsking } = asked.current;
    if (isAsking || tag === tagOf(change) || keeps.current) return undefined;
    const ask = async () => {
      asked.current = { at: performance.now(), tag, isAsking: true };
      const answer = await askChanged<PageData>(`/runs/${encodeURIComponent(folder)}`, tag);
      asked.current.isAsking = false;
      // Data that arrives while a game is read or played is asked for again afterwards.
      if (answer !== undefined && !keeps.current) {
        asked.current.tag = answer.tag ?? tagOf(change);
        if (answer.data !== undefined) setShown((before) => shownAfter(before, answer.data!));
        else if (answer.problem !== undefined)
          setShown((before) => ({ ...before, problem: answer.problem! }));
      }
      setAnswers((count) => count + 1);
    };
    const timer = setTimeout(() => void ask(), Math.max(0, at + ASK_MS - performance.now()));
    return () => clearTimeout(timer);
  }, [folder, change, isReading, answers]);

  useEffect(() => {
    if (shown.freshAfter === Infinity) return undefined;
    const timer = setTimeout(() => setShown((now) => ({ ...now, freshAfter: Infinity })), FRESH_MS);
    return () => clearTimeout(timer);
  }, [shown.freshAfter]);

  const isMissing = game !== "" && data !== undefined && !data.tournaments.some((run) => has(run, game));
  useEffect(() => {
    if (!isMissing || extra.has(game)) return;
    const path = `/runs/${encodeURIComponent(folder)}/games/${encodeURIComponent(game)}`;
    void askJson<GameData>(path).then((found) => setExtra((before) => new Map([...before, [game, found]])));
  }, [folder, game, isMissing]);
  const askList: ListedRun["ask"] = useCallback(
    async (query) => {
      const path = `/runs/${encodeURIComponent(folder)}/games`;
      const page = await askJson<GamesPage>(
        `${path}?${new URLSearchParams(formatGameQuery(query)).toString()}`,
      );
      // Listed games can be replayed, also after the server has ended; those of the user's have no boards yet.
      const whole = page?.games.filter(({ moves }) => moves === undefined) ?? [];
      setExtra((before) => new Map([...before, ...whole.map((one) => [one.id, one] as const)]));
      return page;
    },
    [folder],
  );

  const found = extra.get(game);
  const whole = useMemo(
    () => (isMissing && found !== undefined ? withGame(data, found) : data),
    [data, isMissing, found],
  );
  return { ...shown, data: isMissing && !extra.has(game) ? undefined : whole, ask: askList };
}

/** The games that are being played in a run, about once a second while it goes on and the page can be seen. */
export function useGamesAtPlay({ folder, state }: RunEntry): readonly AtPlayData[] {
  const [games, setGames] = useState<readonly AtPlayData[]>([]);
  const isGoingOn = state === "going on";
  useEffect(() => {
    if (!isGoingOn) {
      setGames([]);
      return undefined;
    }
    let isOver = false;
    const stop = keepAsking(AT_PLAY_MS, async () => {
      const found = await askJson<AtPlayData[]>(`/runs/${encodeURIComponent(folder)}/at-play`);
      if (found !== undefined && !isOver) setGames(found);
    });
    return () => {
      isOver = true;
      stop();
    };
  }, [folder, isGoingOn]);
  return games;
}

/** The data with a game at the end of each run, in place of one of the same id. */
function withGame(data: PageData, game: GameData): PageData {
  const tournaments = data.tournaments.map((run) => {
    return { ...run, games: [...run.games.filter(({ id }) => id !== game.id), game] };
  });
  return { ...data, tournaments };
}

/** True if a game is there, with its positions if the page needs them. */
function has({ games }: PageData["tournaments"][number], id: string): boolean {
  return games.some((game) => game.id === id && (game.moves === undefined || game.drawn !== undefined));
}

/** Replaces data by new data; games that were stored in between are fresh. */
function shownAfter({ data: before }: Followed, data: PageData): Followed {
  const freshAfter = before?.tournaments[0]?.report.games ?? Infinity;
  return { data, freshAfter, problem: "" };
}

/** The server's ETag of a change. */
function tagOf(change: number): string {
  return `"${change}"`;
}

/** Data, or a problem; neither if the data is still that of `tag`. Undefined if the server is gone. */
async function askChanged<T>(
  path: string,
  tag: string,
): Promise<{ tag?: string; data?: T; problem?: string } | undefined> {
  try {
    const headers: Record<string, string> = tag === "" ? {} : { "If-None-Match": tag };
    const response = await fetch(path, { headers });
    if (response.ok) return { tag: response.headers.get("ETag")!, data: (await response.json()) as T };
    if (response.status === 304) return { tag };
    if (response.status !== 503) return { problem: "It is not there any longer." };
    return { problem: ((await response.json()) as { error: string }).error };
  } catch {
    return undefined;
  }
}

async function askJson<T>(path: string): Promise<T | undefined> {
  try {
    const response = await fetch(path);
    return response.ok ? ((await response.json()) as T) : undefined;
  } catch {
    return undefined;
  }
}
