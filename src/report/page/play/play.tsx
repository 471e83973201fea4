import { createContext, type JSX } from "preact";
import { useContext, useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Played } from "../../../agents/agent.ts";
import { CHANCE } from "../../../game/rules.ts";
import { turnedBoard } from "../board-data.ts";
import { Board } from "../board.tsx";
import type { PageData, TournamentData } from "../data.ts";
import { MoveList } from "../move-list.tsx";
import { Panel } from "../parts.tsx";
import { useKeptFocus } from "../scroll-and-focus.ts";
import { PERSON, playAddress, playedIn, seatsIn } from "./address.ts";
import { Analysis } from "./analysis.tsx";
import { drag, namedChoices, openPlaces, touch, type Chosen } from "./choosing.ts";
import { useDirections } from "./directions.ts";
import { Evaluation, type Opinion } from "./evaluation.tsx";
import type { GameInfo, PositionData } from "./messages.ts";
import { Saving } from "./saving.tsx";
import { rankedPlayable, Seats } from "./seats.tsx";
import { Thread } from "./thread.ts";

/** The weights in the page, by hash. */
export const WeightsContext = createContext<PageData["weights"]>({});

/** The time between two moves of agents, so that a person can follow them. */
const PAUSE_MS = 350;

const NO_MOVES: Played = { actions: [] };

/** The threads of a game: agents may think long, and the rules answer meanwhile. */
interface Threads {
  readonly rules: Thread;
  readonly agents: Thread;
  readonly analysis: Thread;
}

/** Play against the entrants of a run. */
export function Play({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  if (!run.hasRules && run.code === undefined)
    return (
      <p>
        The rules of this game are in a file of yours. <code>agon play</code> plays it, and so does a page
        that <code>agon report --with-code</code> makes.
      </p>
    );
  return (
    <Panel title={`Play ${run.gameName}`}>
      <WithThreads key={`${run.folder} ${query.toString()}`} run={run} query={query} />
    </Panel>
  );
}

/** Starts the threads, asks them what game it is, and checks the game in the address. */
function WithThreads({ run, query }: { run: TournamentData; query: URLSearchParams }): JSX.Element {
  const weights = useContext(WeightsContext);
  // A run that goes on is sent again and again; its game and its entrants stay.
  const [threads] = useState((): Threads => {
    const setup = { game: run.game, entrants: run.entrants, weights };
    const start = () => new Thread(setup, run.code);
    return { rules: start(), agents: start(), analysis: start() };
  });
  const [begin, setBegin] = useState<{ info: GameInfo; played: Played; problem: string }>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const ask = async () => {
      const info = await threads.rules.ask("game", {});
      const played = playedIn(run, query) ?? NO_MOVES;
      const wrong = await threads.rules.ask("position", { played }).then(
        () => "",
        (error: Error) => `The game in the address cannot be shown: ${error.message}`,
      );
      setBegin({ info, played: wrong === "" ? played : NO_MOVES, problem: wrong });
    };
    ask().catch((error: Error) => setProblem(error.message));
    return () => Object.values(threads).forEach((thread: Thread) => thread.stop());
  }, [threads]);
  if (problem !== "")
    return (
      <p role="alert" class="notices">
        {problem}
      </p>
    );
  if (begin === undefined) return <p aria-busy="true">The board is being set up…</p>;
  return <PlayedGame run={run} query={query} threads={threads} begin={begin} />;
}

/** The position after the play; undefined until the thread has answered. */
function usePosition(
  rules: Thread,
  played: Played,
  onProblem: (message: string) => void,
): { position: PositionData | undefined; isCurrent: boolean } {
  const [known, setKnown] = useState<{ played: Played; position: PositionData }>();
  useEffect(() => {
    let isWanted = true;
    rules.ask("position", { played }).then(
      (position) => {
        if (isWanted) setKnown({ played, position });
      },
      (error: Error) => {
        if (isWanted) onProblem(error.message);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [rules, played]);
  return { position: known?.position, isCurrent: known?.played === played };
}

function PlayedGame({
  run,
  query,
  threads,
  begin,
}: {
  run: TournamentData;
  query: URLSearchParams;
  threads: Threads;
  begin: { info: GameInfo; played: Played; problem: string };
}): JSX.Element {
  const { info } = begin;
  const { names } = info;
  const playable = useMemo(() => rankedPlayable(run), [run]);
  const [problem, setProblem] = useState(begin.problem);
  const [played, setPlayed] = useState<Played>(begin.played);
  const [chosenSeats, setSeats] = useState(() => seatsIn(run, query, names.length));
  /** The number of moves before the position that is looked at; undefined for the last one. */
  const [viewed, setViewed] = useState<number>();
  const [touched, setTouched] = useState<readonly number[]>([]);
  const [opinion, setOpinion] = useState<Opinion>();
  const [hint, setHint] = useState<{ text: string; places: readonly number[] }>();
  const [isTurned, setTurned] = useState<boolean>();
  const seed = useRef(String(performance.now()));
  /** True while an agent is asked. */
  const isAsking = useRef(false);

  const { position, isCurrent } = usePosition(threads.rules, played, setProblem);
  const shownPlay = useMemo(
    () => (viewed === undefined ? played : { ...played, actions: played.actions.slice(0, viewed) }),
    [played, viewed],
  );
  const { position: shown, isCurrent: isShown } = usePosition(threads.rules, shownPlay, setProblem);
  const mover = isCurrent ? position!.toMove : undefined;
  const seats = useMemo(
    () => chosenSeats ?? firstSeats(names.length, playable, position?.toMove ?? 0),
    [chosenSeats, position !== undefined],
  );
  const persons = seats.filter((seat) => seat === PERSON).length;
  const isYours = mover !== undefined && mover >= 0 && seats[mover] === PERSON;
  const choices = isYours && viewed === undefined ? position!.choices : [];
  const [keepFocus, around] = useKeptFocus({ isChoosing: touched.length > 0 });

  /** Another position is reached: what belongs to the last one is forgotten. */
  const play = (next: Played) => {
    keepFocus();
    if (isAsking.current) threads.agents.stop();
    isAsking.current = false;
    setTouched([]);
    setHint(undefined);
    setProblem("");
    setViewed(undefined);
    setPlayed(next);
  };
  const playsOn = (action: number) => play({ ...played, actions: [...played.actions, action] });
  const swipes = useDirections(choices, playsOn);
  const ask = async (entrant: number) => {
    isAsking.current = true;
    const answer = await threads.agents.ask("decision", { entrant, played });
    isAsking.current = false;
    return answer;
  };

  useEffect(() => {
    const address = playAddress(run, played, seats);
    // A page of its own, such as a frame of another page, may not have an address.
    if (played.actions.length > 0 || played.from !== undefined) history.replaceState(null, "", address);
  }, [played, seats]);

  useEffect(() => {
    if (mover === undefined) return;
    let isWanted = true;
    const go = async () => {
      if (mover === CHANCE) {
        const { action } = await threads.rules.ask("chance", { played, seed: seed.current });
        if (isWanted) setPlayed({ ...played, actions: [...played.actions, action] });
      } else if (mover >= 0 && seats[mover] !== PERSON) {
        const entrant = seats[mover]!;
        const pause = new Promise((resolve) => setTimeout(resolve, persons > 0 ? 0 : PAUSE_MS));
        const [decision] = await Promise.all([ask(entrant), pause]);
        if (!isWanted) return;
        setOpinion({ ...decision, name: run.entrants[entrant]!.name, mover });
        setPlayed({ ...played, actions: [...played.actions, decision.action] });
      }
    };
    go().catch((error: Error) => {
      if (isWanted) setProblem(error.message);
    });
    return () => {
      isWanted = false;
    };
  }, [played, seats, mover]);

  if (position === undefined || shown === undefined) return <p aria-busy="true">{problem}</p>;

  const take = (chosen: Chosen) => {
    if ("action" in chosen) return playsOn(chosen.action);
    keepFocus();
    setTouched(chosen.touched);
  };
  const changeSeats = (next: readonly number[]) => {
    setTouched([]);
    setTurned(undefined);
    setHint(undefined);
    if (isAsking.current) threads.agents.stop();
    isAsking.current = false;
    setSeats(next);
  };
  const undo = () => {
    let count = played.actions.length - 1;
    const isDecision = (at: number) => {
      const { mover: who } = position.moves[at]!;
      return who >= 0 && (seats[who] === PERSON || persons === 0);
    };
    while (count > 0 && !isDecision(count)) count--;
    play({ ...played, actions: played.actions.slice(0, Math.max(0, count)) });
  };
  const adviser = seats.find((seat) => seat !== PERSON) ?? playable[0];
  const askForHint = () => {
    if (adviser === undefined) return;
    const { name } = run.entrants[adviser]!;
    setHint({ text: "thinking…", places: [] });
    ask(adviser).then(
      (decision) => {
        setOpinion({ ...decision, name, mover: mover! });
        setHint({ text: `${name} would play ${decision.name}`, places: decision.touches });
      },
      (error: Error) => setHint({ text: error.message, places: [] }),
    );
  };
  const sits = info.below !== undefined && persons === 1 && seats[info.below] !== PERSON;
  const turns = isTurned ?? sits;
  const board = turns ? turnedBoard(shown.board) : shown.board;
  const named = isYours && viewed === undefined ? namedChoices(choices, touched) : [];
  const last = position.moves.at(-1);
  const reply =
    last !== undefined && last.mover >= 0 && seats[last.mover] !== PERSON
      ? [`${names[last.mover]!} played ${last.text}`]
      : [];
  const at = viewed ?? played.actions.length;
  return (
    <>
      <Seats run={run} names={names} seats={seats} onChange={changeSeats} />
      <div class="replay" ref={around}>
        <div>
          <div {...swipes}>
            <Board
              board={board}
              touched={touched}
              open={openPlaces(choices, touched)}
              hinted={viewed === undefined ? (hint?.places ?? []) : []}
              onTouch={(place) => take(touch(choices, touched, place))}
              {...(choices.some(({ touches }) => touches.length > 1) && {
                onDrag: (from, to) => take(drag(choices, touched, [from, to])),
              })}
            />
          </div>
          <p
            aria-live="polite"
            class="turn"
            data-turn={
              mover === undefined || !isShown
                ? "theirs"
                : isYours
                  ? "yours"
                  : mover >= 0 || mover === CHANCE
                    ? "theirs"
                    : "over"
            }
          >
            {viewed !== undefined
              ? `After ${at} of ${played.actions.length} · ${shown.turn}`
              : isYours
                ? [persons > 1 ? position.turn : "Your move", ...reply].join(" · ")
                : position.turn}
            {mover !== undefined &&
              mover >= 0 &&
              !isYours &&
              problem === "" &&
              ` · ${run.entrants[seats[mover]!]!.name} is thinking`}
          </p>
          {problem !== "" && (
            <p role="alert" class="notices">
              {problem}
            </p>
          )}
          {named.length > 0 && (
            <div class="choices" role="group" aria-label="Moves to choose from">
              {named.map(({ action, name }) => (
                <button key={action} type="button" data-action={action} onClick={() => playsOn(action)}>
                  {name}
                </button>
              ))}
            </div>
          )}
          {viewed !== undefined && (
            <div class="controls">
              <button type="button" onClick={() => play(shownPlay)}>
                play on from here
              </button>
              <button type="button" onClick={() => setViewed(undefined)}>
                back to the game
              </button>
            </div>
          )}
          <div class="controls">
            <button type="button" onClick={undo} disabled={played.actions.length === 0}>
              undo
            </button>
            <button
              type="button"
              onClick={askForHint}
              disabled={!isYours || viewed !== undefined || adviser === undefined}
            >
              hint
            </button>
            <button type="button" onClick={() => play(NO_MOVES)}>
              new game
            </button>
            {names.length > 1 && (
              <button type="button" onClick={() => changeSeats([...seats.slice(1), seats[0]!])}>
                change sides
              </button>
            )}
            {info.below !== undefined && (
              <button type="button" aria-pressed={turns} onClick={() => setTurned(!turns)}>
                turn the board
              </button>
            )}
          </div>
          {hint !== undefined && <p aria-live="polite">{hint.text}</p>}
          <Evaluation info={info} opinion={opinion} />
        </div>
        <div>
          <MoveList
            moves={position.moves}
            at={at}
            go={(to) => {
              setTouched([]);
              setViewed(to === played.actions.length ? undefined : to);
            }}
          />
          <Analysis
            run={run}
            thread={threads.analysis}
            analysts={playable}
            played={shownPlay}
            mover={isShown ? shown.toMove : CHANCE}
            names={names}
          />
          <Saving
            rules={threads.rules}
            info={info}
            played={played}
            names={seats.map((seat) => (seat === PERSON ? "person" : run.entrants[seat]!.name))}
            notation={shown.notation}
            fileName={run.folder}
            link={playAddress(run, played, seats)}
            onSetUp={(from) => play({ actions: [], ...(from !== undefined && { from }) })}
          />
        </div>
      </div>
    </>
  );
}

/** A person sits at the player to move, the strongest entrant at the other seats. */
function firstSeats(players: number, playable: readonly number[], toMove: number): readonly number[] {
  const yours = Math.max(0, toMove);
  return Array.from({ length: players }, (_, seat) => (seat === yours ? PERSON : (playable[0] ?? PERSON)));
}
